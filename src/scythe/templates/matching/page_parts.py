"""What a page consists of for templates: its leaves, as `page_texts` finds them, and all
elements above them, with texts and addresses. The compiled core gives the same in one call.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scythe.core.templates import WrittenParts, write_parts
from scythe.core.texts import TextTables, read_text_tables
from scythe.templates.matching.page_texts import (
    ALWAYS_MEANINGFUL,
    COLONS,
    DROPPED,
    LONG_TEXT,
    MAX_LABEL,
    MIN_PROSE,
    NOT_IN_PROSE,
    RUNS_ON,
    SIGNS,
    label_part,
    page_leaves,
    text_form,
)
from scythe.tree.compiled.trees import block_of
from scythe.tree.links import page_base_url
from scythe.tree.tags import TEXT, TagSet, tag_bits
from scythe.tree.tree import Bools, Tree, prefix_sums
from scythe.urls import base_url

_LINK, _IMAGE, _BASE = TagSet("a"), TagSet("img"), TagSet("base")


class PageParts(NamedTuple):
    """The nodes that templates see of a page, numbered 0, 1, 2, ... in document order."""

    tree_nodes: NDArray[np.integer]
    ends: NDArray[np.integer]
    """The subtree of page node i is i..ends[i]."""
    texts: list[str]
    """The texts of those that are texts."""
    text_labels: dict[int, str]
    """The labels that texts begin with, by the number of the text."""
    text_forms: list[int]
    """What each text looks like."""
    links: dict[int, str]
    images: dict[int, str]
    """The addresses of `<a>` and `<img>` elements as the page has them, by page node."""
    properties: dict[int, str]
    """Which property elements say that they are (`itemprop`), by page node."""
    base_url: str | None
    """What addresses start from, where the page says so."""


def page_parts(tree: Tree) -> PageParts:
    """Return what templates see of a page."""
    block = block_of(tree)
    tables = _text_tables()
    written = None
    if block is not None and tables is not None:
        written = write_parts(tables, block, _BOUNDS)
    return _found(tree) if written is None else _as_parts(written)


def _found(tree: Tree) -> PageParts:
    leaves, text_of = page_leaves(tree)
    kept = tree.above(leaves)
    kept[0] = True
    tree_nodes = np.flatnonzero(kept)
    ends = prefix_sums(kept)[tree.end[tree_nodes]]

    tags = tree.tag[tree_nodes]
    is_text = tags == TEXT
    texts = [text_of[node] for node in tree_nodes[is_text].tolist()]
    labels = [label_part(text) for text in texts]
    forms = [text_form(text, label) for text, label in zip(texts, labels, strict=True)]
    return PageParts(
        tree_nodes,
        ends,
        texts,
        {number: label for number, label in enumerate(labels) if label},
        forms,
        _values(tree, tree_nodes, _LINK.mask(tags), "href"),
        _values(tree, tree_nodes, _IMAGE.mask(tags), "src"),
        _values(tree, tree_nodes, ~is_text, "itemprop"),
        page_base_url(tree, None),
    )


def _values(
    tree: Tree, tree_nodes: NDArray[np.integer], chosen: Bools, attribute: str
) -> dict[int, str]:
    """Return what an attribute says in the chosen page nodes, but where that is empty."""
    page_nodes = np.flatnonzero(chosen)
    values = tree.attribute_values(attribute, tree_nodes[page_nodes].tolist())
    pairs = zip(page_nodes.tolist(), values, strict=True)
    return {page_node: value for page_node, value in pairs if value}


def _as_parts(written: WrittenParts) -> PageParts:
    labels: dict[int, str] = {}
    numbers = np.flatnonzero(written.label_lengths)
    lengths = written.label_lengths[numbers]
    for number, length in zip(numbers.tolist(), lengths.tolist(), strict=True):
        labels[number] = written.texts[number][:length]
    return PageParts(
        written.nodes,
        written.ends,
        written.texts,
        labels,
        written.forms.tolist(),
        written.links,
        written.images,
        written.properties,
        None if written.base is None else base_url(written.base, None),
    )


_TAG_SETS = (DROPPED, NOT_IN_PROSE, _LINK, _IMAGE, _BASE)
"""Bits of tags, in the order of core/src/templates/leaves.rs."""
_SIGN, _RUNS_ON, _COLON = 4, 8, 16
_KINDS = ((1, r"[^\W_]+"), (2, r"\d+"), (1 << 15, r"\s+"))
"""Bits of characters, in the order of core/src/templates/forms.rs: letters and digits,
digits, white space.
"""
_CODE_POINTS = 0x110000
_BOUNDS = np.array([ALWAYS_MEANINGFUL, MIN_PROSE, MAX_LABEL, LONG_TEXT], dtype=np.int64)
"""In the order of core/src/templates/forms.rs."""


@cache
def _text_tables() -> TextTables | None:
    """Return what the core must know of characters and tags; None where there is no
    core.
    """
    code_points = np.arange(_CODE_POINTS, dtype="<u4").tobytes()
    characters = code_points.decode("utf-32-le", "surrogatepass")
    bits = np.zeros(_CODE_POINTS, dtype=np.uint16)
    for bit, kind in _KINDS:
        for run in re.finditer(kind, characters):
            bits[run.start() : run.end()] |= bit
    for bit, signs in ((_SIGN, SIGNS), (_RUNS_ON, RUNS_ON), (_COLON, COLONS)):
        for sign in signs:
            bits[ord(sign)] |= bit
    return read_text_tables(bits.tobytes(), tag_bits(*_TAG_SETS))
