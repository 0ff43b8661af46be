"""What the bulk path adds to extracting: the same pages by a worker's own code and by a plain loop, in turn in one process."""

from __future__ import annotations

import multiprocessing
import tempfile
import time
from pathlib import Path

from scythe.bulk import Budget, Documents, Reading, extract_page
from scythe.bulk.board import Board
from scythe.bulk.files import state_of
from scythe.bulk.journal import Part
from scythe.bulk.slices import Input, Slice, cut, entries
from scythe.bulk.worker import ExtractJob

EVERYTHING = 1 << 40


def overhead(crawl: Path, rounds: int) -> dict[str, float]:
    """Processor milliseconds a page, of each the least of some rounds."""
    reading = Reading(slice_bytes=EVERYTHING)
    (part,) = cut([Input("warc", state_of(str(crawl)))], reading)
    pages = [(page.url, page.html) for page in (entry.load() for entry in entries(part, reading))]
    bare, bulk = [], []
    for _ in range(rounds):
        began = time.process_time()
        for url, html in pages:
            extract_page({"url": url, "html": html})
        bare.append(time.process_time() - began)
        bulk.append(_worked(part, reading))
    scale = 1000 / len(pages)
    return {"pages": len(pages), "bare": scale * min(bare), "bulk": scale * min(bulk), "ratio": min(bulk) / min(bare)}


def _worked(part: Slice, reading: Reading) -> float:
    """A slice as a worker does it: read, announced, extracted, written down."""
    with tempfile.TemporaryDirectory() as place:
        job = ExtractJob(Path(place), Budget(), reading, Documents())
        board = Board(multiprocessing.get_context("spawn"))
        began = time.process_time()
        with Part(Path(place), 0).open() as writer:
            job.work(part, writer, board)
            writer.finish()
        return time.process_time() - began
