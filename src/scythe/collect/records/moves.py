"""Records that moved: the same content under a new address, while the old one is no
longer listed.

Pairs are sought by name (title, or the last part of the address) first, and confirmed
by content; what has the same content to the greatest part is a pair whatever it is
called. Whether the old address is really gone is for the pipeline to ask.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scythe.collect.links.addresses import slug
from scythe.tree.text import letters_and_digits

SAME_BOTH, SAME_NAME, SAME_CONTENT = 0.3, 0.5, 0.8
"""Jaccard index of the words that two records must share: where title and last part of
the address agree, where one of them does, and where none does. Recipes of one site that
are not the same share 0.1 to 0.3 of their words; edited ones keep 0.7 and more, and of
249 that moved at once one was rewritten (0.47).
"""
MOST_COMPARED = 300
"""Records without a partner of the same name that are compared with all others."""

_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class Thing:
    """A record as far as it can be recognised."""

    key: str
    url: str
    title: str
    words: frozenset[str]

    @classmethod
    def of(
        cls, key: str, url: str, fields: Mapping[str, Any], fallback: str = ""
    ) -> Thing:
        """A record with its fields; `fallback` is what it is called where it has no
        title.
        """
        title = fields.get("title") or fallback
        return cls(key, url, letters_and_digits(str(title)), frozenset(_words(fields)))


def _words(fields: Mapping[str, Any]) -> Iterable[str]:
    waiting: list[Any] = list(fields.values())
    while waiting:
        value = waiting.pop()
        if isinstance(value, str):
            yield from (word.casefold() for word in _WORD.findall(value))
        elif isinstance(value, Mapping):
            waiting.extend(value.values())
        elif isinstance(value, Sequence):
            waiting.extend(value)


def likeness(one: Thing, other: Thing) -> float:
    """The Jaccard index of the words of two records."""
    union = len(one.words | other.words)
    return len(one.words & other.words) / union if union else 0.0


def pairs(
    vanished: Sequence[Thing], fresh: Sequence[Thing]
) -> list[tuple[Thing, Thing]]:
    """Which vanished record is which fresh one; each is in one pair at most, the likest
    first.
    """
    found: list[tuple[float, int, int]] = []
    by_name: dict[str, list[int]] = {}
    for place, thing in enumerate(fresh):
        for name in {thing.title, slug(thing.url)} - {""}:
            by_name.setdefault(name, []).append(place)
    for place, thing in enumerate(vanished):
        named = {
            other
            for name in {thing.title, slug(thing.url)} - {""}
            for other in by_name.get(name, ())
        }
        for other in named:
            alike = (
                likeness(thing, fresh[other])
                if thing.words and fresh[other].words
                else SAME_NAME
            )
            both = thing.title == fresh[other].title and slug(thing.url) == slug(
                fresh[other].url
            )
            if alike >= (SAME_BOTH if both else SAME_NAME):
                found.append((alike + 1, place, other))
    left = set(range(len(vanished))) - {place for _, place, _ in found}
    free = set(range(len(fresh))) - {other for _, _, other in found}
    if len(left) <= MOST_COMPARED and len(free) <= 10 * MOST_COMPARED:
        for place in left:
            for other in free:
                alike = likeness(vanished[place], fresh[other])
                if alike >= SAME_CONTENT:
                    found.append((alike, place, other))
    return _matched(found, vanished, fresh)


def _matched(
    found: Iterable[tuple[float, int, int]],
    vanished: Sequence[Thing],
    fresh: Sequence[Thing],
) -> list[tuple[Thing, Thing]]:
    olds: set[int] = set()
    news: set[int] = set()
    made: list[tuple[int, int]] = []
    for _, place, other in sorted(found, key=lambda each: (-each[0], each[1], each[2])):
        if place not in olds and other not in news:
            olds.add(place)
            news.add(other)
            made.append((place, other))
    return [(vanished[place], fresh[other]) for place, other in sorted(made)]
