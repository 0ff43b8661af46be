"""Junk inside texts: shortcodes, and characters that nobody sees or that only an icon
font can draw.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from scythe.tree.tags import TagSet
from scythe.tree.tree import Tree

CODE = TagSet("pre code samp kbd listing xmp plaintext textarea")
"""Where brackets are what an author shows."""

_MAY_BE_DEBRIS = re.compile(
    "[\u00ad\u200b\u2060\ufeff\ue000-\uf8ff\U000f0000-\U0010ffff]"
)
_DEBRIS = re.compile(
    "[\u00ad\u2060\ufeff\ue000-\uf8ff\U000f0000-\U0010ffff]"
    "|(?<![\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff])\u200b"
)
"""Soft hyphens, word joiners, byte order marks, private characters, and zero-width
spaces but for those between words of Thai, Lao, Burmese and Khmer. Zero-width joiners
and marks of direction belong to the spelling.
"""

_BRACKETS = re.compile(r"\[(/?)([a-z][a-z0-9_-]{1,40})((?:\s[^\[\]]{0,2000})?)\]")
_QUOTED_ATTRIBUTE = re.compile(r"\s[\w-]{1,40}\s?=\s?[\"'“”„″‘’′]")  # noqa: RUF001


def clean_texts(
    tree: Tree, nodes: NDArray[np.int64], texts: Sequence[str]
) -> list[str] | None:
    """Return the texts of some nodes without shortcodes and invisible characters; None
    where they have none.
    """
    joined = "\n".join(texts)
    has_debris = not joined.isascii() and bool(_MAY_BE_DEBRIS.search(joined))
    shortcodes = find_shortcodes(joined)
    if not (has_debris or shortcodes):
        return None

    in_code = tree.below(tree.has_tag(CODE))[nodes].tolist()
    cleaned = []
    for text, is_code in zip(texts, in_code, strict=True):
        clean = _DEBRIS.sub("", text)
        if shortcodes and not is_code:
            clean = without_shortcodes(clean, shortcodes)
        cleaned.append(clean)
    return cleaned


def find_shortcodes(text: str) -> frozenset[str]:
    """Return the names of shortcodes in a text: `[name attribute="value"]`, and pairs
    `[some_name]`, `[/some_name]`.

    Notes in brackets ([edit], [sic], [1]) have neither attributes nor an end.
    """
    with_attributes, opened, closed = set(), set(), set()
    for match in _BRACKETS.finditer(text):
        slash, name, rest = match.groups()
        if slash:
            closed.add(name)
        elif _QUOTED_ATTRIBUTE.match(rest):
            with_attributes.add(name)
        elif "_" in name and not rest:
            opened.add(name)
    return frozenset(with_attributes | (opened & closed))


def without_shortcodes(text: str, names: frozenset[str]) -> str:
    """Return a text without the tags of some shortcodes; what they enclose stays."""
    return _BRACKETS.sub(lambda match: "" if match[2] in names else match[0], text)
