"""Records as pages show them: a card in a list, and all that a record has on a page of
its own.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scythe.collect.records.differences import FieldChange, as_text, field_changes
from scythe.collect.records.schema import RecordSchema
from scythe.collect.search import facet_terms, record_title
from scythe.collect.views import RecordRow, RecordState, RecordVersionRow
from scythe.web.records.search import Filter, SearchParameters
from scythe.web.records.values import is_part, label, type_of, value_text
from scythe.web.server.rendering import safe_link

_FIRST = (
    "price",
    "company",
    "location",
    "salary",
    "total_time",
    "cook_time",
    "prep_time",
    "yield",
    "brand",
    "author",
    "published",
    "rating",
    "availability",
    "section",
    "category",
)
"""What people look at first, of any kind of record."""
MAX_FACTS, MAX_FACT, MAX_SNIPPET = 3, 60, 180
"""Facts of a card, and characters of one and of the snippet: what fits, not tuned."""
_HIGHLIGHTS = ("price", "salary", "rating", "published")
_TEXT_FIELDS = ("description", "text")
_TIMES = ("prep_time", "cook_time", "total_time")


@dataclass(frozen=True)
class Card:
    """A record in a list."""

    record: RecordRow
    title: str
    facts: Sequence[str]
    snippet: str
    picture: str
    """The end of the address of its picture, which changes with the picture; empty
    where it has none.
    """


@dataclass(frozen=True)
class LinkedValue:
    """A short value, and the search that finds the records that share it."""

    words: str
    search: str = ""
    link: str = ""
    """The address that the value is."""


@dataclass(frozen=True)
class LongField:
    """A field that takes more than a line."""

    field: str
    words: str
    lines: Sequence[str]
    is_list: bool


@dataclass(frozen=True)
class RecordView:
    """A record on its page."""

    title: str
    lead: str
    picture: str
    facts: Sequence[tuple[str, Sequence[LinkedValue]]]
    highlights: Sequence[tuple[str, str]]
    """What people look at first: of a recipe how long and for how many, of others the
    price, the company, the day.
    """
    ingredients: Sequence[str]
    steps: Sequence[str]
    long_fields: Sequence[LongField]

    @property
    def is_recipe(self) -> bool:
        """Whether it has a recipe's layout."""
        return bool(self.ingredients and self.steps)


@dataclass(frozen=True)
class HistoryEntry:
    """Something that happened to a record."""

    version: RecordVersionRow
    words: str
    differences: Sequence[FieldChange]


_CHANGES = {
    "new": "Found for the first time",
    "changed": "Changed on the site",
    "corrected": "Field mapping changed",
    "moved": "Moved to another address",
    "gone": "Gone from the site",
    "back": "Back on the site",
    "review": "Waiting for review",
    "accepted": "Accepted by a person",
}
"""What happened to a record, in words, by the stored change."""


def record_cards(records: Sequence[RecordRow], schema: RecordSchema) -> list[Card]:
    """Return records as cards. A text that several have, such as the motto of the
    site, is left out.
    """
    texts = [_text(record) for record in records]
    counts = Counter(texts)
    cards = []
    for record, text in zip(records, texts, strict=True):
        cards.append(_card(record, schema, "" if counts[text] > 1 else text))
    return cards


def _text(record: RecordRow) -> str:
    fields = record.fields or record.pending or {}
    for name in _TEXT_FIELDS:
        value = fields.get(name)
        if isinstance(value, str):
            return value
    return ""


def _card(record: RecordRow, schema: RecordSchema, text: str) -> Card:
    fields = record.fields or record.pending or {}
    title = record_title(fields) or record.url
    left_out = [*_TEXT_FIELDS]
    if "total_time" in fields:
        left_out += ["prep_time", "cook_time"]

    facts = []
    rule_names = [rule.name for rule in schema.rules]
    for name in dict.fromkeys((*_FIRST, *rule_names)):
        fact = "" if name in left_out else _fact(fields, name, schema)
        if fact and fact != title:
            facts.append(fact)

    text = text or ", ".join(_items(fields.get("ingredients_parsed")))
    if len(text) > MAX_SNIPPET:
        text = text[:MAX_SNIPPET].rsplit(" ", 1)[0] + "…"
    return Card(record, title, facts[:MAX_FACTS], text, picture_version(fields))


def _items(lines: Any) -> list[str]:
    """Return what the parsed lines of a list are about."""
    if not isinstance(lines, list):
        return []
    parsed = [line for line in lines if isinstance(line, dict)]
    return [str(line["item"]) for line in parsed if line.get("item")]


def _fact(fields: Mapping[str, Any], name: str, schema: RecordSchema) -> str:
    """Return a value for a card: one that is short, with its name where it would be a
    mere number or one of several times; else an empty string.
    """
    kind = type_of(name, schema)
    if kind in ("image", "link", "lines", "ingredients"):
        return ""
    text = value_text(fields, name, schema)
    if not text or len(text) > MAX_FACT or "\n" in text:
        return ""
    if name == "rating":
        return f"★ {text}"
    if kind == "duration" and name != "total_time":
        return f"{label(name).removesuffix(' time')} {text}"
    if kind in ("number", "quantity") or text.isdigit():
        return f"{label(name)} {text}"
    return text


def picture_url(fields: Mapping[str, Any]) -> str:
    """Return the address of a record's picture; empty where it has none on the web."""
    value = fields.get("image")
    return safe_link(value) if isinstance(value, str) else ""


def picture_version(fields: Mapping[str, Any]) -> str:
    """Return what changes when the picture does; empty where there is none."""
    url = picture_url(fields)
    if not url:
        return ""
    return hashlib.sha256(url.encode("utf-8", "replace")).hexdigest()[:12]


def record_view(record: RecordRow, schema: RecordSchema) -> RecordView:
    """Return all values of a record."""
    fields = record.fields or record.pending or {}
    ingredients = _lines(fields.get("ingredients"))
    steps = _lines(fields.get("instructions"))
    is_recipe = bool(ingredients and steps)
    highlighted = ("yield", *_TIMES) if is_recipe else _HIGHLIGHTS
    elsewhere = {"title", "image", "description", *highlighted}
    if is_recipe:
        elsewhere |= {"ingredients", "instructions"}

    facts, long_fields = [], []
    for name, value in fields.items():
        if name in elsewhere or is_part(name, schema) or value in (None, "", []):
            continue
        long_field = _long_field(value, name)
        if long_field is not None:
            long_fields.append(long_field)
        else:
            facts.append((label(name), _linked_values(fields, name, schema)))

    texts = {name: value_text(fields, name, schema) for name in highlighted}
    highlights = [(label(name), text) for name, text in texts.items() if text]
    lead = fields.get("description")
    return RecordView(
        title=record_title(fields) or record.url,
        lead=lead if isinstance(lead, str) else "",
        picture=picture_version(fields),
        facts=facts,
        highlights=highlights,
        ingredients=ingredients,
        steps=steps,
        long_fields=long_fields,
    )


def _lines(value: Any) -> list[str]:
    if isinstance(value, str):
        return [line for line in value.splitlines() if line.strip()]
    return [as_text(line) for line in value] if isinstance(value, list) else []


def _long_field(value: Any, name: str) -> LongField | None:
    """Return a list of sentences, or a long text; None for short values."""
    if isinstance(value, list):
        if all(isinstance(line, str) and len(line) <= MAX_FACT for line in value):
            return None
        return LongField(name, label(name), _lines(value), is_list=True)
    if not isinstance(value, str) or safe_link(value):
        return None
    is_long = len(value) > 2 * MAX_FACT or "\n" in value
    if not is_long:
        return None
    return LongField(name, label(name), _lines(value), is_list=False)


def _linked_values(
    fields: Mapping[str, Any], name: str, schema: RecordSchema
) -> list[LinkedValue]:
    """Return a short value in parts; each leads to the records that share it."""
    value = fields[name]
    if isinstance(value, str) and (link := safe_link(value)):
        return [LinkedValue(value, link=link)]

    values = []
    for words in facet_terms(name, value).values():
        search = SearchParameters().with_filter(Filter(name, words))
        values.append(LinkedValue(words, search.query()))
    return values or [LinkedValue(value_text(fields, name, schema))]


def _readable(fields: Mapping[str, Any] | None, schema: RecordSchema) -> dict[str, Any]:
    """Return values as people read them, without parts of others."""
    readable: dict[str, Any] = {}
    for name, value in (fields or {}).items():
        if is_part(name, schema):
            continue
        if not isinstance(value, (str, list)):
            value = value_text(fields or {}, name, schema)
        readable[name] = value
    return readable


def record_history(
    versions: Sequence[RecordVersionRow], schema: RecordSchema
) -> list[HistoryEntry]:
    """Return what happened to a record, the latest first, with what it changed."""
    entries = []
    last_good: RecordVersionRow | None = None
    for version in versions:
        differences: Sequence[FieldChange] = []
        if last_good is not None:
            before = _readable(last_good.fields, schema)
            differences = field_changes(before, _readable(version.fields, schema))
        words = _CHANGES.get(version.change, version.change)
        entries.append(HistoryEntry(version, words, differences))
        if version.state != RecordState.REVIEW:
            last_good = version
    return entries[::-1]
