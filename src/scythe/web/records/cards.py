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
from scythe.web.records.search import Asked, Filter
from scythe.web.records.values import is_part, label, shown, type_of
from scythe.web.server.rendering import safe_link

_FIRST = (
    *(
        "price",
        "company",
        "location",
        "salary",
        "total_time",
        "cook_time",
        "prep_time",
        "yield",
    ),
    *("brand", "author", "published", "rating", "availability", "section", "category"),
)
"""What people look at first, of any kind of record."""
_FACTS, _SHORT, _SNIPPET = 3, 60, 180
_HIGHLIGHTS = ("price", "salary", "rating", "published")
_READ = ("description", "text")
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
class Value:
    """A short value, and the search that finds the records that share it."""

    words: str
    search: str = ""
    link: str = ""
    """Where the value itself leads."""


@dataclass(frozen=True)
class Section:
    """A field that takes more than a line."""

    field: str
    words: str
    lines: Sequence[str]
    is_list: bool


@dataclass(frozen=True)
class Details:
    """A record on its page."""

    title: str
    lead: str
    picture: str
    facts: Sequence[tuple[str, Sequence[Value]]]
    highlights: Sequence[tuple[str, str]]
    """What people look at first: of a recipe how long and for how many, of others the
    price, the company, the day.
    """
    ingredients: Sequence[str]
    steps: Sequence[str]
    sections: Sequence[Section]

    @property
    def is_recipe(self) -> bool:
        """Whether it has a recipe's layout."""
        return bool(self.ingredients and self.steps)


@dataclass(frozen=True)
class Happening:
    """Something that happened to a record."""

    version: RecordVersionRow
    words: str
    differences: Sequence[FieldChange]


_WORDS = {
    "new": "Found for the first time",
    "changed": "Changed on the site",
    "corrected": "Read in another way",
    "moved": "Moved to another address",
    "gone": "Gone from the site",
    "back": "Back on the site",
    "review": "New values were put aside for review",
    "accepted": "Accepted by a person",
}


def cards(records: Sequence[RecordRow], schema: RecordSchema) -> list[Card]:
    """Records in a list. What sites say on every page, such as their motto, is told of
    none.
    """
    told = Counter(_text(record) for record in records)
    return [
        _card(record, schema, "" if told[text] > 1 else text)
        for record in records
        for text in (_text(record),)
    ]


def _text(record: RecordRow) -> str:
    fields = record.fields or record.pending or {}
    return next(
        (value for name in _READ if isinstance(value := fields.get(name), str)), ""
    )


def _card(record: RecordRow, schema: RecordSchema, text: str) -> Card:
    fields = record.fields or record.pending or {}
    title = record_title(fields) or record.url
    left_out = (*_READ, *(_TIMES[:2] if "total_time" in fields else ()))
    names = [
        name
        for name in dict.fromkeys((*_FIRST, *(rule.name for rule in schema.rules)))
        if name not in left_out
    ]
    facts = [
        fact
        for name in names
        if (fact := _fact(fields, name, schema)) and fact != title
    ]
    text = text or ", ".join(_items(fields.get("ingredients_parsed")))
    snippet = text if len(text) <= _SNIPPET else text[:_SNIPPET].rsplit(" ", 1)[0] + "…"
    return Card(record, title, facts[:_FACTS], snippet, picture_mark(fields))


def _items(lines: Any) -> list[str]:
    """What the lines of a list are about."""
    return (
        [
            str(line["item"])
            for line in lines
            if isinstance(line, dict) and line.get("item")
        ]
        if isinstance(lines, list)
        else []
    )


def _fact(fields: Mapping[str, Any], name: str, schema: RecordSchema) -> str:
    """A value that a card tells: one that is short, with its name where it would be a
    mere number or one of several times.
    """
    kind = type_of(name, schema)
    if kind in ("image", "link", "lines", "ingredients"):
        return ""
    text = shown(fields, name, schema)
    if not text or len(text) > _SHORT or "\n" in text:
        return ""
    if name == "rating":
        return f"★ {text}"
    if kind == "duration" and name != "total_time":
        return f"{label(name).removesuffix(' time')} {text}"
    return (
        f"{label(name)} {text}"
        if kind in ("number", "quantity") or text.isdigit()
        else text
    )


def picture_of(fields: Mapping[str, Any]) -> str:
    """The address of a record's picture; empty where it has none on the web."""
    value = fields.get("image")
    return safe_link(value) if isinstance(value, str) else ""


def picture_mark(fields: Mapping[str, Any]) -> str:
    """What changes when the picture does."""
    found = picture_of(fields)
    return (
        hashlib.sha256(found.encode("utf-8", "replace")).hexdigest()[:12]
        if found
        else ""
    )


def details(record: RecordRow, schema: RecordSchema) -> Details:
    """All that a record has."""
    fields = record.fields or record.pending or {}
    title = record_title(fields) or record.url
    ingredients, steps = (
        _lines(fields.get("ingredients")),
        _lines(fields.get("instructions")),
    )
    is_recipe = bool(ingredients and steps)
    first = ("yield", *_TIMES) if is_recipe else _HIGHLIGHTS
    told = {
        "title",
        "image",
        "description",
        *first,
        *(("ingredients", "instructions") if is_recipe else ()),
    }
    names = [
        name
        for name in fields
        if name not in told
        and not is_part(name, schema)
        and fields[name] not in (None, "", [])
    ]
    facts, sections = [], []
    for name in names:
        if (section := _section(fields, name)) is not None:
            sections.append(section)
        else:
            facts.append((label(name), _values(fields, name, schema)))
    lead = fields.get("description")
    return Details(
        title=title,
        lead=lead if isinstance(lead, str) else "",
        picture=picture_mark(fields),
        facts=facts,
        highlights=[
            (label(name), text)
            for name in first
            if (text := shown(fields, name, schema))
        ],
        ingredients=ingredients,
        steps=steps,
        sections=sections,
    )


def _lines(value: Any) -> list[str]:
    if isinstance(value, str):
        return [line for line in value.splitlines() if line.strip()]
    return [as_text(line) for line in value] if isinstance(value, list) else []


def _section(fields: Mapping[str, Any], name: str) -> Section | None:
    """A list of sentences, or a long text."""
    value = fields[name]
    is_list = isinstance(value, list)
    if is_list and not all(
        isinstance(each, str) and len(each) <= _SHORT for each in value
    ):
        return Section(name, label(name), _lines(value), is_list=True)
    if (
        isinstance(value, str)
        and (len(value) > 2 * _SHORT or "\n" in value)
        and not safe_link(value)
    ):
        return Section(name, label(name), _lines(value), is_list=False)
    return None


def _values(fields: Mapping[str, Any], name: str, schema: RecordSchema) -> list[Value]:
    """A short value; each part of it leads to the records that share it."""
    value = fields[name]
    if isinstance(value, str) and (link := safe_link(value)):
        return [Value(value, link=link)]
    found = facet_terms(name, value).values()
    return [
        Value(words, Asked().with_filter(Filter(name, words)).query())
        for words in found
    ] or [Value(shown(fields, name, schema))]


def _readable(fields: Mapping[str, Any] | None, schema: RecordSchema) -> dict[str, Any]:
    """Values as people read them, with parts of others left out."""
    return {
        name: value
        if isinstance(value, (str, list))
        else shown(fields or {}, name, schema)
        for name, value in (fields or {}).items()
        if not is_part(name, schema)
    }


def happenings(
    history: Sequence[RecordVersionRow], schema: RecordSchema
) -> list[Happening]:
    """What happened to a record, the latest first, with what was different after it."""
    found = []
    good: RecordVersionRow | None = None
    for version in history:
        differences = (
            field_changes(
                _readable(good.fields, schema), _readable(version.fields, schema)
            )
            if good is not None
            else []
        )
        found.append(
            Happening(version, _WORDS.get(version.change, version.change), differences)
        )
        if version.state != RecordState.REVIEW:
            good = version
    return found[::-1]
