"""What of a page decides where a template reads it: a hash for every subtree, equal
where a template must do the same.

Labels decide, and texts that the template knows: what rows begin with, and template
text. Of any other text only its rough shape counts. So two movies with other directors
have equal signatures, and two rows with other labels have not.
"""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Set as AbstractSet

from scythe.templates.matching.node import Node, SiblingGroup
from scythe.templates.matching.page_view import PageView

_UNKNOWN_LABEL = 3
"""Stands for the hash of a label that the template does not know."""


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
    texts = view.all_texts
    text_hashes = [
        hash(text) if text in known else form
        for text, form in zip(texts, view.text_forms, strict=True)
    ]
    for number, label in view.text_labels.items():
        if texts[number] not in known:
            text_hashes[number] ^= hash(label) if label in known else _UNKNOWN_LABEL
    link_hashes = _address_hashes(view.links.values(), known)
    image_hashes = _address_hashes(view.images.values(), known)
    return view.subtree_hashes(text_hashes, link_hashes, image_hashes)


def _address_hashes(addresses: Iterable[str], known: AbstractSet[str]) -> list[int]:
    return [hash(address) if address in known else 1 for address in addresses]
