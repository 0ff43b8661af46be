"""What the bulk path adds to extracting: a worker's own code over a WARC file, with a
clock around each extraction.

Everything outside that clock (unpacking and reading records, announcing pages, writing
rows and journal) is what bulk adds, and so is the processor time of the process that
gives out slices and watches. Both are compared with the extractions of the very same
pages in the very same run: a loop of its own over pages in memory has another cache,
and a few per cent are lost in that.
"""

from __future__ import annotations

import multiprocessing
import tempfile
import time
from pathlib import Path
from typing import Any, ClassVar

from scythe.bulk import Budget, BulkOptions, Documents, Reading, run
from scythe.bulk.output.tables import Table
from scythe.bulk.page import CrawlPage
from scythe.bulk.reading.files import state_of
from scythe.bulk.reading.slices import Input, Slice, cut
from scythe.bulk.workers.board import Board
from scythe.bulk.workers.journal import Part
from scythe.bulk.workers.worker import ExtractJob

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
        """One row."""
        began = time.process_time()
        try:
            return self._documents.rows(page)
        finally:
            self.seconds += time.process_time() - began
            self.pages += 1


def overhead(crawl: Path, rounds: int) -> dict[str, float]:
    """Processor milliseconds a page: of extracting, and with all else that is done; of
    each part the least of some rounds.
    """
    reading = Reading(slice_bytes=EVERYTHING)
    (part,) = cut([Input("warc", state_of(str(crawl)))], reading)
    worked = [_worked(part, reading) for _ in range(rounds)]
    supervised = [_supervised(crawl) for _ in range(rounds + 1)][1:]
    bare = min(extracting for extracting, _ in worked)
    added = min(rest for _, rest in worked) + min(seconds for seconds, _ in supervised)
    pages = supervised[0][1]
    scale = 1000 / pages
    return {
        "pages": pages,
        "bare": scale * bare,
        "bulk": scale * (bare + added),
        "ratio": 1 + added / bare,
    }


def _worked(part: Slice, reading: Reading) -> tuple[float, float]:
    """A slice as a worker does it: read, announced, extracted, written down. Gives
    seconds of extracting, and of the rest.
    """
    with tempfile.TemporaryDirectory() as place:
        clocked = ClockedDocuments()
        job = ExtractJob(Path(place), Budget(), reading, clocked)
        board = Board(multiprocessing.get_context("spawn"))
        began = time.process_time()
        with Part(Path(place), 0).open() as writer:
            job.work(part, writer, board)
            writer.finish()
        return clocked.seconds, time.process_time() - began - clocked.seconds


def _supervised(crawl: Path) -> tuple[float, int]:
    """Seconds of this process while another does the pages, and how many these are."""
    with tempfile.TemporaryDirectory() as place:
        began = time.process_time()
        summary = run(
            [crawl],
            Path(place) / "out.jsonl",
            options=BulkOptions(workers=1, timings=False),
        )
        return time.process_time() - began, summary.pages
