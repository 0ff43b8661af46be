"""Texts of a tree by the compiled core: what a reader sees of them, and how they read.

Every function returns None where it is left to the reference: where the core is not at
work, another made the tree, or its texts were changed.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from scythe.core.texts import (
    TextTables,
    ThreadTexts,
    number_classes,
    read_text_tables,
    read_thread_texts,
    write_counts,
    write_one_line,
    write_plain_text,
    write_visible,
)
from scythe.tree.characters import CLASS_TABLE
from scythe.tree.compiled.signs import SignGroups, Signs
from scythe.tree.compiled.trees import block_of
from scythe.tree.tags import BREAKING, PREFORMATTED, SKIPPED, tag_bits
from scythe.tree.tree import Bools, Ints, Tree, once_per_tree

_TAG_SETS = (SKIPPED, BREAKING, PREFORMATTED)
"""Bits of tags, in the order of core/src/text/tables.rs."""
_BLANK = 1 << 15
_LAST_BLANK = 0x3000
"""No character beyond is white space."""


@once_per_tree
def seen_texts(tree: Tree) -> tuple[Bools, Ints] | None:
    """Return which nodes a reader sees, and the characters of visible texts, white space
    at their ends left out.
    """
    block = block_of(tree)
    tables = text_tables()
    if block is None or tables is None:
        return None
    found = write_visible(tables, block)
    if found is not None:
        for array in found:
            array.flags.writeable = False
    return found


def character_counts(tree: Tree, chosen: Bools) -> tuple[Ints, Ints] | None:
    """Return for every node its characters but white space and its periods and commas
    between words, where it is a chosen text.
    """
    block = block_of(tree)
    tables = text_tables()
    if block is None or tables is None:
        return None
    return write_counts(tables, block, chosen)


def joined_text(tree: Tree, chosen: Bools) -> str | None:
    """Return the text of the chosen text nodes, one line a block."""
    block = block_of(tree)
    tables = text_tables()
    if block is None or tables is None:
        return None
    return write_plain_text(tables, block, chosen)


def collapsed_text(tree: Tree, chosen: Bools) -> str | None:
    """Return the text of the chosen text nodes in one line."""
    block = block_of(tree)
    tables = text_tables()
    if block is None or tables is None:
        return None
    return write_one_line(tables, block, chosen)


def thread_texts(
    tree: Tree, is_read: Bools, max_date: int, groups: SignGroups, date_signs: Signs
) -> ThreadTexts | None:
    """Return the texts that may be read, as threads read them; those that may be dates
    have one of the signs, which must be all that the groups have, or digits.
    """
    block = block_of(tree)
    tables = text_tables()
    is_known = groups.bit(date_signs) is not None
    search = groups.search
    if block is None or tables is None or not is_known or search is None:
        return None
    return read_thread_texts(tables, block, is_read, max_date, search)


def class_numbers(tree: Tree) -> NDArray[np.int64] | None:
    """Return a number for the first class of every node, digits at its end aside; 0
    where it has none.
    """
    block = block_of(tree)
    tables = text_tables()
    if block is None or tables is None:
        return None
    return number_classes(tables, block)


@cache
def text_tables() -> TextTables | None:
    """Return what the core must know of characters and tags; None where there is no
    core.
    """
    characters = CLASS_TABLE.astype(np.uint16)
    for code_point in range(_LAST_BLANK + 1):
        if chr(code_point).isspace():
            characters[code_point] |= _BLANK
    return read_text_tables(characters.tobytes(), tag_bits(*_TAG_SETS))
