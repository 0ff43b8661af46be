"""Where a list goes on: the link to its next page.

Asked of every page that a wrapper reads, so it looks at `<a>` and `<link>` only, and at
most of them only once. What says that a link leads on, from the surest sign to the
weakest: `rel=next`; its words, in many languages; its label, title or class where it
shows a sign or a picture; the number after that of this page; an address that differs
from the page's in the page number alone.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple
from urllib.parse import parse_qsl, urldefrag, urlsplit

import numpy as np
from numpy.typing import NDArray

from scythe.tree.links import base_url
from scythe.tree.tags import CODES, TEXT
from scythe.tree.tree import Tree
from scythe.urls import resolve, short_domain
from scythe.wrappers.span import Span

A, LINK, IMG, TD = (CODES[name] for name in ("a", "link", "img", "td"))

WORDS = frozenset(
    """
    next|next page|next results|next posts|next entries|next set|next items|go to next page|go to the next page|page next
    |older|older posts|older entries|older articles|more results|forward|following page
    |weiter|nächste|nächste seite|vor|vorwärts|ältere beiträge|zur nächsten seite|folgende seite
    |suivant|suivante|page suivante|suivants|résultats suivants
    |siguiente|página siguiente|siguientes|próxima|próximo|próxima página|seguinte|página seguinte|avançar
    |successivo|successiva|avanti|pagina successiva|prossima|pagina seguente
    |volgende|volgende pagina|nästa|nästa sida|næste|næste side|neste|neste side|seuraava|seuraava sivu
    |następna|następny|następna strona|dalej|další|další stránka|další strana|ďalšia|ďalej|következő|következő oldal
    |следующая|следующая страница|след|дальше|вперед|вперёд|далее|наступна|далі|следваща|sljedeća|sledeća|naslednja
    |sonraki|sonraki sayfa|ileri|επόμενη|επόμενο|επόμενη σελίδα|înainte|următoarea|pagina următoare|tiếp|trang sau|tiếp theo
    |下一页|下一頁|下页|下頁|下一个|后页|後頁|次へ|次のページ|次ページ|次|다음|다음 페이지|다음페이지
    |التالي|الصفحة التالية|הבא|לעמוד הבא|berikutnya|selanjutnya|ถัดไป|หน้าถัดไป|अगला
    |keyboard_arrow_right|chevron_right|arrow_forward|navigate_next
    """.replace("\n", "")
    .replace("    ", "")
    .split("|")
)
"""What a link to the next page says, in small letters and without the signs around it;
icon fonts show the name of an icon.
"""

SIGNS = frozenset("> » › → ❯ ⟩ ▶ ► ⇒ >> ›› ⏵ 〉 ⟶ 》".split())  # noqa: RUF001
"""What a link to the next page shows where it has no words."""

AROUND = " \t\r\n\f\v\u00a0\u200b>»›→❯⟩▶►⇒⏵〉⟶》·|.…:()[]<«‹←0123456789"  # noqa: RUF001
"""Signs and numbers that stand around the words of a link: `Next 10 »`."""

BRACKETS = " \t\r\n\u00a0[]()"
"""What stands around page numbers."""

NEXT_CLASS = re.compile(
    r"(?i:(?:^|[\s_-])next(?:$|[\s_-]|page|posts|link|btn|button))|[a-z]Next(?:Page|Link)?(?:$|\s)"
)
NO_NEXT_CLASS = re.compile(
    r"slick|swiper|carousel|slide|owl-|splide|glide|disabled|inactive|-month|-day|lightbox",
    re.IGNORECASE,
)
CURRENT_CLASS = re.compile(
    r"(?:^|[\s_-])(?:active|current|selected|on|cur|thispage|currentpage|here)(?:$|[\s_-])",
    re.IGNORECASE,
)

NUMBERED = re.compile(
    r"(?<=[?&;])(page|pagenumber|pageno|page_no|pagenum|p|pg|pn|pageindex|paged|seite|pagina|start|offset|from|first|begin|startrow"
    r"|startindex|skip|s|b|o|currentpage|cpage|pageid|topdoc)=(\d{1,7})(?=&|;|#|$)|/(page|seite|pagina|p)[/-]?(\d{1,6})(?=[/.?#&]|$)",
    re.IGNORECASE,
)
"""A page number or the number of a first record in an address."""

SMALL = 14
"""Nodes in a link of a pager, at most: a word, a picture of an arrow. Links of other
kinds need not be read.
"""

LONG = 40
MOST_DIGITS = 5
"""Characters that such a link shows, at most, and digits of a page number."""

NEAR = 60
"""Nodes between two links of one pager, at most."""

MOST_PAGERS = 20
"""Rows of numbers that are looked at."""

CALENDAR = 20
"""As many numbers side by side in table cells are days, not pages."""


class Link(NamedTuple):
    """A link of a pager."""

    node: int
    number: int = 0


@dataclass(frozen=True)
class _Sorted:
    """The small links of a page by what they show."""

    words: list[Link] = field(default_factory=list)
    numbers: list[Link] = field(default_factory=list)
    signs: list[Link] = field(default_factory=list)
    bare: list[Link] = field(default_factory=list)


def next_page(tree: Tree, spans: Sequence[Span], url: str | None) -> str | None:
    """The address of the next page of the list, absolute where the address of this page
    is known; None if there is none.
    """
    pager = _Pager(tree, spans, url)
    return (
        pager.declared()
        or pager.named()
        or pager.pointed()
        or pager.counted()
        or pager.addressed()
    )


@dataclass(frozen=True)
class _Pager:
    tree: Tree
    spans: Sequence[Span]
    url: str | None

    @cached_property
    def _anchors(self) -> list[int]:
        """The links outside the records."""
        found: NDArray[np.int64] = np.flatnonzero(self.tree.tag == A)
        if self.spans:
            starts, stops = np.array(self.spans, dtype=np.int64).T
            record = np.searchsorted(starts, found, side="right") - 1
            found = found[(record < 0) | (found >= stops[record])]
        return found.tolist()

    @cached_property
    def _texts(self) -> list[str]:
        return self.tree.text.tolist()

    @cached_property
    def _links(self) -> _Sorted:
        texts, found = self._texts, _Sorted()
        for node, end in zip(
            self._anchors, self.tree.end[self._anchors].tolist(), strict=True
        ):
            if end - node > SMALL:
                continue
            shown = (
                texts[node + 1] if end == node + 2 else "".join(texts[node + 1 : end])
            )
            if len(shown) > LONG and len(shown := shown.strip()) > LONG:
                continue
            words = shown.strip(AROUND)
            if words:
                if words.lower() in WORDS or " ".join(words.lower().split()) in WORDS:
                    found.words.append(Link(node))
                continue
            shown = shown.strip()
            number = shown.strip(BRACKETS)
            if number.isdecimal() and len(number) <= MOST_DIGITS:
                found.numbers.append(Link(node, int(number)))
            elif shown in SIGNS:
                found.signs.append(Link(node))
            elif not shown:
                found.bare.append(Link(node))
        return found

    def _href(self, node: int) -> str:
        return self.tree.attribute_values("href", [node])[0] or ""

    @cached_property
    def _base(self) -> str | None:
        return base_url(self.tree, self.url)

    def _leads_on(self, href: str) -> str | None:
        """The address of a link, if it is another page of the same site."""
        href = href.strip()
        if (
            not href
            or href.startswith("#")
            or href.lower().startswith(("javascript:", "mailto:", "tel:", "data:"))
        ):
            return None
        if self._base is None or self.url is None:
            return href
        target = resolve(self._base, href) or ""
        if urldefrag(target).url == urldefrag(self.url).url or not target.startswith(
            ("http://", "https://")
        ):
            return None
        return target if short_domain(target) == short_domain(self.url) else None

    def declared(self) -> str | None:
        """What the page itself calls the next page."""
        nodes = np.flatnonzero(self.tree.tag == LINK).tolist() + self._anchors
        for node, relation in zip(
            nodes, self.tree.attribute_values("rel", nodes), strict=True
        ):
            if (
                relation
                and "next" in relation.lower().split()
                and (target := self._leads_on(self._href(node)))
            ):
                return target
        return None

    def named(self) -> str | None:
        """The link whose words say so."""
        return self._nearest(self._links.words)

    def pointed(self) -> str | None:
        """The link of which a label for blind readers, a title or a class says so, or
        that shows an arrow beside page numbers.
        """
        shown = self._links.signs + self._links.bare
        nodes = [link.node for link in shown]
        columns = [
            self.tree.attribute_values(name, nodes)
            for name in ("aria-label", "title", "class")
        ]
        around = self.tree.attribute_values("class", self.tree.parent[nodes].tolist())
        said = []
        for link, label, title, classes, outer in zip(
            shown, *columns, around, strict=True
        ):
            texts = filter(None, (label, title, self._pictured(link.node)))
            named = any(text.strip(AROUND).lower() in WORDS for text in texts)
            if (
                named
                or (classes and NEXT_CLASS.search(classes))
                or (outer and NEXT_CLASS.search(outer))
            ):
                said.append(link)
        return self._nearest(said) or self._nearest(
            [link for link in self._links.signs if self._beside_numbers(link)]
        )

    @cached_property
    def _images(self) -> list[int]:
        return np.flatnonzero(self.tree.tag == IMG).tolist()

    def _pictured(self, node: int) -> str | None:
        """The words for the picture in a link."""
        place = bisect_left(self._images, node)
        if place == len(self._images) or self._images[place] >= self.tree.end[node]:
            return None
        return self.tree.attribute_values("alt", [self._images[place]])[0]

    def _beside_numbers(self, link: Link) -> bool:
        place = bisect_left(self._links.numbers, (link.node - NEAR,))
        return (
            place < len(self._links.numbers)
            and self._links.numbers[place].node <= link.node + NEAR
        )

    def counted(self) -> str | None:
        """The number after that of this page."""
        groups = sorted(self._groups(), key=lambda group: self._distance(group[0].node))
        for group in groups[:MOST_PAGERS]:
            current = self._current(group)
            if current is not None:
                following = [link for link in group if link.number == current + 1]
                return self._nearest(following)
        return None

    def _groups(self) -> Iterator[list[Link]]:
        """Links that show rising numbers side by side."""
        group: list[Link] = []
        for link in self._links.numbers:
            if group and (
                link.node - group[-1].node > NEAR or link.number <= group[-1].number
            ):
                yield from self._pager_of(group)
                group = []
            group.append(link)
        yield from self._pager_of(group)

    def _pager_of(self, group: list[Link]) -> Iterator[list[Link]]:
        in_cells = group and self.tree.tag[self.tree.parent[group[0].node]] == TD
        if group and not (in_cells and len(group) >= CALENDAR):
            yield group

    def _current(self, group: list[Link]) -> int | None:
        """The number of this page: of its links the one that is marked, or the number
        among them that is no link.
        """
        nodes = [link.node for link in group]
        parents = self.tree.parent[nodes].tolist()
        marks = zip(
            self.tree.attribute_values("href", nodes),
            self.tree.attribute_values("aria-current", nodes),
            self.tree.attribute_values("class", nodes),
            self.tree.attribute_values("class", parents),
            strict=True,
        )
        alone = len(set(parents)) == len(group)
        for link, (href, current, classes, around) in zip(group, marks, strict=True):
            if (
                (current or "false") != "false"
                or CURRENT_CLASS.search(classes or "")
                or not href
            ):
                return link.number
            if alone and CURRENT_CLASS.search(around or ""):
                return link.number
            if (
                self._base
                and self.url
                and urldefrag(resolve(self._base, href) or "").url
                == urldefrag(self.url).url
            ):
                return link.number
        return self._unlinked(group)

    def _unlinked(self, group: list[Link]) -> int | None:
        known = {link.number for link in group}
        first, last = (
            max(group[0].node - NEAR // 2, 0),
            min(group[-1].node + NEAR // 2, len(self.tree)),
        )
        for node in range(first, last):
            word = (
                self._texts[node].strip(BRACKETS + "|·-")
                if self.tree.tag[node] == TEXT
                else ""
            )
            if (
                word.isdecimal()
                and len(word) <= MOST_DIGITS
                and int(word) + 1 in known
                and int(word) not in known
            ):
                return int(word)
        return None

    def addressed(self) -> str | None:
        """Of the links that differ from this page in the page number alone, the one
        with the next greater number.
        """
        if not self.url:
            return None
        here, number = _numbered(self.url)
        path = here[0].rpartition("/")[2]
        greater = []
        for node, href in zip(
            self._anchors,
            self.tree.attribute_values("href", self._anchors),
            strict=True,
        ):
            if (
                href
                and (href[0] == "?" or path in href)
                and NUMBERED.search(href)
                and (target := self._leads_on(href))
            ):
                place, other = _numbered(target)
                if (
                    place == here
                    and other > max(number, 1)
                    and not self._is_still(node)
                ):
                    greater.append((other, target))
        return min(greater)[1] if greater else None

    def _nearest(self, links: Sequence[Link]) -> str | None:
        """The address of the first of the links behind the records, else of the last
        before them.
        """
        for link in sorted(links, key=lambda link: self._distance(link.node)):
            if (target := self._leads_on(self._href(link.node))) and not self._is_still(
                link.node
            ):
                return target
        return None

    def _distance(self, node: int) -> tuple[bool, int]:
        """How far a node is from the end of the records, those behind it before the
        others.
        """
        behind = self.spans[-1].stop if self.spans else 0
        return node < behind, abs(node - behind)

    def _is_still(self, node: int) -> bool:
        """Whether a link is switched off, or moves something on this page."""
        around = [node, max(int(self.tree.parent[node]), 0)]
        classes = " ".join(
            value or "" for value in self.tree.attribute_values("class", around)
        )
        return (
            bool(NO_NEXT_CLASS.search(classes))
            or self.tree.attribute_values("aria-disabled", [node])[0] == "true"
        )


def _numbered(url: str) -> tuple[tuple[str, tuple[tuple[str, str], ...]], int]:
    """An address without its page number, and that number; 0 if it has none."""
    found = NUMBERED.search(url)
    if found:
        url = url[: found.start()] + url[found.end() :]
    try:
        parts = urlsplit(url)
    except ValueError:
        return (url, ()), 0
    place = f"{parts.netloc}{parts.path.rstrip('/')}"
    return (place, tuple(sorted(parse_qsl(parts.query)))), int(
        found.group(2) or found.group(4)
    ) if found else 0
