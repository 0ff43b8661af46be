"""Runs of a collection, and notices for operators. A run that was killed stays
unfinished, and the next one resumes it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, func, insert, select, update

from scythe.store.collection_tables import (
    COLLECTIONS,
    NOTICES,
    RUNS,
    NoticeRow,
    RunRow,
)
from scythe.store.columns import now
from scythe.store.rows import read_all, read_first, select_rows
from scythe.store.statements import insert_into, lock_row
from scythe.store.states import NoticeState, RunState
from scythe.store.store import Store

__all__ = ["NewNotice", "NoticeRow", "RunRow", "RunRows", "add_notices"]


@dataclass(frozen=True)
class NewNotice:
    """Something for an operator to look at; of several with one key only the first is
    stored.
    """

    key: str
    kind: str
    data: Mapping[str, Any] = field(default_factory=dict)


class RunRows:
    """The runs and notices of one collection."""

    def __init__(self, store: Store, collection_id: int) -> None:
        self._store = store
        self._collection = collection_id
        self._runs = select_rows(RUNS, RunRow).where(
            RUNS.c.collection_id == collection_id
        )

    def begin(self, stage: str = "") -> RunRow:
        """Return the unfinished run, to be resumed, or begin a new one. The caller has
        the lease of the collection.
        """
        with self._store.writing() as connection:
            lock_row(connection, COLLECTIONS, self._collection)
            run = self._unfinished(connection)
            if run is None:
                self._add(connection, stage)
                run = self._unfinished(connection)
            assert run is not None  # noqa: S101 - the row just written
            return run

    def _add(self, connection: Connection, stage: str) -> None:
        last_number = connection.execute(
            select(func.max(RUNS.c.number)).where(
                RUNS.c.collection_id == self._collection
            )
        ).scalar()
        connection.execute(
            insert(RUNS).values(
                collection_id=self._collection,
                number=(last_number or 0) + 1,
                started_at=now(),
                state=RunState.RUNNING,
                stage=stage,
                summary={},
            )
        )

    def unfinished(self) -> RunRow | None:
        """Return the run that has no end yet: it is at work, or was killed."""
        with self._store.reading() as connection:
            return self._unfinished(connection)

    def _unfinished(self, connection: Connection) -> RunRow | None:
        query = self._runs.where(RUNS.c.state == RunState.RUNNING)
        return read_first(connection, query, RunRow)

    def set_stage(self, run: int, stage: str) -> None:
        """Store how far a run has come."""
        statement = update(RUNS).where(RUNS.c.id == run)
        with self._store.writing() as connection:
            connection.execute(statement.values(stage=stage))

    def set_progress(self, run: int, progress: Mapping[str, Any]) -> None:
        """Store how far a run that is at work has come."""
        statement = update(RUNS).where(RUNS.c.id == run)
        at_work = statement.where(RUNS.c.state == RunState.RUNNING)
        summary = {"progress": dict(progress)}
        with self._store.writing() as connection:
            connection.execute(at_work.values(summary=summary))

    def end(
        self, run: int, summary: Mapping[str, Any], state: str = RunState.DONE
    ) -> None:
        """End a run with a summary; one that has an end keeps it."""
        statement = (
            update(RUNS)
            .where(RUNS.c.id == run)
            .where(RUNS.c.state == RunState.RUNNING)
            .values(
                ended_at=now(),
                state=state,
                summary=dict(summary),
            )
        )
        with self._store.writing() as connection:
            connection.execute(statement)

    def last(self) -> RunRow | None:
        """Return the run that began last."""
        query = self._runs.order_by(RUNS.c.number.desc()).limit(1)
        with self._store.reading() as connection:
            return read_first(connection, query, RunRow)

    def all(self) -> list[RunRow]:
        """Return all runs, the first one first."""
        query = self._runs.order_by(RUNS.c.number)
        with self._store.reading() as connection:
            return read_all(connection, query, RunRow)

    def add_notices(self, notices: Iterable[NewNotice], run: int | None = None) -> int:
        """Store notices; return how many of them were new."""
        with self._store.writing() as connection:
            return add_notices(connection, self._collection, notices, run)

    def notices(self, state: str | None = NoticeState.OPEN) -> list[NoticeRow]:
        """Return the notices in a state (all, where it is None), oldest first."""
        query = (
            select_rows(NOTICES, NoticeRow)
            .where(NOTICES.c.collection_id == self._collection)
            .order_by(NOTICES.c.id)
        )
        if state is not None:
            query = query.where(NOTICES.c.state == state)
        with self._store.reading() as connection:
            return read_all(connection, query, NoticeRow)

    def dismiss(self, notices: Iterable[int]) -> None:
        """Mark notices as done."""
        open_notices = (
            update(NOTICES)
            .where(NOTICES.c.collection_id == self._collection)
            .where(NOTICES.c.state == NoticeState.OPEN)
        )
        with self._store.writing() as connection:
            for number in notices:
                statement = open_notices.where(NOTICES.c.id == number)
                connection.execute(
                    statement.values(
                        state=NoticeState.DONE,
                        done_at=now(),
                    )
                )


def add_notices(
    connection: Connection,
    collection: int,
    notices: Iterable[NewNotice],
    run: int | None,
) -> int:
    """As `RunRows.add_notices`, as a part of a larger step."""
    added = 0
    for notice in notices:
        insertion = insert_into(connection, NOTICES).values(
            collection_id=collection,
            key=notice.key,
            kind=notice.kind,
            data=dict(notice.data),
            state=NoticeState.OPEN,
            run_id=run,
            given_at=now(),
        )
        if_new = insertion.on_conflict_do_nothing(
            index_elements=["collection_id", "key"]
        )
        inserted = connection.execute(if_new.returning(NOTICES.c.id))
        added += len(inserted.all())
    return added
