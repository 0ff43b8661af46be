"""What was harvested from search engines. A result page is one transaction: its records
and how far its query has come.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, delete, func, insert, select, update

from scythe.store.columns import now
from scythe.store.engines.tables import ENGINES, QUERIES, RECORDS
from scythe.store.statements import inserting
from scythe.store.store import Store

RecordJson = Mapping[str, Any]
_AT_ONCE = 500
"""Rows that are fetched together: a harvest may be larger than memory."""


@dataclass(frozen=True)
class HarvestedRow:
    """A record that was found behind a form."""

    key: str
    record: RecordJson
    query: str
    times: int


@dataclass(frozen=True)
class QueryRow:
    """A query of a harvest; where `next_page` is empty, it is done."""

    query: str
    pages: int = 0
    next_page: str | None = None
    records: int = 0
    fresh: int = 0
    note: str = ""


class HarvestRows:
    """The harvest of one engine."""

    def __init__(self, store: Store, engine_id: int) -> None:
        self._store = store
        self._engine = engine_id

    def add_page(
        self,
        query: str,
        records: Mapping[str, RecordJson],
        next_page: str | None,
        note: str = "",
    ) -> int:
        """Store one result page of a query: records by key, and where the query goes
        on. Gives how many records were new.
        """
        with self._store.writing() as connection:
            # One page of an engine at a time: numbers are given in turn, and two
            # processes may share a harvest.
            connection.execute(
                select(ENGINES.c.id)
                .where(ENGINES.c.id == self._engine)
                .with_for_update()
            )
            fresh = self._add_records(connection, query, records)
            self._add_to_query(
                connection, QueryRow(query, 1, next_page, len(records), fresh, note)
            )
            return fresh

    def _add_records(
        self, connection: Connection, query: str, records: Mapping[str, RecordJson]
    ) -> int:
        own = RECORDS.c.engine_id == self._engine
        before = connection.execute(
            select(func.count(), func.max(RECORDS.c.number)).where(own)
        ).one()
        for number, (key, record) in enumerate(records.items(), (before[1] or 0) + 1):
            values = {
                "engine_id": self._engine,
                "key": key,
                "number": number,
                "record": dict(record),
                "query": query,
            }
            added = inserting(connection, RECORDS).values(
                **values, found_at=now(), times=1
            )
            again = {"times": RECORDS.c.times + 1}
            connection.execute(
                added.on_conflict_do_update(
                    index_elements=["engine_id", "key"], set_=again
                )
            )
        after: int = connection.execute(
            select(func.count()).select_from(RECORDS).where(own)
        ).scalar_one()
        return after - before[0]

    def _add_to_query(self, connection: Connection, page: QueryRow) -> None:
        own = (QUERIES.c.engine_id == self._engine) & (QUERIES.c.query == page.query)
        counted = {
            name: QUERIES.c[name] + getattr(page, name)
            for name in ("pages", "records", "fresh")
        }
        values = {"next_page": page.next_page, "note": page.note}
        if connection.execute(
            update(QUERIES).where(own).values(**counted, **values)
        ).rowcount:
            return
        last = (
            connection.execute(
                select(func.max(QUERIES.c.number)).where(
                    QUERIES.c.engine_id == self._engine
                )
            ).scalar()
            or 0
        )
        first = {
            "query": page.query,
            "number": last + 1,
            "pages": page.pages,
            "records": page.records,
            "fresh": page.fresh,
        }
        connection.execute(
            insert(QUERIES).values(engine_id=self._engine, **first, **values)
        )

    def queries(self) -> list[QueryRow]:
        """The queries asked so far, in their order."""
        columns = [QUERIES.c[name] for name in QueryRow.__dataclass_fields__]
        wanted = (
            select(*columns)
            .where(QUERIES.c.engine_id == self._engine)
            .order_by(QUERIES.c.number)
        )
        with self._store.reading() as connection:
            return [QueryRow(**row) for row in connection.execute(wanted).mappings()]

    def count(self) -> int:
        """How many records there are."""
        with self._store.reading() as connection:
            number: int = connection.execute(
                select(func.count())
                .select_from(RECORDS)
                .where(RECORDS.c.engine_id == self._engine)
            ).scalar_one()
            return number

    def records(self) -> Iterator[HarvestedRow]:
        """All records, in the order they were found."""
        columns = [RECORDS.c[name] for name in HarvestedRow.__dataclass_fields__]
        wanted = (
            select(*columns)
            .where(RECORDS.c.engine_id == self._engine)
            .order_by(RECORDS.c.number)
        )
        with self._store.reading() as connection:
            for row in connection.execute(
                wanted.execution_options(yield_per=_AT_ONCE)
            ).mappings():
                yield HarvestedRow(**row)

    def clear(self) -> None:
        """Forget the harvest, to begin anew."""
        with self._store.writing() as connection:
            for table in (RECORDS, QUERIES):
                connection.execute(
                    delete(table).where(table.c.engine_id == self._engine)
                )
