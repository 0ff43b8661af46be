"""What can be searched in a record: its words, the facet terms by which records are
grouped, the numbers by which they are ordered.

The database knows no schema. What a value is good for is seen from the value: short
texts group, long ones are only searched; numbers and dates order.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum
from functools import lru_cache
from typing import Any, NamedTuple

from scythe.store.search.words import search_words

STATE = "record_state"
"""The facet that every record has. Names of fields never begin with `record_`."""

CHANGED = "record_changed"
"""The number that every record has: when it changed last, in seconds."""


class NumberKind(StrEnum):
    """What a number counts."""

    NUMBER = "number"
    """Itself."""
    DAY = "day"
    """Days of the calendar."""
    TIME = "time"
    """Seconds."""


TITLES = ("title", "name", "headline")
MAX_WORDS = 12_000
"""Words of a record that are searched: positions in PostgreSQL end at 16,383."""

_MAX_TEXT_LENGTH = 200_000
"""Characters of a record that are split into words: an arbitrary cap on work."""

_MAX_TITLE_LENGTH = 160
"""Characters of a title that weigh more and sort: an arbitrary cap on the index."""

_MAX_TERM_LENGTH = 60
_MAX_TERM_WORDS = 6
"""Characters and words of a text that groups records: a name or a keyword, not a
sentence. A judgement, not tuned.
"""

_MAX_TERMS = 40
"""Facet terms of a field of a record: an arbitrary cap against hostile pages."""

_TEXT_FIELDS = frozenset(
    {
        *TITLES,
        "text",
        "description",
        "instructions",
        "ingredients",
        "url",
        "image",
        "yield",
    }
)
"""Fields that are only searched, whatever their values look like."""

_SEPARATOR = re.compile(r"[,;|\n]")
_DAY = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?:[T ].*)?")


class NumberColumn(NamedTuple):
    """The field of a column of numbers, and what they count."""

    field: str
    kind: str = NumberKind.NUMBER


class FacetTerm(NamedTuple):
    """A value by which records are grouped: alike are those with the same key."""

    field: str
    key: str


@dataclass(frozen=True)
class SearchDocument:
    """A record as the index has it."""

    title: str
    """Its words, by which titles are sorted, too."""
    text: str
    facets: Mapping[FacetTerm, str] = field(default_factory=dict)
    """Each with the value as it is shown."""
    numbers: Mapping[NumberColumn, float] = field(default_factory=dict)


def build_search_document(
    fields: Mapping[str, Any], state: str, changed_at: datetime
) -> SearchDocument:
    """Return what the index holds of a record."""
    state_term = FacetTerm(STATE, state)
    facets = {state_term: state}
    changed_column = NumberColumn(CHANGED, NumberKind.TIME)
    numbers = {changed_column: changed_at.timestamp()}
    texts: list[str] = []
    for name, value in fields.items():
        if name.endswith("_parsed"):
            facets.update(_parsed_terms(name.removesuffix("_parsed"), value))
        elif _is_number(value):
            if -sys.float_info.max <= value <= sys.float_info.max:
                column = NumberColumn(name)
                numbers[column] = float(value)
        elif (day := _day_number(value)) is not None:
            column = NumberColumn(name, NumberKind.DAY)
            numbers[column] = day
        else:
            own_texts = list(_texts(value))
            facets.update(_terms(name, own_texts))
            if name not in TITLES:
                texts += own_texts

    title, words = _split_title(record_title(fields))
    joined = "\n".join(texts)
    words += search_words(joined[:_MAX_TEXT_LENGTH])
    text = " ".join(words[:MAX_WORDS])
    return SearchDocument(title, text, facets, numbers)


def record_title(fields: Mapping[str, Any]) -> str:
    """Return what a record is called: its title, else the first text it has."""
    for name in (*TITLES, *fields):
        value = fields.get(name)
        if isinstance(value, str) and value and not _is_url(value):
            return value
    return ""


def _split_title(text: str) -> tuple[str, list[str]]:
    """Return the words of a title, and those of its end where it is too long for one."""
    words = search_words(text)
    length = 0
    taken = 0
    for word in words:
        length += len(word) + 1
        if length > _MAX_TITLE_LENGTH:
            break
        taken += 1
    return " ".join(words[:taken]), words[taken:]


@lru_cache(maxsize=8_192)
def facet_term(name: str, value: str) -> FacetTerm:
    """Return the facet term that a person means by a value."""
    key = " ".join(search_words(value))
    return FacetTerm(name, key or value.strip().casefold())


def facet_terms(name: str, value: Any) -> dict[FacetTerm, str]:
    """Return the facet terms of a field's value; none, where it orders records or is
    only searched.
    """
    if _day_number(value) is not None:
        return {}
    return dict(_terms(name, list(_texts(value))))


def _terms(name: str, texts: list[str]) -> Iterator[tuple[FacetTerm, str]]:
    """Yield short texts, also where several are in one with commas between them. A list
    with a sentence in it has no terms.
    """
    if name in _TEXT_FIELDS or name.endswith("_unit"):
        return
    values: list[str] = []
    for text in texts:
        parts = map(str.strip, _SEPARATOR.split(text))
        values += filter(None, parts)
    if all(map(_is_short, values)):
        for value in values[:_MAX_TERMS]:
            yield facet_term(name, value), value


def _parsed_terms(name: str, value: Any) -> Iterator[tuple[FacetTerm, str]]:
    """Yield what structured lines are about, such as ingredients."""
    if not isinstance(value, list):
        return
    for line in value[:_MAX_TERMS]:
        item = line.get("item") if isinstance(line, dict) else None
        if isinstance(item, str) and item and _is_short(item):
            yield facet_term(name, item), item.casefold()


def _is_short(text: str) -> bool:
    words = text.count(" ") + 1
    return len(text) <= _MAX_TERM_LENGTH and words <= _MAX_TERM_WORDS


def _texts(value: Any) -> Iterator[str]:
    """Yield the texts of a value that people read: not addresses."""
    for part in value if isinstance(value, list) else [value]:
        if isinstance(part, str) and not _is_url(part):
            yield part
        elif isinstance(part, bool):
            yield "yes" if part else "no"


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _is_url(text: str) -> bool:
    return text.startswith(("http://", "https://")) and " " not in text


def _day_number(value: Any) -> float | None:
    """Return the number of the day that a value is, if it is one."""
    match = _DAY.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        return None
    year, month, day = map(int, match.groups())
    try:
        number = date(year, month, day).toordinal()
    except ValueError:
        return None
    return float(number)
