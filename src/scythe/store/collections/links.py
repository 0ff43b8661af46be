"""Links of a collection: what was decided about each and why, and what it turned out to
be. Nothing about a link is forgotten.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Select, bindparam, exists, func, select, update

from scythe.store.collections.tables import LINKS, PAGES
from scythe.store.statements import columns_of, counted, update_all
from scythe.store.store import Store

_AT_ONCE = 1_000


@dataclass(frozen=True)
class LinkRow:
    """A link of an index page."""

    id: int
    index_page_id: int
    url: str
    text: str
    path: str
    modified: str | None
    first_seen: datetime
    last_seen: datetime
    gone_at: datetime | None
    first_in: int
    """The run that saw it first."""
    gone_in: int | None
    """The run that missed it first."""
    changed_in: int | None
    """The last run that saw it back, or with another text or time of change."""
    decision: str | None
    """What to do with it, in the words of link discovery; None while nobody has
    decided.
    """
    reason: str
    score: float | None
    decided_in: int | None
    outcome: str | None
    """What its page turned out to be."""


@dataclass(frozen=True)
class NewDecision:
    """What to do with a link, and why."""

    link: int
    decision: str
    reason: str
    score: float | None = None


class LinkRows:
    """The links of one collection."""

    def __init__(self, store: Store, collection_id: int) -> None:
        self._store = store
        self._collection = collection_id

    def all(self, *, index_page: int | None = None) -> Iterator[LinkRow]:
        """All links, in the order they were found; of one index page, if it is given."""
        wanted = self._wanted()
        return self._rows(
            wanted
            if index_page is None
            else wanted.where(LINKS.c.index_page_id == index_page)
        )

    def undecided(self) -> list[LinkRow]:
        """Links that nobody has decided about, in the order they were found."""
        return list(self._rows(self._wanted().where(LINKS.c.decision.is_(None))))

    def with_decision(self, decision: str) -> list[LinkRow]:
        """Links with a decision, in the order they were found."""
        return list(self._rows(self._wanted().where(LINKS.c.decision == decision)))

    def pending(self, *decisions: str) -> list[LinkRow]:
        """Links of index pages that nobody has decided about, or that have one of these
        decisions, as they were found.
        """
        waiting = LINKS.c.decision.is_(None) | LINKS.c.decision.in_(decisions)
        return list(
            self._rows(self._wanted().where(waiting & LINKS.c.gone_at.is_(None)))
        )

    def with_outcome(self) -> Iterator[LinkRow]:
        """Links of which it is known what they led to, in the order they were found."""
        return self._rows(self._wanted().where(LINKS.c.outcome.is_not(None)))

    def urls(self, *decisions: str) -> Iterator[str]:
        """The addresses of all links, or of those with one of some decisions."""
        own = LINKS.c.collection_id == self._collection
        return self._addresses(
            own & LINKS.c.decision.in_(decisions) if decisions else own
        )

    def _addresses(self, wanted: ColumnElement[bool]) -> Iterator[str]:
        with self._store.reading() as connection:
            yield from connection.execute(
                select(LINKS.c.url).where(wanted).execution_options(yield_per=_AT_ONCE)
            ).scalars()

    def unfetched(self, *decisions: str) -> Iterator[LinkRow]:
        """Links of index pages with one of some decisions whose addresses no page has,
        in the order they were found.
        """
        has_page = exists(
            select(1).where(
                (PAGES.c.collection_id == LINKS.c.collection_id)
                & (PAGES.c.url == LINKS.c.url)
            )
        )
        return self._rows(
            self._wanted().where(
                LINKS.c.decision.in_(decisions) & LINKS.c.gone_at.is_(None) & ~has_page
            )
        )

    def seen_in(self, run: int) -> Iterator[LinkRow]:
        """Links that a run saw for the first time, or back, or changed."""
        return self._rows(
            self._wanted().where(
                (LINKS.c.first_in == run) | (LINKS.c.changed_in == run)
            )
        )

    def gone_in(self, run: int) -> list[LinkRow]:
        """Links that a run missed for the first time, and that are still missing."""
        return list(self._rows(self._wanted().where(LINKS.c.gone_in == run)))

    def current_urls(self) -> Iterator[str]:
        """All addresses that index pages link to now."""
        return self._addresses(
            (LINKS.c.collection_id == self._collection) & LINKS.c.gone_at.is_(None)
        )

    def decide(self, decisions: Iterable[NewDecision], run: int) -> None:
        """Store decisions; each may be made again, and the last one counts."""
        with self._store.writing() as connection:
            rows = {
                made.link: {
                    "decision": made.decision,
                    "reason": made.reason,
                    "score": made.score,
                    "decided_in": run,
                }
                for made in decisions
            }
            update_all(connection, LINKS, rows)

    def store_outcomes(self, outcomes: Mapping[str, str]) -> None:
        """Store what the pages of addresses turned out to be, with every link to them."""
        with self._store.writing() as connection:
            own = (LINKS.c.collection_id == self._collection) & (
                LINKS.c.url == bindparam("url_of_row")
            )
            rows = [
                {"url_of_row": url, "outcome": outcome}
                for url, outcome in outcomes.items()
            ]
            if rows:
                connection.execute(update(LINKS).where(own), rows)

    def counts(self, decided_in: int | None = None) -> dict[str | None, int]:
        """How many links there are of each decision; of those decided about in a run,
        if it is given.
        """
        own = LINKS.c.collection_id == self._collection
        if decided_in is not None:
            own &= LINKS.c.decided_in == decided_in
        wanted = (
            select(LINKS.c.decision, func.count()).where(own).group_by(LINKS.c.decision)
        )
        with self._store.reading() as connection:
            return counted(connection, wanted)

    def _wanted(self) -> Select[Any]:
        return (
            select(*columns_of(LINKS, LinkRow))
            .where(LINKS.c.collection_id == self._collection)
            .order_by(LINKS.c.id)
        )

    def _rows(self, wanted: Select[Any]) -> Iterator[LinkRow]:
        with self._store.reading() as connection:
            for row in connection.execute(wanted.execution_options(yield_per=_AT_ONCE)):
                yield LinkRow(*row)
