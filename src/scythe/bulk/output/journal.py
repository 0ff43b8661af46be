"""What is done of a partition, on disk as soon as it is done, so that a killed run
resumes where it was.

Each partition has a file of rows and a journal. For every page its rows are written
first, then one line of the journal: the page's position and where its rows end. What a
kill leaves behind the last whole line of the journal is cut off and done again. The
journal is renamed when the partition is complete.
"""

from __future__ import annotations

import contextlib
import os
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Self

from scythe.bulk.page import PagePosition


@dataclass(frozen=True, slots=True)
class JournalEntry:
    """A page that is done."""

    position: PagePosition
    end: int
    """The size of the file of rows with its rows."""
    rows: int
    status: str

    def encode(self) -> bytes:
        """Return the line of the journal."""
        offset, inner = self.position
        status = self.status.encode()
        return b"%d %d %d %d %s\n" % (offset, inner, self.end, self.rows, status)

    @classmethod
    def decode(cls, line: bytes) -> Self:
        """Return the entry that `encode` wrote."""
        offset, inner, end, rows, status = line.decode().split()
        position = PagePosition(int(offset), int(inner))
        rows_end = int(end)
        return cls(position, rows_end, int(rows), status)


class PartitionResult:
    """The files that one partition becomes: rows, journal, and a fixed number of extra
    bytes for each page where they are needed.
    """

    def __init__(self, folder: Path, number: int) -> None:
        self.rows_path = folder / f"{number:08}.rows"
        self.extra_path = folder / f"{number:08}.extra"
        self.journal_path = folder / f"{number:08}.journal"
        self.done_path = folder / f"{number:08}.done"

    @property
    def is_done(self) -> bool:
        """Whether the partition is complete."""
        return self.done_path.exists()

    def entries(self) -> list[JournalEntry]:
        """Return the pages that are done, in the order in which they were."""
        path = self.done_path if self.is_done else self.journal_path
        if not path.exists():
            return []
        complete_part = path.read_bytes().rpartition(b"\n")[0]
        lines = complete_part.split(b"\n")
        return [JournalEntry.decode(line) for line in lines if line]

    def extra(self) -> bytes:
        """Return the extra bytes of all pages."""
        return self.extra_path.read_bytes() if self.extra_path.exists() else b""

    def status_counts(self) -> Counter[str]:
        """Return how many pages have which status."""
        counts: Counter[str] = Counter()
        for entry in self.entries():
            counts[entry.status] += 1
        return counts

    def open(self, extra_size: int = 0) -> PartitionWriter:
        """Return a writer that resumes, once no other process has the partition."""
        return PartitionWriter(self, extra_size)

    def read_files(self) -> list[bytes]:
        """Return the contents of all files of a complete partition."""
        contents = []
        for path in (self.rows_path, self.extra_path, self.done_path):
            content = path.read_bytes() if path.exists() else b""
            contents.append(content)
        return contents

    def write_files(self, files: list[bytes]) -> None:
        """Write the files of a partition that was completed elsewhere."""
        rows, extra, journal = files
        self.rows_path.write_bytes(rows)
        self.extra_path.write_bytes(extra)
        self.journal_path.write_bytes(journal)
        self.journal_path.replace(self.done_path)


class PartitionWriter:
    """Adds pages to a partition's result. One process at a time: another one, perhaps
    left over from a killed run, is waited for.
    """

    def __init__(self, result: PartitionResult, extra_size: int) -> None:
        self._result = result
        self._journal = _open_unbuffered(result.journal_path)
        lock(self._journal)
        self._rows = _open_unbuffered(result.rows_path)
        self._extra: BinaryIO | None = None
        if extra_size:
            self._extra = _open_unbuffered(result.extra_path)

        entries = result.entries()
        self.was_done = result.is_done
        """Whether the process that was waited for has completed it."""
        if not self.was_done:
            self._truncate(entries, extra_size)
        self.done: dict[PagePosition, str] = {}
        """The status of each page that is done."""
        for entry in entries:
            self.done[entry.position] = entry.status
        self.last = entries[-1].position if entries else None
        self._end = entries[-1].end if entries else 0

    def _truncate(self, entries: list[JournalEntry], extra_size: int) -> None:
        """Cut off what is behind the last page that is complete."""
        written = self._rows.seek(0, os.SEEK_END)
        while entries and entries[-1].end > written:
            entries.pop()  # only where the machine itself went down

        rows_end = entries[-1].end if entries else 0
        _truncate_file(self._rows, rows_end)
        journal_end = sum(len(entry.encode()) for entry in entries)
        _truncate_file(self._journal, journal_end)
        if self._extra:
            _truncate_file(self._extra, extra_size * len(entries))

    def add(
        self, position: PagePosition, rows: list[bytes], status: str, extra: bytes = b""
    ) -> None:
        """Add a page that is done."""
        data = b"".join(rows)
        _write_all(self._rows, data)
        if self._extra:
            _write_all(self._extra, extra)
        self._end += len(data)
        entry = JournalEntry(position, self._end, len(rows), status)
        _write_all(self._journal, entry.encode())
        self.done[position] = status
        self.last = position

    def finish(self) -> None:
        """Mark the partition as complete."""
        for file in self._files():
            os.fsync(file.fileno())
        self._result.journal_path.replace(self._result.done_path)

    def close(self) -> None:
        """Close the files, which releases the lock."""
        for file in self._files():
            file.close()

    def _files(self) -> list[BinaryIO]:
        files = [self._rows, self._extra, self._journal]
        return [file for file in files if file is not None]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _open_unbuffered(path: Path) -> BinaryIO:
    """Return a file to add to, whose writes reach the system at once."""
    mode = os.O_RDWR | os.O_CREAT
    descriptor = os.open(path, mode, 0o644)
    return os.fdopen(descriptor, "r+b", buffering=0)


def _write_all(file: BinaryIO, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[file.write(rest) :]


def _truncate_file(file: BinaryIO, size: int) -> None:
    file.truncate(size)
    file.seek(size)


def lock(file: BinaryIO, *, wait: bool = True) -> bool:
    """Lock a file against other processes until it is closed or this one ends. Return
    whether that was possible at once.
    """
    try:
        import fcntl
    except ImportError:  # a system without file locks
        return True
    with contextlib.suppress(BlockingIOError):
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return True
    if wait:
        fcntl.flock(file, fcntl.LOCK_EX)
    return False
