"""The results of a search with one engine."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from scythe.sections.record import Record, RecordSequence


class SearchStatus(StrEnum):
    """Why the results are as they are.

    The first four are those of a wrapper, the others come from the request.
    """

    OK = "ok"
    EMPTY = "empty"
    """Nothing was found."""
    DRIFTED = "drifted"
    """There is a list, but not one the wrapper was made for: the engine has changed,
    learn it again.
    """
    BLOCKED = "blocked"
    """A bot check, or a refusal."""
    JUMPED = "jumped"
    """The engine leads to the only record it found, past its result page;
    `Results.pages` has the address.
    """
    LIMITED = "limited"
    """The engine asks for fewer requests."""
    ROBOTS = "robots"
    """The site's robots.txt asks programs to stay away."""
    LOGIN = "login"
    """The engine is behind a login."""
    UNREACHABLE = "unreachable"
    """No answer, none in time, or an error of the server."""
    LATE = "late"
    """No answer within the time that the caller gave, which is shorter than the usual:
    nothing is known of the engine.
    """
    RESTING = "resting"
    """No request was sent: the engine rests after it has blocked, refused or not
    answered.
    """


ANSWERED = frozenset({SearchStatus.OK, SearchStatus.EMPTY, SearchStatus.JUMPED})
"""The statuses of an engine that works as it was learned."""


@dataclass(frozen=True)
class Results(RecordSequence):
    """The records of one or more result pages, in the engine's order."""

    rows: tuple[Record, ...]
    status: SearchStatus
    pages: tuple[str, ...] = ()
    """The addresses of the result pages read."""
    note: str = ""
    """The reason for the status, or for fewer pages than were asked for."""
    next_page: str | None = None
    """The address where the results go on."""
    wait: float | None = None
    """Seconds that the engine asks to wait before the next request, where it is
    `limited`.
    """
