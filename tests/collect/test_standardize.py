"""Standardization: one form for what pages write in many ways."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scythe.collect.records.schema import TYPES, FieldRule
from scythe.collect.records.standardize.durations import parse_minutes
from scythe.collect.records.standardize.ingredients import parse_ingredient
from scythe.collect.records.standardize.numbers import (
    find_number,
    find_range,
    parse_number,
)
from scythe.collect.records.standardize.prices import Price, currency_code, parse_price
from scythe.collect.records.standardize.texts import (
    clean_lines,
    join_texts,
    normalize_text,
    person_name,
)
from scythe.collect.records.standardize.types import Malformed, standardize_field
from scythe.collect.records.standardize.units import find_quantity
from scythe.collect.records.standardize.yields import Yield, parse_yield


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("12", 12),
        ("1,234", 1234),
        ("1.234", 1.234),
        ("1,5", 1.5),
        ("1,234.56", 1234.56),
        ("1.234,56", 1234.56),
        ("1.234.567", 1234567),
        ("1 234,5", 1234.5),
        ("1'234.50", 1234.5),
        ("0,125", 0.125),
        ("½", 0.5),
        ("1½", 1.5),
        ("1 ½", 1.5),
        ("1 1/2", 1.5),
        ("1-1/2", 1.5),
        ("3/4", 0.75),
        ("3⁄4", 0.75),
        ("١٢", 12),
        ("1/0", None),
        ("", None),
        ("a dozen", None),
        ("9" * 40, None),
    ],
)
def test_numbers(text: str, value: float | None) -> None:
    assert parse_number(text) == value


def test_numbers_within_text() -> None:
    assert find_number("Rated 4.5 out of 5 (123)") == 4.5
    assert find_number("none") is None
    span = find_range("serves 4 to 6 people")
    assert span
    assert (span.low, span.high) == (4, 6)
    span = find_range("10-2 cups")
    assert span
    assert (span.low, span.high) == (10, None)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("PT1H30M", 90),
        ("PT90M", 90),
        ("P0DT0H30M0S", 30),
        ("P1DT2H", 1560),
        ("PT0.5H", 30),
        ("1 hr 30 min", 90),
        ("1 hour, 20 minutes", 80),
        ("1 hour and 5 mins.", 65),
        ("about 45 minutes", 45),
        ("1h30", 90),
        ("1 h 05", 65),
        ("1h30m", 90),
        ("1:30", 90),
        ("1½ hours", 90),
        ("1 1/2 hrs", 90),
        ("2-3 hours", 180),
        ("20 min - 30 min", 30),
        ("30 to 40 minutes", 40),
        ("30-minute", 30),
        ("2 Std. 15 Min.", 135),
        ("90 Minuten", 90),
        ("1 heure 30 minutes", 90),
        ("2 horas y 10 minutos", 130),
        ("1時間30分", 90),
        ("30分钟", 30),
        ("1 час 20 мин", 80),
        ("90 seconds", 1.5),
        ("2 days", 2880),
        ("Prep: 10 min, total: 40 min", 10),
        ("45", 45),
        ("overnight", None),
        ("PT", None),
        ("PTnullM", None),
        ("P...D", None),
        ("", None),
    ],
)
def test_durations_in_minutes(text: str, value: float | None) -> None:
    assert parse_minutes(text) == value


@pytest.mark.parametrize(
    ("text", "price"),
    [
        ("$1,299.00", Price(1299, "USD")),
        ("1.299,00 €", Price(1299, "EUR")),
        ("1.299 €", Price(1299, "EUR")),
        ("EUR 19,90", Price(19.9, "EUR")),
        ("ab 19,90 EUR inkl. MwSt.", Price(19.9, "EUR")),
        ("CHF 1'299.–", Price(1299, "CHF")),
        ("£5", Price(5, "GBP")),
        ("C$ 12.50", Price(12.5, "CAD")),
        ("R$ 1.234,56", Price(1234.56, "BRL")),
        ("199 kr", Price(199, "")),
        ("12,50 zł", Price(12.5, "PLN")),
        ("¥1,200", Price(1200, "JPY")),
        ("128元", Price(128, "CNY")),
        ("19.99", Price(19.99, "")),
        ("1299.000", Price(1299, "")),
        ("$20.00 $15.00", Price(15, "USD")),
        ("$10 - $20", Price(10, "USD")),
        ("2 for $5.00", Price(5, "USD")),
        ("Free", Price(0, "")),
        ("call us", None),
        ("12 34 x 56", None),
    ],
)
def test_prices(text: str, price: Price | None) -> None:
    assert parse_price(text) == price


def test_the_schema_says_which_dollars_and_crowns_are_meant() -> None:
    assert parse_price("$5", "AUD") == Price(5, "AUD")
    assert parse_price("199 kr", "SEK") == Price(199, "SEK")
    assert parse_price("5 €", "AUD") == Price(5, "EUR")
    assert parse_price("5", "AUD") == Price(5, "AUD")
    assert [currency_code(text) for text in ("eur", "€", "zł", "kr", "euros?")] == [
        "EUR",
        "EUR",
        "PLN",
        None,
        None,
    ]


@pytest.mark.parametrize(
    ("line", "parts"),
    [
        (
            "1 1/2 cups flour, sifted",
            {"quantity": 1.5, "unit": "cup", "item": "flour", "note": "sifted"},
        ),
        (
            "2-3 Tbsp. of brown sugar",
            {"quantity": 2, "to": 3, "unit": "tbsp", "item": "brown sugar"},
        ),
        (
            "1 (14 oz) can tomatoes",
            {"quantity": 1, "unit": "can", "item": "tomatoes", "note": "14 oz"},
        ),
        ("250g butter", {"quantity": 250, "unit": "g", "item": "butter"}),
        ("½ tsp. salt", {"quantity": 0.5, "unit": "tsp", "item": "salt"}),
        ("1 T oil", {"quantity": 1, "unit": "tbsp", "item": "oil"}),
        ("1 t oil", {"quantity": 1, "unit": "tsp", "item": "oil"}),
        ("2 large eggs", {"quantity": 2, "item": "large eggs"}),
        (
            "3 cloves garlic ((crushed))",
            {"quantity": 3, "unit": "clove", "item": "garlic", "note": "crushed"},
        ),
        ("3 cloves", {"quantity": 3, "item": "cloves"}),
        ("a pinch of salt", {"quantity": 1, "unit": "pinch", "item": "salt"}),
        ("a dozen eggs", {"quantity": 12, "item": "eggs"}),
        ("one onion", {"quantity": 1, "item": "onion"}),
        ("an excellent oil", {"item": "an excellent oil"}),
        ("about 200 ml milk", {"quantity": 200, "unit": "ml", "item": "milk"}),
        ("• Salt and pepper", {"item": "Salt and pepper"}),
        ("1½ EL Öl", {"quantity": 1.5, "unit": "tbsp", "item": "Öl"}),
        (
            "2 cuillères à soupe de sucre",
            {"quantity": 2, "unit": "tbsp", "item": "sucre"},
        ),
        ("200 g d'oignons", {"quantity": 200, "unit": "g", "item": "oignons"}),
        ("8 fl oz cream", {"quantity": 8, "unit": "fl_oz", "item": "cream"}),
        ("3 ст. л. сахара", {"quantity": 3, "unit": "tbsp", "item": "сахара"}),
        ("12-inch tortilla", {"quantity": 12, "unit": "inch", "item": "tortilla"}),
        ("2", {"quantity": 2, "item": "2"}),
    ],
)
def test_ingredient_lines(line: str, parts: dict[str, object]) -> None:
    assert parse_ingredient(line) == parts


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("Serves 4-6", Yield(4, 6, "servings")),
        ("4 servings", Yield(4, None, "servings")),
        ("Für 4 Personen", Yield(4, None, "servings")),
        ("12 Muffins", Yield(12, None, "muffins")),
        ("Makes 24 cookies (about)", Yield(24, None, "cookies")),
        ("One loaf", Yield(1, None, "loaf")),
        ("8", Yield(8, None, "")),
        ("plenty", Yield()),
    ],
)
def test_yields(text: str, made: Yield) -> None:
    assert parse_yield(text) == made


def test_quantities_come_in_one_unit() -> None:
    assert find_quantity("250 kcal", "kcal") == 250
    assert find_quantity("1046 kJ (250 kcal)", "kcal") == 250
    assert find_quantity("1,5 kg", "g") == 1500
    assert find_quantity("1 lb", "g") == 453.59
    assert find_quantity("Calories: 250", "kcal") == 250
    assert find_quantity("3720 g", "kcal") is None
    assert find_quantity("none", "kcal") is None
    assert find_quantity("word " * 1000 + "5 kcal", "kcal") is None


def test_texts_are_what_people_see() -> None:
    assert normalize_text("  a\u00a0b\n\tc\u200b\u0000 ") == "a b c"
    assert normalize_text("e\u0301") == "é"
    assert clean_lines(
        ["▢ 1 egg\n• 2 cups milk", " ", "- salt", "-", "1-inch piece"]
    ) == [
        "1 egg",
        "2 cups milk",
        "salt",
        "-",
        "1-inch piece",
    ]
    assert join_texts(["Dessert", " Vegan", "Dessert"]) == "Dessert, Vegan"
    assert "\n" in join_texts(["Long " * 20, "Short"])
    assert person_name(["By Mo Ham", "von: Ann"]) == "Mo Ham, Ann"
    assert person_name(["Byron"]) == "Byron"


def test_fields_of_every_type() -> None:
    def read(kind: str, *values: str, **options: object) -> dict[str, object]:
        return standardize_field(
            values,
            FieldRule("x", kind, **options),  # type: ignore[arg-type]
            "https://a.example/b/c",
        )

    assert read("date", "Published 3 May 2024 by Mo") == {"x": "2024-05-03"}
    assert read("date", "03/05/2024") == {"x": "2024-03-05"}
    assert read("date", "November 2015") == {"x": "2015-11"}
    assert read("date", "2015年11月") == {"x": "2015-11"}
    assert read("date", "2015") == {"x": "2015"}
    assert read("date", "03/05/2024", day_first=True) == {"x": "2024-05-03"}
    assert read("image", "../p.jpg") == {"x": "https://a.example/p.jpg"}
    assert read("link", "data:x", "/y") == {"x": "https://a.example/y"}
    assert read("price", "$5") == {"x": 5, "x_currency": "USD"}
    assert read("price", "soon", "5") == {"x": 5}
    assert read("number", "4,5 / 5") == {"x": 4.5}
    assert read("yield", "4", "4 servings") == {
        "x": "4 servings",
        "x_amount": 4,
        "x_unit": "servings",
    }
    assert read("ingredients", "1 egg") == {
        "x": ["1 egg"],
        "x_parsed": [{"quantity": 1, "item": "egg"}],
    }
    assert read("lines", "a\nb", "c") == {"x": ["a", "b", "c"]}
    assert read("quantity", "2 kg", unit="g") == {"x": 2000}
    assert all(read(kind, " ", "", unit="g") == {} for kind in TYPES)
    with pytest.raises(Malformed):
        read("link", "javascript:alert(1)")
    with pytest.raises(Malformed):
        read("link", "http://[broken")


def finite(value: object) -> bool:
    values = value if isinstance(value, list) else [value]
    return all(not isinstance(each, float) or math.isfinite(each) for each in values)


@given(
    st.sampled_from(sorted(TYPES)),
    st.lists(
        st.one_of(
            st.text(max_size=60),
            st.from_regex(
                r"[0-9½/ .,'-]{1,12} ?(cups?|min|h|€|\$|kcal|PT|)[0-9]{0,3}",
                fullmatch=True,
            ),
        ),
        max_size=4,
    ),
)
def test_anything_is_read_or_malformed(kind: str, values: list[str]) -> None:
    rule = FieldRule("x", kind, unit="g")
    try:
        columns = standardize_field(values, rule, "https://a.example/")
    except Malformed:
        return
    assert set(columns) <= set(rule.columns())
    assert all(map(finite, columns.values()))
    json.dumps(columns, allow_nan=False, ensure_ascii=False).encode("utf-8")
    again = columns.get("x")
    if kind in ("text", "person", "lines") and again:
        assert standardize_field(
            again if isinstance(again, list) else [again],
            FieldRule("x", "lines" if kind == "lines" else "text"),
        ) == {"x": again if kind == "lines" else join_texts([again])}
