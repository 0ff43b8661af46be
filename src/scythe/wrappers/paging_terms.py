"""What links to the next page of a list show and are called, in many languages."""

from __future__ import annotations

import re

_NEXT_WORDS = """
    next|next page|next results|next posts|next entries|next set|next items
    go to next page|go to the next page|page next
    older|older posts|older entries|older articles|more results|forward
    following page
    weiter|nächste|nächste seite|vor|vorwärts|ältere beiträge|zur nächsten seite
    folgende seite
    suivant|suivante|page suivante|suivants|résultats suivants
    siguiente|página siguiente|siguientes|próxima|próximo|próxima página|seguinte
    página seguinte|avançar
    successivo|successiva|avanti|pagina successiva|prossima|pagina seguente
    volgende|volgende pagina|nästa|nästa sida|næste|næste side|neste|neste side
    seuraava|seuraava sivu
    następna|następny|następna strona|dalej|další|další stránka|další strana|ďalšia
    ďalej|következő|következő oldal
    следующая|следующая страница|след|дальше|вперед|вперёд|далее|наступна|далі
    следваща|sljedeća|sledeća|naslednja
    sonraki|sonraki sayfa|ileri|επόμενη|επόμενο|επόμενη σελίδα|înainte|următoarea
    pagina următoare|tiếp|trang sau|tiếp theo
    下一页|下一頁|下页|下頁|下一个|后页|後頁|次へ|次のページ|次ページ|次|다음|다음 페이지|다음페이지
    التالي|الصفحة التالية|הבא|לעמוד הבא|berikutnya|selanjutnya|ถัดไป|หน้าถัดไป|अगला
    keyboard_arrow_right|chevron_right|arrow_forward|navigate_next
"""

NEXT_WORDS = frozenset(re.split(r"[|\n] *", _NEXT_WORDS.strip()))
"""The words of a link to the next page, in small letters and without the signs around
them; icon fonts show the name of an icon.
"""

NEXT_SIGNS = frozenset("> » › → ❯ ⟩ ▶ ► ⇒ >> ›› ⏵ 〉 ⟶ 》".split())  # noqa: RUF001
"""What a link to the next page shows where it has no words."""

AROUND_WORDS = " \t\r\n\f\v\u00a0\u200b>»›→❯⟩▶►⇒⏵〉⟶》·|.…:()[]<«‹←0123456789"  # noqa: RUF001
"""Signs and numbers that stand around the words of a link: `Next 10 »`."""

AROUND_NUMBERS = " \t\r\n\u00a0[]()"
"""What stands around page numbers."""

NEXT_CLASS = re.compile(
    r"(?i:(?:^|[\s_-])next(?:$|[\s_-]|page|posts|link|btn|button))|[a-z]Next(?:Page|Link)?(?:$|\s)"
)
"""A class of links to the next page."""

NO_NEXT_CLASS = re.compile(
    r"slick|swiper|carousel|slide|owl-|splide|glide|disabled|inactive|-month|-day|lightbox",
    re.IGNORECASE,
)
"""A class of links that are switched off, or move something on the page itself."""

CURRENT_CLASS = re.compile(
    r"(?:^|[\s_-])(?:active|current|selected|on|cur|thispage|currentpage|here)(?:$|[\s_-])",
    re.IGNORECASE,
)
"""A class of the link to this page itself."""

PAGE_NUMBER = re.compile(
    r"(?<=[?&;])(page|pagenumber|pageno|page_no|pagenum|p|pg|pn|pageindex|paged|seite|pagina"
    r"|start|offset|from|first|begin|startrow|startindex|skip|s|b|o|currentpage|cpage|pageid"
    r"|topdoc)=(\d{1,7})(?=&|;|#|$)|/(page|seite|pagina|p)[/-]?(\d{1,6})(?=[/.?#&]|$)",
    re.IGNORECASE,
)
"""A page number or the number of a first record in an address."""
