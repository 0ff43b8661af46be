"""What speaks for and against the beginnings of rows being labels: labels are short, few,
and keep their order.
"""

from __future__ import annotations

from collections.abc import Sequence

from scythe.templates.matching.node import Node, SiblingGroup
from scythe.templates.matching.page_view import PageView
from scythe.templates.matching.siblings import begins_with_label

UNIQUE_SHARE = 0.9
KNOWN_SHARE = 0.5
_MORE_SHARE = 0.6
"""Rows are labelled if so many of a page begin with different texts, if so many of
these are known from earlier pages, and if so many have something behind them.
"""

_KNOWN_LABEL_SHARE = 0.3
"""How many must be known where all of them are a few words without a number."""

MAX_LABEL = 30
"""Characters of such a label."""

_MAX_SWAP_SHARE = 0.05
"""Neighbours in another order than before, of all rows of all pages, beyond which what
rows begin with is data. Labels of a site keep their order but for a change of its
template; of a dozen ingredients in any order it is a tenth and more.
"""

_VOCABULARY = 2.5
_MAX_VOCABULARY = 5.0
"""Labels are few: so many times the longest list at most, and no longer labels beyond
the second number.
"""


def put_in_order(rows: list[Node], on_page: Sequence[Node]) -> None:
    """Put the rows that a page has in its order, in the positions that they fill."""
    positions = sorted(rows.index(row) for row in on_page)
    for position, row in zip(positions, on_page, strict=True):
        rows[position] = row


def has_too_many_texts(group: SiblingGroup) -> bool:
    """Return whether rows begin in more ways than a site has labels."""
    most = _MAX_VOCABULARY * max(group.max_count, 2) + 4
    return len(group.leading_texts) > most


def keeps_order(group: SiblingGroup) -> bool:
    """Return whether rows stand in the order in which they stood before."""
    if group.swaps < 2:
        return True
    all_rows = group.support * group.max_count
    return group.swaps <= _MAX_SWAP_SHARE * all_rows


def looks_like_label(text: str) -> bool:
    """Return whether a text is a few words without a number."""
    if len(text) > MAX_LABEL:
        return False
    return not any(map(str.isdigit, text))


def repeated_labels(view: PageView, page_nodes: Sequence[int]) -> int:
    """Return how many siblings begin with a label that one before them has, where
    there are several labels: they are further values of an attribute.
    """
    labels = [
        view.leading_texts[page_node]
        for page_node in page_nodes
        if begins_with_label(view, page_node)
    ]
    different = len(set(labels))
    return len(labels) - different if different > 1 else 0


def are_labelled(
    group: SiblingGroup, page_nodes: Sequence[int], view: PageView, *, strict: bool
) -> bool:
    """Return whether what the rows begin with is labels; `strict` where the group
    was held for something else.
    """
    count = len(page_nodes) - repeated_labels(view, page_nodes)
    texts = {view.leading_texts[page_node] for page_node in page_nodes}
    texts.discard("")
    are_few = len(texts) < UNIQUE_SHARE * count
    if are_few or group.unlabelled:
        return False
    if not keeps_order(group):
        return False

    known = sum(text in group.leading_texts for text in texts)
    if strict:
        vocabulary = len(group.leading_texts.keys() | texts)
        longest = max(group.max_count, count)
        if known < 2 or vocabulary > _VOCABULARY * longest:
            return False

    with_more = sum(view.has_more[page_node] for page_node in page_nodes)
    if with_more >= _MORE_SHARE * count:
        are_words = all(looks_like_label(text) for text in texts)
        share = _KNOWN_LABEL_SHARE if are_words else KNOWN_SHARE
        usual_count = max(group.last_count, 1)
        required = share * min(count, usual_count)
        return known > 0 and known >= required
    is_constant_list = known == count == group.last_count
    return not strict and is_constant_list
