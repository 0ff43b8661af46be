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


def part(pages: list[list[str]], number: int, values: list[str]) -> list[str]:
    return TextPart.parse(shared_parts(pages)[number]).of(values)


def test_values_with_other_signs_in_them_are_put_together_alike() -> None:
    names = ("Krait 400", "Cortex-A53 & A57", "Kryo", "Cortex-A9", "Atom Z35", "Krait")
    pages = [[f"Quad-core {name}"] for name in names] + [["Dual-core Denver"]] * 2
    assert part(pages, 1, ["Octa-core Cortex-A7"]) == ["Cortex-A7"]


def test_a_number_behind_words_is_told_from_its_unit() -> None:
    kinds = ("Removable Li-Ion", "Removable", "Fixed Li-Po", "Glued", "Fixed")
    pages = [[f"{kind} {n}400 mAh"] for n, kind in enumerate(kinds, 1)]
    assert part(pages, 0, ["Fixed NiMH 900 mAh"]) == ["900"]


def test_labels_that_recur_in_a_list_are_no_values() -> None:
    pages = [[f"GSM: {n}00 MHz", f"LTE: {n}1 {n}4"] for n in range(1, 8)]
    assert part(pages, 0, ["GSM: 900", "LTE: 800: two"]) == ["900", "800: two"]


def test_a_line_that_all_lists_end_with_is_left_out() -> None:
    pages = [[*"AB"[: n % 2 + 1], f"M{n}", "Show all models"] for n in range(8)]
    assert part(pages, 0, ["X", "Show all models"]) == ["X"]
    assert part(pages, 0, ["X", "Y"]) == ["X", "Y"]


def test_what_some_texts_go_on_with_is_left_out_where_values_recur() -> None:
    tails = (" with A", " with B", "", " with C", " with D", " with E", "", " with F")
    pages = [[f"4.{n % 3}{tail}"] for n, tail in enumerate(tails)]
    assert part(pages, 0, ["5.0 with A"]) == ["5.0"]
    names = [[f"Ann{n} and Bob{n}"] for n in range(5)] + [["Eve"], ["Cyd"]]
    assert shared_parts(names) == []


def test_counted_things_are_a_list_though_most_pages_have_the_same_number() -> None:
    pages = [["2", f"{n} MP, LED flash", f"{n}1 MP, No flash"] for n in range(1, 8)]
    assert part(pages, 0, ["2", "8 MP, LED flash", "5 MP, No flash"]) == [
        "8 MP",
        "5 MP",
    ]
