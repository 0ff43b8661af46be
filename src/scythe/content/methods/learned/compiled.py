"""Blocks and their features by the compiled core, where it made the tree of the page.

The reference's own tables and constants are what the core works with: they are
described to it once a process.
"""

from __future__ import annotations

import math
from functools import cache

import numpy as np
from numpy.typing import NDArray

from scythe.content.methods.learned import (
    declared,
    elementary,
    outline,
    position_features,
    roles,
    spans,
    structure_features,
    text_features,
    units,
)
from scythe.core.learned import (
    BlockRows,
    Tables,
    read_tables,
    write_features,
    write_outline,
)
from scythe.tree.characters import CLASS_TABLE
from scythe.tree.compiled.trees import block_of
from scythe.tree.tags import BLOCK, CODES, HEADING, KNOWN, TagSet
from scythe.tree.tree import Tree

_TAG_SETS = (
    outline.UNREAD,
    outline.BREAKING,
    BLOCK,
    text_features.FORM,
    text_features.STRONG,
    units.UNIT,
    units.LIST,
    units.ROW,
    units.CELL,
    units.ITEM,
    units.DEFINITION,
)
_HEADING_SHIFT = 16
_SIGNS_SHIFT, _ENDING_SHIFT, _BLANK_SHIFT = 8, 12, 15
"""Bits of tags and characters, in the order of core/src/learned/tables.rs."""
_LAST_BLANK = 0x3000
"""No character beyond is white space."""
_SAMPLES = 1.0 + np.arange(64) / 7
"""Numbers of which the core must have the exponentials and logarithms of Python."""


def compiled_blocks(tree: Tree) -> outline.Blocks | None:
    """Return the blocks of a page; None where they are left to the reference."""
    block = block_of(tree)
    tables = None if block is None else learned_tables()
    if block is None or tables is None:
        return None
    found = write_outline(tables, block)
    return None if found is None else outline.Blocks(*found)


def compiled_rows(
    tree: Tree, blocks: outline.Blocks, facts: declared.DeclaredFacts, rows: int
) -> BlockRows | None:
    """Return the features of blocks, in so many rows; None where they are left to the
    reference.
    """
    block = block_of(tree)
    tables = None if block is None else learned_tables()
    if block is None or tables is None:
        return None
    n = len(blocks)
    out = BlockRows(
        rows=np.empty((rows, n), dtype=np.float32),
        words=np.empty(n, dtype=np.int64),
        unit_of=np.empty(n, dtype=np.int64),
        page=np.empty(len(roles.NAMES) + len(facts.values), dtype=np.float32),
    )
    return out if write_features(tables, block, facts.compiled(), out) else None


@cache
def learned_tables() -> Tables | None:
    """Return the description of features, which the core has read; None where there is
    no core.
    """
    words, word_counters = _role_words()
    logs = list(map(math.log1p, _SAMPLES.tolist()))
    return read_tables(
        (
            _characters().tobytes(),
            _tags().tobytes(),
            roles.TAG_COUNTERS.tobytes(),
            b"\0".join(words),
            word_counters.tobytes(),
            elementary.WHOLE_LOGS.tobytes(),
            elementary.STARTS.tobytes(),
            elementary.LOGS.tobytes(),
            elementary.SLOPES.tobytes(),
            _SAMPLES.tobytes(),
            elementary.exponentials(-_SAMPLES).tobytes(),
            np.array(logs).tobytes(),
            np.array(_settings(), dtype=np.float64).tobytes(),
            np.array(structure_features.HELD_SHARES).tobytes(),
            np.array(position_features.NEIGHBOUR_STEPS, dtype=np.float64).tobytes(),
            np.array(position_features.WINDOWS, dtype=np.float64).tobytes(),
        )
    )


def _characters() -> NDArray[np.uint16]:
    """Return the bits of every code point."""
    bits = CLASS_TABLE.astype(np.uint16)
    for group, signs in enumerate(text_features.SIGNS.values()):
        codes = list(map(ord, signs))
        bits[codes] |= 1 << (_SIGNS_SHIFT + group)
    for character, ending in text_features.ENDINGS.items():
        bits[ord(character)] |= ending << _ENDING_SHIFT
    characters = map(chr, range(_LAST_BLANK + 1))
    blanks = [ord(character) for character in characters if character.isspace()]
    bits[blanks] |= 1 << _BLANK_SHIFT
    return bits


def _tags() -> NDArray[np.uint32]:
    """Return the bits of every known tag, and at last of all others."""
    bits = np.zeros(len(KNOWN) + 1, dtype=np.uint32)
    for number, tags in enumerate(_TAG_SETS):
        bits[_codes(tags)] |= 1 << number
    for code in _codes(HEADING):
        level = code - CODES["h1"] + 1
        bits[code] |= level << _HEADING_SHIFT
    return bits


def _codes(tags: TagSet) -> list[int]:
    return [CODES[name] for name in tags.names]


def _role_words() -> tuple[list[bytes], NDArray[np.uint8]]:
    """Return the words that have roles, and the counters of each."""
    numbers = spans.numbering([])
    pairs = []
    for role, words in enumerate(roles.WORD_ROLES, len(roles.TAG_ROLES)):
        pairs += [(numbers[word], role) for word in words.split()]
    counters = np.zeros((len(numbers), roles.COUNTERS), dtype=np.uint8)
    counters[tuple(np.transpose(pairs))] = 1
    return [str(word).encode() for word in numbers], counters


def _settings() -> list[float]:
    """Return the constants in the order of `Settings` in core/src/learned/tables.rs."""
    near, middle = structure_features.ROLE_LEVELS.values()
    return [
        spans.LEVELS,
        spans.UPPER_LEVELS,
        spans.MAX_NAME,
        text_features.LONG_WORDS,
        text_features.LONG_LINKED_SHARE,
        structure_features.SHORT_WORDS,
        declared.MIN_TITLE,
        declared.MAX_TITLE,
        declared.MIN_TITLE_HEADING,
        declared.COMPARED_START,
        position_features.MAX_DISTANCE,
        position_features.NO_TITLE,
        position_features.NO_HEADING,
        near,
        middle,
        structure_features.MAX_ROLE_COUNT,
        len(roles.NAMES),
        units.MAX_BLOCKS_PER_CELL,
        units.MAX_BLOCKS_PER_ITEM,
        units.MIN_CELLS_PER_ROW,
        units.MAX_PAGE_SHARE,
        structure_features.ALIKE_LEVELS,
        structure_features.BLOCK_WEIGHT,
    ]
