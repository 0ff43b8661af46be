"""The home page: what is new, changed, gone and failed since the last visit, over all
collections.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from scythe.collect.collection import Collection
from scythe.collect.search import RecordQuery, record_title
from scythe.collect.views import Overview, Pagination, RunRow, now
from scythe.web.collections.run_status import RunStatus, run_status
from scythe.web.collections.views import failed_run
from scythe.web.engines.views import registry_of
from scythe.web.records.cards import record_fields
from scythe.web.server.context import collections_of
from scythe.web.server.jobs import jobs_of
from scythe.web.server.rendering import page

COOKIE = "scythe_visit"
"""Where a browser keeps when its last two visits began."""
VISIT = timedelta(minutes=30)
"""How long a visit lasts: opening the page again within it changes nothing that it
says. A usual bound of sessions, not tuned.
"""
FIRST_LOOK = timedelta(days=1)
"""What the first visit shows; the page says so."""
MAX_RUNS = 50
"""Runs of a collection that are added up: a bound on work."""
MAX_NEWEST = 3
"""New records of a collection that are named: what fits a card, not tuned."""
CHANGES = ("new", "changed", "moved", "gone", "back")
"""The changes of records that the page counts, in its order."""
_YEAR = 365 * 24 * 3600


@dataclass(frozen=True)
class News:
    """What happened in a collection since the last visit."""

    overview: Overview
    status: RunStatus
    changes: dict[str, int]
    failed: RunRow | None
    """The last run, where it failed."""
    searches: dict[str, str]
    """The saved searches, by name."""
    newest: Sequence[tuple[int, str]] = ()
    """Numbers and titles of some records, where there are new ones."""

    @property
    def rank(self) -> int:
        """What comes first: what failed, what is at work, what changed."""
        if self.failed:
            return 0
        if self.status.is_running:
            return 1
        return 2 if self.changes or self.overview.last_run is None else 3


def home(request: Request) -> Response:
    """Show the home page."""
    previous, current = _visits(request)
    since = previous or current - FIRST_LOOK
    collections = collections_of(request)
    news = []
    for overview in collections.overviews():
        collection = collections.get(overview.row.name)
        runs, _ = collection.latest_runs(Pagination(1, MAX_RUNS))
        recent = [run for run in runs if _aware(run.ended_at or run.started_at) > since]
        changes = _changes(recent)
        item = News(
            overview,
            run_status(jobs_of(request), overview),
            changes,
            failed_run(overview),
            collection.saved_searches(),
            _newest(collection) if changes.get("new") else (),
        )
        news.append(item)
    news.sort(key=lambda item: (item.rank, item.overview.row.name.casefold()))
    answer = page(
        request,
        "start.html",
        news=news,
        since=previous,
        changes=CHANGES,
        engines=registry_of(request).all(),
    )
    answer.set_cookie(
        COOKIE,
        f"{int(previous.timestamp()) if previous else 0}-{int(current.timestamp())}",
        max_age=_YEAR,
        httponly=True,
        samesite="lax",
    )
    return answer


def _visits(request: Request) -> tuple[datetime | None, datetime]:
    """Return when the visit before this one began, if there was one, and when this one
    did.
    """
    moment = _aware(now())
    try:
        stored = request.cookies.get(COOKIE, "")
        before, last = map(int, stored.split("-"))
        previous = datetime.fromtimestamp(before, UTC) if before else None
        current = datetime.fromtimestamp(last, UTC)
    except (ValueError, OverflowError, OSError):
        return None, moment
    if moment - current < VISIT:
        return previous, current
    return current, moment


def _changes(runs: list[RunRow]) -> dict[str, int]:
    """Return how many records of each change some runs had."""
    counts: Counter[str] = Counter()
    for run in runs:
        records = run.summary.get("records") or {}
        for name, number in records.items():
            if name in CHANGES and isinstance(number, int):
                counts[name] += number
    return dict(counts)


def _newest(collection: Collection) -> list[tuple[int, str]]:
    """Return the numbers and titles of the newest records."""
    ids = collection.search.all(RecordQuery())[:MAX_NEWEST]
    newest = []
    for record in collection.search.records(ids):
        fields = record_fields(record)
        title = record_title(fields) or record.url
        newest.append((record.id, title))
    return newest


def _aware(moment: datetime) -> datetime:
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


routes = [Route("/", home)]
