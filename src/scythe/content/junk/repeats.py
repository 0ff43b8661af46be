"""Copies of a block: the same text once for telephones and once for large screens."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Sequence
from itertools import compress

import numpy as np
from numpy.typing import NDArray

from scythe.content.junk.selected import SelectedTexts
from scythe.core.texts import Copies, find_copies
from scythe.tree.compiled.texts import text_tables
from scythe.tree.compiled.trees import block_of
from scythe.tree.tags import BLOCK, TagSet, tag_bits
from scythe.tree.tree import Bools, Tree

MIN_LENGTH, MIN_LENGTH_APART = 100, 400
"""Characters of a block that is taken for a copy of one beside it, or of one elsewhere:
a shorter text elsewhere may be the description that two records share. Tried: 60 and
100, 100 to 800, on two thirds of the domains of all content sets; for the learned
method the mean word F1 is the same with all of them (within 0.001), for LBDA it rises
by 0.002 with the longest and 0.003 with the shortest.
"""
_MAY_REPEAT = TagSet("blockquote q pre table")
"""What an author repeats on purpose: quotations, code, and rows of a table."""
_TAG_BITS = tag_bits(BLOCK, _MAY_REPEAT)
"""Bits of tags, in the order of core/src/text/repeats.rs."""
_FACTOR = 0x9E3779B97F4A7C15
"""Odd, so that powers of it can be undone; else of no meaning."""


def repeated_blocks(page: SelectedTexts) -> Bools | None:
    """Return the nodes of block-level elements whose selected text is exactly that of
    an earlier one: of one beside it, or where it is long, of any that does not contain
    it. None where there cannot be any.
    """
    known = _known_copies(page)
    if known is None:
        return reference_copies(page)
    return known.nodes if known.has_any else None


def reference_copies(page: SelectedTexts) -> Bools | None:
    """Return the same without the compiled core."""
    tree = page.tree
    nodes = page.nodes
    texts = page.stripped
    is_repeated = _occur_again(texts)
    text_lengths = map(len, texts)
    lengths = np.fromiter(text_lengths, dtype=np.int32, count=len(texts))
    if _longest_run(is_repeated, lengths) < MIN_LENGTH:
        return None
    sizes = np.zeros(len(tree), dtype=np.int32)
    sizes[nodes] = lengths
    is_single = np.zeros(len(tree), dtype=bool)
    is_single[nodes[~is_repeated]] = True

    sizes[tree.below(tree.has_tag(_MAY_REPEAT))] = 0
    block_lengths = tree.totals(sizes)
    is_long = (block_lengths >= MIN_LENGTH) & tree.has_tag(BLOCK)
    is_long &= tree.totals(is_single) == 0
    if not is_long.any():
        return None

    blocks = np.flatnonzero(is_long)
    repeated_texts = list(compress(texts, is_repeated.tolist()))
    keys = subtree_keys(tree, blocks, nodes[is_repeated], repeated_texts)
    parents = tree.parent[blocks]

    _, index, group = np.unique(keys, return_index=True, return_inverse=True)
    first = blocks[index][group]
    is_apart = blocks >= tree.end[first]
    is_copy = is_apart & (block_lengths[blocks] >= MIN_LENGTH_APART)
    by_parent = np.lexsort((blocks, parents, group))
    earlier = by_parent[:-1]
    later = by_parent[1:]
    is_same_group = group[earlier] == group[later]
    is_same_parent = parents[earlier] == parents[later]
    is_same = is_same_group & is_same_parent
    is_copy[later[is_same]] = True

    copies = np.zeros(len(tree), dtype=bool)
    copies[blocks[is_copy]] = True
    return tree.below(copies)


def _occur_again(texts: Sequence[str]) -> NDArray[np.bool_]:
    """Return which of the texts are the same as another one."""
    counts = Counter(texts)
    text_counts = map(counts.__getitem__, texts)
    occurrences = np.fromiter(text_counts, dtype=np.int64, count=len(texts))
    return occurrences > 1


def _known_copies(page: SelectedTexts) -> Copies | None:
    """Return the copies that the compiled core finds; None where it is not at work."""
    block = block_of(page.tree)
    tables = None if block is None else text_tables()
    if block is None or tables is None:
        return None
    least = (MIN_LENGTH, MIN_LENGTH_APART)
    return find_copies(tables, block, _TAG_BITS, page.selected, least)


def _longest_run(is_repeated: Bools, lengths: NDArray[np.int32]) -> int:
    """Return the characters of the longest run of texts that all stand elsewhere too:
    a copy of a block is one.
    """
    sums = np.cumsum(lengths * is_repeated)
    sums_at_single = np.where(is_repeated, 0, sums)
    run_lengths = sums - np.maximum.accumulate(sums_at_single)
    return int(run_lengths.max(initial=0))


def subtree_keys(
    tree: Tree,
    blocks: NDArray[np.int64],
    nodes: NDArray[np.int64],
    texts: Sequence[str],
) -> NDArray[np.uint64]:
    """Return for each of some elements a number that stands for the texts of the given
    text nodes under it, in their order.

    The number of a subtree is a polynomial of the checksums of its texts: prefix sums
    give it for all nodes at once.
    """
    has_text = np.array(texts, dtype=bool)
    nodes = nodes[has_text]
    known = {text: _checksum(text) for text in set(texts)}
    of_texts = [known[text] for text in texts if text]
    checksums = np.array(of_texts, dtype=np.uint64)
    count = len(nodes) + 1
    powers = _powers(_FACTOR, count)
    terms = checksums * powers[:-1]
    sums = np.zeros(count, dtype=np.uint64)
    np.cumsum(terms, out=sums[1:])

    begin = np.searchsorted(nodes, blocks)
    end = np.searchsorted(nodes, tree.end[blocks])
    inverse = pow(_FACTOR, -1, 1 << 64)
    undo = _powers(inverse, count)
    difference = sums[end] - sums[begin]
    return difference * undo[begin]


def _checksum(text: str) -> int:
    encoded = text.encode("utf-8", "surrogatepass")
    return zlib.crc32(encoded) << 32 | zlib.adler32(encoded)


def _powers(factor: int, count: int) -> NDArray[np.uint64]:
    factors = np.full(count, factor, dtype=np.uint64)
    factors[0] = 1
    return np.cumprod(factors, dtype=np.uint64)
