"""Features of where each block stands: on the page, to the headings, the title and the
running text, and among its neighbours.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scythe.content.methods.learned.declared import (
    DeclaredFacts,
    described_blocks,
    title_block,
)
from scythe.content.methods.learned.elementary import log
from scythe.content.methods.learned.spans import ElementSpans
from scythe.content.methods.learned.text_features import BlockCounts, Floats, share

MAX_DISTANCE = 3000
"""Blocks to the nearest described block, at most."""
NEIGHBOUR_STEPS = (-2, -1, 1, 2)
WINDOWS = (4, 10)
"""Blocks read before and after a block, one by one and in sum. The model was
trained with these.
"""
NO_TITLE = -9.0
NO_HEADING = 9.0
_WORDS, _LONG = 0, 6
"""Rows of the running sums."""


def _neighbour_names() -> list[str]:
    names = []
    for step in NEIGHBOUR_STEPS:
        names += [f"{name} {step:+}" for name in ("words", "linked", "heading")]
    return names


def _window_names() -> list[str]:
    names = []
    for reach in WINDOWS:
        for side in ("before", "after"):
            names += [f"{name} {reach} {side}" for name in ("words", "linked")]
    return names


NAMES = (
    "index",
    "index from start",
    "index from end",
    "words before",
    "log words before",
    "depth",
    "from h1",
    "words from h1",
    "from heading",
    "heading above",
    "long before",
    "long words before",
    "from long",
    "to long",
    "from title",
    "words from title",
    "described",
    "from described",
    "to described",
    *_neighbour_names(),
    *_window_names(),
)
SECTION_NAMES = ("words", "linked", "long", "blocks")


def position_rows(
    spans: ElementSpans,
    lines: list[str],
    declared: DeclaredFacts,
    counts: BlockCounts,
    sums: Floats,
) -> list[NDArray[np.generic]]:
    """Return the rows of `NAMES`."""
    return [
        _order_rows(spans, counts, sums),
        _declared_rows(lines, declared, counts, sums),
        _neighbour_rows(counts),
        _window_rows(sums),
    ]


def totals_between(
    sums: Floats, low: NDArray[np.integer], high: NDArray[np.integer]
) -> Floats:
    """Return the totals of the runs of blocks from `low` to `high`."""
    return sums.take(high, axis=1) - sums.take(low, axis=1)


def _signed_log(values: NDArray[np.generic]) -> Floats:
    return np.copysign(log(np.abs(values)), values, dtype=np.float32)


def _distance_rows(block: int, words_before: Floats) -> list[NDArray[np.generic]]:
    """Return the distance of all blocks from one, in blocks and in words; `NO_TITLE`
    where there is no such block (-1).
    """
    n = len(words_before)
    if block < 0:
        missing = np.full(n, NO_TITLE)
        return [missing, missing]
    blocks_between = np.arange(n) - block
    words_between = words_before - words_before[block]
    return [_signed_log(blocks_between), _signed_log(words_between)]


def _order_rows(
    spans: ElementSpans, counts: BlockCounts, sums: Floats
) -> NDArray[np.float64]:
    """Return where blocks stand on the page, and to headings and long blocks."""
    n = len(counts.words)
    index = np.arange(n)
    words_before = sums[_WORDS, :-1]
    page_words = max(sums[_WORDS, -1], 1.0)
    long_before = sums[_LONG, :-1]
    long_blocks = max(sums[_LONG, -1], 1.0)
    top_headings = np.flatnonzero(counts.heading == 1)
    top_heading = int(top_headings[0]) if len(top_headings) else -1
    from_top_heading, words_from_top_heading = _distance_rows(top_heading, words_before)

    is_heading = counts.heading > 0
    last_heading = np.maximum.accumulate(np.where(is_heading, index, -1))
    has_heading = last_heading >= 0
    from_heading = log(index - last_heading)

    last_long = np.maximum.accumulate(np.where(counts.is_long, index, -1))
    long_index = np.where(counts.is_long, index, 2 * n)
    next_long = np.minimum.accumulate(long_index[::-1])[::-1]
    long_words = np.where(counts.is_long, counts.words, 0)
    long_words_before = np.cumsum(long_words) - long_words
    return np.stack(
        [
            index / n,
            log(index),
            log(n - 1 - index),
            words_before / page_words,
            log(words_before),
            spans.tree.depth[spans.blocks.container].astype(np.float64),
            from_top_heading,
            words_from_top_heading,
            np.where(has_heading, from_heading, NO_HEADING),
            np.where(has_heading, counts.heading[last_heading], 0),
            long_before / long_blocks,
            log(long_words_before),
            log(index - last_long),
            log(next_long - index),
        ]
    )


def _declared_rows(
    lines: list[str], declared: DeclaredFacts, counts: BlockCounts, sums: Floats
) -> NDArray[np.float64]:
    """Return where blocks stand to the title and to text that the head of the page
    repeats.
    """
    n = len(lines)
    index = np.arange(n)
    title = title_block(lines, counts.heading, declared)
    is_described = described_blocks(lines, declared)
    described_index = np.where(is_described, index, -MAX_DISTANCE)
    last_described = np.maximum.accumulate(described_index)
    described_index = np.where(is_described, index, n + MAX_DISTANCE)
    next_described = np.minimum.accumulate(described_index[::-1])[::-1]
    from_described = np.minimum(index - last_described, MAX_DISTANCE)
    to_described = np.minimum(next_described - index, MAX_DISTANCE)
    return np.stack(
        [
            *_distance_rows(title, sums[_WORDS, :-1]),
            is_described.astype(np.float64),
            log(from_described),
            log(to_described),
        ]
    )


def _neighbour_rows(counts: BlockCounts) -> NDArray[np.float64]:
    """Return words, links and headings of the blocks just before and after."""
    n = len(counts.words)
    reach = max(NEIGHBOUR_STEPS)
    padded = np.full((3, n + 2 * reach), -1.0)
    padded[:, reach : reach + n] = (
        log(counts.words),
        share(counts.linked, counts.words),
        counts.heading,
    )
    shifted = []
    for step in NEIGHBOUR_STEPS:
        first = reach + step
        shifted.append(padded[:, first : first + n])
    return np.concatenate(shifted)


def _window_rows(sums: Floats) -> Floats:
    """Return words and links of several blocks before and after."""
    n = sums.shape[1] - 1
    index = np.arange(n)
    rows = []
    for reach in WINDOWS:
        for first, last in ((-reach, 0), (1, reach + 1)):
            low = np.clip(index + first, 0, n)
            high = np.clip(index + last, 0, n)
            words, linked = totals_between(sums[:2], low, high)
            rows += [log(words), share(linked, words)]
    return np.stack(rows)


def section_rows(counts: BlockCounts) -> Floats:
    """Return the rows of `SECTION_NAMES`: the text from one heading to the next,
    whatever elements it stands in.
    """
    section = np.cumsum(counts.heading > 0)
    size = np.bincount(section)
    words = np.bincount(section, counts.words)
    linked = np.bincount(section, counts.linked)
    long = np.bincount(section, counts.is_long)
    rows = np.stack(
        [
            log(words),
            share(linked, words),
            log(long),
            log(size),
        ]
    )
    return rows[:, section]
