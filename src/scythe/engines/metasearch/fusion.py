"""The answers of many engines as one list.

Results are merged by address, then by title, and ranked by reciprocal rank fusion
(Cormack, Clarke and Büttcher, SIGIR 2009): the score of a result is the sum, over the
engines that gave it, of `weight / (K + rank)`. It needs no scores of the engines, which
would not be comparable, and a result that several engines have comes before one that a
single engine praises. The order depends on the answers alone, never on which of them
came first.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from scythe.engines.metasearch.duplicates import (
    echoing,
    like_titles,
    title_key,
    url_key,
)

if TYPE_CHECKING:
    from scythe.wrappers.fields import Value
    from scythe.wrappers.record import Record

K = 60
"""How slowly rank loses weight. The authors' value: they found results to change little
around it.
"""


@dataclass(frozen=True)
class Given:
    """One result of one engine."""

    engine: str
    rank: int
    """Its place among the results of the engine, from 1."""
    title: str
    url: str | None
    snippet: str = ""
    page: str | None = None
    """The address of the result page it stands on."""
    fields: Mapping[str, Value] = field(default_factory=dict)

    @classmethod
    def of(cls, engine: str, rank: int, record: Record) -> Given:
        """A record of a result page."""
        fields = record.fields
        lines = record.text.split("\n")
        title = _text(fields.get("title")) or lines[0]
        snippet = _text(fields.get("snippet")) or " ".join(
            line for line in lines if line != title
        )
        return cls(engine, rank, title, record.link, snippet, record.page_url, fields)


def _text(value: Value | None) -> str:
    return "" if value is None else value if isinstance(value, str) else " ".join(value)


@dataclass(frozen=True)
class Hit:
    """One thing that was found, and who found it."""

    title: str
    url: str | None
    snippet: str
    score: float
    given: tuple[Given, ...]
    """Every engine that gave it, at its best rank there; the best first."""

    @property
    def engines(self) -> tuple[str, ...]:
        """The names of the engines that gave it."""
        return tuple([given.engine for given in self.given])

    def as_json(self) -> dict[str, Any]:
        """The hit as plain values."""
        return {
            "title": self.title,
            "url": self.url,
            "snippet": self.snippet,
            "score": self.score,
            "engines": [
                {
                    "engine": one.engine,
                    "rank": one.rank,
                    "page": one.page,
                    "url": one.url,
                    "fields": dict(one.fields),
                }
                for one in self.given
            ],
        }


def fuse(
    lists: Mapping[str, Sequence[Given]], weights: Mapping[str, float], query: str = ""
) -> list[Hit]:
    """The results of all engines for a query, each once, the best first. An engine that
    `weights` does not name counts 1.
    """
    keyed = [one for name in sorted(lists) for one in _keyed(lists[name], query)]
    hits = [_hit(group, weights) for group in _merged(keyed)]
    return sorted(
        hits,
        key=lambda hit: (
            -hit.score,
            hit.given[0].rank,
            hit.given[0].engine,
            hit.title,
            hit.url or "",
        ),
    )


@dataclass(frozen=True)
class _Keyed:
    """A result with what identifies its page, and its place on that page."""

    given: Given
    page: str
    place: str

    @classmethod
    def of(cls, given: Given, echoed: Collection[str]) -> _Keyed:
        if given.url:
            return cls(
                given,
                url_key(given.url, without=echoed),
                url_key(given.url, place=True, without=echoed),
            )
        words = f" {title_key(given.title)} {title_key(given.snippet)}"
        return cls(given, words, words)


def _keyed(results: Sequence[Given], query: str) -> list[_Keyed]:
    """The results of one engine."""
    echoed = echoing((given.url for given in results if given.url), query)
    return [_Keyed.of(given, echoed) for given in results]


def _merged(every: Sequence[_Keyed]) -> list[list[Given]]:
    """Results that are the same, together."""
    groups = _by_address(every)
    owner = list(range(len(groups)))
    # Two addresses that one engine lists side by side are two things to it, whatever
    # their titles.
    engines = [{given.engine for given in group} for group in groups]
    for one, other in like_titles([title_key(group[0].title) for group in groups]):
        first, second = sorted((owner[one], owner[other]))
        if first != second and not engines[first] & engines[second]:
            groups[first] += groups[second]
            engines[first] |= engines[second]
            owner = [first if place == second else place for place in owner]
            groups[second] = []
    return [group for group in groups if group]


def _by_address(every: Sequence[_Keyed]) -> list[list[Given]]:
    """Results with one address, together: of one page, or of one place on it where an
    engine lists several.
    """
    places: dict[tuple[str, str], set[str]] = {}
    for one in every:
        places.setdefault((one.given.engine, one.page), set()).add(one.place)
    divided = {page for (_, page), found in places.items() if len(found) > 1}
    groups: dict[str, list[Given]] = {}
    for one in every:
        groups.setdefault(one.place if one.page in divided else one.page, []).append(
            one.given
        )
    return list(groups.values())


def _hit(group: Sequence[Given], weights: Mapping[str, float]) -> Hit:
    best: dict[str, Given] = {}
    for given in sorted(group, key=lambda given: (given.rank, given.engine)):
        best.setdefault(given.engine, given)
    givers = tuple(best.values())
    score = sum(
        weights.get(one.engine, 1.0) / (K + one.rank)
        for one in sorted(givers, key=lambda one: one.engine)
    )
    snippet = next((one.snippet for one in givers if one.snippet), "")
    return Hit(givers[0].title, givers[0].url, snippet, round(score, 9), givers)
