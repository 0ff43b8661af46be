"""What of a page decides where a template reads it: a number for every subtree, equal where a template must do the same.

Labels decide, and texts that the template knows: what rows begin with, and template text. Of any other text no more counts than
how it looks from afar. So two movies with other directors have equal numbers, and two rows with other labels have not.
"""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet

from scythe.templates.node import Group, Node
from scythe.templates.page import COLONS, PageView, label_part

_DIGIT, _LETTER = re.compile(r"\d"), re.compile(r"[^\W\d_]")


def look(text: str) -> int:
    """A text seen from afar: whether it has digits and letters, and its length in powers of four."""
    return len(text).bit_length() // 2 << 2 | (_DIGIT.search(text) is not None) << 1 | (_LETTER.search(text) is not None)


def known_texts(root: Node) -> frozenset[str]:
    """Texts and addresses of a template that pages are compared with: what its parts begin with, and what all pages share."""
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
    texts = [hash(text) if text in known else _from_afar(text, known) for text in view.said]
    links, images = ([hash(value) if value in known else 1 for value in each.values()] for each in (view.links, view.images))
    return view.numbered(texts, links, images)


def _from_afar(text: str, known: AbstractSet[str]) -> int:
    label = label_part(text)
    if not label:
        return look(text) << 1 | (text[-1] in COLONS)
    return (hash(label) if label in known else 3) ^ look(text) << 2 ^ (len(label) < len(text))
