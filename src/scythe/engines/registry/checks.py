"""Checks of an engine: its answer to a query that it was learned from."""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial

from scythe.engines.asking.results import SearchStatus
from scythe.engines.asking.search import (
    SEARCH_FAILURES,
    read_results,
    refused_results,
    result_pages,
)
from scythe.engines.asking.sender import sender_for
from scythe.engines.definition import EngineDefinition
from scythe.engines.metasearch.search import (
    EngineAnswer,
    SearchOptions,
    engine_answer,
    search_one_engine,
)
from scythe.engines.registry.health import MIN_FIELDS_SHARE, MIN_RECORDS_SHARE
from scythe.engines.registry.registry import Registry, StoredEngine
from scythe.sections.record import Record
from scythe.tree import Tree

CHECK_QUERIES = 2
"""Queries of a check at most: the record that one of them found may be gone from the
site.
"""
CHECK_OPTIONS = SearchOptions(deadline=20.0)
MAX_CONCURRENT_CHECKS = 16
"""Engines that are checked at the same time: each waits for its own site. A bound on
work, not tuned.
"""


@dataclass(frozen=True, eq=False)
class EngineInspection:
    """The answer of an engine, and the page it answered with."""

    query: str
    answer: EngineAnswer
    fits: bool
    """Whether it is as it was learned."""
    records: tuple[Record, ...] = ()
    tree: Tree | None = None
    """The result page; None where none came."""
    url: str = ""

    @property
    def columns(self) -> list[str]:
        """The fields that any of the records has."""
        names: dict[str, None] = {}
        for record in self.records:
            names.update(dict.fromkeys(record.fields))
        return list(names)


def check_engine(registry: Registry, stored: StoredEngine) -> EngineAnswer:
    """Return what an engine answers to a query it was learned from.

    The answer is stored like any other.
    """
    answer = _no_queries(stored)
    for query in stored.engine.queries[:CHECK_QUERIES]:
        answer = search_one_engine(stored.engine, query, CHECK_OPTIONS)
        registry.store_answers([(stored, query, answer)])
        if answer.status is not SearchStatus.EMPTY:
            break
    return answer


def check_engines(
    registry: Registry, engines: Sequence[StoredEngine]
) -> list[EngineAnswer]:
    """Return what several engines answer, asked at the same time, in their order."""
    with ThreadPoolExecutor(MAX_CONCURRENT_CHECKS) as pool:
        return list(pool.map(partial(check_engine, registry), engines))


def inspect_engine(
    registry: Registry, stored: StoredEngine, queries: Sequence[str] = ()
) -> EngineInspection:
    """Check an engine, and return the result page with all that was understood of it.

    It is asked one of the queries it was learned from, or of those given; the answers
    count for its health.
    """
    inspection = EngineInspection("", _no_queries(stored), fits=False)
    for query in (queries or stored.engine.queries)[:CHECK_QUERIES]:
        inspection = _inspect(stored.engine, query)
        registry.store_answers([(stored, query, inspection.answer)])
        if inspection.answer.status is not SearchStatus.EMPTY:
            break
    return inspection


def _no_queries(stored: StoredEngine) -> EngineAnswer:
    note = "It has no queries to check it with. Learn it again."
    return EngineAnswer(stored.name, SearchStatus.EMPTY, 0.0, note)


def _inspect(engine: EngineDefinition, query: str) -> EngineInspection:
    started = time.monotonic()
    tree, url = None, ""
    try:
        with sender_for(engine.home) as sender:
            page = next(result_pages(engine, query, sender))
        tree, url = page.tree, page.response.url
        results = read_results(engine, page)
    except SEARCH_FAILURES as error:
        results = refused_results(error)
    answer = engine_answer(engine, results, time.monotonic() - started)
    fits = fits_engine(engine, answer)
    return EngineInspection(query, answer, fits, results.rows, tree, url)


def fits_engine(engine: EngineDefinition, answer: EngineAnswer) -> bool:
    """Return whether an answer to a query that an engine was learned from is as good as
    it was then.
    """
    expected = engine.wrapper.expected
    if answer.status is not SearchStatus.OK:
        return False
    fewest = MIN_RECORDS_SHARE * expected.records[0]
    if len(answer.results) < fewest:
        return False
    if answer.filled is None:
        return True
    return answer.filled >= MIN_FIELDS_SHARE * expected.filled
