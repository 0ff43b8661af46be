"""The same slices and the same work on a Ray cluster, through Ray Data.

A task does one slice, with a supervisor and a worker of its own as on one machine, so a
page out to do harm costs one page there too. What comes back is the part, rows and
journal: the run goes on from parts, wherever they were made.
"""

from __future__ import annotations

import logging
import os
import tempfile
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from scythe.bulk.reading.slices import Slice
from scythe.bulk.workers.journal import Part
from scythe.bulk.workers.supervisor import Progress, Supervisor
from scythe.bulk.workers.worker import Job
from scythe.errors import ScytheError, UsageError


@dataclass(frozen=True)
class SliceTask:
    """Does a slice in a folder of its own; can be sent to any node."""

    job: Job
    folder: str
    """Where the run was started, for names of files that are not absolute."""

    def __call__(self, item: dict[str, Any]) -> dict[str, Any]:
        """The part of a slice, as the bytes of its files."""
        if Path(self.folder).is_dir():
            os.chdir(self.folder)
        part = Slice(**item)
        with tempfile.TemporaryDirectory(prefix="scythe-") as place:
            job = replace(self.job, folder=Path(place))  # type: ignore[type-var]
            try:
                with closing(Supervisor(job, 1).run([part])) as finished:
                    for _ in finished:
                        pass
            except ScytheError as error:
                return {"number": part.number, "problem": str(error), "files": []}
            return {
                "number": part.number,
                "problem": "",
                "files": Part(job.folder, part.number).files(),
            }


class RayCluster:
    """Runs a job over slices on the nodes of a cluster."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self.progress = Progress()

    def now(self) -> Progress:
        """How far the work is."""
        return self.progress

    def run(self, slices: Sequence[Slice]) -> Generator[Slice | None, None, None]:
        """Each slice when it is whole."""
        if not slices:
            return
        ray = _require_ray()
        by_number = {part.number: part for part in slices}
        items = [
            {name: getattr(part, name) for name in Slice.__dataclass_fields__}
            for part in slices
        ]
        table = ray.data.from_items(items, override_num_blocks=len(items))
        done_rows = table.map(SliceTask(self._job, str(Path.cwd()))).iter_rows()
        for row in _understood(done_rows, ray):
            if row["problem"]:
                raise ScytheError(row["problem"])
            part = by_number[int(row["number"])]
            done = Part(self._job.folder, part.number)
            done.take(list(row["files"]))
            self.progress.weight += part.weight
            self.progress.statuses.update(done.counts())
            yield part


def _understood(rows: Iterator[dict[str, Any]], ray: Any) -> Iterator[dict[str, Any]]:
    """Rows, with one line for what may go wrong on a cluster."""
    try:
        yield from rows
    except ray.exceptions.RayError as error:
        what = str(error).strip().splitlines()[-1:]
        raise ScytheError(
            f"The cluster gave up on a slice: {''.join(what)}. Is scythe installed on all of its nodes?"
        ) from error


@contextmanager
def connected(address: str, workers: int | None) -> Iterator[None]:
    """A connection to a cluster, ended if it was begun here."""
    ray = _require_ray()
    if ray.is_initialized():
        yield
        return
    settings: dict[str, Any] = (
        {"include_dashboard": False, "num_cpus": workers} if address == "local" else {}
    )
    try:
        ray.init(
            address=address,
            logging_level=logging.ERROR,
            log_to_driver=False,
            **settings,
        )
    except (ConnectionError, ValueError, RuntimeError) as error:
        what = str(error).partition("\n")[0]
        raise UsageError(
            f"There is no Ray cluster at {address}: {what}. Check the address, or give local."
        ) from error
    ray.data.DataContext.get_current().enable_progress_bars = False
    try:
        yield
    finally:
        ray.shutdown()


def _require_ray() -> Any:
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        import ray
        import ray.data
    except ImportError as error:
        raise UsageError(
            "Working on a cluster needs Ray. Install it with: pip install 'scythe[ray]'"
        ) from error
    for name in ("ray.data", "ray"):
        logging.getLogger(name).setLevel(logging.ERROR)
    return ray
