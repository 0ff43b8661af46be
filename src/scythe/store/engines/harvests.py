"""What was harvested from search engines. A result page is one transaction: its records
and how far its query has come.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sqlalchemy import Connection, delete, func, insert, select, update

from scythe.store.columns import now
from scythe.store.engines.tables import (
    ENGINES,
    QUERIES,
    RECORDS,
    HarvestedRow,
    QueryRow,
)
from scythe.store.rows import read_all, row_values, select_rows, stream
from scythe.store.statements import count_rows, insert_into, lock_row
from scythe.store.store import Store

__all__ = ["HarvestRows", "HarvestedRow", "QueryRow", "RecordJson"]

RecordJson = Mapping[str, Any]


class HarvestRows:
    """The harvest of one engine."""

    def __init__(self, store: Store, engine_id: int) -> None:
        self._store = store
        self._engine = engine_id
        self._record_of_engine = RECORDS.c.engine_id == engine_id
        self._query_of_engine = QUERIES.c.engine_id == engine_id

    def add_page(
        self,
        query: str,
        records: Mapping[str, RecordJson],
        next_page: str | None,
        note: str = "",
    ) -> int:
        """Store one result page of a query: records by key, and the next page of the
        query. Return how many records were new.
        """
        with self._store.writing() as connection:
            # One page of an engine at a time: numbers are given in turn, and two
            # processes may share a harvest.
            lock_row(connection, ENGINES, self._engine)
            fresh = self._add_records(connection, query, records)
            page = QueryRow(query, 1, next_page, len(records), fresh, note)
            self._add_to_query(connection, page)
            return fresh

    def _add_records(
        self, connection: Connection, query: str, records: Mapping[str, RecordJson]
    ) -> int:
        last_number = connection.execute(
            select(func.max(RECORDS.c.number)).where(self._record_of_engine)
        ).scalar()
        before = count_rows(connection, RECORDS, self._record_of_engine)
        first_number = (last_number or 0) + 1
        for number, (key, record) in enumerate(records.items(), first_number):
            insertion = insert_into(connection, RECORDS).values(
                engine_id=self._engine,
                key=key,
                number=number,
                record=dict(record),
                query=query,
                found_at=now(),
                times=1,
            )
            found_again = {"times": RECORDS.c.times + 1}
            connection.execute(
                insertion.on_conflict_do_update(
                    index_elements=["engine_id", "key"], set_=found_again
                )
            )
        return count_rows(connection, RECORDS, self._record_of_engine) - before

    def _add_to_query(self, connection: Connection, page: QueryRow) -> None:
        has_query = self._query_of_engine & (QUERIES.c.query == page.query)
        statement = (
            update(QUERIES)
            .where(has_query)
            .values(
                pages=QUERIES.c.pages + page.pages,
                records=QUERIES.c.records + page.records,
                fresh=QUERIES.c.fresh + page.fresh,
                next_page=page.next_page,
                note=page.note,
            )
        )
        if connection.execute(statement).rowcount:
            return
        last_number = connection.execute(
            select(func.max(QUERIES.c.number)).where(self._query_of_engine)
        ).scalar()
        values = row_values(page)
        values["engine_id"] = self._engine
        values["number"] = (last_number or 0) + 1
        connection.execute(insert(QUERIES).values(**values))

    def queries(self) -> list[QueryRow]:
        """Return the queries sent so far, in their order."""
        query = (
            select_rows(QUERIES, QueryRow)
            .where(self._query_of_engine)
            .order_by(QUERIES.c.number)
        )
        with self._store.reading() as connection:
            return read_all(connection, query, QueryRow)

    def count(self) -> int:
        """Return how many records there are."""
        with self._store.reading() as connection:
            return count_rows(connection, RECORDS, self._record_of_engine)

    def records(self) -> Iterator[HarvestedRow]:
        """Yield all records, in the order they were found."""
        query = (
            select_rows(RECORDS, HarvestedRow)
            .where(self._record_of_engine)
            .order_by(RECORDS.c.number)
        )
        with self._store.reading() as connection:
            yield from stream(connection, query, HarvestedRow)

    def clear(self) -> None:
        """Delete the harvest, to begin anew."""
        with self._store.writing() as connection:
            connection.execute(delete(RECORDS).where(self._record_of_engine))
            connection.execute(delete(QUERIES).where(self._query_of_engine))
