"""What a worker does: all pages of a slice, one after the other, each announced before
it is begun.
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

from scythe.bulk.output.tables import line_of, whole_row
from scythe.bulk.page import CrawlPage, Entry, Failure, PageFault, Position
from scythe.bulk.reading.files import is_remote
from scythe.bulk.reading.slices import Reading, Slice, entries
from scythe.bulk.workers.board import Board, resident_bytes
from scythe.bulk.workers.extraction import PageWork, entry_rows
from scythe.bulk.workers.journal import Part, PartWriter
from scythe.errors import ScytheError


@dataclass(frozen=True, slots=True)
class Budget:
    """What one page may take."""

    seconds: float = 30.0
    """Of processor time: a busy machine costs no page."""
    memory: int = 2_000_000_000
    """Bytes, beside what the worker held before."""

    @property
    def time_reason(self) -> str:
        """What is said of a page that took longer."""
        return f"it takes longer than {self.seconds:g} seconds"

    @property
    def memory_reason(self) -> str:
        """What is said of a page that took more memory, whether it was stopped from
        inside or outside.
        """
        return f"it takes more than {self.memory / 1e6:g} MB of memory"


class Job(Protocol):
    """What is done with the pages of a slice."""

    @property
    def folder(self) -> Path:
        """Where parts are."""

    @property
    def budget(self) -> Budget:
        """What a page may take."""

    def work(self, part: Slice, writer: PartWriter, board: Board) -> None:
        """Do what is not yet done of a slice."""

    def failed(self, part: Slice, writer: PartWriter, row: dict[str, Any]) -> None:
        """Note a page that could not be done: `row` has its place, its status and the
        reason.
        """

    @property
    def extra_size(self) -> int:
        """Bytes noted for each page beside its rows."""


class Sketcher(Protocol):
    """What is noted of a page to compare it with others."""

    @property
    def size(self) -> int:
        """Bytes of a sketch."""

    def sketch(self, row: dict[str, Any]) -> bytes:
        """A page's sketch, `size` bytes."""


class Noting:
    """How the rows of pages are noted, and what tells duplicates where they are wanted."""

    budget: Budget
    timed: bool
    sketches: Sketcher | None

    @property
    def extra_size(self) -> int:
        """The size of a sketch."""
        return self.sketches.size if self.sketches else 0

    def extracted(self, entry: Entry, pages: PageWork) -> list[dict[str, Any]]:
        """The rows of a page; one that took too much memory is told so as from outside."""
        rows = entry_rows(entry, pages)
        if rows[0]["status"] == Failure.MEMORY:
            rows[0]["reason"] = self.budget.memory_reason
        return rows

    def note(
        self, writer: PartWriter, position: Position, rows: list[dict[str, Any]]
    ) -> None:
        """Note the rows of a page."""
        lines = [line_of(row, timed=self.timed) for row in rows]
        extra = self.sketches.sketch(rows[0]) if self.sketches else b""
        writer.add(position, lines, rows[0]["status"], extra)


@dataclass(frozen=True)
class ExtractJob(Noting):
    """Every page by itself."""

    folder: Path
    budget: Budget
    reading: Reading
    pages: PageWork
    timed: bool = True
    sketches: Sketcher | None = None
    """Notes what tells duplicates, where they are wanted."""

    def work(self, part: Slice, writer: PartWriter, board: Board) -> None:
        """Do every page that is not done."""
        for entry in readable(part, self.reading, writer.last):
            if entry.position in writer.done:
                continue
            board.begin(entry.position, entry.source)
            rows = self.extracted(announced(entry, board), self.pages)
            self.note(writer, entry.position, rows)
            board.end(rows[0]["status"])

    def failed(self, part: Slice, writer: PartWriter, row: dict[str, Any]) -> None:
        """The row of a page that was given up."""
        self.note(
            writer,
            Position(row["offset"], row["inner"]),
            [whole_row(self.pages.table, row)],
        )


_DAMAGES = (
    EOFError,
    zlib.error,
    OSError,
    ValueError,
    MemoryError,
    NotImplementedError,
    KeyError,
)
"""What readers raise where a file is damaged, or packed in a way that they do not know
(which Arrow calls not implemented); an `OSError` with a number is the system's, which
damage is not.
"""


def readable(part: Slice, reading: Reading, after: Position | None) -> Iterator[Entry]:
    """The pages of a slice. Where its file is damaged so that nothing behind can be
    read, one entry says so at the end.

    A file that cannot be reached is no damage: it ends the run, which can go on once
    the file is there again.
    """
    found = entries(part, reading, after)
    last = after or Position(part.start - 1)
    while True:
        try:
            entry = next(found, None)
        except _DAMAGES as error:
            if (
                isinstance(error, ScytheError)
                or getattr(error, "errno", None) is not None
                or is_remote(part.source)
            ):
                raise
            position = Position(last.offset, last.inner + 1)
            if after is None or position > after:
                yield Entry(
                    part.source,
                    position,
                    partial(_damage, str(error) or type(error).__name__),
                )
            return
        if entry is None:
            return
        last = entry.position
        yield entry


def _damage(what: str) -> CrawlPage:
    raise PageFault(Failure.BROKEN, f"the file cannot be read from here on: {what}")


def announced(entry: Entry, board: Board) -> Entry:
    """The entry, which also says its address as soon as it knows it."""

    def load() -> CrawlPage:
        page = entry.load()
        board.name(page.url)
        return page

    return replace(entry, load=load)


WORN_OUT = 3
"""How many times a page's budget of memory a worker may hold between pages before it
makes way for a new one, a third of it.
"""


def serve(pipe: Connection[Any, Any], job: Job, board: Board) -> None:
    """Do the slices that come through the pipe, until it ends."""
    _limit_memory(job.budget.memory)
    with contextlib.suppress(EOFError, OSError):
        while True:
            part = pipe.recv()
            pipe.send(_done(job, part, board))
            if resident_bytes() > job.budget.memory / WORN_OUT:
                return


def _done(job: Job, part: Slice, board: Board) -> Exception | None:
    """Do a slice; None when it is whole, else why it is not."""
    board.clear()
    try:
        with Part(job.folder, part.number).open(job.extra_size) as writer:
            if not writer.was_done:
                for status in writer.done.values():
                    board.count(status)
                job.work(part, writer, board)
                writer.finish()
    except (ScytheError, OSError) as error:
        return error
    except Exception as error:
        return ScytheError(
            f"A fault of Scythe, please report it: {type(error).__name__}: {error}."
        )
    return None


def _limit_memory(budget: int) -> None:
    """A bound inside the process, for what would take all memory between two looks from
    outside.
    """
    try:
        import resource

        held = (
            int(Path("/proc/self/statm").read_bytes().split()[5])
            * resource.getpagesize()
        )
        bound = held + 2 * budget
        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        if hard in (resource.RLIM_INFINITY, -1) or bound < hard:
            resource.setrlimit(resource.RLIMIT_DATA, (bound, hard))
    except (ImportError, OSError, ValueError, IndexError):
        return
