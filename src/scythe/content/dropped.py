"""What was left out of a page, and why: its regions without selected text, with the
reason that their mark-up gives.

Methods decide by many signs at once and give no reasons. What is said here is what the
page calls a region itself, or what it visibly consists of, and `other` where neither
says anything.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from scythe.content.methods.learned.roles import WORD_ROLES
from scythe.content.structures.comments import find_comments
from scythe.content.structures.names import name_words
from scythe.tree.paths import SiblingPositions, node_xpath
from scythe.tree.tags import CODES, TagSet
from scythe.tree.tree import Bools, Tree
from scythe.tree.visibility import hidden, skipped

MAX_REGIONS = 500
"""Regions that are listed, in page order; a bound on work for hostile pages."""
MAX_EXCERPT = 200
"""Characters of a region's text that are shown; a plain choice."""
MIN_LINK_SHARE = 0.7
"""Of the letters of a region that nothing names, from which it is a list of links; a
plain bound, not tuned.
"""


class DropReason(StrEnum):
    """Why a region was left out, the first that applies."""

    HIDDEN = "hidden"
    """The page itself hides it."""
    COMMENTS = "comments"
    COOKIES = "cookie notice"
    ADVERTISEMENT = "advertisement"
    NEWSLETTER = "newsletter"
    SHARING = "sharing"
    RELATED = "related links"
    NAVIGATION = "navigation"
    LOGIN = "login"
    POPUP = "pop-up"
    FORM = "form"
    SIDEBAR = "sidebar"
    FOOTER = "footer"
    HEADER = "header"
    BYLINE = "byline"
    NO_SCRIPT = "for readers without script"
    LINKS = "links"
    """Nothing names it, and it consists of links."""
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class DroppedRegion:
    """A region of a page that was left out."""

    reason: DropReason
    words: int
    text: str
    """How its text begins."""
    path: str
    """The XPath of its first element."""

    def to_dict(self) -> dict[str, str | int]:
        """Return the region as plain data."""
        return {**asdict(self), "reason": str(self.reason)}


_REASONS = tuple(DropReason)
_REASON_OF_ROLE: Mapping[str, DropReason] = {
    "cookie": DropReason.COOKIES,
    "ad": DropReason.ADVERTISEMENT,
    "newsletter": DropReason.NEWSLETTER,
    "share": DropReason.SHARING,
    "related": DropReason.RELATED,
    "nav": DropReason.NAVIGATION,
    "breadcrumb": DropReason.NAVIGATION,
    "pagination": DropReason.NAVIGATION,
    "tag": DropReason.NAVIGATION,
    "language": DropReason.NAVIGATION,
    "login": DropReason.LOGIN,
    "modal": DropReason.POPUP,
    "search": DropReason.FORM,
    "sidebar": DropReason.SIDEBAR,
    "footer": DropReason.FOOTER,
    "header": DropReason.HEADER,
    "author": DropReason.BYLINE,
    "date": DropReason.BYLINE,
}
"""The reason of each group of words in class and id, by the first word of the group."""
_VAGUE_WORDS = frozenset(
    "top bottom head foot side more also user info meta cat".split()
)
"""Words of those groups that say where something stands rather than what it is."""
_REASON_OF_TAG: Mapping[str, DropReason] = {
    "nav": DropReason.NAVIGATION,
    "menu": DropReason.NAVIGATION,
    "aside": DropReason.SIDEBAR,
    "footer": DropReason.FOOTER,
    "header": DropReason.HEADER,
    "form": DropReason.FORM,
    "dialog": DropReason.POPUP,
    "noscript": DropReason.NO_SCRIPT,
}
_REASON_OF_ARIA_ROLE: Mapping[str, DropReason] = {
    "navigation": DropReason.NAVIGATION,
    "menu": DropReason.NAVIGATION,
    "complementary": DropReason.SIDEBAR,
    "contentinfo": DropReason.FOOTER,
    "banner": DropReason.HEADER,
    "search": DropReason.FORM,
    "dialog": DropReason.POPUP,
    "alertdialog": DropReason.POPUP,
}


def _codes_of_words() -> dict[str, int]:
    """Return the number of the reason that each word of a class or id gives."""
    codes: dict[str, int] = {}
    for group in WORD_ROLES:
        first, *others = group.split()
        if first not in _REASON_OF_ROLE:
            continue
        code = _REASONS.index(_REASON_OF_ROLE[first])
        for word in (first, *others):
            if word in _VAGUE_WORDS:
                continue
            codes[word] = min(code, codes.get(word, code))
    return codes


_CODES_OF_WORDS = _codes_of_words()
_WHOLE_PAGE = TagSet("html body main head")
"""Elements whose names say nothing about why a part is left out."""
_LINK = TagSet("a")


def find_dropped(tree: Tree, selected: Bools) -> tuple[DroppedRegion, ...]:
    """Return the regions of a page that hold readable text and nothing selected, in
    page order: the largest that have a reason, and around them what has none.
    """
    finder = _RegionFinder(tree, selected)
    positions = SiblingPositions(tree)
    regions = []
    for reason, start, stop in finder.spans()[:MAX_REGIONS]:
        left_out = finder.left_out(start, stop)
        texts = tree.text[left_out].tolist()
        words = " ".join(texts).split()
        regions.append(
            DroppedRegion(
                reason=reason,
                words=len(words),
                text=_excerpt(words),
                path=node_xpath(tree, start, positions),
            )
        )
    return tuple(regions)


def _excerpt(words: list[str]) -> str:
    text = " ".join(words[:MAX_EXCERPT])
    if len(text) <= MAX_EXCERPT:
        return text
    return text[: MAX_EXCERPT - 1] + "\u2026"


_Span = tuple[DropReason, int, int]


class _RegionFinder:
    """The regions of one page."""

    def __init__(self, tree: Tree, selected: Bools) -> None:
        self.tree = tree
        texts = tree.text.tolist()
        is_filled = [bool(text) and not text.isspace() for text in texts]
        is_text = tree.is_text & np.array(is_filled, dtype=bool)
        self.is_selected = is_text & selected
        is_unselected = is_text & ~selected
        self.is_left_out = is_unselected & ~skipped(tree)
        self.left_out_nodes = np.flatnonzero(self.is_left_out)
        self.in_link = tree.below(tree.has_tag(_LINK))

    def left_out(self, start: int, stop: int) -> NDArray[np.int64]:
        """Return the text nodes between two nodes that were left out."""
        bounds = (start, stop)
        low, high = np.searchsorted(self.left_out_nodes, bounds)
        return self.left_out_nodes[low:high]

    def spans(self) -> list[_Span]:
        """Return the regions with their first node and the node behind them."""
        tree = self.tree
        holds_selected = tree.totals(self.is_selected) > 0
        holds_left_out = tree.totals(self.is_left_out) > 0
        codes = _reason_codes(tree)
        has_reason = (codes >= 0) & ~holds_selected & holds_left_out
        named = self._outermost(has_reason)

        is_border = holds_selected | tree.above(named)
        is_free = ~is_border & ~tree.below(named) & holds_left_out
        unnamed = self._outermost(is_free)

        spans: list[_Span] = []
        for node in np.flatnonzero(named | unnamed).tolist():
            end = int(tree.end[node])
            if named[node]:
                reason = _REASONS[codes[node]]
                spans.append((reason, node, end))
            else:
                reason = self._unnamed_reason(node, end)
                spans.append((reason, node, end))
        return self._joined(spans)

    def _outermost(self, nodes: Bools) -> Bools:
        """Return those of some nodes that stand in no other of them."""
        covered = self.tree.below(nodes)
        parent = self.tree.parent
        return nodes & ~((parent >= 0) & covered[parent])

    def _unnamed_reason(self, start: int, stop: int) -> DropReason:
        letters, linked = 0, 0
        for node in self.left_out(start, stop).tolist():
            length = len(self.tree.text[node].strip())
            letters += length
            linked += length if self.in_link[node] else 0
        is_linked = linked >= MIN_LINK_SHARE * max(letters, 1)
        return DropReason.LINKS if is_linked else DropReason.OTHER

    def _joined(self, spans: list[_Span]) -> list[_Span]:
        """Return the regions, neighbours of the same reason in the same element as
        one where nothing selected stands between them.
        """
        parent = self.tree.parent
        joined: list[_Span] = []
        for span in spans:
            reason, start, stop = span
            if joined:
                last_reason, last_start, last_stop = joined[-1]
                is_sibling = parent[start] == parent[last_start]
                is_alike = is_sibling and reason == last_reason
                if is_alike and not self.is_selected[last_stop:start].any():
                    joined[-1] = (reason, last_start, stop)
                    continue
            joined.append(span)
        return joined


def _reason_codes(tree: Tree) -> NDArray[np.int64]:
    """Return for every node the number of the reason that its mark-up gives, -1 where
    it gives none. Of several the first in `DropReason` counts.
    """
    none = len(_REASONS)
    codes = np.full(len(tree), none, dtype=np.int64)
    for tag, reason in _REASON_OF_TAG.items():
        is_tagged = tree.tag == CODES[tag]
        codes[is_tagged] = _REASONS.index(reason)
    for node, role in tree.with_attribute("role").items():
        reason_of_role = _REASON_OF_ARIA_ROLE.get(role.strip().lower())
        if reason_of_role:
            number = _REASONS.index(reason_of_role)
            codes[node] = min(codes[node], number)
    for attribute in ("class", "id"):
        for node, value in tree.with_attribute(attribute).items():
            words = name_words(value)
            named = [_CODES_OF_WORDS.get(word, none) for word in words]
            codes[node] = min([codes[node], *named])
    codes[tree.has_tag(_WHOLE_PAGE)] = none
    codes[find_comments(tree)] = _REASONS.index(DropReason.COMMENTS)
    codes[hidden(tree)] = _REASONS.index(DropReason.HIDDEN)
    return np.where(codes == none, -1, codes)
