"""What a worker is at, in memory that the supervisor sees: read even when the worker no
longer answers.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from multiprocessing.context import BaseContext
from pathlib import Path
from typing import Any

from scythe.bulk.page import Failure, Position
from scythe.content.status import Status

STATUSES: Sequence[str] = (*Status, "drifted", *Failure)
_TURN, _BUSY, _OFFSET, _INNER, _MEMORY, _URL, _SOURCE = range(7)
_COUNTS = 7
_ADDRESS = 4096


@dataclass(frozen=True, slots=True)
class Sight:
    """What was seen at one moment."""

    turn: int
    """Changes with every page, and between pages."""
    position: Position | None
    """The page being worked on; None between pages."""
    memory: int
    """Bytes that the worker held when it began with the page."""
    source: str | None
    url: str | None


class Board:
    """Numbers shared by a worker, which writes, and the supervisor, which reads."""

    def __init__(self, context: BaseContext) -> None:
        self._numbers: Any = context.RawArray("d", _COUNTS + len(STATUSES))
        self._texts: dict[int, Any] = {
            place: context.RawArray("c", _ADDRESS) for place in (_URL, _SOURCE)
        }

    def begin(self, position: Position, source: str) -> None:
        """Say which page comes now."""
        numbers = self._numbers
        self._write(_URL, None)
        self._write(_SOURCE, source)
        numbers[_OFFSET], numbers[_INNER] = position
        numbers[_MEMORY] = resident_bytes()
        numbers[_BUSY] = 1
        numbers[_TURN] += 1

    def name(self, url: str | None) -> None:
        """Say its address, once it is known."""
        self._write(_URL, url)

    def _write(self, place: int, text: str | None) -> None:
        data = (text or "").encode("utf-8", "replace")[: _ADDRESS - 1]
        self._texts[place][: len(data)] = data
        self._numbers[place] = len(data)

    def _read(self, place: int) -> str | None:
        return (
            self._texts[place][: int(self._numbers[place])].decode("utf-8", "replace")
            or None
        )

    def end(self, status: str | None = None) -> None:
        """Say that the page is done, and how it came out."""
        self._numbers[_BUSY] = 0
        self._numbers[_TURN] += 1
        if status is not None:
            self.count(status)

    def count(self, status: str, number: int = 1) -> None:
        """Count pages of the slice at hand."""
        if status in STATUSES:
            self._numbers[_COUNTS + STATUSES.index(status)] += number

    def clear(self) -> None:
        """Begin another slice."""
        for place in range(_COUNTS, _COUNTS + len(STATUSES)):
            self._numbers[place] = 0

    def see(self) -> Sight:
        """What the worker is at. Exact once it has ended; before, a page may just have
        changed.
        """
        numbers = self._numbers
        position = (
            Position(int(numbers[_OFFSET]), int(numbers[_INNER]))
            if numbers[_BUSY]
            else None
        )
        return Sight(
            int(numbers[_TURN]),
            position,
            int(numbers[_MEMORY]),
            self._read(_SOURCE),
            self._read(_URL),
        )

    def counts(self) -> dict[str, int]:
        """The pages of the slice at hand by status."""
        return {
            status: int(self._numbers[_COUNTS + place])
            for place, status in enumerate(STATUSES)
        }


_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096


def resident_bytes(pid: int | str = "self") -> int:
    """The memory that a process holds; 0 where the system does not tell."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_bytes().split()[1]) * _PAGE
    except (OSError, IndexError):
        return 0


_TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100


def cpu_seconds(pid: int) -> float | None:
    """The processor time that a process has used; None where the system does not tell."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
        return (int(fields[11]) + int(fields[12])) / _TICKS
    except (OSError, IndexError, ValueError):
        return None
