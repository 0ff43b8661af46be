"""Index pages of a collection and what each visit found. A visit is one transaction: the
page's links and when to visit it again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, delete, select, update

from scythe.errors import NotStored
from scythe.store.collection_tables import (
    INDEX_PAGES,
    INDEX_RECORDS,
    LINKS,
    IndexPageRow,
)
from scythe.store.columns import now
from scythe.store.rows import read_all, select_rows
from scythe.store.statements import (
    batches,
    insert_all,
    insert_into,
    update_all,
    upsert_all,
)
from scythe.store.states import FetchOutcome
from scythe.store.store import Store

__all__ = [
    "IndexPageRow",
    "IndexPageRows",
    "IndexPageVisit",
    "NewIndexPage",
    "SeenLink",
]


@dataclass(frozen=True)
class NewIndexPage:
    """A page that lists others, and why it is thought to."""

    url: str
    kind: str
    """`html`, `feed` or `sitemap`."""
    reason: str = ""


@dataclass(frozen=True)
class SeenLink:
    """A link as an index page has it now."""

    url: str
    text: str = ""
    path: str = ""
    """Where in the page it is."""
    modified: str | None = None
    """When its page was changed last, where a feed or sitemap says so."""


@dataclass(frozen=True)
class IndexPageVisit:
    """How a visit ended."""

    outcome: FetchOutcome
    """`changed`, `unchanged`, `gone`, or what went wrong."""
    period: float
    due_at: datetime
    etag: str | None = None
    last_modified: str | None = None
    content_hash: str | None = None
    note: str = ""
    links: Sequence[SeenLink] = ()
    """All links of the page, where it has changed."""
    records: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """What the page says of the pages it lists, by their addresses, where it has
    changed.
    """


class IndexPageRows:
    """The index pages of one collection."""

    def __init__(self, store: Store, collection_id: int) -> None:
        self._store = store
        self._collection = collection_id
        self._in_collection = INDEX_PAGES.c.collection_id == collection_id

    def add(self, pages: Iterable[NewIndexPage]) -> int:
        """Store index pages that are not there yet; return how many were new."""
        added = 0
        with self._store.writing() as connection:
            for page in pages:
                insertion = insert_into(connection, INDEX_PAGES).values(
                    collection_id=self._collection,
                    url=page.url,
                    kind=page.kind,
                    reason=page.reason,
                    visits=0,
                    changes=0,
                    outcome=FetchOutcome.NONE,
                    note="",
                )
                if_new = insertion.on_conflict_do_nothing(
                    index_elements=["collection_id", "url"]
                )
                added += len(
                    connection.execute(if_new.returning(INDEX_PAGES.c.id)).all()
                )
        return added

    def all(self) -> list[IndexPageRow]:
        """Return all index pages, in the order they were found."""
        query = (
            select_rows(INDEX_PAGES, IndexPageRow)
            .where(self._in_collection)
            .order_by(INDEX_PAGES.c.id)
        )
        with self._store.reading() as connection:
            return read_all(connection, query, IndexPageRow)

    def due(self, run: int, at: datetime | None = None) -> list[IndexPageRow]:
        """Return the pages that this run has yet to visit: they are there, and their
        time has come.
        """
        at = at or now()
        pages = []
        for page in self.all():
            is_due = page.due_at is None or page.due_at <= at
            if is_due and page.gone_at is None and page.visited_in != run:
                pages.append(page)
        return pages

    def remove(self, page: int) -> None:
        """Delete an index page that proved to be none, with its links."""
        is_page = self._in_collection & (INDEX_PAGES.c.id == page)
        with self._store.writing() as connection:
            connection.execute(delete(INDEX_PAGES).where(is_page))

    def store_visit(self, page: int, run: int, visit: IndexPageVisit) -> None:
        """Store how a visit ended. Stored again in the same run, it changes nothing."""
        is_page = self._in_collection & (INDEX_PAGES.c.id == page)
        query = select(
            INDEX_PAGES.c.visited_in, INDEX_PAGES.c.visits, INDEX_PAGES.c.changes
        )
        with self._store.writing() as connection:
            locked = query.where(is_page).with_for_update()
            row = connection.execute(locked).first()
            if row is None:
                raise NotStored(
                    "There is no such index page any more. Nothing was changed."
                )
            if row.visited_in == run:
                return
            after = _page_after(row, run, visit)
            statement = update(INDEX_PAGES).where(INDEX_PAGES.c.id == page)
            connection.execute(statement.values(**after))
            if visit.outcome in (FetchOutcome.CHANGED, FetchOutcome.GONE):
                self._store_links(connection, page, run, visit.links)
                self._store_records(connection, page, visit.records)

    def _store_links(
        self, connection: Connection, page: int, run: int, seen: Sequence[SeenLink]
    ) -> None:
        """Store new links, changed ones and those that came back; what is no longer
        there is marked as gone, and never deleted.
        """
        first: dict[str, SeenLink] = {}
        for link in seen:
            first.setdefault(link.url, link)

        at = now()
        known = _known_links(connection, page)
        new: list[dict[str, Any]] = []
        present: dict[int, dict[str, Any]] = {}
        for link in first.values():
            values: dict[str, Any] = {
                "text": link.text,
                "path": link.path,
                "modified": link.modified,
                "last_seen": at,
            }
            row = known.pop(link.url, None)
            if row is None:
                values |= {
                    "collection_id": self._collection,
                    "index_page_id": page,
                    "url": link.url,
                    "reason": "",
                    "first_seen": at,
                    "first_in": run,
                }
                new.append(values)
                continue
            values |= {
                "gone_at": None,
                "gone_in": None,
                "changed_in": row.changed_in if _is_as_before(row, link) else run,
            }
            present[row.id] = values

        missing = {}
        for row in known.values():
            if row.gone_at is None:
                missing[row.id] = {"gone_at": at, "gone_in": run}
        insert_all(connection, LINKS, new)
        update_all(connection, LINKS, present)
        update_all(connection, LINKS, missing)

    def _store_records(
        self,
        connection: Connection,
        page: int,
        records: Mapping[str, Mapping[str, Any]],
    ) -> None:
        """Store what the page says now. Of pages that it no longer lists, what it said
        last stays.
        """
        seen_at = now()
        rows = []
        for number, (url, fields) in enumerate(records.items(), 1):
            rows.append(
                {
                    "collection_id": self._collection,
                    "index_page_id": page,
                    "url": url,
                    "number": number,
                    "fields": dict(fields),
                    "seen_at": seen_at,
                }
            )
        upsert_all(connection, INDEX_RECORDS, ("index_page_id", "url"), rows)

    def records_of(self, urls: Iterable[str]) -> dict[str, list[Mapping[str, Any]]]:
        """Return what index pages say of these pages; of several, the one that was
        found first comes first.
        """
        query = (
            select(INDEX_RECORDS.c.url, INDEX_RECORDS.c.fields)
            .where(INDEX_RECORDS.c.collection_id == self._collection)
            .order_by(INDEX_RECORDS.c.index_page_id)
        )
        records: dict[str, list[Mapping[str, Any]]] = {}
        with self._store.reading() as connection:
            for batch in batches(dict.fromkeys(urls)):
                listed = query.where(INDEX_RECORDS.c.url.in_(batch))
                for row in connection.execute(listed):
                    records.setdefault(row.url, []).append(row.fields)
        return records


def _is_as_before(row: Any, link: SeenLink) -> bool:
    """Return whether a stored link was there, with the same text and date."""
    if row.gone_at is not None or row.text != link.text:
        return False
    is_same: bool = row.modified == link.modified
    return is_same


def _known_links(connection: Connection, page: int) -> dict[str, Any]:
    query = select(
        LINKS.c.id,
        LINKS.c.url,
        LINKS.c.text,
        LINKS.c.modified,
        LINKS.c.gone_at,
        LINKS.c.changed_in,
    ).where(LINKS.c.index_page_id == page)
    return {row.url: row for row in connection.execute(query)}


def _page_after(row: Any, run: int, visit: IndexPageVisit) -> dict[str, Any]:
    """Return the columns of an index page after a visit. Where that failed, they keep
    what is known of the last good state.
    """
    at = now()
    is_changed = visit.outcome == FetchOutcome.CHANGED
    values: dict[str, Any] = {
        "visited_in": run,
        "visited_at": at,
        "visits": row.visits + 1,
        "changes": row.changes + is_changed,
        "outcome": visit.outcome,
        "note": visit.note,
        "period": visit.period,
        "due_at": visit.due_at,
    }
    if is_changed or visit.outcome == FetchOutcome.UNCHANGED:
        values["gone_at"] = None
        for name in ("etag", "last_modified", "content_hash"):
            value = getattr(visit, name)
            if is_changed or value is not None:
                values[name] = value
    elif visit.outcome == FetchOutcome.GONE:
        # When it is back, its links are to be stored again, whatever they are.
        values.update(gone_at=at, etag=None, last_modified=None, content_hash=None)
    return values
