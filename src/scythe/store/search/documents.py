"""What can be searched in a record: its words, the values by which records are grouped, the numbers by which they are ordered.

The database knows no schema. What a value is good for is told by the value: short texts group, long ones are only read; numbers
and dates order.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import lru_cache
from itertools import accumulate, chain
from typing import Any, NamedTuple

from scythe.store.search.words import words_of

STATE = "record_state"
"""The facet that every record has. Names of fields never begin with `record_`."""
CHANGED = "record_changed"
"""The number that every record has: when it changed last, in seconds."""
NUMBER, DAY, TIME = "number", "day", "time"
"""What a number counts: itself, days of the calendar, seconds."""

TITLES = ("title", "name", "headline")
MOST_WORDS = 12_000
"""Words of a record that are searched: positions in PostgreSQL end at 16,383."""
_LONGEST_TEXT = 200_000
_LONGEST_TITLE = 160
_LONGEST_VALUE, _MOST_WORDS_OF_VALUE = 60, 6
"""Of a text that groups records: a name or a keyword, not a sentence."""
_MOST_VALUES = 40
_READ = frozenset({*TITLES, "text", "description", "instructions", "ingredients", "url", "image", "yield"})
"""Fields that are read, whatever their values look like."""
_PARTS = re.compile(r"[,;|\n]")
_DAY = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?:[T ].*)?")


class Number(NamedTuple):
    """The name of a column of numbers, and what they count."""

    field: str
    kind: str = NUMBER


class Facet(NamedTuple):
    """A value by which records are grouped: alike are those with the same key."""

    field: str
    key: str


@dataclass(frozen=True)
class Document:
    """A record as the index sees it."""

    title: str
    """Its words, by which titles are sorted, too."""
    text: str
    facets: Mapping[Facet, str] = field(default_factory=dict)
    """Each with the value as it is shown."""
    numbers: Mapping[Number, float] = field(default_factory=dict)


def document(fields: Mapping[str, Any], state: str, changed_at: datetime) -> Document:
    """What the index holds of a record."""
    facets = {Facet(STATE, state): state}
    numbers = {Number(CHANGED, TIME): changed_at.timestamp()}
    title, words = _title(title_of(fields))
    read: list[str] = []
    for name, value in fields.items():
        if name.endswith("_parsed"):
            facets.update(_items(name.removesuffix("_parsed"), value))
        elif isinstance(value, (int, float)) and not isinstance(value, bool):
            if math.isfinite(value):
                numbers[Number(name)] = float(value)
        elif (day := _day(value)) is not None:
            numbers[Number(name, DAY)] = day
        else:
            texts = list(_texts(value))
            facets.update(_values(name, texts))
            read += () if name in TITLES else texts
    words += words_of("\n".join(read)[:_LONGEST_TEXT])
    return Document(title, " ".join(words[:MOST_WORDS]), facets, numbers)


def title_of(fields: Mapping[str, Any]) -> str:
    """What a record is called: its title, else the first text it has."""
    for name in (*TITLES, *fields):
        value = fields.get(name)
        if isinstance(value, str) and value and not _is_address(value):
            return value
    return ""


def _title(text: str) -> tuple[str, list[str]]:
    """The words of a title, and those of its end where it is too long for one."""
    words = words_of(text)
    ends = accumulate(len(word) + 1 for word in words)
    kept = sum(end <= _LONGEST_TITLE for end in ends)
    return " ".join(words[:kept]), words[kept:]


@lru_cache(maxsize=8_192)
def facet(name: str, value: str) -> Facet:
    """The facet that a person means by a value."""
    return Facet(name, " ".join(words_of(value)) or value.strip().casefold())


def facets_in(name: str, value: Any) -> dict[Facet, str]:
    """The values by which a field groups records; none, where it orders them or is only read."""
    return {} if _day(value) is not None else dict(_values(name, list(_texts(value))))


def _values(name: str, texts: list[str]) -> Iterator[tuple[Facet, str]]:
    """Short texts, also where several stand in one with commas between them; a list with a sentence in it is none of values."""
    if name in _READ or name.endswith("_unit"):
        return
    split = chain.from_iterable(map(_PARTS.split, texts))
    parts = list(filter(None, map(str.strip, split)))
    if all(map(_is_short, parts)):
        for part in parts[:_MOST_VALUES]:
            yield facet(name, part), part


def _items(name: str, value: Any) -> Iterator[tuple[Facet, str]]:
    """What structured lines are about, such as ingredients."""
    if isinstance(value, list):
        for part in value[:_MOST_VALUES]:
            item = part.get("item") if isinstance(part, dict) else None
            if isinstance(item, str) and item and _is_short(item):
                yield facet(name, item), item.casefold()


def _is_short(text: str) -> bool:
    return len(text) <= _LONGEST_VALUE and text.count(" ") < _MOST_WORDS_OF_VALUE


def _texts(value: Any) -> Iterator[str]:
    """Texts in a value that people read: not addresses."""
    for each in value if isinstance(value, list) else [value]:
        if isinstance(each, str) and not _is_address(each):
            yield each
        elif isinstance(each, bool):
            yield "yes" if each else "no"


def _is_address(text: str) -> bool:
    return text.startswith(("http://", "https://")) and " " not in text


def _day(value: Any) -> float | None:
    """The number of a day."""
    found = _DAY.fullmatch(value) if isinstance(value, str) else None
    if found is None:
        return None
    try:
        return float(date(*map(int, found.groups())).toordinal())
    except ValueError:
        return None
