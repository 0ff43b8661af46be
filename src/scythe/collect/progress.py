"""Progress of a run: how many pages it knows of, has fetched and has read, and how many
records it has stored. The numbers only grow, also over a kill.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

STORED_EVERY = 1.0
"""Seconds between two times that progress is stored: a bound on writes, not tuned."""
MIN_DONE = 5
"""Pages after which the time that is left is estimated. Not tuned."""


@dataclass(frozen=True)
class RunProgress:
    """How far a run has come."""

    step: str = ""
    """What is done now: `index pages`, `pages`, `read` or `imported`."""
    known: int = 0
    """Pages that the run has to fetch, as far as it knows by now."""
    fetched: int = 0
    read: int = 0
    records: int = 0
    seconds: float = 0.0
    """How long it has run."""
    seconds_left: float | None = None
    """How long it will run on, if nothing new is found; None where nobody knows."""

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> RunProgress:
        """Return the progress that a run has stored."""
        names = cls.__dataclass_fields__
        return cls(**{name: value for name, value in values.items() if name in names})

    def as_json(self) -> dict[str, Any]:
        """Return the progress as plain values."""
        return asdict(self)

    @property
    def words(self) -> str:
        """How far it has come, for a person."""
        parts = [
            f"{self.fetched:,} of {self.known:,} pages fetched",
            f"{self.read:,} read",
            f"{self.records:,} records",
        ]
        if self.seconds_left is not None:
            parts.append(f"{_duration(self.seconds_left)} left")
        return ", ".join(parts)


ProgressListener = Callable[[RunProgress], None]


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = seconds / 60
    if minutes < 90:
        return f"{minutes:.0f} min"
    return f"{minutes / 60:.1f} h"


def ignore_run_progress(progress: RunProgress) -> None:
    """Do nothing: the listener of a run that nobody watches."""


@dataclass
class ProgressTracker:
    """Counts what the steps of a run do, and tells listeners."""

    listener: ProgressListener = ignore_run_progress
    store: Callable[[Mapping[str, Any]], None] | None = field(default=None, repr=False)
    current: RunProgress = RunProgress()
    _began: float = field(default_factory=time.monotonic)
    _stored: float = 0.0

    def start(self, known: int, fetched: int, read: int, records: int) -> None:
        """Begin with what a run has done before it was killed."""
        self._began = time.monotonic()
        self.current = RunProgress("", known, fetched, read, records)

    def add(
        self,
        step: str,
        known: int = 0,
        fetched: int = 0,
        read: int = 0,
        records: int = 0,
    ) -> None:
        """Add what a step has done."""
        before = self.current
        seconds = time.monotonic() - self._began
        now_read = before.read + read
        now_fetched = max(before.fetched + fetched, now_read)
        progress = replace(
            before,
            step=step,
            known=max(before.known + known, now_fetched),
            fetched=now_fetched,
            read=now_read,
            records=before.records + records,
            seconds=round(seconds, 1),
        )
        self.current = replace(progress, seconds_left=_seconds_left(progress))
        self.listener(self.current)
        is_due = time.monotonic() - self._stored >= STORED_EVERY
        if self.store is not None and (is_due or step != before.step):
            self.store(self.current.as_json())
            self._stored = time.monotonic()


def _seconds_left(progress: RunProgress) -> float | None:
    done = progress.fetched + progress.read
    if done < MIN_DONE or progress.seconds <= 0:
        return None
    remaining = max(2 * progress.known - done, 0)
    return round(progress.seconds / done * remaining, 1)
