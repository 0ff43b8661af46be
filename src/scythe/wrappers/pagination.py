"""Where a list goes on: the link to its next page.

Asked of every page that a wrapper reads, so only `<a>` and `<link>` are visited, most of
them only once. What says that a link leads on, from the surest sign to the weakest:
`rel=next`; its words, in many languages; its label, title or class where it shows a sign
or a picture; the number after that of this page; a sign beside numbers; an address that
differs from the page's in the page number alone.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple
from urllib.parse import parse_qsl, urldefrag, urlsplit

import numpy as np
from numpy.typing import NDArray

from scythe.sections.span import Span
from scythe.tree.links import page_base_url
from scythe.tree.tags import CODES, TEXT
from scythe.tree.tree import Tree
from scythe.urls import resolve, short_domain
from scythe.wrappers.paging_terms import (
    AROUND_NUMBERS,
    AROUND_WORDS,
    CURRENT_CLASS,
    NEXT_CLASS,
    NEXT_SIGNS,
    NEXT_WORDS,
    NO_NEXT_CLASS,
    PAGE_NUMBER,
)

_A = CODES["a"]
_LINK = CODES["link"]
_IMG = CODES["img"]
_TD = CODES["td"]

MAX_LINK_NODES = 14
"""Nodes in a link of a pager: a word, a picture of an arrow. Links of other kinds need
not be read. A bound on work, not tuned.
"""

MAX_LINK_TEXT = 40
"""Characters that such a link shows; not tuned."""

MAX_DIGITS = 5
"""Digits of a page number; not tuned."""

NEARBY_NODES = 60
"""Nodes between two links of one pager, at most; not tuned."""

MAX_PAGERS = 20
"""Rows of numbers that are looked at: a bound on work, not tuned."""

CALENDAR_DAYS = 20
"""As many numbers side by side in table cells are days, not pages; not tuned."""

_NO_PAGE = ("javascript:", "mailto:", "tel:", "data:")


class PagerLink(NamedTuple):
    """A link of a pager, with the number it shows, if any."""

    node: int
    number: int = 0


@dataclass(frozen=True)
class _SmallLinks:
    """The small links of a page by what they show."""

    words: list[PagerLink] = field(default_factory=list)
    numbers: list[PagerLink] = field(default_factory=list)
    signs: list[PagerLink] = field(default_factory=list)
    bare: list[PagerLink] = field(default_factory=list)


def next_page(tree: Tree, spans: Sequence[Span], url: str | None) -> str | None:
    """Return the address of the next page of the list, absolute where the address of
    this page is known; None if there is none.
    """
    finder = _NextPageFinder(tree, spans, url)
    return (
        finder.by_relation()
        or finder.by_words()
        or finder.by_label()
        or finder.by_number()
        or finder.by_sign()
        or finder.by_address()
    )


@dataclass(frozen=True)
class _NextPageFinder:
    tree: Tree
    spans: Sequence[Span]
    url: str | None

    def by_relation(self) -> str | None:
        """Return what the page itself calls the next page."""
        declarations = np.flatnonzero(self.tree.tag == _LINK)
        nodes = declarations.tolist() + self._anchors
        relations = self.tree.attribute_values("rel", nodes)
        for node, relation in zip(nodes, relations, strict=True):
            if not relation or "next" not in relation.lower().split():
                continue
            href = self._href(node)
            target = self._other_page(href)
            if target:
                return target
        return None

    def by_words(self) -> str | None:
        """Return the link whose words say so."""
        return self._nearest(self._small_links.words)

    def by_label(self) -> str | None:
        """Return the link of which a label for blind readers, a title or a class says
        so.
        """
        links = self._small_links.signs + self._small_links.bare
        nodes = [link.node for link in links]
        parents = self.tree.parent[nodes].tolist()
        labels = self.tree.attribute_values("aria-label", nodes)
        titles = self.tree.attribute_values("title", nodes)
        classes = self.tree.attribute_values("class", nodes)
        parent_classes = self.tree.attribute_values("class", parents)

        named = []
        for link, label, title, own_class, parent_class in zip(
            links, labels, titles, classes, parent_classes, strict=True
        ):
            texts = (label, title, self._image_text(link.node))
            is_next_by_text = any(_reads_as_next(text) for text in texts)
            is_next_by_class = _has_next_class(own_class) or _has_next_class(
                parent_class
            )
            if is_next_by_text or is_next_by_class:
                named.append(link)

        return self._nearest(named)

    def by_sign(self) -> str | None:
        """Return the link that shows an arrow beside page numbers. It comes after the
        numbers: some arrows lead to the last page.
        """
        signs = self._small_links.signs
        beside_numbers = [link for link in signs if self._is_beside_numbers(link)]
        return self._nearest(beside_numbers)

    def by_number(self) -> str | None:
        """Return the link to the number after that of this page."""
        pagers = list(self._number_pagers())
        pagers.sort(key=lambda pager: self._distance(pager[0].node))
        for pager in pagers[:MAX_PAGERS]:
            current = self._current_number(pager)
            if current is not None:
                next_number = current + 1
                following = [link for link in pager if link.number == next_number]
                return self._nearest(following)
        return None

    def by_address(self) -> str | None:
        """Return, of the links that differ from this page in the page number alone, the
        one with the next greater number.
        """
        if not self.url:
            return None
        this_page, this_number = _split_page_number(self.url)
        least = max(this_number, 1)
        path_end = this_page[0].rpartition("/")[2]
        greater = []
        hrefs = self.tree.attribute_values("href", self._anchors)
        for node, href in zip(self._anchors, hrefs, strict=True):
            if not href:
                continue
            is_near = href[0] == "?" or path_end in href
            if not is_near or not PAGE_NUMBER.search(href):
                continue
            target = self._other_page(href)
            if not target:
                continue
            page, number = _split_page_number(target)
            is_later = page == this_page and number > least
            if is_later and not self._is_inactive(node):
                greater.append((number, target))
        if not greater:
            return None
        _, nearest = min(greater)
        return nearest

    @cached_property
    def _anchors(self) -> list[int]:
        """The links outside the records."""
        anchors: NDArray[np.int64] = np.flatnonzero(self.tree.tag == _A)
        if self.spans:
            starts, stops = np.array(self.spans, dtype=np.int64).T
            record = np.searchsorted(starts, anchors, side="right") - 1
            is_before_all = record < 0
            is_behind_record = anchors >= stops[record]
            anchors = anchors[is_before_all | is_behind_record]
        return anchors.tolist()

    @cached_property
    def _texts(self) -> list[str]:
        return self.tree.text.tolist()

    @cached_property
    def _small_links(self) -> _SmallLinks:
        texts = self._texts
        links = _SmallLinks()
        ends = self.tree.end[self._anchors].tolist()
        for node, end in zip(self._anchors, ends, strict=True):
            if end - node > MAX_LINK_NODES:
                continue
            first = node + 1
            has_one_node = end == first + 1
            text = texts[first] if has_one_node else "".join(texts[first:end])
            if len(text) > MAX_LINK_TEXT and len(text.strip()) > MAX_LINK_TEXT:
                continue
            words = text.strip(AROUND_WORDS)
            if words:
                words = words.lower()
                in_one_line = " ".join(words.split())
                if words in NEXT_WORDS or in_one_line in NEXT_WORDS:
                    links.words.append(PagerLink(node))
                continue
            text = text.strip()
            number = text.strip(AROUND_NUMBERS)
            if _is_page_number(number):
                links.numbers.append(PagerLink(node, int(number)))
            elif text in NEXT_SIGNS:
                links.signs.append(PagerLink(node))
            elif not text:
                links.bare.append(PagerLink(node))
        return links

    def _href(self, node: int) -> str:
        values = self.tree.attribute_values("href", [node])
        return values[0] or ""

    @cached_property
    def _base(self) -> str | None:
        return page_base_url(self.tree, self.url)

    def _other_page(self, href: str) -> str | None:
        """Return the address of a link, if it is another page of the same site."""
        href = href.strip()
        if not href or href.startswith("#"):
            return None
        if href.lower().startswith(_NO_PAGE):
            return None
        if self._base is None or self.url is None:
            return href
        target = resolve(self._base, href) or ""
        if _is_same_page(target, self.url):
            return None
        if not target.startswith(("http://", "https://")):
            return None
        if short_domain(target) != short_domain(self.url):
            return None
        return target

    @cached_property
    def _images(self) -> list[int]:
        images = np.flatnonzero(self.tree.tag == _IMG)
        return images.tolist()

    def _image_text(self, node: int) -> str | None:
        """Return the words for the picture in a link."""
        index = bisect_left(self._images, node)
        if index == len(self._images):
            return None
        image = self._images[index]
        if image >= self.tree.end[node]:
            return None
        values = self.tree.attribute_values("alt", [image])
        return values[0]

    def _is_beside_numbers(self, link: PagerLink) -> bool:
        numbers = self._small_links.numbers
        first_near = link.node - NEARBY_NODES
        last_near = link.node + NEARBY_NODES
        index = bisect_left(numbers, (first_near,))
        if index == len(numbers):
            return False
        return numbers[index].node <= last_near

    def _number_pagers(self) -> Iterator[list[PagerLink]]:
        """Yield links that show rising numbers side by side."""
        pager: list[PagerLink] = []
        for link in self._small_links.numbers:
            if pager:
                last = pager[-1]
                is_far = link.node - last.node > NEARBY_NODES
                if is_far or link.number <= last.number:
                    if not self._is_calendar(pager):
                        yield pager
                    pager = []
            pager.append(link)
        if pager and not self._is_calendar(pager):
            yield pager

    def _is_calendar(self, pager: list[PagerLink]) -> bool:
        if len(pager) < CALENDAR_DAYS:
            return False
        first_node = pager[0].node
        parent = self.tree.parent[first_node]
        return bool(self.tree.tag[parent] == _TD)

    def _current_number(self, pager: list[PagerLink]) -> int | None:
        """Return the number of this page: of its links the one that is marked, or the
        number among them that is no link.
        """
        nodes = [link.node for link in pager]
        parents = self.tree.parent[nodes].tolist()
        hrefs = self.tree.attribute_values("href", nodes)
        currents = self.tree.attribute_values("aria-current", nodes)
        classes = self.tree.attribute_values("class", nodes)
        parent_classes = self.tree.attribute_values("class", parents)
        have_own_parents = len(set(parents)) == len(pager)

        for link, href, current, own_class, parent_class in zip(
            pager, hrefs, currents, classes, parent_classes, strict=True
        ):
            is_declared = (current or "false") != "false"
            if is_declared or not href or CURRENT_CLASS.search(own_class or ""):
                return link.number
            if have_own_parents and CURRENT_CLASS.search(parent_class or ""):
                return link.number
            if self._is_this_page(href):
                return link.number
        return self._unlinked_number(pager)

    def _is_this_page(self, href: str) -> bool:
        if not self._base or not self.url:
            return False
        target = resolve(self._base, href) or ""
        return _is_same_page(target, self.url)

    def _unlinked_number(self, pager: list[PagerLink]) -> int | None:
        """Return the number in the text around a pager that its links leave out."""
        linked = {link.number for link in pager}
        nearby = NEARBY_NODES // 2
        first = max(pager[0].node - nearby, 0)
        last_node = pager[-1].node
        last = min(last_node + nearby, len(self.tree))
        for node in range(first, last):
            if self.tree.tag[node] != TEXT:
                continue
            word = self._texts[node].strip(AROUND_NUMBERS + "|·-")
            if not _is_page_number(word):
                continue
            number = int(word)
            is_next_linked = number + 1 in linked
            if is_next_linked and number not in linked:
                return number
        return None

    def _nearest(self, links: Sequence[PagerLink]) -> str | None:
        """Return the address of the first of the links behind the records, else of the
        last before them.
        """
        by_distance = sorted(links, key=lambda link: self._distance(link.node))
        for link in by_distance:
            href = self._href(link.node)
            target = self._other_page(href)
            if target and not self._is_inactive(link.node):
                return target
        return None

    def _distance(self, node: int) -> tuple[bool, int]:
        """Return how far a node is from the end of the records, those behind it before
        the others.
        """
        end = 0
        if self.spans:
            end = self.spans[-1].stop
        is_before = node < end
        return is_before, abs(node - end)

    def _is_inactive(self, node: int) -> bool:
        """Return whether a link is switched off, or moves something on this page."""
        parent = int(self.tree.parent[node])
        class_values = self.tree.attribute_values("class", [node, max(parent, 0)])
        classes = " ".join(value or "" for value in class_values)
        if NO_NEXT_CLASS.search(classes):
            return True
        disabled = self.tree.attribute_values("aria-disabled", [node])
        return disabled[0] == "true"


def _reads_as_next(text: str | None) -> bool:
    if not text:
        return False
    words = text.strip(AROUND_WORDS).lower()
    return words in NEXT_WORDS


def _has_next_class(classes: str | None) -> bool:
    if not classes:
        return False
    return NEXT_CLASS.search(classes) is not None


def _is_page_number(text: str) -> bool:
    return text.isdecimal() and len(text) <= MAX_DIGITS


def _is_same_page(url: str, other: str) -> bool:
    page = urldefrag(url)
    other_page = urldefrag(other)
    return page.url == other_page.url


PageAddress = tuple[str, tuple[tuple[str, str], ...]]
"""Host and path, and the sorted parameters of a query."""


def _split_page_number(url: str) -> tuple[PageAddress, int]:
    """Return an address without its page number, and that number; 0 if it has none."""
    found = PAGE_NUMBER.search(url)
    number = 0
    if found:
        number = int(found.group(2) or found.group(4))
        before = url[: found.start()]
        url = before + url[found.end() :]
    try:
        parts = urlsplit(url)
    except ValueError:
        return (url, ()), 0
    host_and_path = f"{parts.netloc}{parts.path.rstrip('/')}"
    parameters = sorted(parse_qsl(parts.query))
    return (host_and_path, tuple(parameters)), number
