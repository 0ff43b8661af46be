"""One search over many engines at once, with a deadline that no engine can move."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, overload

from scythe.engines.asking.results import Results, SearchStatus
from scythe.engines.metasearch.fusion import Given, Hit, fuse
from scythe.errors import ScytheError, UsageError

if TYPE_CHECKING:
    from scythe.engines.engine import Engine


@dataclass(frozen=True)
class SearchOptions:
    """Bounds of a search over many engines, and how much each of them counts."""

    deadline: float = 10.0
    """Seconds after which the answer is given with what has come until then."""
    pages: int = 1
    """Result pages that are read of each engine."""
    weights: Mapping[str, float] = field(default_factory=dict)
    """How much engines count, by name; others count 1."""

    def __post_init__(self) -> None:
        if not self.deadline > 0:
            raise UsageError(
                f"SearchOptions: a deadline must be above 0 seconds, not {self.deadline}."
            )
        if self.pages < 1:
            raise UsageError(
                f"SearchOptions: at least one page of results must be read, not {self.pages}."
            )
        for name, weight in self.weights.items():
            if not 0 <= weight < float("inf"):
                raise UsageError(
                    f"SearchOptions: the weight of {name} must be 0 or more, not {weight}."
                )


DEFAULT_OPTIONS = SearchOptions()


@dataclass(frozen=True)
class EngineAnswer:
    """What came of asking one engine."""

    engine: str
    status: SearchStatus
    seconds: float
    note: str = ""
    given: tuple[Given, ...] = ()
    filled: float | None = None
    """The share of the columns that its records filled."""
    wait: float | None = None
    """Seconds that the engine asked to wait."""

    def as_json(self) -> dict[str, Any]:
        """The answer as plain values, without its results."""
        return {
            "engine": self.engine,
            "status": str(self.status),
            "results": len(self.given),
            "seconds": round(self.seconds, 3),
            "note": self.note,
        }


@dataclass(frozen=True)
class Hits(Sequence[Hit]):
    """What many engines found, merged and ranked, and what came of asking each."""

    query: str
    found: tuple[Hit, ...]
    answers: tuple[EngineAnswer, ...]
    """One for each engine, in the order in which the engines were given."""

    @overload
    def __getitem__(self, place: int) -> Hit: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Hit, ...]: ...
    def __getitem__(self, place: int | slice) -> Hit | tuple[Hit, ...]:
        return self.found[place]

    def __len__(self) -> int:
        return len(self.found)

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.found)

    def as_json(self) -> dict[str, Any]:
        """All as plain values."""
        return {
            "query": self.query,
            "engines": [answer.as_json() for answer in self.answers],
            "hits": [hit.as_json() for hit in self.found],
        }


def search(
    engines: Sequence[Engine], query: str, options: SearchOptions = DEFAULT_OPTIONS
) -> Hits:
    """Ask all engines at once and merge what they find; see `fusion` for how it is
    ranked.

    The answer comes when all engines have answered, and at the deadline at the latest:
    an engine that is slow, dead or blocked is named with its reason in `Hits.answers`,
    and the results of the others are there.
    """
    if not query.strip():
        raise UsageError("There is nothing to search for. Give at least one word.")
    names = [engine.name for engine in engines]
    if len(set(names)) < len(names):
        raise UsageError(
            f"Two engines are called {next(name for name in names if names.count(name) > 1)}. Give each its own name."
        )
    came = _ask_all(engines, query, options)
    answers = tuple(
        [came.get(engine.name) or _late(engine, options.deadline) for engine in engines]
    )
    found = fuse(
        {answer.engine: answer.given for answer in answers}, options.weights, query
    )
    return Hits(query, tuple(found), answers)


def _late(engine: Engine, deadline: float) -> EngineAnswer:
    note = f"It did not answer within {deadline:g} seconds. Allow more time with a longer deadline."
    return EngineAnswer(engine.name, SearchStatus.UNREACHABLE, deadline, note)


def _ask_all(
    engines: Sequence[Engine], query: str, options: SearchOptions
) -> dict[str, EngineAnswer]:
    """The answers that come in time. Nobody waits for the threads of the others: their
    requests have deadlines too.
    """
    end = time.monotonic() + options.deadline
    arrived: queue.SimpleQueue[tuple[str, EngineAnswer | None]] = queue.SimpleQueue()

    def work(engine: Engine) -> None:
        for answer in _answers(engine, query, options):
            arrived.put((engine.name, answer))
        arrived.put((engine.name, None))

    for engine in engines:
        threading.Thread(
            target=work,
            args=(engine,),
            name=f"scythe search {engine.name}",
            daemon=True,
        ).start()
    came: dict[str, EngineAnswer] = {}
    awaited = {engine.name for engine in engines}
    while awaited and (left := end - time.monotonic()) > 0:
        try:
            name, answer = arrived.get(timeout=left)
        except queue.Empty:
            break
        if answer is None:
            awaited.discard(name)
        else:
            came[name] = answer
    return came


def ask_one(
    engine: Engine, query: str, options: SearchOptions = DEFAULT_OPTIONS
) -> EngineAnswer:
    """What one engine answers; whatever goes wrong is in the status."""
    *_, answer = _answers(engine, query, options)
    return answer


def _answers(
    engine: Engine, query: str, options: SearchOptions
) -> Iterator[EngineAnswer]:
    """What one engine answers: with its first page, with its first two, and so on."""
    from scythe.engines.asking.answers import growing
    from scythe.engines.asking.requests import SendOptions, sender_for

    started = time.monotonic()
    usual = SendOptions()
    read = replace(
        usual.read,
        timeout=options.deadline,
        idle_timeout=min(usual.read.idle_timeout, options.deadline),
    )
    try:
        with sender_for(
            engine.home, replace(usual, read=read, longest_wait=options.deadline)
        ) as sender:
            for results in growing(engine, query, options.pages, sender):
                yield answer_of(engine, results, time.monotonic() - started)
    except (
        Exception
    ) as error:  # one engine must not take the answers of the others with it
        note = f"Unexpected {type(error).__name__}: {error}. This is a fault of Scythe: please report it."
        if isinstance(error, ScytheError):
            note = str(error)
        yield EngineAnswer(
            engine.name, SearchStatus.UNREACHABLE, time.monotonic() - started, note
        )


def answer_of(engine: Engine, results: Results, seconds: float) -> EngineAnswer:
    """What came of asking an engine, read to the last field."""
    given = tuple(
        [Given.of(engine.name, rank, record) for rank, record in enumerate(results, 1)]
    )
    return EngineAnswer(
        engine.name,
        results.status,
        seconds,
        results.note,
        given,
        _filled(engine, given),
        results.wait,
    )


def _filled(engine: Engine, given: Sequence[Given]) -> float | None:
    columns = len(engine.wrapper.fields.columns)
    if not given or not columns:
        return None
    return sum(len(one.fields) for one in given) / (columns * len(given))
