"""What a worker is at, in memory that the supervisor sees: readable even when the worker
no longer answers.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from multiprocessing.context import BaseContext
from pathlib import Path
from typing import Any

from scythe.bulk.page import Failure, PagePosition
from scythe.content.status import Status

STATUSES: Sequence[str] = (*Status, "drifted", *Failure)
_TURN, _BUSY, _OFFSET, _INNER, _MEMORY, _URL, _SOURCE = range(7)
_COUNTS = 7
"""Where the counts by status begin in the shared numbers."""
_MAX_TEXT_BYTES = 4096
"""An arbitrary cap on the addresses that are shown; longer ones are cut."""


@dataclass(frozen=True, slots=True)
class WorkerState:
    """What a worker was at, at one moment."""

    turn: int
    """Changes with every page, and between pages."""
    position: PagePosition | None
    """The page being worked on; None between pages."""
    memory: int
    """Bytes that the worker held when it began with the page."""
    source: str | None
    url: str | None


class Heartbeat:
    """Numbers and texts shared by a worker, which writes, and the supervisor, which
    reads.
    """

    def __init__(self, context: BaseContext) -> None:
        count = _COUNTS + len(STATUSES)
        self._numbers: Any = context.RawArray("d", count)
        self._texts: dict[int, Any] = {
            _URL: context.RawArray("c", _MAX_TEXT_BYTES),
            _SOURCE: context.RawArray("c", _MAX_TEXT_BYTES),
        }

    def begin_page(self, position: PagePosition, source: str) -> None:
        """Announce the page that comes next."""
        numbers = self._numbers
        self._write_text(_URL, None)
        self._write_text(_SOURCE, source)
        numbers[_OFFSET], numbers[_INNER] = position
        numbers[_MEMORY] = resident_bytes()
        numbers[_BUSY] = 1
        numbers[_TURN] += 1

    def set_url(self, url: str | None) -> None:
        """Announce the page's address, once it is known."""
        self._write_text(_URL, url)

    def _write_text(self, slot: int, text: str | None) -> None:
        encoded = (text or "").encode("utf-8", "replace")
        data = encoded[: _MAX_TEXT_BYTES - 1]
        self._texts[slot][: len(data)] = data
        self._numbers[slot] = len(data)

    def _read_text(self, slot: int) -> str | None:
        size = int(self._numbers[slot])
        data = self._texts[slot][:size]
        return data.decode("utf-8", "replace") or None

    def end_page(self, status: str | None = None) -> None:
        """Announce that the page is done, and count its status."""
        self._numbers[_BUSY] = 0
        self._numbers[_TURN] += 1
        if status is not None:
            self.count(status)

    def count(self, status: str, number: int = 1) -> None:
        """Count pages of the current partition."""
        if status in STATUSES:
            position = _COUNTS + STATUSES.index(status)
            self._numbers[position] += number

    def reset_counts(self) -> None:
        """Set all counts to 0, for another partition."""
        for index in range(_COUNTS, _COUNTS + len(STATUSES)):
            self._numbers[index] = 0

    def read(self) -> WorkerState:
        """Return what the worker is at. Exact once it has ended; before, a page may just
        have changed.
        """
        numbers = self._numbers
        position = None
        if numbers[_BUSY]:
            offset = int(numbers[_OFFSET])
            inner = int(numbers[_INNER])
            position = PagePosition(offset, inner)
        return WorkerState(
            int(numbers[_TURN]),
            position,
            int(numbers[_MEMORY]),
            self._read_text(_SOURCE),
            self._read_text(_URL),
        )

    def status_counts(self) -> dict[str, int]:
        """Return the number of pages of the current partition by status."""
        counts = {}
        for index, status in enumerate(STATUSES):
            count = self._numbers[_COUNTS + index]
            counts[status] = int(count)
        return counts


_MEMORY_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096
_TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100


def resident_bytes(pid: int | str = "self") -> int:
    """Return the memory that a process holds; 0 where the system does not show it."""
    try:
        statm = Path(f"/proc/{pid}/statm").read_bytes()
        pages = statm.split()[1]
        return int(pages) * _MEMORY_PAGE
    except (OSError, IndexError):
        return 0


def cpu_seconds(pid: int) -> float | None:
    """Return the processor time that a process has used; None where the system does not
    show it.
    """
    try:
        line = Path(f"/proc/{pid}/stat").read_bytes()
        fields = line.rpartition(b")")[2].split()
        user_ticks = int(fields[11])
        system_ticks = int(fields[12])
    except (OSError, IndexError, ValueError):
        return None
    return (user_ticks + system_ticks) / _TICKS_PER_SECOND
