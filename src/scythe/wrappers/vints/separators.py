"""Candidate content line separators (ViNTs, section 4.1): every pattern of lines that
occurs at least three times.

Of a separator only the places where it ends matter, for there a block ends. So patterns
that end in the same places are one separator. Over the reversed page such patterns
begin in the same places and are one inner node of its suffix tree, that is, one
interval of its suffix array: a page of n lines has fewer than n separators, however
many patterns repeat.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scythe.wrappers.vints.lines import ContentLine

LEAST_OCCURRENCES = 3
"""A sample page has at least four records, says the paper, so three borders between
them.
"""
LONGEST = 8
"""Lines of the shortest pattern of a separator. Longer ones reach over several records
of a repetitive page.
"""
MOST_BLOCKS = 10_000
"""Blocks all separators together may make: the work on a page of repeated lines would
grow with its square. With 5,000 and with 30,000 the same records are found on the 26
sets of the data folder whose pages have more than 5,000 nodes.
"""

Symbols = NDArray[np.int64]


class LineSeparator(NamedTuple):
    """A candidate content line separator: the last lines of its occurrences, and the
    length of its shortest pattern.
    """

    length: int
    ends: tuple[int, ...]


def line_separators(lines: Sequence[ContentLine]) -> list[LineSeparator]:
    """The candidate content line separators, shortest pattern first, then the most
    frequent.
    """
    numbers: dict[tuple[int, int], int] = {}
    symbols = [
        numbers.setdefault((line.type, line.position), len(numbers)) for line in lines
    ]
    last = len(lines) - 1
    found = [
        LineSeparator(length, tuple(sorted(last - start for start in starts)))
        for length, starts in repeats(np.array(symbols[::-1], dtype=np.int64))
    ]
    found.sort(
        key=lambda separator: (separator.length, -len(separator.ends), separator.ends)
    )
    return list(_within(found, MOST_BLOCKS))


def _within(separators: list[LineSeparator], blocks: int) -> Iterator[LineSeparator]:
    for separator in separators:
        blocks -= len(separator.ends)
        if blocks < 0:
            return
        yield separator


def repeats(symbols: Symbols) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Every set of places where one pattern or several begin, with the length of the
    shortest of them.

    The intervals of the suffix array are found by the heights of their common prefixes,
    with a stack.
    """
    if len(symbols) < LEAST_OCCURRENCES:
        return
    suffixes = suffix_array(symbols)
    heights = [*common_prefixes(symbols, suffixes).tolist(), 0]
    stack: list[tuple[int, int]] = []
    for place, height in enumerate(heights):
        start = place
        while stack and stack[-1][0] > height:
            _, start = stack.pop()
            lower = max(height, stack[-1][0] if stack else 0)
            if place - start + 1 >= LEAST_OCCURRENCES and lower < LONGEST:
                yield lower + 1, tuple(suffixes[start : place + 1].tolist())
        if height and (not stack or stack[-1][0] < height):
            stack.append((height, start))


def suffix_array(symbols: Symbols) -> Symbols:
    """The starts of all suffixes in their order, by doubling the length they are
    compared up to.
    """
    rank, step = np.unique(symbols, return_inverse=True)[1].astype(np.int64), 1
    while True:
        follower = np.full_like(rank, -1)
        follower[:-step] = rank[step:]
        order = np.lexsort((follower, rank))
        first, second = rank[order], follower[order]
        new = np.zeros_like(rank)
        new[order[1:]] = np.cumsum(
            (first[1:] != first[:-1]) | (second[1:] != second[:-1])
        )
        rank, step = new, step * 2
        if step >= len(rank) or rank[order[-1]] == len(rank) - 1:
            return order


def common_prefixes(symbols: Symbols, suffixes: Symbols) -> Symbols:
    """How many symbols each suffix shares with the next one in the order (Kasai's way)."""
    size = len(symbols)
    place = np.empty_like(suffixes)
    place[suffixes] = np.arange(size)
    places, order, page = place.tolist(), suffixes.tolist(), symbols.tolist()
    heights, height = [0] * (size - 1), 0
    for start, at in enumerate(places):
        if at == size - 1:
            height = 0
            continue
        other = order[at + 1]
        while (
            max(start, other) + height < size
            and page[start + height] == page[other + height]
        ):
            height += 1
        heights[at] = height
        height = max(height - 1, 0)
    return np.array(heights, dtype=np.int64)
