"""The monitor: what a visit to an index page comes to, and when to come again.

Intervals follow how often a page was found changed: a change halves the time to the
next visit, a visit in vain makes it half as long again. That keeps close to the rate of
changes of pages that change regularly, without a model of it, and within bounds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from scythe.collect.links.index_pages import Listing
from scythe.store.collections.index_pages import IndexPageRow, Visit
from scythe.store.collections.states import FetchOutcome

FIRST = 24 * 3600.0
"""Seconds to the second visit: most lists that are worth watching change within a day
or a few.
"""
SHORTEST, LONGEST = 3600.0, 30 * 24 * 3600.0
FASTER, SLOWER = 0.5, 1.5
AFTER_FAILURE = 2.0
"""Failures say nothing about changes; a site in trouble is asked less often."""


@dataclass(frozen=True)
class Answered:
    """What the server said when an index page was asked for."""

    fate: FetchOutcome
    """`ok`, `unchanged` (it was not sent again), `gone`, or what went wrong."""
    listing: Listing | None = None
    etag: str | None = None
    last_modified: str | None = None
    note: str = ""


def next_period(period: float | None, fate: FetchOutcome) -> float:
    """Seconds until the next visit, after one that came to `fate`."""
    if period is None:
        return FIRST
    factor = {FetchOutcome.CHANGED: FASTER, FetchOutcome.UNCHANGED: SLOWER}.get(
        fate, AFTER_FAILURE
    )
    return min(max(period * factor, SHORTEST), LONGEST)


def visit(
    page: IndexPageRow,
    answered: Answered,
    at: datetime,
    records: Mapping[str, Mapping[str, Any]] | None = None,
) -> Visit:
    """What a visit came to, compared with the last one. A page whose links are the same
    is unchanged, whatever else moved on it.
    """
    listing = answered.listing
    if answered.fate == FetchOutcome.OK and listing is not None:
        fate = (
            FetchOutcome.UNCHANGED
            if listing.hash == page.content_hash
            else FetchOutcome.CHANGED
        )
    elif answered.fate in (FetchOutcome.UNCHANGED, FetchOutcome.GONE):
        fate = answered.fate
    else:
        fate = (
            answered.fate
            if answered.fate != FetchOutcome.OK
            else FetchOutcome.UNREADABLE
        )
    period = next_period(page.period, fate)
    due = at + timedelta(seconds=period)
    if fate != FetchOutcome.CHANGED or listing is None:
        return Visit(
            fate,
            period,
            due,
            answered.etag,
            answered.last_modified,
            None,
            answered.note,
        )
    tags = (answered.etag, answered.last_modified, listing.hash)
    return Visit(
        fate,
        period,
        due,
        *tags,
        answered.note,
        links=listing.links,
        records=records or {},
    )


def page_is_due(
    fetched_at: datetime | None,
    changed_at: datetime | None,
    visits: int,
    changes: int,
    at: datetime,
) -> bool:
    """Whether a page of a record should be looked at again: after about the time that
    it took to change before.
    """
    if fetched_at is None or changed_at is None:
        return True
    period = min(
        max(
            FIRST * 7 * SLOWER ** max(visits - 1, 0) * (FASTER / SLOWER) ** changes,
            FIRST,
        ),
        LONGEST,
    )
    return at - fetched_at >= timedelta(seconds=period)
