"""Texts that are put together from parts, and patterns for these."""

from __future__ import annotations

from scythe.collect.records.shared_text import shared_parts
from scythe.collect.records.text_parts import TextPart


def test_what_all_pages_say_around_a_value_is_no_value() -> None:
    pages = [[f"Info about {name}"] for name in "ada bea cyd dot eva".split()]
    assert shared_parts(pages) == ["Info about {}"]


def test_brackets_and_words_part_a_text() -> None:
    pages = [[f"{n}80x720 ({n}94 PPI)"] for n in range(1, 7)]
    patterns = shared_parts(pages)
    parts = [TextPart.parse(pattern).of(["1280x720 (294 PPI)"]) for pattern in patterns]
    assert parts == [["1280x720"], ["294 PPI"]]

    names = "Ann Bob Cyd Dan Eve Fay".split()
    pages = [[f"Posted by {name} on 3 May 201{n}"] for n, name in enumerate(names)]
    patterns = shared_parts(pages)
    parts = [TextPart.parse(pattern).of(pages[0]) for pattern in patterns]
    assert parts == [["Ann"], ["3 May 2010"]]


def test_lines_that_all_values_have_are_parts() -> None:
    pages = [[f"Kryo {n}00", f"{n}.2 GHz"] for n in range(1, 7)]
    patterns = shared_parts(pages)
    parts = [
        TextPart.parse(pattern).of(["Kryo 900", "9.2 GHz"]) for pattern in patterns
    ]
    assert parts == [["900"], ["9.2 GHz"]]


def test_items_of_lists_have_parts_too() -> None:
    pages = [
        ["2", *(f"{n}{k} MP, {kind} flash" for k, kind in enumerate(("LED", "No")))]
        for n in range(1, 8)
    ]
    pages.append(["1", "9 MP, Xenon flash"])
    pages.append(["1", "8 MP, No flash"])
    patterns = shared_parts(pages)
    assert TextPart.parse(patterns[0]).of(["2", "13 MP, LED flash"])[-1] == "13 MP"


def test_plain_values_and_prose_have_no_parts() -> None:
    assert shared_parts([[word] for word in "red green blue black white".split()]) == []
    prose = [[f"The story of number {n}. " + "It is long. " * 40] for n in range(6)]
    assert shared_parts(prose) == []
    assert shared_parts([["Info about one"], ["Info about two"]]) == []
