"""Index pages of a collection and what each visit found. A visit is one transaction:
its links and when to come again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, delete, select, update

from scythe.errors import NotStored
from scythe.store.collections.states import FetchOutcome
from scythe.store.collections.tables import INDEX_PAGES, INDEX_RECORDS, LINKS
from scythe.store.columns import now
from scythe.store.statements import (
    batches,
    columns_of,
    insert_all,
    inserting,
    update_all,
    upsert_all,
)
from scythe.store.store import Store


@dataclass(frozen=True)
class NewIndexPage:
    """A page that lists others, and why it is thought to."""

    url: str
    kind: str
    """`html`, `feed` or `sitemap`."""
    reason: str = ""


@dataclass(frozen=True)
class IndexPageRow:
    """An index page as the last visit left it."""

    id: int
    url: str
    kind: str
    reason: str
    etag: str | None
    last_modified: str | None
    content_hash: str | None
    period: float | None
    """Seconds between visits."""
    due_at: datetime | None
    """When to come again; None before the first visit."""
    visited_at: datetime | None
    visited_in: int | None
    """The run of the last visit."""
    visits: int
    changes: int
    fate: str
    note: str
    gone_at: datetime | None


@dataclass(frozen=True)
class SeenLink:
    """A link as it stands on an index page now."""

    url: str
    text: str = ""
    path: str = ""
    """Where it stands in the page."""
    modified: str | None = None
    """When its page was changed last, where a feed or sitemap says so."""


@dataclass(frozen=True)
class Visit:
    """What came of a visit."""

    fate: str
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

    def add(self, pages: Iterable[NewIndexPage]) -> int:
        """Store index pages that are not there yet; gives how many were new."""
        fresh = 0
        with self._store.writing() as connection:
            for page in pages:
                values = {
                    "url": page.url,
                    "kind": page.kind,
                    "reason": page.reason,
                    "visits": 0,
                    "changes": 0,
                    "fate": "",
                    "note": "",
                }
                added = inserting(connection, INDEX_PAGES).values(
                    collection_id=self._collection, **values
                )
                added = added.on_conflict_do_nothing(
                    index_elements=["collection_id", "url"]
                ).returning(INDEX_PAGES.c.id)
                fresh += len(connection.execute(added).all())
        return fresh

    def all(self) -> list[IndexPageRow]:
        """All index pages, in the order they were found."""
        wanted = select(*columns_of(INDEX_PAGES, IndexPageRow)).where(
            INDEX_PAGES.c.collection_id == self._collection
        )
        with self._store.reading() as connection:
            return [
                IndexPageRow(**row)
                for row in connection.execute(
                    wanted.order_by(INDEX_PAGES.c.id)
                ).mappings()
            ]

    def due(self, run: int, at: datetime | None = None) -> list[IndexPageRow]:
        """What this run has yet to visit: pages that are there, whose time has come,
        and that it has not visited already.
        """
        at = at or now()
        return [
            page
            for page in self.all()
            if page.gone_at is None
            and page.visited_in != run
            and (page.due_at is None or page.due_at <= at)
        ]

    def remove(self, page: int) -> None:
        """Forget an index page that proved to be none, with its links."""
        with self._store.writing() as connection:
            connection.execute(
                delete(INDEX_PAGES).where(
                    (INDEX_PAGES.c.collection_id == self._collection)
                    & (INDEX_PAGES.c.id == page)
                )
            )

    def store_visit(self, page: int, run: int, found: Visit) -> None:
        """Store what came of a visit. Stored again in the same run, it changes nothing."""
        with self._store.writing() as connection:
            row = connection.execute(
                _own_page(self._collection, page).with_for_update()
            ).first()
            if row is None:
                raise NotStored(
                    "There is no such index page any more. Nothing was changed."
                )
            if row.visited_in == run:
                return
            connection.execute(
                update(INDEX_PAGES)
                .where(INDEX_PAGES.c.id == page)
                .values(**_after(found, run, row.visits, row.changes))
            )
            if found.fate in (FetchOutcome.CHANGED, FetchOutcome.GONE):
                self._note_links(connection, page, run, found.links)
                self._note_records(connection, page, found.records)

    def _note_links(
        self, connection: Connection, page: int, run: int, seen: Sequence[SeenLink]
    ) -> None:
        """New links, changed ones and those that came back; what is no longer there is
        gone, and never forgotten.
        """
        wanted = select(
            LINKS.c.id,
            LINKS.c.url,
            LINKS.c.text,
            LINKS.c.path,
            LINKS.c.modified,
            LINKS.c.gone_at,
            LINKS.c.changed_in,
        )
        known = {
            row.url: row
            for row in connection.execute(wanted.where(LINKS.c.index_page_id == page))
        }
        at = now()
        first: dict[str, SeenLink] = {}
        for link in seen:
            first.setdefault(link.url, link)
        new: list[dict[str, Any]] = []
        there: dict[int, dict[str, Any]] = {}
        for link in first.values():
            values: dict[str, Any] = {
                "text": link.text,
                "path": link.path,
                "modified": link.modified,
                "last_seen": at,
            }
            before = known.pop(link.url, None)
            if before is None:
                own = {
                    "collection_id": self._collection,
                    "index_page_id": page,
                    "url": link.url,
                    "reason": "",
                }
                new.append({**own, **values, "first_seen": at, "first_in": run})
                continue
            changed = before.gone_at is not None or (before.text, before.modified) != (
                link.text,
                link.modified,
            )
            there[before.id] = {
                **values,
                "gone_at": None,
                "gone_in": None,
                "changed_in": run if changed else before.changed_in,
            }
        insert_all(connection, LINKS, new)
        update_all(connection, LINKS, there)
        lost = {
            row.id: {"gone_at": at, "gone_in": run}
            for row in known.values()
            if row.gone_at is None
        }
        update_all(connection, LINKS, lost)

    def _note_records(
        self,
        connection: Connection,
        page: int,
        records: Mapping[str, Mapping[str, Any]],
    ) -> None:
        """What the page says now; of pages that it no longer lists, what it said last
        stays.
        """
        at = now()
        rows = [
            {
                "collection_id": self._collection,
                "index_page_id": page,
                "url": url,
                "number": number,
                "fields": dict(fields),
                "seen_at": at,
            }
            for number, (url, fields) in enumerate(records.items(), 1)
        ]
        upsert_all(connection, INDEX_RECORDS, ("index_page_id", "url"), rows)

    def records_of(self, urls: Iterable[str]) -> dict[str, list[Mapping[str, Any]]]:
        """What index pages say of these pages, the page that was found first coming
        first.
        """
        found: dict[str, list[Mapping[str, Any]]] = {}
        wanted = select(INDEX_RECORDS.c.url, INDEX_RECORDS.c.fields).where(
            INDEX_RECORDS.c.collection_id == self._collection
        )
        with self._store.reading() as connection:
            for batch in batches(dict.fromkeys(urls)):
                rows = connection.execute(
                    wanted.where(INDEX_RECORDS.c.url.in_(batch)).order_by(
                        INDEX_RECORDS.c.index_page_id
                    )
                )
                for row in rows:
                    found.setdefault(row.url, []).append(row.fields)
        return found


def _own_page(collection: int, page: int) -> Any:
    columns = (INDEX_PAGES.c.visited_in, INDEX_PAGES.c.visits, INDEX_PAGES.c.changes)
    return select(*columns).where(
        (INDEX_PAGES.c.collection_id == collection) & (INDEX_PAGES.c.id == page)
    )


def _after(found: Visit, run: int, visits: int, changes: int) -> dict[str, Any]:
    """The row of an index page after a visit: a page that could not be read keeps what
    is known of its last good state.
    """
    at = now()
    values: dict[str, Any] = {
        "visited_in": run,
        "visited_at": at,
        "visits": visits + 1,
        "fate": found.fate,
        "note": found.note,
    }
    values.update(
        period=found.period,
        due_at=found.due_at,
        changes=changes + (found.fate == FetchOutcome.CHANGED),
    )
    if found.fate in (FetchOutcome.CHANGED, FetchOutcome.UNCHANGED):
        given = {
            "etag": found.etag,
            "last_modified": found.last_modified,
            "content_hash": found.content_hash,
        }
        values.update(
            {
                name: value
                for name, value in given.items()
                if value is not None or found.fate == FetchOutcome.CHANGED
            },
            gone_at=None,
        )
    elif found.fate == FetchOutcome.GONE:
        values["gone_at"] = at
    return values
