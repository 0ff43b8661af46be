"""Fields that are parts of what a slot holds."""

from __future__ import annotations

import pytest

from scythe.collect.records.field_values import field_values
from scythe.collect.records.schema import RecordSchema
from scythe.collect.records.text_parts import (
    MAX_PATTERN,
    PartExample,
    TextPart,
    learn_part,
)
from scythe.errors import UsageError
from scythe.templates.slot import SlotId, SlotSource


@pytest.mark.parametrize(
    ("pattern", "values", "part"),
    [
        ("Info about {}", ["Info about Z00L"], ["Z00L"]),
        ("{} (*", ["Laser (720p) (Z00L)"], ["Laser"]),
        ("{+} (*", ["Laser (720p) (Z00L)"], ["Laser (720p)"]),
        ("** {} mAh", ["Removable Li-Ion 3000 mAh"], ["3000"]),
        ("2: {}", ["4x Cortex", "1.2 GHz"], ["1.2 GHz"]),
        ("{}, *", ["2", "13 MP, flash", "5 MP, none"], ["13 MP", "5 MP"]),
        ("Info about {}", ["Z00L"], ["Z00L"]),
    ],
)
def test_a_pattern_says_which_part_is_meant(
    pattern: str, values: list[str], part: list[str]
) -> None:
    assert TextPart.parse(pattern).of(values) == part


@pytest.mark.parametrize("pattern", ["no part", "{} and {}", "* * * * {}", "{}" * 150])
def test_what_is_no_pattern_is_refused_in_words(pattern: str) -> None:
    with pytest.raises(UsageError, match="is no pattern"):
        TextPart.parse(pattern)


def test_a_pattern_takes_no_time_on_a_hostile_text() -> None:
    assert TextPart.parse("**a**b{}c").of(["a" * 100_000]) == ["a" * 100_000]


def test_a_pattern_is_learned_from_examples() -> None:
    examples = [
        PartExample(["Removable Li-Ion 2420 mAh"], ["2420"]),
        PartExample(["Removable 3000 mAh"], ["3000"]),
        PartExample(["Fixed 1500 mAh"], ["1500"]),
    ]
    pattern, score = learn_part(examples)
    assert score == 1.0
    assert TextPart.parse(pattern).of(["Fixed Li-Po 900 mAh"]) == ["900"]


def test_no_pattern_is_learned_where_the_whole_is_meant() -> None:
    examples = [PartExample(["3 GB"], ["3 GB"]), PartExample(["2 GB"], ["2 GB"])]
    assert learn_part(examples) == ("", 1.0)


def test_one_slot_holds_two_fields_by_its_parts() -> None:
    slot = SlotId.parse("0:s5 | Info about {}")
    assert (slot.source, slot.cluster, slot.whole) == (SlotSource.TEMPLATE, 0, "0:s5")
    assert str(slot) == "0:s5 | Info about {}"
    names = {"0:s5": ["title", ""], "0:s5 | Info about {}": ["code", ""]}
    found = field_values({"0:s5": ["Info about Z00L"]}, names, RecordSchema("Thing"))
    assert found == {"title": ["Info about Z00L"], "code": ["Z00L"]}


def test_a_pattern_that_is_learned_is_never_too_long_for_use() -> None:
    for length in range(MAX_PATTERN - 8, MAX_PATTERN):
        before = "x" * length
        examples = [PartExample([f"{before}{name}"], [name]) for name in ("Bob", "Cyd")]
        pattern, _ = learn_part(examples)
        assert len(pattern) <= MAX_PATTERN
