"""When to come again, and what a visit comes to."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from scythe.collect.links.index_pages import parse_index_page
from scythe.collect.steps.monitor import (
    FIRST_PERIOD,
    MAX_PERIOD,
    MIN_PERIOD,
    IndexPageResponse,
    compare_visit,
    is_record_due,
    next_period,
)
from scythe.store.collections.index_pages import IndexPageRow
from scythe.store.states import FetchOutcome

AT = datetime(2026, 1, 1, tzinfo=UTC)
LISTING = parse_index_page(b"<a href=/soup>Soup</a>", "https://food.example/")


def row(content_hash: str | None = None, period: float | None = None) -> IndexPageRow:
    return IndexPageRow(
        1,
        "https://food.example/",
        "html",
        "",
        None,
        None,
        content_hash,
        period,
        due_at=None,
        visited_at=None,
        visited_in=None,
        visits=1,
        changes=0,
        outcome=FetchOutcome.NONE,
        note="",
        gone_at=None,
    )


def test_intervals_follow_changes_within_bounds() -> None:
    period: float | None = None
    for _ in range(20):
        period = next_period(period, FetchOutcome.CHANGED)
    assert period == MIN_PERIOD
    for _ in range(40):
        period = next_period(period, FetchOutcome.UNCHANGED)
    assert period == MAX_PERIOD
    assert next_period(None, FetchOutcome.UNCHANGED) == FIRST_PERIOD


def test_same_links_are_no_change_and_other_links_are() -> None:
    assert (
        compare_visit(
            row(LISTING.hash, 3600.0), IndexPageResponse(FetchOutcome.OK, LISTING), AT
        ).outcome
        == "unchanged"
    )
    changed = compare_visit(
        row("old", 7200.0), IndexPageResponse(FetchOutcome.OK, LISTING, etag="x"), AT
    )
    assert (changed.outcome, changed.period, changed.etag, len(changed.links)) == (
        "changed",
        3600.0,
        "x",
        1,
    )
    assert changed.due_at == AT + timedelta(seconds=3600)


def test_failures_keep_what_is_known_and_wait_longer() -> None:
    failed = compare_visit(
        row("old", 7200.0), IndexPageResponse(FetchOutcome.TIMEOUT, note="slow"), AT
    )
    assert (failed.outcome, failed.period, failed.links, failed.note) == (
        "timeout",
        14400.0,
        (),
        "slow",
    )


def test_pages_that_change_are_due_earlier() -> None:
    day = timedelta(days=1)
    assert is_record_due(None, None, 0, 0, AT)
    assert not is_record_due(AT - day * 5, AT - day * 5, 1, 0, AT)
    assert is_record_due(AT - day * 8, AT - day * 8, 1, 0, AT)
    assert is_record_due(AT - day * 2, AT - day * 2, 4, 3, AT)
