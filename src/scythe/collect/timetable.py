"""When a collection is run: adaptive, after how often its index pages change, or by a
person's timetable.

    adaptive                 the default
    never                    only when somebody asks for it
    every 6 hours            (minutes, hours, days, weeks)
    daily at 03:30           in UTC; also "monday at 03:30"
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta

from scythe.errors import UsageError

_UNITS = {
    "minute": timedelta(minutes=1),
    "hour": timedelta(hours=1),
    "day": timedelta(days=1),
    "week": timedelta(weeks=1),
}
_NAMES = {"hourly": "every 1 hour", "daily": "every 1 day", "weekly": "every 1 week"}
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_EVERY = re.compile(r"every (?:([0-9]{1,4}) )?(minute|hour|day|week)s?")
_AT = re.compile(rf"(daily|{'|'.join(_DAYS)}) at ([01]?[0-9]|2[0-3]):([0-5][0-9])")
_LEAST = timedelta(minutes=5)


@dataclass(frozen=True)
class Timetable:
    """When a collection is run."""

    text: str = "adaptive"
    every: timedelta | None = None
    at: time | None = None
    weekday: int | None = None
    never: bool = False

    @classmethod
    def parse(cls, text: str) -> Timetable:
        """Return the timetable that a person wrote."""
        plain = " ".join(text.casefold().split()) or "adaptive"
        if plain == "adaptive":
            return cls()
        if plain == "never":
            return cls(plain, never=True)
        every = _EVERY.fullmatch(_NAMES.get(plain, plain))
        if every is not None:
            period = int(every[1] or 1) * _UNITS[every[2]]
            if period >= _LEAST:
                return cls(plain, every=period)
        at = _AT.fullmatch(plain)
        if at is not None:
            weekday = _DAYS.index(at[1]) if at[1] in _DAYS else None
            hour_and_minute = time(int(at[2]), int(at[3]), tzinfo=UTC)
            return cls(plain, at=hour_and_minute, weekday=weekday)
        raise UsageError(
            f"{text!r} is no schedule. Write adaptive, never, every 6 hours (at least "
            "5 minutes), daily at 03:30 or monday at 03:30, in UTC."
        )

    @property
    def is_adaptive(self) -> bool:
        """Whether index pages decide by how often they change."""
        return not self.never and self.every is None and self.at is None

    def next_run(self, last: datetime | None) -> datetime | None:
        """Return when to run after the last run; None at once, where there was none."""
        if last is None:
            return None
        if self.every is not None:
            return last + self.every
        if self.at is None:
            return None
        day = last.astimezone(UTC).date()
        following = datetime.combine(day, self.at)
        while True:
            is_day = self.weekday in (None, following.weekday())
            if is_day and following > last:
                return following
            following += timedelta(days=1)
