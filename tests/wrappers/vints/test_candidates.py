"""Records begin where the paper's rules say, in their order of priority."""

import pytest

from scythe.wrappers.vints.candidates import candidate_groups, first_line
from scythe.wrappers.vints.lines import ContentLine, LineType

LINK, TEXT, HEAD, RULE, BLANK = (
    LineType.LINK,
    LineType.TEXT,
    LineType.TEXT_HEAD,
    LineType.HR_LINE,
    LineType.BLANK,
)


def lines(*pairs: tuple[LineType, int]) -> list[ContentLine]:
    return [
        ContentLine(kind, position, node) for node, (kind, position) in enumerate(pairs)
    ]


@pytest.mark.parametrize(
    ("block", "first"),
    [
        (lines((TEXT, 8), (RULE, 8), (LINK, 8), (HEAD, 8), (TEXT, 0)), 2),
        (lines((TEXT, 8), (LINK, 8), (HEAD, 8), (TEXT, 0)), 2),
        (lines((TEXT, 8), (BLANK, 8), (LINK, 0), (TEXT, 8)), 2),
        (lines((TEXT, 8), (BLANK, 8), (LINK, 8), (TEXT, 8)), 2),
        (lines((LINK, 8), (TEXT, 8), (TEXT, 8)), 0),
        (lines((BLANK, 8), (BLANK, 8), (TEXT, 8)), 2),
    ],
    ids=[
        "after a rule",
        "the only number",
        "the leftmost",
        "after the blank line",
        "the first",
        "never a blank line",
    ],
)
def test_first_line(block: list[ContentLine], first: int) -> None:
    assert first_line(block, 0, len(block)) == first


def test_the_line_after_a_separator_may_be_in_the_next_block() -> None:
    page = lines((LINK, 8), (TEXT, 8), (BLANK, 8), (LINK, 8), (TEXT, 8), (BLANK, 8))
    assert first_line(page, 0, 3) == 3


def test_a_block_of_blank_lines_begins_no_record() -> None:
    page = lines((TEXT, 8), (BLANK, 8), (BLANK, 8))
    assert first_line(page, 1, 3) is None


def test_records_are_a_group_though_snippets_differ() -> None:
    record = [(LINK, 8), (TEXT, 48), (TEXT, 48), (BLANK, 48)]
    page = lines(
        (TEXT, 0),
        *record,
        *record[:2],
        *record[3:],
        *record,
        *record,
        (LINK, 600),
        (LINK, 600),
    )
    starts = {1, 5, 8, 12}
    assert any(starts & set(group) >= {5, 8, 12} for group in candidate_groups(page))


def test_nothing_repeats() -> None:
    assert candidate_groups([]) == []
    assert candidate_groups(lines((LINK, 8), (TEXT, 8))) == []
