"""A look at an engine: one result page for a query that it was learned from, with all
that was understood of it.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from scythe.engines.asking.answers import answers, read_answer, refused
from scythe.engines.asking.requests import sender_for
from scythe.engines.asking.results import Results, SearchStatus
from scythe.engines.metasearch.search import EngineAnswer, answer_of
from scythe.engines.registry.registry import KnownEngine, Registry
from scythe.engines.registry.relearn import CHECK_QUERIES, fits
from scythe.errors import EngineError, FetchError, RenderError
from scythe.tree import Tree
from scythe.wrappers.record import Record


@dataclass(frozen=True, eq=False)
class Look:
    """What an engine answered, and the page it answered with."""

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
        return list(
            dict.fromkeys(name for record in self.records for name in record.fields)
        )


def look(registry: Registry, known: KnownEngine, queries: Sequence[str] = ()) -> Look:
    """Ask an engine one of the queries it was learned from, or of those given; the
    answers count for its health.
    """
    chosen = (queries or known.engine.queries)[:CHECK_QUERIES]
    nothing = EngineAnswer(
        known.name,
        SearchStatus.EMPTY,
        0.0,
        "It has no queries to check it with. Learn it again.",
    )
    seen = Look("", nothing, fits=False)
    for query in chosen:
        seen = _look(known, query)
        registry.note([(known, query, seen.answer)])
        if seen.answer.status is not SearchStatus.EMPTY:
            break
    return seen


def _look(known: KnownEngine, query: str) -> Look:
    engine, began = known.engine, time.monotonic()
    tree, url = None, ""
    try:
        with sender_for(engine.home) as sender:
            page, tree = next(iter(answers(engine, query, sender)))
        url = page.url
        results: Results = read_answer(engine, page, tree)
    except (EngineError, FetchError, RenderError) as error:
        results = refused(error)
    answer = answer_of(engine, results, time.monotonic() - began)
    return Look(query, answer, fits(engine, answer), results.rows, tree, url)
