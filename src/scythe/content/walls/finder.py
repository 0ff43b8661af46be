"""Pages that stand in the way of the content asked for: bot checks, logins, paywalls,
requests for consent, and error pages that a server sent as if they were pages.

Only pages with little selected text are ever asked about, so that an article about a
paywall stays an article. What such a page says of itself in its title and headings counts
for more than any word of its text; words are of the languages that most pages are in.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from scythe.content.walls.account_forms import (
    LOGIN,
    LOGIN_WORDS,
    has_account_form,
    has_password,
    named_account_form,
)
from scythe.content.walls.page_words import SHORT_TEXT, PageWords
from scythe.tree.phrases import Phrases
from scythe.tree.tree import Tree

BOT_CHECK = "it is a bot check."
PAYWALL = "it asks for a subscription; at most a part of the text is here."
CONSENT = "it asks for consent before it shows the page."
ERROR = "it is an error page, although it was sent as a page."
MAINTENANCE = "the site says that it is not available at the moment."

LITTLE_TEXT = 600
"""Characters of selected text that the words of a login, an error or a request for
consent come with at most. Of the 4,431 pages of content and content-more, 8 are taken for
walls and are (six say "not found", one asks for a login, one for a subscription), none of
them with a truth of more than 200 words.
"""


_BOT_CHECKS = Phrases(
    (
        *("checking ", "just a moment", "attention", "access denied", "verify"),
        *("are you a robot", "unusual traffic", "enable cookies", "request "),
        *("complete the", "pardon our", "been blocked", "forbidden", "too many"),
    ),
    r"checking (?:if the site connection is secure|your browser)",
    r"just a moment",
    r"attention required",
    r"access denied",
    r"verify(?:ing)? (?:that )?you are (?:a )?human",
    r"are you a robot",
    r"unusual traffic",
    r"enable cookies and reload",
    r"request (?:blocked|unsuccessful)",
    r"complete the (?:security check|captcha)",
    r"pardon our interruption",
    r"you have been blocked",
    r"403 forbidden",
    r"429 too many requests",
)
_PAYWALLS: Mapping[str, re.Pattern[str]] = {
    word: re.compile(phrases)
    for word, phrases in {
        "reading": (
            r"(?:subscribe|sign up|register|log in|sign in) (?:now )?"
            r"(?:or (?:log|sign) in )?to (?:continue|keep|finish) reading"
            r"|to (?:continue|keep) reading,? (?:please )?(?:this article )?"
            r"(?:subscribe|log in|sign in|register|become)"
        ),
        "this ": (
            r"this (?:article|content|story|page|post) is (?:only )?(?:available )?"
            r"(?:exclusively )?(?:for|to) (?:our )?(?:paying |registered )?"
            r"(?:subscribers|members)"
            r"|this is a preview of subscription content"
        ),
        "reached your": r"you'?ve reached your (?:monthly )?(?:article )?limit",
        "unlock ": r"unlock (?:this|the full) (?:article|story)",
        "weiterlesen": r"weiterlesen mit |jetzt weiterlesen",
        "jetzt frei": r"jetzt freischalten",
        "abonnenten": (
            r"nur f[uü]r abonnenten|dieser artikel ist (?:exklusiv )?f[uü]r abonnenten"
        ),
        "aux abonn": r"(?:article|contenu) r[eé]serv[eé] aux abonn[eé]s",
        "vous reste": r"il vous reste \S+ ?% de cet article",
        "para suscriptores": (
            r"(?:contenido|art[ií]culo) (?:exclusivo )?para suscriptores"
        ),
        "leyendo": r"suscr[ií]bete para (?:seguir|continuar) leyendo",
        "para assinantes": r"conte[uú]do (?:exclusivo )?para assinantes",
        "assine para": r"assine para continuar lendo",
        "abbonati": (
            r"(?:contenuto|articolo) (?:riservato|esclusivo) (?:agli|per gli) abbonati"
        ),
        "voor abonnees": r"artikel (?:is )?(?:alleen )?voor abonnees",
        "prenumerera": r"prenumerera f[oö]r att l[aä]sa",
        "tylko dla": r"tylko dla (?:prenumerator|subskrybent)",
        "только для": r"только для подписчиков",
        "доступно по": r"доступно по подписке",
        "оформите": r"оформите подписку, чтобы",
        "阅读": "订阅后(?:可)?(?:继续)?阅读|付费(?:后)?(?:可)?阅读全文",
        "この記事は": "この記事は(?:有料)?会員限定",
        "続きを": "続きを読むには",
        "구독자": "구독자 전용 (?:기사|콘텐츠)입니다",
    }.items()
}
"""What asks for a subscription, in lower case, by words that it always has: it is looked
for in the whole text of a page, where such words are found much sooner than phrases.
"""
_CONSENTS = Phrases(
    (
        *("before you", "cookie", "privacy", "consent", "bevor sie", "avant d"),
        *("antes de", "prima di", "voordat je", "privatsph", "vie priv", "przed "),
    ),
    r"before you (?:continue|proceed)\b",
    r"\b(?:cookie|privacy) (?:consent|settings|preferences|notice)\b",
    r"\bwe (?:value|respect|care about) your privacy\b",
    r"\bconsent (?:required|management)\b",
    r"\bbevor sie (?:fortfahren|weitergehen|zu)",
    r"\bavant (?:de continuer|d'acc[eé]der)",
    r"\bantes de (?:continuar|ir a)",
    r"\bprima di continuare\b",
    r"\bvoordat je (?:verdergaat|doorgaat)\b",
    r"\bihre privatsph[aä]re\b|\bwir respektieren ihre privatsph[aä]re\b",
    r"\brespect de votre vie priv[eé]e\b",
    r"\bprzed kontynuowaniem\b",
    "続行する前に|继续前请|계속하기 전에",
)
_ERRORS = Phrases(
    (
        *("404", "410", "500", "502", "503", "504", "not found", "no longer available"),
        *("unavailable", "removed", "missing", "exist", "be found", "gateway", "error"),
        *("went wrong", "t find", "broken", "lost", "t available", "nicht gefunden"),
        *("introuvable", "non trouv", "erreur", "encontrada", "disponib", "trovata"),
        *("niet gevonden", "hitta", "ikke funnet", "nie znaleziono", "nie istnieje"),
        "nenalezena",
    ),
    r"\b(?:error|http|status|page)?[ :-]*(?:404|410|500|502|503|504)\b"
    r"[ :|-]*(?:\Z|error|not found|page|file|gone|internal|bad gateway|service"
    r"|gateway|server|[|-])",
    r"\b(?:page|file|document|article|resource|content|url|address|site) "
    r"(?:was |is |has been |you requested )*"
    r"(?:not found|no longer available|unavailable|removed|missing|doesn't exist"
    r"|does not exist|can(?:no|')t be found|could(?: not|n't) be found)\b",
    r"\bnot found\b\W*\Z|\A\W*not found\b",
    r"\binternal server error\b|\bbad gateway\b|\bservice unavailable\b"
    r"|\bgateway time-?out\b|\bapplication error\b|\bserver error\b"
    r"|\berror establishing a database connection\b",
    r"\b(?:oops|whoops|sorry|uh[- ]oh)\b.{0,40}"
    r"\b(?:went wrong|not found|can't find|cannot find|couldn't find|could not find"
    r"|broken|error|lost|doesn't exist|missing)\b",
    r"\bwe (?:can't|cannot|couldn't|could not) find (?:that|the|this) page",
    r"\bthis page (?:isn't available|doesn't exist|does not exist)",
    r"\bseite (?:wurde )?(?:leider )?nicht gefunden|\bseite existiert nicht",
    r"\bpage (?:introuvable|non trouv[eé]e)|\berreur (?:404|500)",
    r"\bp[aá]gina no (?:encontrada|existe|disponible)",
    r"\bp[aá]gina n[aã]o (?:foi )?encontrada",
    r"\bpagina non (?:trovata|disponibile)|\bpagina niet gevonden",
    r"\bsidan (?:kunde inte hittas|hittades inte)|\bsiden (?:blev )?ikke funnet",
    r"\bnie znaleziono strony|\bstrona nie istnieje|\bstr[aá]nka nenalezena",
    r"страница не найдена|ошибка 404|такой страницы (?:нет|не существует)",
    "页面不存在|找不到(?:该)?(?:页面|网页)|页面未找到|找不到網頁|頁面不存在",
    "ページが見つかりません|お探しのページ|페이지를 찾을 수 없습니다",
)
_MAINTENANCE = Phrases(
    (
        *("be right back", "be back", "back soon", "maintenance", "temporarily"),
        *("wartung", "mantenimiento", "manuten", "onderhoud", "przerwa"),
    ),
    r"\bwe'll be (?:right )?back\b|\bbe right back\b|\bback soon\b",
    r"\b(?:under|down for|scheduled|undergoing) (?:scheduled )?maintenance\b",
    r"\bmaintenance (?:mode|in progress)\b|\bsite maintenance\b",
    r"\btemporarily (?:unavailable|down|offline)\b",
    r"\bwartungsarbeiten\b|\bwartungsmodus\b|\bin wartung\b",
    r"\b(?:en|site en) maintenance\b|\ben mantenimiento\b|\bem manuten[cç][aã]o\b",
    r"\bin manutenzione\b|\bonderhoud\b|\bprzerwa techniczna\b|\bprzerwa serwisowa\b",
    r"технические работы|ведутся работы",
    "系统维护|网站维护|維護中|メンテナンス中|점검 중",
)
_BY_PHRASES = {_ERRORS: ERROR, _MAINTENANCE: MAINTENANCE, _CONSENTS: CONSENT}


def has_bot_check(words: PageWords) -> bool:
    """Return whether a page is a bot check or refuses access."""
    if not words.is_short:
        return False
    return _BOT_CHECKS.are_in(f"{words.title}\n{words.visible_text}")


def find_wall(tree: Tree, words: PageWords, selected: int, url: str | None) -> str:
    """Return what stands in the way of the content, in words; empty where nothing does.

    `selected` is how many characters of the page are taken for content.
    """
    if selected >= SHORT_TEXT:
        return ""
    if has_bot_check(words):
        return BOT_CHECK
    if _asks_for_subscription(words.visible_text):
        return PAYWALL
    if selected < LITTLE_TEXT:
        for phrases, note in _BY_PHRASES.items():
            if phrases.are_in_any(words.top):
                return note
    if account_form := find_account_form(tree, words, url):
        return account_form
    if selected < LITTLE_TEXT and has_password(tree):
        is_all = len(words.visible_text) <= LITTLE_TEXT
        texts = (*words.top, words.visible_text if is_all else "")
        return LOGIN if LOGIN_WORDS.are_in_any(texts) else ""
    return ""


def find_account_form(tree: Tree, words: PageWords, url: str | None) -> str:
    """Return which form for an account a page is, in words, however long the menus are
    that stand around it; empty for other pages.
    """
    named = named_account_form(words, url)
    return named if named and has_account_form(tree) else ""


def _asks_for_subscription(text: str) -> bool:
    lower = text.lower()
    return any(
        word in lower and phrases.search(lower) for word, phrases in _PAYWALLS.items()
    )
