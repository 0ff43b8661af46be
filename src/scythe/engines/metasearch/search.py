"""One search over many engines at once, with a deadline that no engine can move."""

from __future__ import annotations

import queue
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, overload

from scythe.engines.asking.results import Results, SearchStatus
from scythe.engines.asking.search import accumulated_results
from scythe.engines.asking.sender import SendOptions, sender_for
from scythe.engines.definition import EngineDefinition
from scythe.engines.metasearch.fusion import EngineResult, Hit, fuse
from scythe.errors import ScytheError, UsageError
from scythe.logins import without_logins


@dataclass(frozen=True)
class SearchOptions:
    """Bounds of a search over many engines, and how much each of them counts."""

    deadline: float = 10.0
    """Seconds after which the answer is given with what has arrived until then."""
    pages: int = 1
    """Result pages that are read of each engine."""
    weights: Mapping[str, float] = field(default_factory=dict)
    """How much engines count, by name; others count 1."""

    def __post_init__(self) -> None:
        if not self.deadline > 0:
            raise UsageError(
                "SearchOptions: a deadline must be above 0 seconds,"
                f" not {self.deadline}."
            )
        if self.pages < 1:
            raise UsageError(
                "SearchOptions: at least one page of results must be read,"
                f" not {self.pages}."
            )
        for name, weight in self.weights.items():
            if not 0 <= weight < float("inf"):
                raise UsageError(
                    f"SearchOptions: the weight of {name} must be 0 or more,"
                    f" not {weight}."
                )


DEFAULT_OPTIONS = SearchOptions()
PATIENCE = DEFAULT_OPTIONS.deadline
"""Seconds that an engine has to answer in: with a shorter deadline, a late answer says
nothing of the engine.
"""


@dataclass(frozen=True)
class EngineAnswer:
    """The answer of one engine to a query."""

    engine: str
    status: SearchStatus
    seconds: float
    note: str = ""
    results: tuple[EngineResult, ...] = ()
    filled: float | None = None
    """The share of the columns that its records filled."""
    wait: float | None = None
    """Seconds that the engine asked to wait."""

    def as_json(self) -> dict[str, Any]:
        """Return the answer as plain values, without its results."""
        return {
            "engine": self.engine,
            "status": str(self.status),
            "results": len(self.results),
            "seconds": round(self.seconds, 3),
            "note": self.note,
        }


@dataclass(frozen=True)
class Hits(Sequence[Hit]):
    """The records that many engines found, merged and ranked, and the engines' answers."""

    query: str
    hits: tuple[Hit, ...]
    answers: tuple[EngineAnswer, ...]
    """One for each engine, in the order in which the engines were given."""

    @overload
    def __getitem__(self, index: int) -> Hit: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Hit, ...]: ...
    def __getitem__(self, index: int | slice) -> Hit | tuple[Hit, ...]:
        return self.hits[index]

    def __len__(self) -> int:
        return len(self.hits)

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.hits)

    def as_json(self) -> dict[str, Any]:
        """Return all as plain values."""
        answers = [answer.as_json() for answer in self.answers]
        hits = [hit.as_json() for hit in self.hits]
        return {"query": self.query, "engines": answers, "hits": hits}


def search(
    engines: Sequence[EngineDefinition],
    query: str,
    options: SearchOptions = DEFAULT_OPTIONS,
) -> Hits:
    """Search with all engines at once and merge what they find; `fusion` ranks it.

    The answer comes when all engines have answered, and at the deadline at the latest:
    an engine that is slow, dead or blocked is named with its reason in `Hits.answers`,
    and the results of the others are there.
    """
    if not query.strip():
        raise UsageError("There is nothing to search for. Give at least one word.")
    counts = Counter(engine.name for engine in engines)
    for name, count in counts.items():
        if count > 1:
            raise UsageError(f"Two engines are called {name}. Give each its own name.")

    arrived = _search_all(engines, query, options)
    answers = []
    for engine in engines:
        answer = arrived.get(engine.name)
        answers.append(answer or _late_answer(engine, options.deadline))
    results = {answer.engine: answer.results for answer in answers}
    hits = fuse(results, options.weights, query)
    return Hits(query, tuple(hits), tuple(answers))


def _late_answer(engine: EngineDefinition, deadline: float) -> EngineAnswer:
    note = (
        f"It did not answer within {deadline:g} seconds."
        " Allow more time with a longer deadline."
    )
    return EngineAnswer(engine.name, _late_status(deadline), deadline, note)


def _late_status(deadline: float) -> SearchStatus:
    is_patient = deadline >= PATIENCE
    return SearchStatus.UNREACHABLE if is_patient else SearchStatus.LATE


def _search_all(
    engines: Sequence[EngineDefinition], query: str, options: SearchOptions
) -> dict[str, EngineAnswer]:
    """Return the answers that arrive in time, by engine.

    Nobody waits for the threads of the others: their requests have deadlines too.
    """
    end = time.monotonic() + options.deadline
    arrivals: queue.SimpleQueue[tuple[str, EngineAnswer | None]] = queue.SimpleQueue()

    def search_one(engine: EngineDefinition) -> None:
        for answer in _growing_answers(engine, query, options):
            arrivals.put((engine.name, answer))
        arrivals.put((engine.name, None))

    for engine in engines:
        thread = threading.Thread(
            target=search_one,
            args=(engine,),
            name=f"scythe search {engine.name}",
            daemon=True,
        )
        thread.start()

    answers: dict[str, EngineAnswer] = {}
    unfinished = {engine.name for engine in engines}
    while unfinished:
        seconds_left = end - time.monotonic()
        if seconds_left <= 0:
            break
        try:
            name, answer = arrivals.get(timeout=seconds_left)
        except queue.Empty:
            break
        if answer is None:
            unfinished.discard(name)
        else:
            answers[name] = answer
    return answers


def search_one_engine(
    engine: EngineDefinition, query: str, options: SearchOptions = DEFAULT_OPTIONS
) -> EngineAnswer:
    """Return the answer of one engine; whatever goes wrong is in the status."""
    *_, answer = _growing_answers(engine, query, options)
    return answer


def _growing_answers(
    engine: EngineDefinition, query: str, options: SearchOptions
) -> Iterator[EngineAnswer]:
    """Yield the answer of one engine with its first page, its first two, and so on."""
    started = time.monotonic()
    try:
        with sender_for(engine.home, _send_options(options.deadline)) as sender:
            pages = options.pages
            for results in accumulated_results(engine, query, pages, sender):
                seconds = time.monotonic() - started
                answer = engine_answer(engine, results, seconds)
                is_cut = seconds >= options.deadline
                if answer.status is SearchStatus.UNREACHABLE and is_cut:
                    answer = replace(answer, status=_late_status(options.deadline))
                yield answer
    except Exception as error:  # one engine must not take the answers of the others
        note = str(error)
        if not isinstance(error, ScytheError):
            note = without_logins(
                f"Unexpected {type(error).__name__}: {error}."
                " This is a fault of Scythe: please report it."
            )
        seconds = time.monotonic() - started
        yield EngineAnswer(engine.name, SearchStatus.UNREACHABLE, seconds, note)


def _send_options(deadline: float) -> SendOptions:
    """Return the usual bounds of a request, none longer than the deadline."""
    usual = SendOptions()
    idle_timeout = min(usual.read.idle_timeout, deadline)
    read = replace(usual.read, timeout=deadline, idle_timeout=idle_timeout)
    return replace(usual, read=read, longest_wait=deadline)


def engine_answer(
    engine: EngineDefinition, results: Results, seconds: float
) -> EngineAnswer:
    """Return the answer of an engine, its records read to the last field."""
    engine_results = []
    for rank, record in enumerate(results, 1):
        result = EngineResult.from_record(engine.name, rank, record)
        engine_results.append(result)
    return EngineAnswer(
        engine.name,
        results.status,
        seconds,
        results.note,
        tuple(engine_results),
        _filled_share(engine, engine_results),
        results.wait,
    )


def _filled_share(
    engine: EngineDefinition, results: Sequence[EngineResult]
) -> float | None:
    """Return the share of the engine's columns that results fill, if there are any."""
    columns = len(engine.wrapper.fields.columns)
    if not results or not columns:
        return None
    filled = sum(len(result.fields) for result in results)
    return filled / (columns * len(results))
