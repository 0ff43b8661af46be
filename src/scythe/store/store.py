"""One database, and the only ways to read and change it: a reading and a writing
transaction.

SQLite: write-ahead log, so that readers never wait; a writer takes the lock when it
begins, so that two of them queue instead of finding out at the end that one must start
over. PostgreSQL: its own transactions; rows that are read to be changed are locked.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from sqlalchemy import URL, Connection, Engine, create_engine, event, text

from scythe.errors import NoDatabase
from scythe.store.columns import as_json_text
from scythe.store.failures import driver_required, explained
from scythe.store.location import database_url, shown
from scythe.store.migrations import is_current, migrate

PATIENCE = 30
"""Seconds that one process waits for another that is writing, or for a server to take
the connection.
"""

_MIGRATION_LOCK = 0x5C97
"""The number by which processes that bring one PostgreSQL database up to date wait for
each other.
"""

_WRITING = "scythe_writing"


class Store:
    """An open database. Threads may share it."""

    def __init__(self, engine: Engine, name: str) -> None:
        self._engine = engine
        self._open = threading.local()
        self.name = name
        """The database as messages name it."""

    @classmethod
    def open(cls, url: str | None = None) -> Self:
        """The database at an address or in a file, made if need be and brought up to
        date; see `location.database_url`.
        """
        where = database_url(url)
        name = shown(where)
        with driver_required():
            engine = (
                _sqlite(where) if where.drivername == "sqlite" else _postgresql(where)
            )
        store = cls(engine, name)
        try:
            with explained(name, NoDatabase):
                store._bring_up_to_date()
        except BaseException:
            store.close()
            raise
        return store

    def _bring_up_to_date(self) -> None:
        with self._engine.begin() as connection:
            if is_current(connection, self.name):
                return
        with self._begin_writing() as connection:
            if self.is_postgresql:
                connection.execute(
                    text("SELECT pg_advisory_xact_lock(:lock)"),
                    {"lock": _MIGRATION_LOCK},
                )
            migrate(connection, self.name)

    @property
    def address(self) -> str:
        """Its whole address, for processes of our own; a password in it is for nobody
        else's eyes.
        """
        return self._engine.url.render_as_string(hide_password=False)

    @property
    def is_postgresql(self) -> bool:
        """Whether it is a server's."""
        return self._engine.dialect.name == "postgresql"

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A transaction that sees one state of the database; within a writing one of
        the same thread, what that has written.
        """
        if (outer := getattr(self._open, "writing", None)) is not None:
            yield outer
            return
        with explained(self.name), self._engine.begin() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction whose changes are all kept at its end, or none of them where it
        fails.

        Within another one of the same thread it is a part of that: so several small
        steps are put together to a larger one.
        """
        if (outer := getattr(self._open, "writing", None)) is not None:
            yield outer
            return
        with explained(self.name), self._begin_writing() as connection:
            self._open.writing = connection
            try:
                yield connection
            finally:
                self._open.writing = None

    @contextmanager
    def _begin_writing(self) -> Iterator[Connection]:
        with (
            self._engine.connect().execution_options(**{_WRITING: True}) as connection,
            connection.begin(),
        ):
            yield connection

    def close(self) -> None:
        """Give all connections back."""
        self._engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def _sqlite(url: URL) -> Engine:
    if not (url.database or "").startswith("file:"):
        _make_folder(Path(url.database or "").parent)
    engine = create_engine(
        url,
        json_serializer=as_json_text,
        connect_args={"timeout": PATIENCE, "check_same_thread": False},
    )
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _make_folder(path: Path) -> None:
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise NoDatabase(
            f"The folder {path} for the database cannot be made: {error.strerror}. Name another file with --db."
        ) from error


def _prepare_sqlite(connection: Any, record: object) -> None:
    connection.isolation_level = (
        None  # transactions are begun by `_begin_sqlite`, not by the driver's guess
    )
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA synchronous = NORMAL")
    deadline = time.monotonic() + PATIENCE
    while True:  # the change to a write-ahead log does not wait by itself while another process makes it
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except Exception as error:
            if "locked" not in str(error) or time.monotonic() > deadline:
                raise
            time.sleep(0.05)
        else:
            return


def _begin_sqlite(connection: Connection) -> None:
    writing = connection.get_execution_options().get(_WRITING)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")


def _postgresql(url: URL) -> Engine:
    return create_engine(
        url,
        json_serializer=as_json_text,
        pool_pre_ping=True,
        connect_args={"connect_timeout": PATIENCE // 3},
    )
