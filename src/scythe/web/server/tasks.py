"""What jobs do, each in a process of its own. They open the database anew: connections
are not for two processes.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from scythe.collect.collection import Collection
from scythe.engines.discovery.discover import DiscoverOptions, ProgressCallback
from scythe.engines.engine import Engine
from scythe.engines.registry.checks import EngineInspection, inspect_engine
from scythe.engines.registry.registry import Registry, StoredEngine
from scythe.engines.registry.relearn import RepairOutcome, repair
from scythe.engines.registry.relearn import relearn as relearn_engine_again
from scythe.errors import ScytheError
from scythe.store import Store
from scythe.urls import is_own_network
from scythe.web.server.jobs import Shown, Step, Tell
from scythe.web.snapshots.frame import Look as FrameLook
from scythe.web.snapshots.frame import framed
from scythe.web.snapshots.marks import RECORD_STYLE, record_marks
from scythe.web.snapshots.styles import fetched_styles

LARGEST_PICTURE = 1_500_000
"""Characters of a result page that is kept to be looked at: of a larger one the table
of its records must do.
"""
ROWS = 30
"""Records of a result page that are kept."""


def run_collection(tell: Tell, database: str, name: str, everything: bool) -> Any:  # noqa: FBT001 - sent to another process
    """Bring a collection up to date."""
    with Collection.open(name, db=database) as collection:
        summary = collection.run(
            refetch_all=everything,
            progress=lambda what, done, total: tell(
                Step(what, done=done, total=total, counts=True)
            ),
        )
    return summary.as_json()


def add_engine(tell: Tell, database: str, url: str, name: str | None) -> Shown:
    """Learn a search engine, store it, and look at it."""
    with _engines(database) as registry:
        registry.require_new(name, url)
        found = Engine.discover(
            url, options=DiscoverOptions(name=name), progress=_telling(tell)
        )
        known = registry.add(found, number_if_taken=name is None)
        tell(
            Step(
                "look",
                f"{known.name} is stored; asking it once more to show what was understood",
            )
        )
        return _shown(known, inspect_engine(registry, known), "added")


def check_engine(tell: Tell, database: str, name: str) -> Shown:
    """Ask an engine a query it was learned from."""
    with _engines(database) as registry:
        known = registry.get(name)
        tell(
            Step(
                "look",
                f"asking for {known.engine.queries[0]!r}"
                if known.engine.queries
                else "",
            )
        )
        return _shown(known, inspect_engine(registry, known), "checked")


def relearn_engine(tell: Tell, database: str, name: str) -> Shown:
    """Learn an engine again, and look at what came of it."""
    with _engines(database) as registry:
        done = relearn_engine_again(
            registry, registry.get(name), "asked for", _telling(tell)
        )
        if done.outcome not in (RepairOutcome.FITS, RepairOutcome.RELEARNED):
            raise ScytheError(f"{name}: {done.outcome}: {done.note}")
        tell(Step("look", done.note))
        return _shown(
            done.stored,
            inspect_engine(registry, done.stored),
            str(done.outcome),
            done.note,
        )


def tend_engine(tell: Tell, database: str, name: str) -> Any:
    """Settle a doubt about an engine."""
    with _engines(database) as registry:
        done = repair(registry, registry.get(name), _telling(tell))
    return {"engine": name, "done": str(done.outcome), "note": done.note}


@contextmanager
def _engines(database: str) -> Iterator[Registry]:
    with Store.open(database) as store:
        yield Registry(store)


def _telling(tell: Tell) -> ProgressCallback:
    return lambda stage, detail: tell(Step(stage, detail))


def _shown(
    known: StoredEngine, seen: EngineInspection, done: str, note: str = ""
) -> Shown:
    """What was understood of an engine: its records as rows, and the page with the
    records marked.
    """
    rows = [
        {**dict(record.fields), "link": record.link} for record in seen.records[:ROWS]
    ]
    values = {
        "engine": known.name,
        "done": done,
        "note": note,
        "query": seen.query,
        "url": seen.url,
        "fits": seen.fits,
        "status": str(seen.answer.status),
        "message": seen.answer.note,
        "seconds": round(seen.answer.seconds, 3),
        "records": len(seen.records),
        "columns": seen.columns,
        "rows": rows,
    }
    return Shown(values, _picture(seen, own_network=is_own_network(known.engine.home)))


def _picture(seen: EngineInspection, *, own_network: bool) -> str:
    if seen.tree is None or not seen.records:
        return ""
    marks = record_marks(seen.tree, [record.span for record in seen.records])
    styles = fetched_styles(seen.tree, seen.url, allow_private=own_network)
    markup = framed(seen.tree, marks, FrameLook(styles, RECORD_STYLE))
    return markup if len(markup) <= LARGEST_PICTURE else ""
