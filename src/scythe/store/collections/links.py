"""Links of a collection: what was decided about each and why, and what its page turned
out to be. Nothing about a link is ever deleted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Select, bindparam, exists, select, update

from scythe.store.collection_tables import LINKS, PAGES, LinkRow
from scythe.store.rows import STREAMED_ROWS, select_rows, stream
from scythe.store.statements import count_by, update_all
from scythe.store.store import Store

__all__ = ["LinkRow", "LinkRows", "NewDecision"]


@dataclass(frozen=True)
class NewDecision:
    """What to do with a link, and why."""

    link: int
    decision: str | None
    """None: it is decided anew."""
    reason: str
    score: float | None = None


class LinkRows:
    """The links of one collection. Lists are in the order in which links were found."""

    def __init__(self, store: Store, collection_id: int) -> None:
        self._store = store
        self._in_collection = LINKS.c.collection_id == collection_id
        self._links = (
            select_rows(LINKS, LinkRow).where(self._in_collection).order_by(LINKS.c.id)
        )

    def all(self, *, index_page: int | None = None) -> Iterator[LinkRow]:
        """Return all links; of one index page, if it is given."""
        if index_page is None:
            return self._stream(self._links)
        is_on_page = LINKS.c.index_page_id == index_page
        return self._stream(self._links.where(is_on_page))

    def undecided(self) -> list[LinkRow]:
        """Return links that nothing was decided about."""
        is_undecided = LINKS.c.decision.is_(None)
        return list(self._stream(self._links.where(is_undecided)))

    def with_decision(self, decision: str) -> list[LinkRow]:
        """Return links with a decision."""
        has_decision = LINKS.c.decision == decision
        return list(self._stream(self._links.where(has_decision)))

    def pending(self, *decisions: str) -> list[LinkRow]:
        """Return links that index pages still have and that nothing was decided about,
        or that have one of these decisions.
        """
        is_undecided = LINKS.c.decision.is_(None)
        is_chosen = LINKS.c.decision.in_(decisions)
        is_present = LINKS.c.gone_at.is_(None)
        query = self._links.where(is_undecided | is_chosen)
        return list(self._stream(query.where(is_present)))

    def with_outcome(self) -> Iterator[LinkRow]:
        """Return links of which it is known what they led to."""
        has_outcome = LINKS.c.outcome.is_not(None)
        return self._stream(self._links.where(has_outcome))

    def urls(self, *decisions: str) -> Iterator[str]:
        """Return the addresses of all links, or of those with one of some decisions."""
        if not decisions:
            return self._stream_urls(self._in_collection)
        has_decision = LINKS.c.decision.in_(decisions)
        return self._stream_urls(self._in_collection & has_decision)

    def current_urls(self) -> Iterator[str]:
        """Return all addresses that index pages link to now."""
        is_current = LINKS.c.gone_at.is_(None)
        return self._stream_urls(self._in_collection & is_current)

    def unfetched(self, *decisions: str) -> Iterator[LinkRow]:
        """Return links that index pages still have, with one of some decisions, whose
        addresses no page has.
        """
        page_of_link = (
            select(1)
            .where(PAGES.c.collection_id == LINKS.c.collection_id)
            .where(PAGES.c.url == LINKS.c.url)
        )
        query = (
            self._links.where(LINKS.c.decision.in_(decisions))
            .where(LINKS.c.gone_at.is_(None))
            .where(~exists(page_of_link))
        )
        return self._stream(query)

    def seen_in(self, run: int) -> Iterator[LinkRow]:
        """Return links that a run saw for the first time, or back, or changed."""
        is_new = LINKS.c.first_in == run
        is_changed = LINKS.c.changed_in == run
        return self._stream(self._links.where(is_new | is_changed))

    def gone_in(self, run: int) -> list[LinkRow]:
        """Return links that a run missed for the first time, and that are still
        missing.
        """
        is_gone = LINKS.c.gone_in == run
        return list(self._stream(self._links.where(is_gone)))

    def decide(self, decisions: Iterable[NewDecision], run: int) -> None:
        """Store decisions; a later one about the same link replaces it."""
        rows = {}
        for decision in decisions:
            rows[decision.link] = {
                "decision": decision.decision,
                "reason": decision.reason,
                "score": decision.score,
                "decided_in": run,
            }
        with self._store.writing() as connection:
            update_all(connection, LINKS, rows)

    def store_outcomes(self, outcomes: Mapping[str, str]) -> None:
        """Store what the pages of addresses turned out to be, with every link to them."""
        if not outcomes:
            return
        has_url = self._in_collection & (LINKS.c.url == bindparam("url_of_row"))
        rows = [
            {"url_of_row": url, "outcome": outcome} for url, outcome in outcomes.items()
        ]
        with self._store.writing() as connection:
            connection.execute(update(LINKS).where(has_url), rows)

    def counts(self, decided_in: int | None = None) -> dict[str | None, int]:
        """Return how many links there are of each decision; of those decided about in a
        run, if it is given.
        """
        condition = self._in_collection
        if decided_in is not None:
            condition &= LINKS.c.decided_in == decided_in
        with self._store.reading() as connection:
            return count_by(connection, LINKS.c.decision, condition)

    def _stream(self, query: Select[Any]) -> Iterator[LinkRow]:
        with self._store.reading() as connection:
            yield from stream(connection, query, LinkRow)

    def _stream_urls(self, condition: ColumnElement[bool]) -> Iterator[str]:
        query = select(LINKS.c.url).where(condition)
        with self._store.reading() as connection:
            yield from connection.execute(
                query.execution_options(yield_per=STREAMED_ROWS)
            ).scalars()
