"""The compiled core's share of reading texts and attributes: what a reader sees, how
long it is, which words it has.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from sys import byteorder
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scythe.core.arrays import ArrayAddress, array_list
from scythe.core.block import Block
from scythe.core.library import library

Ints = NDArray[np.int32]
Bools = NDArray[np.bool_]


class TextTables(NamedTuple):
    """Kinds of characters and tags that the core has read, for as long as the process
    lives.
    """

    address: int


class WordSearch(NamedTuple):
    """Groups of words or signs that the core looks for, in their order."""

    address: int
    groups: int


def described(sections: Iterable[bytes]) -> bytes:
    """Return sections as the core reads them, each after its length."""
    parts = [len(part).to_bytes(8, byteorder) + part for part in sections]
    return b"".join(parts)


def read_text_tables(characters: bytes, tags: bytes) -> TextTables | None:
    """Return the bits of all characters and tags as tables; None where there is no
    core.
    """
    compiled = library()
    if compiled is None:
        return None
    description = described((characters, tags))
    address = compiled.scythe_text_tables(description, len(description))
    return TextTables(address) if address else None


SeenTexts = tuple[Bools, Ints]
"""Which nodes a reader sees, and the characters of visible texts."""


def write_visible(tables: TextTables, block: Block) -> SeenTexts | None:
    """Return which nodes a reader sees, and the characters of visible texts; None where
    that is left to the reference.
    """
    compiled = library()
    if compiled is None:
        return None
    visible = np.empty(len(block.tag), dtype=bool)
    lengths = np.empty(len(block.tag), dtype=np.int32)
    arrays = array_list(block.address, visible, lengths)
    if compiled.scythe_visible(tables.address, arrays) < 0:
        return None
    return visible, lengths


def write_counts(
    tables: TextTables, block: Block, chosen: Bools
) -> tuple[Ints, Ints] | None:
    """Return for every node its characters but white space, and its periods and commas
    between words, where it is a chosen text; None where that is left to the reference.
    """
    compiled = library()
    if compiled is None or len(chosen) != len(block.tag):
        return None
    counts = np.empty((2, len(block.tag)), dtype=np.int32)
    arrays = array_list(block.address, np.ascontiguousarray(chosen), *counts)
    if compiled.scythe_counts(tables.address, arrays) < 0:
        return None
    return counts[0], counts[1]


def count_characters(block: Block, chosen: Bools) -> int | None:
    """Return the characters of chosen texts; None where that is left to the reference."""
    compiled = library()
    if compiled is None or len(chosen) != len(block.tag):
        return None
    arrays = array_list(block.address, np.ascontiguousarray(chosen))
    count: int = compiled.scythe_characters(None, arrays)
    return None if count < 0 else count


def write_plain_text(tables: TextTables, block: Block, chosen: Bools) -> str | None:
    """Return the text of chosen nodes, one line a block; None where that is left to the
    reference.
    """
    return _write_text("scythe_plain_text", tables, block, chosen)


def write_one_line(tables: TextTables, block: Block, chosen: Bools) -> str | None:
    """Return the text of chosen nodes, its words separated by one space each; None where
    that is left to the reference.
    """
    return _write_text("scythe_one_line", tables, block, chosen)


def _write_text(
    name: str, tables: TextTables, block: Block, chosen: Bools
) -> str | None:
    compiled = library()
    if compiled is None or len(chosen) != len(block.tag):
        return None
    text = np.empty(block.text_size + 1, dtype=np.uint8)
    arrays = array_list(block.address, np.ascontiguousarray(chosen), text)
    length = getattr(compiled, name)(tables.address, arrays)
    return None if length < 0 else str(text[:length].data, "utf-8")


def lower_bytes(text: bytes) -> bytes | None:
    """Return a text in UTF-8 in lower case; None where that is left to the reference."""
    compiled = library()
    if compiled is None:
        return None
    lower = np.empty(2 * len(text), dtype=np.uint8)
    length = compiled.scythe_lower(None, array_list(text, lower))
    return None if length < 0 else lower[:length].tobytes()


def read_word_search(groups: Sequence[tuple[str, Iterable[str]]]) -> WordSearch | None:
    """Return the search for groups of words, each in the values of one attribute; None
    where there is no core, or it does not know such words.
    """
    compiled = library()
    if compiled is None:
        return None
    sections = []
    for attribute, words in groups:
        sections += [attribute.encode(), "\0".join(words).encode()]
    description = described(sections)
    address = compiled.scythe_word_search(description, len(description))
    return WordSearch(address, len(groups)) if address else None


def find_words(
    search: WordSearch, block: Block
) -> tuple[NDArray[np.uint32], NDArray[np.uint64]] | None:
    """Return the positions of attributes whose values have words, and the groups of
    these words as bits; None where that is left to the reference.
    """
    compiled = library()
    if compiled is None:
        return None
    attributes = len(block.attribute_node)
    positions = np.empty(attributes, dtype=np.uint32)
    groups = np.empty(attributes, dtype=np.uint64)
    arrays = array_list(block.address, positions, groups)
    count = compiled.scythe_find_words(search.address, arrays)
    return None if count < 0 else (positions[:count], groups[:count])


def read_sign_search(
    groups: Sequence[Iterable[bytes]], *, folds: bool
) -> WordSearch | None:
    """Return the search for groups of signs in texts, in UTF-8; None where there is no
    core. Where it `folds`, signs are in lower case, and capitals count as small letters.
    """
    compiled = library()
    if compiled is None:
        return None
    sections = [bytes([folds])]
    for signs in groups:
        section = b"\0".join(signs)
        sections.append(section)
    description = described(sections)
    address = compiled.scythe_sign_search(description, len(description))
    return WordSearch(address, len(groups)) if address else None


def find_signs(search: WordSearch, block: Block, chosen: Bools) -> int | None:
    """Return the groups that chosen texts have signs of, as bits; None where that is
    left to the reference.
    """
    compiled = library()
    if compiled is None or len(chosen) != len(block.tag):
        return None
    groups = np.zeros(1, dtype=np.uint64)
    arrays = array_list(block.address, np.ascontiguousarray(chosen), groups)
    if compiled.scythe_find_signs(search.address, arrays) < 0:
        return None
    return int(groups[0])


def elements_with_signs(
    search: WordSearch, block: Block, tags: bytes
) -> list[int] | None:
    """Return the elements whose text has one of the signs, given the bit of their tags;
    None where that is left to the reference.
    """
    compiled = library()
    if compiled is None:
        return None
    nodes = np.empty(len(block.tag), dtype=np.int32)
    arrays = array_list(block.address, tags, nodes)
    count = compiled.scythe_elements_with(search.address, arrays)
    return None if count < 0 else nodes[:count].tolist()


class FoundJunk(NamedTuple):
    """What chosen texts have that may be no content."""

    groups: int
    """The groups of signs that they have, as bits."""
    known_groups: int
    """How many groups were looked for."""
    kinds: NDArray[np.uint8]
    """By text, 1 where it is not blank, and 2 more where it may be nothing but numbers;
    behind the last text anything.
    """
    has_link_signs: bool
    """Whether one is nothing but a sign for a link."""
    neighbours: Ints
    """The texts, by their number, that end an inline element right before the next."""
    labels: Ints
    """The texts that have the field of a form between them and the next on their line."""


def find_junk(
    tables: TextTables,
    block: Block,
    tags: bytes,
    chosen: Bools,
    search: WordSearch,
    link_signs: tuple[bytes, int],
) -> FoundJunk | None:
    """Return what chosen texts have, given the bits of tags, the search for signs, and
    the signs for links with the characters of one at most; None where that is left to
    the reference.
    """
    compiled = library()
    if compiled is None or len(chosen) != len(block.tag):
        return None
    signs, max_link_sign = link_signs
    found = np.zeros(3, dtype=np.uint64)
    pairs = np.empty(2 * block.text_count, dtype=np.int32)
    kinds = np.empty(block.text_count, dtype=np.uint8)
    arrays = array_list(
        block.address,
        tags,
        np.ascontiguousarray(chosen),
        ArrayAddress(search.address, 1),
        signs,
        np.array([max_link_sign], dtype=np.int64),
        found,
        pairs,
        kinds,
    )
    count = compiled.scythe_junk(tables.address, arrays)
    if count < 0:
        return None
    groups, has_link_signs, labels = found.tolist()
    return FoundJunk(
        groups=groups,
        known_groups=search.groups,
        kinds=kinds,
        has_link_signs=bool(has_link_signs),
        neighbours=pairs[:count],
        labels=pairs[count : count + labels],
    )


class Copies(NamedTuple):
    """The nodes of block-level elements that are copies of others."""

    has_any: bool
    nodes: Bools


def find_copies(
    tables: TextTables,
    block: Block,
    tags: bytes,
    chosen: Bools,
    least: tuple[int, int],
) -> Copies | None:
    """Return the block-level elements that are copies of another: they have nothing but
    chosen texts that stand elsewhere too, of at least so many characters beside the
    other, or apart from it. None where that is left to the reference.
    """
    compiled = library()
    if compiled is None or len(chosen) != len(block.tag):
        return None
    lengths = np.array(least, dtype=np.int64)
    nodes = np.empty(len(block.tag), dtype=bool)
    chosen = np.ascontiguousarray(chosen)
    arrays = array_list(block.address, tags, chosen, lengths, nodes)
    found: int = compiled.scythe_copies(tables.address, arrays)
    return None if found < 0 else Copies(bool(found), nodes)


class ThreadTexts(NamedTuple):
    """Texts of a page that are not blank, as threads read them."""

    nodes: Ints
    words: Ints
    may_be_dates: Bools
    """Which are as short as a date, and have its signs or may have digits."""


def read_thread_texts(
    tables: TextTables,
    block: Block,
    is_read: Bools,
    max_date: int,
    date_signs: WordSearch,
) -> ThreadTexts | None:
    """Return the texts that may be read, given the characters of a date and the search
    for signs of dates without digits; None where that is left to the reference.
    """
    compiled = library()
    if compiled is None or len(is_read) != len(block.tag):
        return None
    numbers = np.empty((2, block.text_count), dtype=np.int32)
    may_be_dates = np.empty(block.text_count, dtype=bool)
    bound = np.array([max_date], dtype=np.int64)
    chosen = np.ascontiguousarray(is_read)
    signs = ArrayAddress(date_signs.address, 1)
    arrays = array_list(block.address, chosen, bound, signs, *numbers, may_be_dates)
    count = compiled.scythe_thread_texts(tables.address, arrays)
    if count < 0:
        return None
    return ThreadTexts(numbers[0, :count], numbers[1, :count], may_be_dates[:count])


def number_classes(tables: TextTables, block: Block) -> NDArray[np.int64] | None:
    """Return a number for the first class of every node, digits at its end aside, 0
    where it has none; None where that is left to the reference.
    """
    compiled = library()
    if compiled is None:
        return None
    numbers = np.empty(len(block.tag), dtype=np.int64)
    arrays = array_list(block.address, numbers)
    written = compiled.scythe_class_names(tables.address, arrays)
    return None if written < 0 else numbers
