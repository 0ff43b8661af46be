"""What operators said about the attributes of a collection: names, types, what is of no interest. Nothing of it is ever lost.

Each change is a row with the whole state after it. Undo and redo are changes, too, so versions only grow, and a page that was
made from version 7 can tell that it is not the latest any more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy import Connection, insert, select, update

from scythe.errors import Conflict, NotStored
from scythe.store.collection_tables import ANNOTATIONS, COLLECTIONS
from scythe.store.columns import now
from scythe.store.statements import columns_of
from scythe.store.store import Store


@dataclass(frozen=True)
class AnnotationRow:
    """The words of operators after one change."""

    version: int = 0
    what: str = ""
    """The change, as a sentence."""
    names: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Field and type by slot, in the order of the page; the type is empty where the schema knows it."""
    ignored: Sequence[str] = ()
    """Slots that are of no interest."""
    before: int | None = None
    """The version that undo leads to."""
    after: int | None = None
    """The version that redo leads to."""
    said_at: datetime | None = None
    imported_at: datetime | None = None
    """When all records showed it."""


NOTHING = AnnotationRow()
"""Before anything was said."""


class AnnotationRows:
    """The words about one collection."""

    def __init__(self, store: Store, collection_id: int) -> None:
        self._store = store
        self._collection = collection_id
        self._own = ANNOTATIONS.c.collection_id == collection_id

    def latest(self) -> AnnotationRow:
        """The words as they are now."""
        with self._store.reading() as connection:
            return self._latest(connection)

    def history(self, limit: int) -> list[AnnotationRow]:
        """The last changes, the newest first."""
        wanted = select(*columns_of(ANNOTATIONS, AnnotationRow)).where(self._own).order_by(ANNOTATIONS.c.version.desc())
        with self._store.reading() as connection:
            return [AnnotationRow(**row) for row in connection.execute(wanted.limit(limit)).mappings()]

    def say(self, what: str, names: Mapping[str, Sequence[str]], ignored: Sequence[str], expected: int | None = None) -> int:
        """Store a change; gives the new version. Records have yet to follow it.

        `expected` is the version that whoever says it has seen.
        """
        with self._store.writing() as connection:
            last = self._checked(connection, expected)
            return self._add(connection, last.version + 1, AnnotationRow(0, what, names, ignored, last.version))

    def undo(self, expected: int | None = None) -> AnnotationRow:
        """Go back to the words before the last change."""
        return self._turn("before", expected)

    def redo(self, expected: int | None = None) -> AnnotationRow:
        """Take back the last undo."""
        return self._turn("after", expected)

    def _turn(self, where: str, expected: int | None) -> AnnotationRow:
        with self._store.writing() as connection:
            last = self._checked(connection, expected)
            goal = getattr(last, where)
            if goal is None:
                raise NotStored(f"There is nothing to {'undo' if where == 'before' else 'redo'}.")
            found = self._get(connection, goal)
            if where == "before":
                made = AnnotationRow(0, f"undone: {last.what}", found.names, found.ignored, found.before, last.version)
            else:
                made = AnnotationRow(0, found.what, found.names, found.ignored, last.version, found.after)
            self._add(connection, last.version + 1, made)
            return self._latest(connection)

    def imported(self, version: int) -> None:
        """Note that all records show the words of a version."""
        own = self._own & (ANNOTATIONS.c.version == version)
        with self._store.writing() as connection:
            connection.execute(update(ANNOTATIONS).where(own).values(imported_at=now()))

    def _checked(self, connection: Connection, expected: int | None) -> AnnotationRow:
        """The latest words, locked; raises where they are not those that were seen."""
        found = connection.execute(select(COLLECTIONS.c.id).where(COLLECTIONS.c.id == self._collection).with_for_update()).first()
        if found is None:
            raise NotStored("Another process has just removed this collection. Nothing was changed.")
        last = self._latest(connection)
        if expected is not None and expected != last.version:
            said = f"{last.said_at:%H:%M} UTC: {last.what}" if last.said_at else "nothing is said any more"
            raise Conflict(
                f"Somebody has changed the attributes in the meantime ({said}). Yours was not saved; look and do it again."
            )
        return last

    def _add(self, connection: Connection, version: int, row: AnnotationRow) -> int:
        said = {"what": row.what, "names": dict(row.names), "ignored": list(row.ignored)}
        place = {"collection_id": self._collection, "version": version, "before": row.before, "after": row.after}
        connection.execute(insert(ANNOTATIONS).values(**said, **place, said_at=now(), imported_at=None))
        return version

    def _latest(self, connection: Connection) -> AnnotationRow:
        wanted = select(*columns_of(ANNOTATIONS, AnnotationRow)).where(self._own).order_by(ANNOTATIONS.c.version.desc())
        row = connection.execute(wanted.limit(1)).mappings().first()
        return AnnotationRow(**row) if row else NOTHING

    def _get(self, connection: Connection, version: int) -> AnnotationRow:
        if version == 0:
            return NOTHING
        wanted = select(*columns_of(ANNOTATIONS, AnnotationRow)).where(self._own & (ANNOTATIONS.c.version == version))
        return AnnotationRow(**connection.execute(wanted).mappings().one())
