import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scythe.content.metadata.lenient_json import MAX_DEPTH, loads_lenient


def depth(value: Any) -> int:
    level, count = [value], 0
    while level:
        count += 1
        level = [
            child
            for container in level
            for child in (
                container.values() if isinstance(container, dict) else container
            )
            if isinstance(child, (dict, list))
        ]
    return count


@pytest.mark.parametrize(
    "text",
    [
        '{"a": "x", "b": [1, 2.5, true, null], }',
        '{"a": "x", "b": [1, 2.5, true, null,],}',
        '{"a": "x" "b": [1 2.5 true null]}',
        '{"a": "x", // the first\n "b": /* and */ [1, 2.5, true, null]}',
        '//<![CDATA[\n{"a": "x", "b": [1, 2.5, true, null]}\n//]]>',
        '/*<![CDATA[*/{"a": "x", "b": [1, 2.5, true, null]}/*]]>*/',
        '<!-- {"a": "x", "b": [1, 2.5, true, null]} -->',
        '{"a": "x", "b": [1, 2.5, true, null]};',
        "{'a': 'x', b: [1, 2.5, true, null]}",
        "{&quot;a&quot;: &quot;x&quot;, &quot;b&quot;: [1, 2.5, true, null]}",
        '\ufeff {"a": "x", "b": [1, 2.5, true, null]}',
        '{"a": "x", "b": [1, 2.5, true, null',
        '{"a": "x", "b": [1, 2.5, true, null}',
    ],
)
def test_reads_what_people_write_by_hand(text: str) -> None:
    assert loads_lenient(text) == [{"a": "x", "b": [1, 2.5, True, None]}]


def test_strings_may_hold_raw_line_breaks_and_quotes() -> None:
    assert loads_lenient('{"a": "one\ntwo\tthree"}') == [{"a": "one\ntwo\tthree"}]
    assert loads_lenient('{"a": "the "best" of all", "b": "c"}') == [
        {"a": 'the "best" of all', "b": "c"}
    ]
    assert loads_lenient(r'{"a": "caf\u00e9 \ud83d\ude00 \/ \"q\"", "b": 1,}') == [
        {"a": 'café 😀 / "q"', "b": 1}
    ]


def test_reads_several_objects_one_after_the_other() -> None:
    assert loads_lenient('{"a": 1}\n{"b": 2}[3]') == [{"a": 1}, {"b": 2}, [3]]


def test_numbers_and_characters_that_json_cannot_carry_on_are_replaced() -> None:
    found = loads_lenient(r'{"a": NaN, "b": 1e999, "c": "\ud800x", "d": -Infinity}')
    assert found == [{"a": None, "b": None, "c": "\ufffdx", "d": None}]
    json.dumps(found, allow_nan=False).encode("utf-8")


@pytest.mark.parametrize(
    "text",
    [
        '{"a":' * 100_000 + "1" + "}" * 100_000,
        "[" * 100_000 + "]" * 100_000,
        "{" * 100_000,
        '{"a":[' * 200 + "]}" * 200,
        '{"a":' * 200 + "1," + "}" * 200,
    ],
)
def test_nesting_is_bounded(text: str) -> None:
    assert depth(loads_lenient(text)) <= MAX_DEPTH + 2


def test_five_megabytes_of_junk_give_some_answer() -> None:
    pattern = '{"a:[}],"b" \\" / * \n1e'
    assert isinstance(loads_lenient(pattern * (5_000_000 // len(pattern))), list)
    assert isinstance(loads_lenient('{"a": ' + '"' * 5_000_000), list)


values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4)
    ),
    max_leaves=20,
)


@given(values.filter(lambda value: isinstance(value, (dict, list))))
def test_agrees_with_json_on_json(value: Any) -> None:
    assert loads_lenient(json.dumps(value)) == [value]


@given(st.text(alphabet="{}[]\",:\\'/*-<!>ab1e. \n\ud800é"))
def test_any_text_gives_values_that_can_be_written_again(text: str) -> None:
    json.dumps(loads_lenient(text), allow_nan=False)


@given(values.filter(lambda value: isinstance(value, (dict, list))), st.data())
def test_a_cut_text_gives_what_stands_before_the_cut(
    value: Any, data: st.DataObject
) -> None:
    text = json.dumps(value)
    found = loads_lenient(text[: data.draw(st.integers(1, len(text)))])
    assert len(found) == 1
    assert type(found[0]) is type(value)
