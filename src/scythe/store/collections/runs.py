"""Runs of a collection, and what operators should look at. A run that was killed stays
open, and the next one goes on with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, func, insert, select, update

from scythe.store.collections.states import NoticeState, RunState
from scythe.store.collections.tables import COLLECTIONS, NOTICES, RUNS
from scythe.store.columns import now
from scythe.store.statements import columns_of, inserting
from scythe.store.store import Store


@dataclass(frozen=True)
class RunRow:
    """A run."""

    id: int
    number: int
    """Of this collection's runs, from 1."""
    started_at: datetime
    ended_at: datetime | None
    state: str
    stage: str
    """How far it has come, in the words of the pipeline."""
    summary: Mapping[str, Any]


@dataclass(frozen=True)
class NewNotice:
    """Something to tell an operator; of several with the same key only the first is
    kept.
    """

    key: str
    kind: str
    data: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class NoticeRow:
    """Something that an operator was told."""

    id: int
    key: str
    kind: str
    data: Mapping[str, Any]
    state: str
    run_id: int | None
    given_at: datetime
    done_at: datetime | None


class RunRows:
    """The runs and notices of one collection."""

    def __init__(self, store: Store, collection_id: int) -> None:
        self._store = store
        self._collection = collection_id

    def begin(self, stage: str = "") -> RunRow:
        """The run that is open, to go on with, or a new one. The caller holds the
        collection.
        """
        with self._store.writing() as connection:
            connection.execute(
                select(COLLECTIONS.c.id)
                .where(COLLECTIONS.c.id == self._collection)
                .with_for_update()
            )
            found = self._open(connection)
            if found is None:
                own = RUNS.c.collection_id == self._collection
                last = (
                    connection.execute(
                        select(func.max(RUNS.c.number)).where(own)
                    ).scalar()
                    or 0
                )
                values: dict[str, Any] = {
                    "number": last + 1,
                    "started_at": now(),
                    "state": RunState.RUNNING,
                    "stage": stage,
                    "summary": {},
                }
                connection.execute(
                    insert(RUNS).values(collection_id=self._collection, **values)
                )
                found = self._open(connection)
            assert found is not None  # noqa: S101 - the row just written
            return found

    def unfinished(self) -> RunRow | None:
        """The run that has no end yet: at work, or killed."""
        with self._store.reading() as connection:
            return self._open(connection)

    def _open(self, connection: Connection) -> RunRow | None:
        wanted = select(*columns_of(RUNS, RunRow)).where(
            (RUNS.c.collection_id == self._collection)
            & (RUNS.c.state == RunState.RUNNING)
        )
        row = connection.execute(wanted).mappings().first()
        return RunRow(**row) if row else None

    def set_stage(self, run: int, stage: str) -> None:
        """Note how far a run has come."""
        with self._store.writing() as connection:
            connection.execute(update(RUNS).where(RUNS.c.id == run).values(stage=stage))

    def end(
        self, run: int, summary: Mapping[str, Any], state: str = RunState.DONE
    ) -> None:
        """Close a run with what came of it; one that has an end keeps it."""
        values = {"ended_at": now(), "state": state, "summary": dict(summary)}
        with self._store.writing() as connection:
            connection.execute(
                update(RUNS)
                .where((RUNS.c.id == run) & (RUNS.c.state == RunState.RUNNING))
                .values(**values)
            )

    def last(self) -> RunRow | None:
        """The run that began last."""
        wanted = select(*columns_of(RUNS, RunRow)).where(
            RUNS.c.collection_id == self._collection
        )
        with self._store.reading() as connection:
            row = (
                connection.execute(wanted.order_by(RUNS.c.number.desc()).limit(1))
                .mappings()
                .first()
            )
            return RunRow(**row) if row else None

    def all(self) -> list[RunRow]:
        """All runs, the first one first."""
        wanted = (
            select(*columns_of(RUNS, RunRow))
            .where(RUNS.c.collection_id == self._collection)
            .order_by(RUNS.c.number)
        )
        with self._store.reading() as connection:
            return [RunRow(**row) for row in connection.execute(wanted).mappings()]

    def add_notices(self, notices: Iterable[NewNotice], run: int | None = None) -> int:
        """Tell an operator something; gives how much of it was new."""
        with self._store.writing() as connection:
            return add_notices(connection, self._collection, notices, run)

    def notices(self, state: str | None = NoticeState.OPEN) -> list[NoticeRow]:
        """What operators were told in a state (all, where it is None), oldest first."""
        wanted = (
            select(*columns_of(NOTICES, NoticeRow))
            .where(NOTICES.c.collection_id == self._collection)
            .order_by(NOTICES.c.id)
        )
        if state is not None:
            wanted = wanted.where(NOTICES.c.state == state)
        with self._store.reading() as connection:
            return [NoticeRow(**row) for row in connection.execute(wanted).mappings()]

    def dismiss(self, notices: Iterable[int]) -> None:
        """Put notices aside."""
        own = (NOTICES.c.collection_id == self._collection) & (
            NOTICES.c.state == NoticeState.OPEN
        )
        with self._store.writing() as connection:
            for number in notices:
                connection.execute(
                    update(NOTICES)
                    .where(own & (NOTICES.c.id == number))
                    .values(state=NoticeState.DONE, done_at=now())
                )


def add_notices(
    connection: Connection,
    collection: int,
    notices: Iterable[NewNotice],
    run: int | None,
) -> int:
    """As `RunRows.add_notices`, as a part of a larger step."""
    fresh = 0
    for notice in notices:
        values = {
            "key": notice.key,
            "kind": notice.kind,
            "data": dict(notice.data),
            "state": NoticeState.OPEN,
            "run_id": run,
        }
        added = inserting(connection, NOTICES).values(
            collection_id=collection, given_at=now(), **values
        )
        added = added.on_conflict_do_nothing(
            index_elements=["collection_id", "key"]
        ).returning(NOTICES.c.id)
        fresh += len(connection.execute(added).all())
    return fresh
