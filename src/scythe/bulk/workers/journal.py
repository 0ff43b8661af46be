"""What is done of a slice, on disk as soon as it is done, so that a killed run goes on
where it was.

Each slice has a file of rows and a journal. For every page its rows are written first,
then one line of the journal: where the page stands and where its rows end. What a kill
leaves behind the last whole line of the journal is cut off and done again. The journal
is renamed when the slice is whole.
"""

from __future__ import annotations

import contextlib
import os
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Self

from scythe.bulk.page import Position


@dataclass(frozen=True, slots=True)
class Line:
    """A page that is done."""

    position: Position
    end: int
    """The size of the file of rows with its rows."""
    rows: int
    status: str

    def encoded(self) -> bytes:
        """The line of the journal."""
        return b"%d %d %d %d %s\n" % (
            *self.position,
            self.end,
            self.rows,
            self.status.encode(),
        )

    @classmethod
    def decoded(cls, line: bytes) -> Self:
        """What `encoded` wrote."""
        offset, inner, end, rows, status = line.decode().split()
        return cls(Position(int(offset), int(inner)), int(end), int(rows), status)


class Part:
    """The rows and the journal of one slice."""

    def __init__(self, folder: Path, number: int) -> None:
        self.rows_path = folder / f"{number:08}.rows"
        self.extra_path = folder / f"{number:08}.extra"
        """Something of a fixed size for each page, such as a digest of its text."""
        self._journal = folder / f"{number:08}.journal"
        self._done = folder / f"{number:08}.done"

    @property
    def is_done(self) -> bool:
        """Whether the slice is whole."""
        return self._done.exists()

    def lines(self) -> list[Line]:
        """The pages that are done, in the order in which they were."""
        path = self._done if self.is_done else self._journal
        if not path.exists():
            return []
        whole = path.read_bytes().rpartition(b"\n")[0]
        return [Line.decoded(line) for line in whole.split(b"\n") if line]

    def counts(self) -> Counter[str]:
        """How many pages have which status."""
        return Counter(line.status for line in self.lines())

    def open(self, extra_size: int = 0) -> PartWriter:
        """The part to go on with, once no other process has it."""
        return PartWriter(self, self._journal, self._done, extra_size)

    def files(self) -> list[bytes]:
        """All that a whole part is, to be taken elsewhere."""
        paths = (self.rows_path, self.extra_path, self._done)
        return [path.read_bytes() if path.exists() else b"" for path in paths]

    def take(self, files: list[bytes]) -> None:
        """Be the part that was made elsewhere."""
        rows, extra, done = files
        self.rows_path.write_bytes(rows)
        self.extra_path.write_bytes(extra)
        self._journal.write_bytes(done)
        self._journal.replace(self._done)


class PartWriter:
    """Adds pages to a part. One process at a time: another one, perhaps left over from
    a killed run, is waited for.
    """

    def __init__(self, part: Part, journal: Path, done: Path, extra_size: int) -> None:
        self._part, self._journal_path, self._done_path = part, journal, done
        self._journal = _opened(journal)
        lock(self._journal)
        self._rows = _opened(part.rows_path)
        self._extra = _opened(part.extra_path) if extra_size else None
        lines = part.lines()
        self.was_done = part.is_done
        """Whether the process that was waited for has done it all."""
        self.done = {line.position: line.status for line in lines}
        self.last = lines[-1].position if lines else None
        self.end = lines[-1].end if lines else 0
        if not self.was_done:
            self._cut(lines, extra_size)

    def _cut(self, lines: list[Line], extra_size: int) -> None:
        """Cut off what is behind the last page that is whole."""
        written = self._rows.seek(0, os.SEEK_END)
        while (
            lines and lines[-1].end > written
        ):  # only where the machine itself went down
            lines.pop()
        self.end = lines[-1].end if lines else 0
        _shorten(self._rows, self.end)
        _shorten(self._journal, sum(len(line.encoded()) for line in lines))
        if self._extra:
            _shorten(self._extra, extra_size * len(lines))
        self.done = {line.position: line.status for line in lines}
        self.last = lines[-1].position if lines else None

    def add(
        self, position: Position, rows: list[bytes], status: str, extra: bytes = b""
    ) -> None:
        """Add a page that is done."""
        data = b"".join(rows)
        _write(self._rows, data)
        if self._extra:
            _write(self._extra, extra)
        self.end += len(data)
        _write(self._journal, Line(position, self.end, len(rows), status).encoded())
        self.done[position] = status
        self.last = position

    def finish(self) -> None:
        """Say that the slice is whole."""
        for file in (self._rows, self._extra, self._journal):
            if file:
                os.fsync(file.fileno())
        self._journal_path.replace(self._done_path)

    def close(self) -> None:
        """Let others have it."""
        for file in (self._rows, self._extra, self._journal):
            if file:
                file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _opened(path: Path) -> BinaryIO:
    """A file to add to, each write of which is with the system at once."""
    return os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o644), "r+b", buffering=0)


def _write(file: BinaryIO, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[file.write(rest) :]


def _shorten(file: BinaryIO, size: int) -> None:
    file.truncate(size)
    file.seek(size)


def lock(file: BinaryIO, *, wait: bool = True) -> bool:
    """Keep others from a file until it is closed or this process ends; whether that
    could be had without waiting.
    """
    try:
        import fcntl
    except ImportError:  # a system without them
        return True
    with contextlib.suppress(BlockingIOError):
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return True
    if wait:
        fcntl.flock(file, fcntl.LOCK_EX)
    return False
