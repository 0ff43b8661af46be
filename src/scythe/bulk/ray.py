"""The same partitions and the same tasks on a Ray cluster, through Ray Data.

A Ray task does several partitions, with a supervisor and a worker of its own as on one
machine, so a hostile page costs one page there too, and a worker is started once for
all of them. What comes back are the files of the results, rows and journals: a run
resumes from them, wherever they were made.
"""

from __future__ import annotations

import logging
import os
import tempfile
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from scythe.bulk.output.journal import PartitionResult
from scythe.bulk.reading.partitions import Partition
from scythe.bulk.workers.supervisor import Progress, Supervisor
from scythe.bulk.workers.tasks import PartitionTask
from scythe.errors import ScytheError, UsageError

TASKS_PER_CORE = 4
"""Ray tasks for each core of the cluster, where there are so many partitions: enough
that no core waits for long at the end, few enough that a worker, whose start takes as
long as a hundred pages, is worth it. Not tuned.
"""


@dataclass(frozen=True)
class RemotePartitions:
    """Processes partitions in a folder of their own; can be sent to any node."""

    task: PartitionTask
    working_folder: str
    """Where the run was started, for names of files that are not absolute."""

    def __call__(self, item: dict[str, Any]) -> list[dict[str, Any]]:
        """Return the result of each partition, as the bytes of its files."""
        if Path(self.working_folder).is_dir():
            os.chdir(self.working_folder)
        partitions = [Partition(**values) for values in item["partitions"]]
        with tempfile.TemporaryDirectory(prefix="scythe-") as folder:
            task = replace(self.task, folder=Path(folder))  # type: ignore[type-var]
            try:
                with closing(Supervisor(task, 1).run(partitions)) as completed:
                    for _ in completed:
                        pass
            except ScytheError as error:
                return [{"number": -1, "error": str(error), "files": []}]
            results = []
            for partition in partitions:
                result = PartitionResult(task.folder, partition.number)
                files = result.read_files()
                results.append(
                    {"number": partition.number, "error": "", "files": files}
                )
            return results


class RayCluster:
    """Runs a task over partitions on the nodes of a cluster."""

    def __init__(self, task: PartitionTask) -> None:
        self._task = task
        self.progress = Progress()

    def current_progress(self) -> Progress:
        """Return how far the run is."""
        return self.progress

    def run(
        self, partitions: Sequence[Partition]
    ) -> Generator[Partition | None, None, None]:
        """Yield each partition when it is complete."""
        if not partitions:
            return
        ray = _require_ray()
        by_number = {partition.number: partition for partition in partitions}
        cores = int(ray.cluster_resources().get("CPU", 1))
        tasks = TASKS_PER_CORE * max(cores, 1)
        items = []
        for group in divide_evenly(partitions, tasks):
            rows = [asdict(partition) for partition in group]
            items.append({"partitions": rows})
        dataset = ray.data.from_items(items, override_num_blocks=len(items))
        working_folder = str(Path.cwd())
        results = dataset.flat_map(RemotePartitions(self._task, working_folder))
        for row in _translate_errors(results.iter_rows(), ray):
            if row["error"]:
                raise ScytheError(row["error"])
            partition = by_number[int(row["number"])]
            result = PartitionResult(self._task.folder, partition.number)
            result.write_files(list(row["files"]))
            self.progress.weight += partition.weight
            self.progress.statuses.update(result.status_counts())
            yield partition


def divide_evenly(
    partitions: Sequence[Partition], count: int
) -> list[Sequence[Partition]]:
    """Return partitions in runs of about the same number, at most so many runs."""
    count = min(count, len(partitions))
    runs = []
    start = 0
    for number in range(1, count + 1):
        stop = len(partitions) * number // count
        runs.append(partitions[start:stop])
        start = stop
    return runs


def _translate_errors(
    rows: Iterator[dict[str, Any]], ray: Any
) -> Iterator[dict[str, Any]]:
    """Yield rows, and raise one line for what may go wrong on a cluster."""
    try:
        yield from rows
    except ray.exceptions.RayError as error:
        lines = str(error).strip().splitlines()
        last_line = "".join(lines[-1:])
        raise ScytheError(
            f"The cluster gave up on a partition: {last_line}. "
            "Is scythe installed on all of its nodes?"
        ) from error


@contextmanager
def ray_connection(address: str, workers: int | None) -> Iterator[None]:
    """Connect to a cluster for a while, unless there is a connection already."""
    ray = _require_ray()
    if ray.is_initialized():
        yield
        return

    settings: dict[str, Any] = {}
    if address == "local":
        settings = {"include_dashboard": False, "num_cpus": workers}
    try:
        ray.init(
            address=address,
            logging_level=logging.ERROR,
            log_to_driver=False,
            **settings,
        )
    except (ConnectionError, ValueError, RuntimeError) as error:
        first_line = str(error).partition("\n")[0]
        raise UsageError(
            f"There is no Ray cluster at {address}: {first_line}. "
            "Check the address, or give local."
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
            "Working on a cluster needs Ray. Install it with: pip install 'webscythe[ray]'"
        ) from error
    for name in ("ray.data", "ray"):
        logging.getLogger(name).setLevel(logging.ERROR)
    return ray
