"""What jobs do, each in a process of its own. They open the database anew: connections
are not for two processes.
"""

from __future__ import annotations

import time
from typing import Any

from scythe.collect.collection import Collection
from scythe.collect.run import Busy
from scythe.collect.views import is_held
from scythe.engines.discovery.discover import DiscoverOptions, ProgressCallback
from scythe.engines.engine import Engine
from scythe.engines.registry.checks import EngineInspection, inspect_engine
from scythe.engines.registry.registry import Registry, StoredEngine
from scythe.engines.registry.relearn import RepairOutcome, repair
from scythe.engines.registry.relearn import relearn as relearn_engine_again
from scythe.errors import ScytheError
from scythe.urls import is_own_network
from scythe.web.server.jobs import ProgressCallback as ReportStep
from scythe.web.server.jobs import Step, TaskResult
from scythe.web.snapshots.frame import SnapshotStyle, render_snapshot
from scythe.web.snapshots.marks import RECORD_STYLE, record_marks
from scythe.web.snapshots.styles import fetched_styles

MAX_PAGE_LENGTH = 1_500_000
"""Characters of a result page that is kept to be shown: a bound on memory; of a larger
one the table of its records must do.
"""
WAITING = "waiting"
"""The step of a run that waits for its turn."""
WAITING_SECONDS = 2.0
"""Seconds after which such a run tries again. Not tuned."""
MAX_ROWS = 30
"""Records of a result page that are kept: a bound on memory."""


def run_collection(
    report: ReportStep,
    database: str,
    name: str,
    everything: bool,  # noqa: FBT001 - jobs give their arguments by position
) -> Any:
    """Run a collection. A host is visited by one run at a time: where another collection
    of it is being run, this one waits for its turn.
    """

    def report_count(what: str, done: int, total: int) -> None:
        report(Step(what, done=done, total=total, is_counter=True))

    while True:
        with Collection.open(name, db=database) as collection:
            try:
                summary = collection.run(refetch_all=everything, progress=report_count)
                return summary.as_json()
            except Busy:
                if is_held(collection.row):
                    raise
        report(Step(WAITING, is_counter=True))
        time.sleep(WAITING_SECONDS)


def add_engine(
    report: ReportStep, database: str, url: str, name: str | None
) -> TaskResult:
    """Learn a search engine, store it, and ask it once more."""
    with Registry.open(database) as registry:
        registry.require_new(name, url)
        found = Engine.discover(
            url, options=DiscoverOptions(name=name), progress=_step_reporter(report)
        )
        known = registry.add(found, number_if_taken=name is None)
        report(
            Step(
                "look",
                f"{known.name} is stored; searching it once more to show its records",
            )
        )
        return _inspection_result(known, inspect_engine(registry, known), "added")


def run_engine_check(report: ReportStep, database: str, name: str) -> TaskResult:
    """Ask an engine a query it was learned from."""
    with Registry.open(database) as registry:
        known = registry.get(name)
        queries = known.engine.queries
        report(Step("look", f"searching for {queries[0]!r}" if queries else ""))
        return _inspection_result(known, inspect_engine(registry, known), "checked")


def relearn_engine(report: ReportStep, database: str, name: str) -> TaskResult:
    """Learn an engine again, and ask it once more."""
    with Registry.open(database) as registry:
        done = relearn_engine_again(
            registry, registry.get(name), "asked for", _step_reporter(report)
        )
        if done.outcome not in (RepairOutcome.FITS, RepairOutcome.RELEARNED):
            raise ScytheError(f"{name}: {done.outcome}: {done.note}")
        report(Step("look", done.note))
        return _inspection_result(
            done.stored,
            inspect_engine(registry, done.stored),
            str(done.outcome),
            done.note,
        )


def repair_engine(report: ReportStep, database: str, name: str) -> Any:
    """Repair an engine that seems to have changed."""
    with Registry.open(database) as registry:
        done = repair(registry, registry.get(name), _step_reporter(report))
    return {"engine": name, "done": str(done.outcome), "note": done.note}


def _step_reporter(report: ReportStep) -> ProgressCallback:
    return lambda stage, detail: report(Step(stage, detail))


def _inspection_result(
    known: StoredEngine, seen: EngineInspection, done: str, note: str = ""
) -> TaskResult:
    """Return what was learned of an engine: records as rows, and the page with marks."""
    rows = [
        {**dict(record.fields), "link": record.link}
        for record in seen.records[:MAX_ROWS]
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
    return TaskResult(
        values, _marked_page(seen, own_network=is_own_network(known.engine.home))
    )


def _marked_page(seen: EngineInspection, *, own_network: bool) -> str:
    if seen.tree is None or not seen.records:
        return ""
    marks = record_marks(seen.tree, [record.span for record in seen.records])
    styles = fetched_styles(seen.tree, seen.url, allow_private=own_network)
    markup = render_snapshot(seen.tree, marks, SnapshotStyle(styles, RECORD_STYLE))
    return markup if len(markup) <= MAX_PAGE_LENGTH else ""
