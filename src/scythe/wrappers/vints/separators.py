"""Candidate content line separators (ViNTs, section 4.1): every pattern of lines that
occurs at least three times.

Of a separator only the lines where it ends matter, for there a block ends. So patterns
that end in the same lines are one separator. Over the reversed page such patterns begin
in the same lines and are one inner node of its suffix tree, that is, one interval of its
suffix array: a page of n lines has fewer than n separators, however many patterns
repeat.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scythe.wrappers.vints.lines import ContentLine

MIN_OCCURRENCES = 3
"""A sample page has at least four records, says the paper, so three borders between
them.
"""
MAX_PATTERN_LINES = 8
"""Lines of the shortest pattern of a separator. Longer ones reach over several records
of a repetitive page.
"""
MAX_BLOCKS = 10_000
"""Blocks all separators together may make: the work on a page of repeated lines would
grow with its square. With 5,000 and with 30,000 the same records are found on the 26
sets of the data folder whose pages have more than 5,000 nodes.
"""

Symbols = NDArray[np.int64]


class ContentLineSeparator(NamedTuple):
    """A candidate content line separator: the last lines of its occurrences, and the
    length of its shortest pattern.
    """

    length: int
    ends: tuple[int, ...]


def candidate_separators(lines: Sequence[ContentLine]) -> list[ContentLineSeparator]:
    """Return the candidate content line separators, shortest pattern first, then the
    most frequent.
    """
    symbol_of: dict[tuple[int, int], int] = {}
    symbols = []
    for line in lines:
        pair = (line.type, line.position)
        next_symbol = len(symbol_of)
        symbols.append(symbol_of.setdefault(pair, next_symbol))
    symbols.reverse()

    last = len(lines) - 1
    separators = []
    backwards = np.array(symbols, dtype=np.int64)
    for shortest, longest, starts in repeats(backwards):
        ends = sorted([last - start for start in starts])
        for length in (shortest, min(longest, MAX_PATTERN_LINES)):
            apart = without_overlaps(ends, length)
            if len(apart) >= MIN_OCCURRENCES:
                separators.append(ContentLineSeparator(length, apart))
    separators = _once(separators)
    return _within_block_limit(separators)


def _once(separators: Sequence[ContentLineSeparator]) -> list[ContentLineSeparator]:
    """Return separators in their order, of those with the same ends the first."""
    first: dict[tuple[int, ...], ContentLineSeparator] = {}
    for separator in sorted(separators, key=_priority):
        first.setdefault(separator.ends, separator)
    return list(first.values())


def without_overlaps(ends: Sequence[int], length: int) -> tuple[int, ...]:
    """Return the ends of the occurrences of a pattern that share no line with the one
    before: a line belongs to one occurrence. LINK, BLANK, LINK, BLANK, ... then also has
    blocks of two lines and more.
    """
    kept: list[int] = []
    for end in ends:
        if not kept or end - kept[-1] >= length:
            kept.append(end)
    return tuple(kept)


def _priority(separator: ContentLineSeparator) -> tuple[int, int, tuple[int, ...]]:
    return separator.length, -len(separator.ends), separator.ends


def _within_block_limit(
    separators: Sequence[ContentLineSeparator],
) -> list[ContentLineSeparator]:
    """Return the first separators, as many as make `MAX_BLOCKS` blocks."""
    blocks = 0
    kept = []
    for separator in separators:
        blocks += len(separator.ends)
        if blocks > MAX_BLOCKS:
            break
        kept.append(separator)
    return kept


def repeats(symbols: Symbols) -> Iterator[tuple[int, int, tuple[int, ...]]]:
    """Yield every set of starts that one pattern or several have in common, after the
    lengths of the shortest and of the longest of them.

    The intervals of the suffix array are found by the heights of their common prefixes,
    with a stack.
    """
    if len(symbols) < MIN_OCCURRENCES:
        return
    suffixes = suffix_array(symbols)
    heights = [*common_prefixes(symbols, suffixes).tolist(), 0]
    stack: list[tuple[int, int]] = []
    for index, height in enumerate(heights):
        start = index
        while stack and stack[-1][0] > height:
            longest, start = stack.pop()
            enclosing = stack[-1][0] if stack else 0
            lower = max(height, enclosing)
            occurrences = index - start + 1
            if occurrences >= MIN_OCCURRENCES and lower < MAX_PATTERN_LINES:
                interval = suffixes[start : index + 1]
                yield lower + 1, longest, tuple(interval.tolist())
        is_higher = not stack or stack[-1][0] < height
        if height and is_higher:
            stack.append((height, start))


def suffix_array(symbols: Symbols) -> Symbols:
    """Return the starts of all suffixes in their order, by doubling the length they are
    compared up to.
    """
    _, inverse = np.unique(symbols, return_inverse=True)
    rank = inverse.astype(np.int64)
    step = 1
    while True:
        following = np.full_like(rank, -1)
        following[:-step] = rank[step:]
        order = np.lexsort((following, rank))
        first = rank[order]
        second = following[order]
        first_differs = first[1:] != first[:-1]
        second_differs = second[1:] != second[:-1]

        rank = np.zeros_like(rank)
        rank[order[1:]] = np.cumsum(first_differs | second_differs)
        step *= 2
        last_rank = rank[order[-1]]
        is_sorted = last_rank == len(rank) - 1
        if is_sorted or step >= len(rank):
            return order


def common_prefixes(symbols: Symbols, suffixes: Symbols) -> Symbols:
    """Return how many symbols each suffix shares with the next one in the order
    (Kasai's way).
    """
    size = len(symbols)
    inverse = np.empty_like(suffixes)
    inverse[suffixes] = np.arange(size)
    ranks = inverse.tolist()
    order = suffixes.tolist()
    page = symbols.tolist()

    heights = [0] * (size - 1)
    height = 0
    for start, rank in enumerate(ranks):
        if rank == size - 1:
            height = 0
            continue
        other = order[rank + 1]
        longest = size - max(start, other)
        while height < longest and page[start + height] == page[other + height]:
            height += 1
        heights[rank] = height
        height = max(height - 1, 0)
    return np.array(heights, dtype=np.int64)
