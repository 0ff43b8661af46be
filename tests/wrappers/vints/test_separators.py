"""Every pattern of lines that occurs three times separates the page, each set of places
once.
"""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from scythe.wrappers.vints.lines import ContentLine, LineType
from scythe.wrappers.vints.separators import (
    MAX_BLOCKS,
    MAX_PATTERN_LINES,
    candidate_separators,
    suffix_array,
)

strings = st.lists(st.integers(0, 2), max_size=40)


def lines_of(types: list[int]) -> list[ContentLine]:
    return [ContentLine(LineType(kind + 1), 0, node) for node, kind in enumerate(types)]


@given(st.lists(st.integers(0, 5), min_size=1, max_size=60))
def test_suffix_array_is_in_order(symbols: list[int]) -> None:
    order = suffix_array(np.array(symbols))
    assert order.tolist() == sorted(
        range(len(symbols)), key=lambda start: symbols[start:]
    )


@given(strings)
def test_separators_are_the_repeated_patterns_without_overlaps(
    types: list[int],
) -> None:
    expected: dict[tuple[int, ...], int] = {}
    for size in range(MAX_PATTERN_LINES, 0, -1):
        for start in range(len(types) - size + 1):
            pattern = types[start : start + size]
            ends: list[int] = []
            for end in range(size - 1, len(types)):
                is_apart = not ends or end - ends[-1] >= size
                if is_apart and types[end - size + 1 : end + 1] == pattern:
                    ends.append(end)
            if len(ends) >= 3:
                expected[tuple(ends)] = size
    found = {
        separator.ends: separator.length
        for separator in candidate_separators(lines_of(types))
    }
    assert found.keys() <= expected.keys()
    single_lines = {ends for ends, size in expected.items() if size == 1}
    assert single_lines <= found.keys()


def test_lines_that_alternate_have_blocks_of_several_lines() -> None:
    separators = candidate_separators(lines_of([1, 2] * 8))
    assert (2, 6, 10, 14) in {separator.ends for separator in separators}


def test_lines_at_other_positions_are_other_lines() -> None:
    lines = [ContentLine(LineType.LINK, 8 * (index % 2), index) for index in range(6)]
    assert {separator.ends for separator in candidate_separators(lines)} >= {
        (0, 2, 4),
        (1, 3, 5),
    }


def test_a_page_of_the_same_line_stays_small() -> None:
    separators = candidate_separators(lines_of([1] * 5_000))
    assert 0 < sum(len(separator.ends) for separator in separators) <= MAX_BLOCKS
