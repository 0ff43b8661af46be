"""What a worker does: all pages of a partition, one after the other, each announced
before it is begun.
"""

from __future__ import annotations

import contextlib
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Protocol

from scythe.bulk.output.journal import PartitionResult, PartitionWriter
from scythe.bulk.output.tables import complete_row, json_line
from scythe.bulk.page import CrawlPage, Failure, PageEntry, PageFault, PagePosition
from scythe.bulk.reading.files import is_remote
from scythe.bulk.reading.partitions import InputOptions, Partition, read_partition
from scythe.bulk.workers.extraction import PageExtraction, Row, entry_rows
from scythe.bulk.workers.heartbeat import Heartbeat, resident_bytes
from scythe.errors import ScytheError


@dataclass(frozen=True, slots=True)
class Budget:
    """What one page may take."""

    seconds: float = 30.0
    """Of processor time: a busy machine costs no page. A bound, not tuned."""
    memory: int = 2_000_000_000
    """Bytes, beside what the worker held before. A bound, not tuned."""

    @property
    def time_reason(self) -> str:
        """The reason in the row of a page that took longer."""
        return f"it takes longer than {self.seconds:g} seconds"

    @property
    def memory_reason(self) -> str:
        """The reason in the row of a page that took more memory, whether it was stopped
        from inside or outside.
        """
        return f"it takes more than {self.memory / 1e6:g} MB of memory"


class PartitionTask(Protocol):
    """What is done with the pages of a partition."""

    @property
    def folder(self) -> Path:
        """Where the results of partitions are written."""

    @property
    def budget(self) -> Budget:
        """What a page may take."""

    @property
    def extra_size(self) -> int:
        """Bytes stored for each page beside its rows."""

    def process(
        self, partition: Partition, writer: PartitionWriter, heartbeat: Heartbeat
    ) -> None:
        """Process the pages of a partition that are not done."""

    def write_failure(self, writer: PartitionWriter, row: Row) -> None:
        """Write a page that could not be processed: `row` has its position, its status
        and the reason.
        """


class Sketcher(Protocol):
    """Computes what is stored of a page to compare it with others."""

    @property
    def size(self) -> int:
        """Bytes of a sketch."""

    def sketch(self, row: Row) -> bytes:
        """Return a page's sketch, `size` bytes."""


class RowTask:
    """The part of a task that writes rows, with sketches where duplicates are looked
    for.
    """

    budget: Budget
    with_timings: bool
    sketcher: Sketcher | None

    @property
    def extra_size(self) -> int:
        """The size of a sketch."""
        return self.sketcher.size if self.sketcher else 0

    def extract_rows(self, entry: PageEntry, extraction: PageExtraction) -> list[Row]:
        """Return the rows of a page; one that took too much memory has the same reason
        as one that was stopped from outside.
        """
        rows = entry_rows(entry, extraction)
        if rows[0]["status"] == Failure.MEMORY:
            rows[0]["reason"] = self.budget.memory_reason
        return rows

    def write_rows(
        self, writer: PartitionWriter, position: PagePosition, rows: list[Row]
    ) -> None:
        """Write the rows of a page."""
        lines = [json_line(row, with_timings=self.with_timings) for row in rows]
        first = rows[0]
        extra = self.sketcher.sketch(first) if self.sketcher else b""
        writer.add(position, lines, first["status"], extra)


@dataclass(frozen=True)
class ExtractTask(RowTask):
    """Extracts every page by itself."""

    folder: Path
    budget: Budget
    inputs: InputOptions
    extraction: PageExtraction
    with_timings: bool = True
    sketcher: Sketcher | None = None

    def process(
        self, partition: Partition, writer: PartitionWriter, heartbeat: Heartbeat
    ) -> None:
        """Extract every page that is not done."""
        for entry in readable_entries(partition, self.inputs, writer.last):
            if entry.position in writer.done:
                continue
            heartbeat.begin_page(entry.position, entry.source)
            rows = self.extract_rows(announce_url(entry, heartbeat), self.extraction)
            self.write_rows(writer, entry.position, rows)
            heartbeat.end_page(rows[0]["status"])

    def write_failure(self, writer: PartitionWriter, row: Row) -> None:
        """Write the row of a page that was given up."""
        position = PagePosition(row["offset"], row["inner"])
        complete = complete_row(self.extraction.table, row)
        self.write_rows(writer, position, [complete])


_DAMAGE_ERRORS = (
    EOFError,
    zlib.error,
    OSError,
    ValueError,
    MemoryError,
    NotImplementedError,
    KeyError,
)
"""What readers raise where a file is damaged, or packed in a way that they do not know
(which Arrow calls not implemented).
"""


def readable_entries(
    partition: Partition, options: InputOptions, after: PagePosition | None
) -> Iterator[PageEntry]:
    """Yield the pages of a partition. Where its file is damaged so that nothing behind
    can be read, one entry says so at the end.

    A file that cannot be reached is no damage: it ends the run, which can resume once
    the file is there again.
    """
    entries = read_partition(partition, options, after)
    last = after or PagePosition(partition.start - 1)
    while True:
        try:
            entry = next(entries, None)
        except _DAMAGE_ERRORS as error:
            if not _is_damage(error, partition.source):
                raise
            position = PagePosition(last.offset, last.inner + 1)
            if after is None or position > after:
                description = str(error) or type(error).__name__
                load = partial(_raise_damage, description)
                yield PageEntry(partition.source, position, load)
            return

        if entry is None:
            return
        last = entry.position
        yield entry


def _is_damage(error: Exception, source: str) -> bool:
    """Return whether an error is of the file's content: an `OSError` with a number is
    the system's, and a file at an address may be out of reach.
    """
    is_system_error = getattr(error, "errno", None) is not None
    return not (isinstance(error, ScytheError) or is_system_error or is_remote(source))


def _raise_damage(description: str) -> CrawlPage:
    raise PageFault(
        Failure.BROKEN, f"the file cannot be read from here on: {description}"
    )


def announce_url(entry: PageEntry, heartbeat: Heartbeat) -> PageEntry:
    """Return the entry, which also announces its address as soon as it is known."""

    def load() -> CrawlPage:
        page = entry.load()
        heartbeat.set_url(page.url)
        return page

    return replace(entry, load=load)


MEMORY_SHARE = 3
"""A worker that holds more than one third of a page's budget of memory between pages is
replaced by a new one: a bound, not tuned.
"""


def process_partitions(
    pipe: Connection[Any, Any], task: PartitionTask, heartbeat: Heartbeat
) -> None:
    """Process the partitions that come through the pipe, until it ends."""
    _limit_memory(task.budget.memory)
    with contextlib.suppress(EOFError, OSError):
        while True:
            partition = pipe.recv()
            pipe.send(_process(task, partition, heartbeat))
            if resident_bytes() > task.budget.memory / MEMORY_SHARE:
                return


def _process(
    task: PartitionTask, partition: Partition, heartbeat: Heartbeat
) -> Exception | None:
    """Process a partition; return None when it is complete, else why it is not."""
    heartbeat.reset_counts()
    result = PartitionResult(task.folder, partition.number)
    try:
        with result.open(task.extra_size) as writer:
            if not writer.was_done:
                for status in writer.done.values():
                    heartbeat.count(status)
                task.process(partition, writer, heartbeat)
                writer.finish()
    except (ScytheError, OSError) as error:
        return error
    except Exception as error:
        return ScytheError(
            f"A fault of Scythe, please report it: {type(error).__name__}: {error}."
        )
    return None


def _limit_memory(budget: int) -> None:
    """Set a limit inside the process, for what would take all memory between two checks
    from outside.
    """
    try:
        import resource

        data_pages = int(Path("/proc/self/statm").read_bytes().split()[5])
        limit = data_pages * resource.getpagesize() + 2 * budget
        _, hard_limit = resource.getrlimit(resource.RLIMIT_DATA)
        is_unlimited = hard_limit in (resource.RLIM_INFINITY, -1)
        if is_unlimited or limit < hard_limit:
            resource.setrlimit(resource.RLIMIT_DATA, (limit, hard_limit))
    except (ImportError, OSError, ValueError, IndexError):
        return
