"""A record on a page of its own, laid out by what it is: a recipe with its ingredients
beside its steps, an article to be read, a product with its price, a job with where and
for whom.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from scythe.collect.pages.running_text import RunningTextPart
from scythe.collect.records.differences import FieldChange, as_text, field_changes
from scythe.collect.records.schema import RecordSchema
from scythe.collect.search import facet_terms, record_title
from scythe.collect.views import RecordRow, RecordState, RecordVersionRow
from scythe.web.records.cards import MAX_FACT, picture_version, record_fields
from scythe.web.records.page_text import TextBlock, has_lines
from scythe.web.records.recipes import (
    IngredientGroup,
    Servings,
    ingredient_groups,
    servings,
)
from scythe.web.records.search import Filter, SearchParameters
from scythe.web.server.rendering import safe_link
from scythe.web.server.values import is_part, label, value_text

_HIGHLIGHTS = {
    "recipe": ("yield", "prep_time", "cook_time", "total_time", "rating"),
    "product": ("price", "availability", "rating"),
    "job": ("salary", "employment", "published", "valid_through"),
    "event": ("start", "date", "end", "venue", "price"),
    "article": (),
}
"""What people look at first, by the layout."""
_ANY_HIGHLIGHTS = ("price", "salary", "rating", "published")
_BYLINES = {
    "article": ("author", "published", "section"),
    "job": ("company", "location"),
    "product": ("brand", "category"),
    "event": ("location", "organizer"),
}
"""What stands under the title, by the layout."""
_RUNNING_TEXT = frozenset(label(part) for part in RunningTextPart)
"""What parts of the running text are called where they are fields."""


@dataclass(frozen=True)
class LinkedValue:
    """A short value, and the search that finds the records that share it."""

    words: str
    search: str = ""
    link: str = ""
    """The address that the value is."""


Fact = tuple[str, Sequence[LinkedValue]]
"""The name of a field and its values."""


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
    facts: Sequence[Fact]
    parts: Sequence[Fact]
    """Those that repeat a part of another, such as the first of three numbers."""
    highlights: Sequence[tuple[str, str]]
    """What people look at first: of a recipe how long and for how many, of others the
    price, the company, the day.
    """
    byline: Sequence[str]
    """Who and when, of an article; where, of a job."""
    ingredients: Sequence[IngredientGroup]
    steps: Sequence[str]
    long_fields: Sequence[LongField]
    layout: str
    """The kind of record that it is laid out as: `recipe`, `article`, `product`..."""
    servings: Servings | None = None

    @property
    def is_recipe(self) -> bool:
        """Whether it has a recipe's layout."""
        return self.layout == "recipe"

    @property
    def shown_texts(self) -> list[str]:
        """The short texts that the page shows, and their names."""
        texts = [self.title, self.lead, *self.byline]
        for words, text in self.highlights:
            texts += [words, text]
        for words, values in (*self.facts, *self.parts):
            own = [value.words for value in values]
            texts += [words, *own]
            texts.append(" ".join(own))
        return texts

    def without_running_text(self, text: Sequence[TextBlock]) -> RecordView:
        """Return the view without paragraphs, list items and headings that the text of
        its page says in their order.
        """
        long_fields = []
        for field in self.long_fields:
            is_part_of_text = field.words in _RUNNING_TEXT
            if not is_part_of_text or not has_lines(text, field.lines):
                long_fields.append(field)
        facts = []
        for words, values in self.facts:
            lines = [value.words for value in values]
            if words not in _RUNNING_TEXT or not has_lines(text, lines):
                facts.append((words, values))
        return replace(self, long_fields=long_fields, facts=facts)

    @property
    def lacks_text(self) -> bool:
        """Whether the page of the record may say more than its fields do. A recipe is
        its ingredients and steps; others are told in running text.
        """
        names = {field.field for field in self.long_fields}
        return not self.is_recipe and "text" not in names


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
    "edited": "Edited by a person",
    "hidden": "Hidden",
    "shown": "Shown again",
}
"""What happened to a record, in words, by the stored change."""


def record_view(
    record: RecordRow, schema: RecordSchema, asked_servings: int | None = None
) -> RecordView:
    """Return all values of a record; of a recipe for so many servings."""
    fields = record_fields(record)
    layout = _layout(fields, schema)
    highlighted = _HIGHLIGHTS.get(layout, _ANY_HIGHLIGHTS)
    byline = _BYLINES.get(layout, ())
    elsewhere = {"title", "image", "description", *highlighted, *byline}
    if layout == "recipe":
        elsewhere |= {"ingredients", "instructions"}
    title = record_title(fields) or record.url
    without_news: tuple[Any, ...] = (None, "", [], title, [title])

    facts: list[Fact] = []
    long_fields = []
    for name, value in fields.items():
        if name in elsewhere or is_part(name, schema) or value in without_news:
            continue
        if _is_part_of_title(name, value, title):
            continue
        long_field = _long_field(value, name)
        if long_field is not None:
            long_fields.append(long_field)
        else:
            facts.append((label(name), _linked_values(fields, name, schema)))

    facts, parts = without_parts(facts)
    portions = servings(fields, asked_servings) if layout == "recipe" else None
    lead = fields.get("description")
    return RecordView(
        title=title,
        lead=lead if isinstance(lead, str) and lead != title else "",
        picture=picture_version(fields),
        facts=facts,
        parts=parts,
        highlights=_texts(fields, highlighted, schema),
        byline=[text for _, text in _texts(fields, byline, schema)],
        ingredients=_ingredients(fields, portions),
        steps=_lines(fields.get("instructions")),
        long_fields=long_fields,
        layout=layout,
        servings=portions,
    )


def without_parts(facts: Sequence[Fact]) -> tuple[list[Fact], list[Fact]]:
    """Return facts without those that repeat a part of another one, and these: "SOC 1"
    is one where its text stands in that of "SOC".
    """
    texts = {}
    for words, values in facts:
        shown = [value.words for value in values]
        texts[words] = " ".join(shown)

    whole: list[Fact] = []
    parts: list[Fact] = []
    for words, values in facts:
        field, _, number = words.rpartition(" ")
        text = texts.get(field, "").casefold()
        stands_in_text = texts[words].casefold() in text
        is_part_of_text = number.isdecimal() and stands_in_text
        if is_part_of_text:
            parts.append((words, values))
        else:
            whole.append((words, values))
    return whole, parts


def _is_part_of_title(name: str, value: Any, title: str) -> bool:
    """Return whether a field repeats a part of the title, which the page begins with."""
    field, _, number = name.rpartition("_")
    is_part_of_field = field == "title" and number.isdecimal()
    return is_part_of_field and isinstance(value, str) and value in title


def _layout(fields: Mapping[str, Any], schema: RecordSchema) -> str:
    """Return how a record is laid out: as a recipe where it has what one needs, else as
    its kind.
    """
    if fields.get("ingredients") and fields.get("instructions"):
        return "recipe"
    kind = schema.name.lower().removesuffix("posting")
    return kind if kind in _HIGHLIGHTS and kind != "recipe" else "record"


def _texts(
    fields: Mapping[str, Any], names: Sequence[str], schema: RecordSchema
) -> list[tuple[str, str]]:
    """Return the labels and values of those fields that a record has."""
    texts = [(label(name), value_text(fields, name, schema)) for name in names]
    return [(words, text) for words, text in texts if text]


def _ingredients(
    fields: Mapping[str, Any], portions: Servings | None
) -> list[IngredientGroup]:
    lines = _lines(fields.get("ingredients"))
    factor = portions.factor if portions else 1.0
    return ingredient_groups(lines, fields.get("ingredients_parsed"), factor)


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
