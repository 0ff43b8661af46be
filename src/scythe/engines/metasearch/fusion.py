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
from typing import Any

from scythe.engines.metasearch.duplicates import (
    echo_parameters,
    result_key,
    similar_titles,
    title_key,
)
from scythe.sections.fields import Value
from scythe.sections.record import Record

K = 60
"""How slowly rank loses weight. The authors' value: they found results to change little
around it.
"""


@dataclass(frozen=True)
class EngineResult:
    """One result of one engine."""

    engine: str
    rank: int
    """Its position among the results of the engine, from 1."""
    title: str
    url: str | None
    snippet: str = ""
    page: str | None = None
    """The address of the result page it stands on."""
    fields: Mapping[str, Value] = field(default_factory=dict)

    @classmethod
    def from_record(cls, engine: str, rank: int, record: Record) -> EngineResult:
        """Return the result that a record of a result page is."""
        fields = record.fields
        lines = record.text.split("\n")
        title = _field_text(fields.get("title")) or lines[0]
        snippet = _field_text(fields.get("snippet"))
        if not snippet:
            other_lines = [line for line in lines if line != title]
            snippet = " ".join(other_lines)
        return cls(engine, rank, title, record.link, snippet, record.page_url, fields)

    def as_json(self) -> dict[str, Any]:
        """Return where the engine has it as plain values."""
        return {
            "engine": self.engine,
            "rank": self.rank,
            "page": self.page,
            "url": self.url,
            "fields": dict(self.fields),
        }


def _field_text(value: Value | None) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else " ".join(value)


@dataclass(frozen=True)
class Hit:
    """One record that was found, and the engines that found it."""

    title: str
    url: str | None
    snippet: str
    score: float
    results: tuple[EngineResult, ...]
    """The best ranked result of every engine that has it; the best first."""

    @property
    def engines(self) -> tuple[str, ...]:
        """The names of the engines that have it."""
        return tuple([result.engine for result in self.results])

    def as_json(self) -> dict[str, Any]:
        """Return the hit as plain values."""
        return {
            "title": self.title,
            "url": self.url,
            "snippet": self.snippet,
            "score": self.score,
            "engines": [result.as_json() for result in self.results],
        }


def fuse(
    results: Mapping[str, Sequence[EngineResult]],
    weights: Mapping[str, float],
    query: str = "",
) -> list[Hit]:
    """Return the results of all engines for a query, each once, the best first.

    `results` has them by engine; an engine that `weights` does not name counts 1.
    """
    keyed: list[_KeyedResult] = []
    for engine in sorted(results):
        keyed += _keyed_results(results[engine], query)
    hits = []
    for duplicates in _merge(keyed):
        hit = _hit(duplicates, weights)
        hits.append(hit)
    return sorted(hits, key=_hit_order)


def _hit_order(hit: Hit) -> tuple[float, int, str, str, str]:
    best = hit.results[0]
    return -hit.score, best.rank, best.engine, hit.title, hit.url or ""


@dataclass(frozen=True)
class _KeyedResult:
    """A result with what identifies its page, and its position on that page."""

    result: EngineResult
    page_key: str
    position_key: str


def _keyed_results(results: Sequence[EngineResult], query: str) -> list[_KeyedResult]:
    """Return the results of one engine with their keys."""
    urls = [result.url for result in results if result.url]
    ignored = echo_parameters(urls, query)
    return [_keyed_result(result, ignored) for result in results]


def _keyed_result(result: EngineResult, ignored: Collection[str]) -> _KeyedResult:
    if result.url:
        page_key = result_key(result.url, ignored=ignored)
        position_key = result_key(result.url, fragment=True, ignored=ignored)
        return _KeyedResult(result, page_key, position_key)
    words = f" {title_key(result.title)} {title_key(result.snippet)}"
    return _KeyedResult(result, words, words)


def _merge(keyed: Sequence[_KeyedResult]) -> list[list[EngineResult]]:
    """Return results that are the same, together."""
    groups = _by_address(keyed)
    group_of = list(range(len(groups)))
    # Two addresses that one engine lists side by side are two records to it, whatever
    # their titles.
    engines: list[set[str]] = []
    titles: list[str] = []
    for group in groups:
        engines.append({result.engine for result in group})
        titles.append(title_key(group[0].title))

    for one, other in similar_titles(titles):
        first, second = sorted((group_of[one], group_of[other]))
        have_common_engine = bool(engines[first] & engines[second])
        if first != second and not have_common_engine:
            groups[first] += groups[second]
            engines[first] |= engines[second]
            groups[second] = []
            for index, owner in enumerate(group_of):
                if owner == second:
                    group_of[index] = first
    return [group for group in groups if group]


def _by_address(keyed: Sequence[_KeyedResult]) -> list[list[EngineResult]]:
    """Return results with one address, together.

    They are of one page, or of one position on it where an engine lists several.
    """
    positions: dict[tuple[str, str], set[str]] = {}
    for item in keyed:
        engine_page = (item.result.engine, item.page_key)
        page_positions = positions.setdefault(engine_page, set())
        page_positions.add(item.position_key)
    divided_pages = set()
    for (_, page_key), position_keys in positions.items():
        if len(position_keys) > 1:
            divided_pages.add(page_key)

    groups: dict[str, list[EngineResult]] = {}
    for item in keyed:
        key = item.page_key
        if key in divided_pages:
            key = item.position_key
        group = groups.setdefault(key, [])
        group.append(item.result)
    return list(groups.values())


def _hit(duplicates: Sequence[EngineResult], weights: Mapping[str, float]) -> Hit:
    best: dict[str, EngineResult] = {}
    by_rank = sorted(duplicates, key=lambda result: (result.rank, result.engine))
    for result in by_rank:
        best.setdefault(result.engine, result)
    score = 0.0
    for engine in sorted(best):  # always in one order: sums of floats depend on it
        weight = weights.get(engine, 1.0)
        score += weight / (K + best[engine].rank)

    results = tuple(best.values())
    snippet = ""
    for result in results:
        snippet = snippet or result.snippet
    first = results[0]
    rounded_score = round(score, 9)
    return Hit(first.title, first.url, snippet, rounded_score, results)
