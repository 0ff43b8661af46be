"""The fields of a record that the visible page tells, each with where it stands."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from scythe.kinds import is_date
from scythe.templates.declared.schemas import EVENT, JOB, PRODUCT, Schema
from scythe.templates.slot import FieldName
from scythe.templates.visible.availability import find_availability, stated_availability
from scythe.templates.visible.labels import label_fields
from scythe.templates.visible.marked import marked_values, times_beside_title
from scythe.templates.visible.money import currency_code, find_money
from scythe.templates.visible.page import VisiblePage
from scythe.templates.visible.pairs import Pair, find_pairs
from scythe.templates.visible.price import find_price
from scythe.templates.visible.ratings import find_rating
from scythe.templates.visible.words import folded

FoundFields = dict[FieldName, tuple[list[str], str]]
"""Values and source of fields."""

MAX_FIELD = 100
"""Characters of a labelled value; longer ones are prose."""
MIN_PROPERTIES = 3
MAX_PROPERTIES = 100
"""Rows that make a table of properties, and how many of them are read."""

BESIDE_LABEL = "label beside it"
BY_CLASS_NAME = "class name beside the title"
IN_TIME_ELEMENT = "time element beside the title"

_GTIN = re.compile(r"[\d -]{8,17}[\dXx]?")
_SKU = re.compile(r"(?=.{0,39}\d)[\w./-]+(?: [\w./-]+){0,2}")
_DIGIT = re.compile(r"\d")


def visible_fields(page: VisiblePage, schema: Schema) -> FoundFields:
    """Return what a page shows of a product, job or event; nothing of other kinds."""
    reader = _READERS.get(schema.name)
    if reader is None or not page.texts:
        return {}
    found = reader(page)
    if page.heading and "title" not in found:
        title = _without_author(page.heading, found)
        found["title"] = ([title], "h1")
    return found


def _without_author(heading: str, found: FoundFields) -> str:
    """Return a heading without the author behind it: "One Day by A. Mower"."""
    authors, _ = found.get("author", ([], ""))
    if not authors:
        return heading
    before, author, _ = heading.partition(authors[0])
    title, _, label = before.rstrip().rpartition(" ")
    label_field = label_fields(PRODUCT.name).get(folded(label))
    is_behind_label = bool(author) and label_field == "author"
    return title if title and is_behind_label else heading


def _product_fields(page: VisiblePage) -> FoundFields:
    pairs = find_pairs(page, label_fields(PRODUCT.name))
    found = _labelled_fields(page, pairs, PRODUCT)
    labelled_state = found.pop("availability", None)
    labelled_price = found.pop("price", None)

    price = find_price(page)
    if price is not None:
        found["price"] = ([price.amount], "price beside the title")
        found["currency"] = ([price.currency], "price beside the title")
    elif labelled_price is not None:
        _add_money(page, found, labelled_price[0][0])

    state = stated_availability(labelled_state[0][0]) if labelled_state else None
    stated = (state, BESIDE_LABEL) if state else find_availability(page)
    if stated is not None:
        state, source = stated
        found["availability"] = ([state], source)

    rating = find_rating(page)
    if rating.value is not None:
        found["rating"] = ([rating.value], "stars beside the title")
    if rating.reviews is not None:
        found["reviews"] = ([rating.reviews], "count beside the title")

    properties = _properties(page, pairs)
    if properties:
        found["properties"] = (properties, "rows of the page")
    return found


def _job_fields(page: VisiblePage) -> FoundFields:
    pairs = find_pairs(page, label_fields(JOB.name))
    found = _labelled_fields(page, pairs, JOB)
    if "published" not in found:
        for _, written in times_beside_title(page):
            found["published"] = ([written], IN_TIME_ELEMENT)
            break
    return found


def _event_fields(page: VisiblePage) -> FoundFields:
    pairs = find_pairs(page, label_fields(EVENT.name))
    found = _labelled_fields(page, pairs, EVENT)
    times = [written for _, written in times_beside_title(page)]
    if times:
        found["start"] = ([times[0]], IN_TIME_ELEMENT)
        if len(times) > 1 and times[1] > times[0]:
            found["end"] = ([times[1]], IN_TIME_ELEMENT)
    labelled_price = found.pop("price", None)
    if labelled_price is not None:
        _add_money(page, found, labelled_price[0][0])
    return found


_READERS: Mapping[str, Callable[[VisiblePage], FoundFields]] = {
    PRODUCT.name: _product_fields,
    JOB.name: _job_fields,
    EVENT.name: _event_fields,
}


def _labelled_fields(
    page: VisiblePage, pairs: Sequence[Pair], schema: Schema
) -> FoundFields:
    """Return the fields that labels name, then those that class names do."""
    fields = label_fields(schema.name)
    found: FoundFields = {}
    for pair in pairs:
        name = fields.get(folded(pair.label))
        if name is None or name not in schema.by_name or name in found:
            continue
        value = clean_value(name, pair.value)
        if not value:
            continue
        line = min(pair.line, len(page.texts) - 1)
        if not page.is_aside(line):
            found[name] = ([value], BESIDE_LABEL)
    for name, text in marked_values(page, schema.name).items():
        value = clean_value(name, text)
        if value and name not in found:
            found[name] = ([value], BY_CLASS_NAME)
    return found


def clean_value(name: FieldName, text: str) -> str:
    """Return a labelled value without what stands around it, empty where it cannot be
    one of the field.
    """
    value = text.strip(" :;|,\u2013-")
    if len(value) > MAX_FIELD:
        return ""
    if name == "gtin":
        match = _GTIN.match(value)
        return re.sub(r"[^\dXx]", "", match[0]) if match else ""
    if name == "sku":
        match = _SKU.match(value)
        return match[0] if match else ""
    if name in ("published", "released", "valid_through", "start", "end"):
        beginning = value[:60]
        has_date = is_date([beginning]) or bool(_DIGIT.search(value))
        return value if has_date else ""
    if name == "salary":
        return value if _DIGIT.search(value) else ""
    if name in ("price", "location"):
        return value
    return value if any(map(str.isalpha, value)) else ""


def _add_money(page: VisiblePage, found: FoundFields, text: str) -> None:
    """Add the first amount of a labelled text as price and currency."""
    for money in find_money(text):
        code = currency_code(money.sign, page.url, page.language)
        found["price"] = ([money.amount], BESIDE_LABEL)
        found["currency"] = ([code], BESIDE_LABEL)
        return


def _properties(page: VisiblePage, pairs: Sequence[Pair]) -> list[str]:
    """Return the rows of tables and definition lists as "Label: value", if they are
    enough to be the product's properties.
    """
    rows: dict[str, None] = {}
    for pair in pairs:
        is_own = pair.in_grid and pair.line < len(page.texts)
        if is_own and not page.is_aside(pair.line):
            label = pair.label.rstrip(" :")
            rows[f"{label}: {pair.value}"] = None
    if len(rows) < MIN_PROPERTIES:
        return []
    return list(rows)[:MAX_PROPERTIES]
