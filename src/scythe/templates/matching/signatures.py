"""What of a page decides where a template reads it: a number for every subtree, equal
where a template must do the same.

Labels decide, and texts that the template knows: what rows begin with, and template
text. Of any other text no more counts than how it looks from afar. So two movies with
other directors have equal numbers, and two rows with other labels have not.
"""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet
from functools import lru_cache

from scythe.templates.matching.node import Group, Node
from scythe.templates.matching.page_view import COLONS, PageView

_DIGIT, _LETTER = re.compile(r"\d"), re.compile(r"[^\W\d_]")


_LONG = 64
"""Characters of a text in which it says nothing that one of them is a digit."""


@lru_cache(maxsize=1 << 14)
def look(text: str) -> int:
    """A text seen from afar: its length in powers of four and, where it is short,
    whether it has digits and letters.
    """
    length = len(text).bit_length() // 2 << 2
    if len(text) > _LONG:
        return length
    return (
        length
        | (_DIGIT.search(text) is not None) << 1
        | (_LETTER.search(text) is not None)
    )


def known_texts(root: Node) -> frozenset[str]:
    """Texts and addresses of a template that pages are compared with: what its parts
    begin with, and what all pages share.
    """
    known: set[str] = set()
    waiting: list[Node] = [root]
    while waiting:
        node = waiting.pop()
        known.update(text for text in (node.head, node.anchor) if text)
        known.update(value for _, values in node.values() if (value := values.constant))
        for entry in node.children:
            if isinstance(entry, Group):
                known.update(entry.heads)
                waiting.extend(entry.nodes())
            else:
                waiting.append(entry)
    return frozenset(known)


def signatures(view: PageView, known: AbstractSet[str]) -> list[int]:
    """The number of every subtree of a page."""
    said = zip(view.said, view.said_labels, strict=True)
    texts = [
        hash(text) if text in known else _from_afar(text, label, known)
        for text, label in said
    ]
    links, images = (
        [hash(value) if value in known else 1 for value in each.values()]
        for each in (view.links, view.images)
    )
    return view.numbered(texts, links, images)


def _from_afar(text: str, label: str, known: AbstractSet[str]) -> int:
    if not label:
        return look(text) << 1 | (text[-1] in COLONS)
    return (
        (hash(label) if label in known else 3)
        ^ look(text) << 2
        ^ (len(label) < len(text))
    )
