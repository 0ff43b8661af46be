"""Filtering: what is missing or wrong is told with its reason, and nothing is dropped
in silence.
"""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from scythe.collect.records.preprocessor import preprocess
from scythe.collect.records.schema import FieldRule, RecordSchema

RECIPE = RecordSchema.builtin("recipe")
GOOD = {
    "title": ["Porridge"],
    "ingredients": ["1 cup oats", "2 cups milk"],
    "instructions": ["Boil.", "Eat."],
}


def told(reasons: Sequence[object]) -> list[str]:
    return [str(reason.key) for reason in reasons]  # type: ignore[attr-defined]


def test_a_whole_record_passes_in_the_order_of_the_schema() -> None:
    made = preprocess(
        {
            "x_extra": ["z"],
            "cook_time": ["PT5M"],
            **GOOD,
            "a_list": ["1", "2"],
            "empty": [" "],
        },
        RECIPE,
    )
    assert made.is_good
    assert list(made.fields) == [
        "title",
        "ingredients",
        "ingredients_parsed",
        "instructions",
        "cook_time",
        "a_list",
        "x_extra",
    ]
    assert (
        made.fields["cook_time"],
        made.fields["a_list"],
        made.fields["x_extra"],
    ) == (5, ["1", "2"], "z")
    assert made.remarks == ()


def test_the_order_of_what_was_read_changes_nothing() -> None:
    turned = dict(reversed(list({**GOOD, "b": ["1"], "a": ["2"]}.items())))
    made = preprocess(turned, RECIPE)
    assert list(made.fields.items()) == list(
        preprocess({**GOOD, "b": ["1"], "a": ["2"]}, RECIPE).fields.items()
    )


def test_missing_and_malformed_required_fields_are_reasons_for_review() -> None:
    made = preprocess({"title": [" "], "instructions": ["Boil."]}, RECIPE)
    assert told(made.reasons) == ["title: missing", "ingredients: missing"]
    assert made.fields == {"instructions": ["Boil."]}
    made = preprocess(
        {"title": ["Kettle"], "price": ["call us", "soon"]},
        RecordSchema.builtin("product"),
    )
    assert told(made.reasons) == ["price: malformed"]
    (reason,) = made.reasons
    assert (reason.value, reason.message) == (
        "call us | soon",
        "price is malformed: no price can be read from it.",
    )


def test_other_fields_that_are_wrong_are_left_out_with_a_remark() -> None:
    made = preprocess({**GOOD, "cook_time": ["overnight"]}, RECIPE)
    assert made.is_good
    assert "cook_time" not in made.fields
    assert told(made.remarks) == ["cook_time: malformed"]


def test_bounds_choices_and_patterns() -> None:
    schema = RecordSchema(
        "Hut",
        (
            FieldRule("name", required=True, least=3, most=8),
            FieldRule("beds", "number", most=100),
            FieldRule("ward", choices=("yes", "no")),
            FieldRule("phone", required=True, pattern=r"\+41 \d+"),
            FieldRule("ways", "lines", least=2),
        ),
    )
    made = preprocess(
        {
            "name": ["Hütte"],
            "beds": ["60"],
            "ward": ["yes"],
            "phone": ["+41 123"],
            "ways": ["up", "down"],
        },
        schema,
    )
    assert (made.is_good, made.remarks, made.fields["beds"]) == (True, (), 60)
    made = preprocess(
        {
            "name": ["Hü"],
            "beds": ["600"],
            "ward": ["perhaps"],
            "phone": ["+41 12x"],
            "ways": ["up"],
        },
        schema,
    )
    assert told(made.reasons) == ["name: not allowed", "phone: not allowed"]
    assert told(made.remarks) == [
        "beds: not allowed",
        "ward: not allowed",
        "ways: not allowed",
    ]
    assert made.fields == {}
    assert (
        made.reasons[0].message == "name is not allowed: 2 characters is less than 3."
    )


def test_other_names_fill_what_is_empty() -> None:
    schema = RecordSchema("Hut", (FieldRule("name", also=("title", "headline")),))
    assert preprocess({"title": ["A"], "name": ["B"]}, schema).fields == {"name": "B"}
    assert preprocess({"title": ["A"], "name": [" "]}, schema).fields == {"name": "A"}
    assert preprocess({"headline": ["C"], "title": ["A"]}, schema).fields == {
        "name": "C"
    }


def test_a_currency_beside_a_price_is_its_currency() -> None:
    product = RecordSchema.builtin("product")
    made = preprocess(
        {"title": ["Kettle"], "price": ["19.99"], "currency": ["cad"]}, product
    )
    assert made.fields == {"title": "Kettle", "price": 19.99, "price_currency": "CAD"}
    assert (
        preprocess(
            {"title": ["Kettle"], "price": ["€5"], "currency": ["CAD"]}, product
        ).fields["price_currency"]
        == "EUR"
    )


@given(
    st.dictionaries(
        st.sampled_from([*(rule.name for rule in RECIPE.rules), "other"]),
        st.lists(st.text(max_size=30), max_size=3),
    )
)
def test_every_value_is_kept_or_accounted_for(raw: dict[str, list[str]]) -> None:
    made = preprocess(raw, RECIPE, "https://a.example/")
    accounted = {reason.field for reason in (*made.reasons, *made.remarks)} | set(
        made.fields
    )
    for name, values in raw.items():
        if any(any(character.isalnum() for character in value) for value in values):
            assert name in accounted
