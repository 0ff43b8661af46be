"""What of a page decides where a template reads it: a hash for every subtree, equal
where a template must do the same.

Labels decide, and texts that the template knows: what rows begin with, and template
text. Of any other text only its rough shape counts. So two movies with other directors
have equal signatures, and two rows with other labels have not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from functools import lru_cache

from scythe.templates.matching.node import Node, SiblingGroup
from scythe.templates.matching.page_view import COLONS, PageView

_DIGIT = re.compile(r"\d")
_LETTER = re.compile(r"[^\W\d_]")

_LONG_TEXT = 64
"""Characters beyond which it means nothing that a text has a digit. Not tuned."""


@lru_cache(maxsize=1 << 14)
def text_shape(text: str) -> int:
    """Return a number for the rough shape of a text: its length in powers of four and,
    where it is short, whether it has digits and letters.
    """
    length = len(text).bit_length() // 2 << 2
    if len(text) > _LONG_TEXT:
        return length
    has_digit = _DIGIT.search(text) is not None
    has_letter = _LETTER.search(text) is not None
    return length | has_digit << 1 | has_letter


def known_texts(root: Node) -> frozenset[str]:
    """Return texts and addresses of a template that pages are compared with: what its
    parts begin with, and what all pages share.
    """
    known: set[str | None] = set()
    waiting: list[Node] = [root]
    while waiting:
        node = waiting.pop()
        known.add(node.leading_text)
        known.add(node.row_label)
        for _, values in node.values():
            known.add(values.constant)
        for entry in node.children:
            if isinstance(entry, SiblingGroup):
                known.update(entry.leading_texts)
                waiting.extend(entry.nodes())
            else:
                waiting.append(entry)
    return frozenset(text for text in known if text)


def signatures(view: PageView, known: AbstractSet[str]) -> list[int]:
    """Return the signature of every subtree of a page."""
    texts = zip(view.all_texts, view.text_labels, strict=True)
    text_hashes = [
        hash(text) if text in known else _shape_hash(text, label, known)
        for text, label in texts
    ]
    link_hashes = _address_hashes(view.links.values(), known)
    image_hashes = _address_hashes(view.images.values(), known)
    return view.subtree_hashes(text_hashes, link_hashes, image_hashes)


def _address_hashes(addresses: Iterable[str], known: AbstractSet[str]) -> list[int]:
    return [hash(address) if address in known else 1 for address in addresses]


def _shape_hash(text: str, label: str, known: AbstractSet[str]) -> int:
    if not label:
        return text_shape(text) << 1 | (text[-1] in COLONS)
    label_hash = hash(label) if label in known else 3
    return label_hash ^ text_shape(text) << 2 ^ (len(label) < len(text))
