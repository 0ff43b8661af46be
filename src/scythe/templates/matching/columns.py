"""Columns told from lists: siblings of which every page has as many are the one or the
other.
"""

from __future__ import annotations

from collections.abc import Sequence

from scythe.templates.matching.node import Node, SiblingGroup, label_tag, nodes_of

_ITEM_TAGS = frozenset({"li", "a", "span", "option", "article", "dd"})
"""Tags of siblings that are items of a list as long as nothing shows that they are
columns; others are columns.
"""


def are_columns(group: SiblingGroup, texts: Sequence[str]) -> bool:
    """Return whether siblings, as many on every page, are columns of their own, and no
    list that happens to be as long.

    A column keeps its text, or what kind of text it has where others have another kind.
    Values that change their position are those of a list. Where nothing says so, items
    by their tag are a list.
    """
    seen_in = [_first_texts(row) for row in group.rows]
    for text, seen in zip(texts, seen_in, strict=True):
        if seen == [text]:
            return True

    kinds: set[int] = set()
    are_kept = True
    for column, text in enumerate(texts):
        seen = seen_in[column]
        others = [*seen_in[:column], *seen_in[column + 1 :]]
        is_elsewhere = any(text in other for other in others)
        if is_elsewhere and text not in seen:
            return False

        kinds_here = set(map(_text_kind, seen))
        kinds_here.add(_text_kind(text))
        are_kept &= len(kinds_here) == 1
        kinds |= kinds_here
    if are_kept and len(kinds) > 1:
        return True
    return label_tag(group.label) not in _ITEM_TAGS


def _first_texts(row: Node) -> list[str]:
    """Return the values that were seen of the first text of a row."""
    waiting = [row]
    while waiting:
        node = waiting.pop()
        if node.text is not None:
            return node.text.seen
        for entry in reversed(node.children):
            waiting.extend(reversed(nodes_of(entry)))
    return []


def _text_kind(text: str) -> int:
    """Return a number for whether a text has digits, letters, both, or none."""
    has_digit = any(map(str.isdigit, text))
    has_letter = any(map(str.isalpha, text))
    return 2 * has_digit + has_letter
