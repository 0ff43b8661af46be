"""What the bulk path adds to extracting: a worker's own code over a WARC file, with a
clock around each extraction.

Everything outside that clock (unpacking and reading records, announcing pages, writing
rows and journal) is what bulk adds, and so is the processor time of the process that
gives out partitions and supervises. Both are compared with the extractions of the very same
pages in the very same run: a loop of its own over pages in memory has another cache,
and a few per cent are lost in that.
"""

from __future__ import annotations

import multiprocessing
import tempfile
import time
from pathlib import Path
from typing import Any, ClassVar

from scythe.bulk import Budget, BulkOptions, Documents, InputOptions, run
from scythe.bulk.output.journal import PartitionResult
from scythe.bulk.output.tables import Table
from scythe.bulk.page import CrawlPage
from scythe.bulk.reading.files import file_state
from scythe.bulk.reading.partitions import Input, Partition, divide_inputs
from scythe.bulk.workers.heartbeat import Heartbeat
from scythe.bulk.workers.tasks import ExtractTask

EVERYTHING = 1 << 40


class ClockedDocuments:
    """Documents, and the processor time that they took."""

    table: ClassVar[Table] = Documents.table
    description = "documents, clocked"

    def __init__(self) -> None:
        self._documents = Documents()
        self.seconds = 0.0
        self.pages = 0

    def rows(self, page: CrawlPage) -> list[dict[str, Any]]:
        """Return one row."""
        started = time.process_time()
        try:
            return self._documents.rows(page)
        finally:
            self.seconds += time.process_time() - started
            self.pages += 1


def overhead(crawl: Path, rounds: int) -> dict[str, float]:
    """Return processor milliseconds a page: of extracting, and with all else that is
    done; of each part the least of some rounds.
    """
    options = InputOptions(partition_bytes=EVERYTHING)
    (partition,) = divide_inputs([Input("warc", file_state(str(crawl)))], options)
    worked = [_worker_seconds(partition, options) for _ in range(rounds)]
    supervised = [_supervisor_seconds(crawl) for _ in range(rounds + 1)][1:]
    extracting = min(seconds for seconds, _ in worked)
    rest = min(seconds for _, seconds in worked)
    supervising = min(seconds for seconds, _ in supervised)
    added = rest + supervising
    pages = supervised[0][1]
    scale = 1000 / pages
    return {
        "pages": pages,
        "bare": scale * extracting,
        "bulk": scale * (extracting + added),
        "ratio": 1 + added / extracting,
    }


def _worker_seconds(partition: Partition, options: InputOptions) -> tuple[float, float]:
    """Process a partition as a worker does: read, announce, extract, write. Return the
    seconds of extracting, and of the rest.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        clocked = ClockedDocuments()
        task = ExtractTask(folder, Budget(), options, clocked)
        heartbeat = Heartbeat(multiprocessing.get_context("spawn"))
        started = time.process_time()
        with PartitionResult(folder, 0).open() as writer:
            task.process(partition, writer, heartbeat)
            writer.finish()
        total = time.process_time() - started
        return clocked.seconds, total - clocked.seconds


def _supervisor_seconds(crawl: Path) -> tuple[float, int]:
    """Return the seconds of this process while another does the pages, and how many these
    are.
    """
    with tempfile.TemporaryDirectory() as folder:
        started = time.process_time()
        summary = run(
            [crawl],
            Path(folder) / "out.jsonl",
            options=BulkOptions(workers=1, timings=False),
        )
        return time.process_time() - started, summary.pages
