"""Annotations: what operators said about the slots of a collection. Nothing of it is
ever lost.

Each change is a row with all annotations after it. Undo and redo are changes, too, so
versions only grow, and a page that was made from version 7 can find out that this is
not the latest any more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlalchemy import Connection, insert, update

from scythe.errors import Conflict, NotStored
from scythe.store.collection_tables import ANNOTATIONS, COLLECTIONS, AnnotationRow
from scythe.store.columns import now
from scythe.store.rows import read_all, read_first, select_rows
from scythe.store.statements import lock_row
from scythe.store.store import Store

__all__ = ["NOTHING", "AnnotationRow", "AnnotationRows"]

NOTHING = AnnotationRow()
"""Version 0: there are no annotations yet."""


class AnnotationRows:
    """The annotations of one collection."""

    def __init__(self, store: Store, collection_id: int) -> None:
        self._store = store
        self._collection = collection_id
        self._in_collection = ANNOTATIONS.c.collection_id == collection_id
        self._newest_first = (
            select_rows(ANNOTATIONS, AnnotationRow)
            .where(self._in_collection)
            .order_by(ANNOTATIONS.c.version.desc())
        )

    def latest(self) -> AnnotationRow:
        """Return the annotations as they are now."""
        with self._store.reading() as connection:
            return self._latest(connection)

    def history(self, limit: int) -> list[AnnotationRow]:
        """Return the last changes, the newest first."""
        with self._store.reading() as connection:
            return read_all(connection, self._newest_first.limit(limit), AnnotationRow)

    def add(
        self,
        what: str,
        names: Mapping[str, Sequence[str]],
        ignored: Sequence[str],
        expected: int | None = None,
        *,
        settled: bool = True,
    ) -> int:
        """Store a change; return the new version. Records have yet to follow it.

        `expected` is the version that whoever makes the change has seen.
        """
        with self._store.writing() as connection:
            last = self._lock(connection, expected)
            row = AnnotationRow(
                last.version + 1,
                what,
                names,
                ignored,
                before=last.version,
                settled=settled,
            )
            self._insert(connection, row)
            return row.version

    def undo(self, expected: int | None = None) -> AnnotationRow:
        """Store the annotations before the last change as the newest; return them."""
        with self._store.writing() as connection:
            last = self._lock(connection, expected)
            if last.before is None:
                raise NotStored("There is nothing to undo.")
            earlier = self._get(connection, last.before)
            row = AnnotationRow(
                last.version + 1,
                f"undone: {last.what}",
                earlier.names,
                earlier.ignored,
                before=earlier.before,
                after=last.version,
                settled=earlier.settled,
            )
            self._insert(connection, row)
            return self._latest(connection)

    def redo(self, expected: int | None = None) -> AnnotationRow:
        """Store the annotations before the last undo as the newest; return them."""
        with self._store.writing() as connection:
            last = self._lock(connection, expected)
            if last.after is None:
                raise NotStored("There is nothing to redo.")
            undone = self._get(connection, last.after)
            row = AnnotationRow(
                last.version + 1,
                undone.what,
                undone.names,
                undone.ignored,
                before=last.version,
                after=undone.after,
                settled=undone.settled,
            )
            self._insert(connection, row)
            return self._latest(connection)

    def mark_applied(self, version: int) -> None:
        """Store that all records have followed the annotations of a version."""
        has_version = self._in_collection & (ANNOTATIONS.c.version == version)
        with self._store.writing() as connection:
            connection.execute(
                update(ANNOTATIONS).where(has_version).values(imported_at=now())
            )

    def _lock(self, connection: Connection, expected: int | None) -> AnnotationRow:
        """Lock the annotations and return the latest; raise an error where they are not
        those that were expected.
        """
        if not lock_row(connection, COLLECTIONS, self._collection):
            raise NotStored(
                "Another process has just removed this collection. Nothing was changed."
            )
        last = self._latest(connection)
        if expected is not None and expected != last.version:
            change = "nothing is said any more"
            if last.made_at:
                change = f"{last.made_at:%H:%M} UTC: {last.what}"
            raise Conflict(
                f"The fields were changed in another window ({change}). "
                "Your change was not saved. Check theirs, and apply yours again."
            )
        return last

    def _insert(self, connection: Connection, row: AnnotationRow) -> None:
        connection.execute(
            insert(ANNOTATIONS).values(
                collection_id=self._collection,
                version=row.version,
                what=row.what,
                names=dict(row.names),
                ignored=list(row.ignored),
                before=row.before,
                after=row.after,
                made_at=now(),
                imported_at=None,
                settled=row.settled,
            )
        )

    def _latest(self, connection: Connection) -> AnnotationRow:
        row = read_first(connection, self._newest_first.limit(1), AnnotationRow)
        return row or NOTHING

    def _get(self, connection: Connection, version: int) -> AnnotationRow:
        query = self._newest_first.where(ANNOTATIONS.c.version == version)
        row = read_first(connection, query, AnnotationRow)
        if row is None and version != NOTHING.version:
            raise NotStored(f"There is no version {version} of the annotations.")
        return row or NOTHING
