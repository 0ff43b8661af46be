"""Formatting elements and the marks they make."""

from __future__ import annotations

from scythe.content.structures.links import Links
from scythe.content.structures.outline import Mark
from scythe.tree.tags import KNOWN
from scythe.tree.tree import Tree

MARK_TAGS = {
    "a": "a", "b": "strong", "strong": "strong", "i": "em", "em": "em",
    "s": "del", "strike": "del", "del": "del",
    "code": "code", "tt": "code", "kbd": "kbd", "samp": "samp",
    "sub": "sub", "sup": "sup", "u": "u", "ins": "ins", "mark": "mark",
    "small": "small", "abbr": "abbr", "acronym": "abbr", "cite": "cite",
    "dfn": "dfn", "var": "var", "q": "q", "time": "time", "bdi": "bdi", "bdo": "bdo",
    "ruby": "ruby", "rt": "rt", "rp": "rp",
}  # fmt: skip
"""The mark that each formatting element makes."""
CODE_MARKS = frozenset({"code", "kbd", "samp"})
_MARK_ATTRIBUTES = {
    "a": ("title",),
    "abbr": ("title",),
    "dfn": ("title",),
    "time": ("datetime",),
    "del": ("datetime",),
    "ins": ("datetime",),
    "bdo": ("dir",),
}


def read_mark(tree: Tree, node: int, links: Links) -> Mark | None:
    """Return the mark of a formatting element with what its attributes add; None for a
    link that leads nowhere.
    """
    tag = MARK_TAGS[KNOWN[tree.tag[node]]]
    names = _MARK_ATTRIBUTES.get(tag)
    if names is None:
        return Mark(tag)

    attributes = tree.attributes(node)
    pairs = []
    if tag == "a":
        href = links.page(attributes.get("href"))
        if not href:
            return None
        pairs.append(("href", href))
    for name in names:
        value = attributes.get(name)
        if value:
            pairs.append((name, value))
    return Mark(tag, tuple(pairs))
