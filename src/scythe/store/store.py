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
from typing import Any, Self

from sqlalchemy import URL, Connection, Engine, create_engine, event, text

from scythe.closing import Closing
from scythe.errors import NoDatabase
from scythe.store.columns import json_text, stored_value
from scythe.store.failures import explain_errors, require_driver
from scythe.store.location import database_url, display_name
from scythe.store.migrations import SCHEMA_VERSIONS, is_current, migrate

TIMEOUT = 30
"""Seconds that one process waits for another that is writing, or for a server to take
the connection: arbitrary, far longer than any transaction of ours.
"""

_CONNECTION = {
    "connect_timeout": TIMEOUT // 3,
    "keepalives_idle": TIMEOUT,
    "keepalives_interval": TIMEOUT // 3,
    "keepalives_count": 3,
    "tcp_user_timeout": 2_000 * TIMEOUT,
}
"""How soon a client of PostgreSQL notices that its server cannot be reached any more: in
a minute, where systems wait for a quarter of an hour or for hours. The query of an
address may say otherwise.
"""

_MIGRATION_LOCK = 0x5C97
"""The key of the advisory lock that processes take while they migrate one PostgreSQL
database: an arbitrary number.
"""

_WRITING = "scythe_writing"


class Store(Closing):
    """An open database. Threads may share it."""

    def __init__(self, engine: Engine, name: str) -> None:
        self._engine = engine
        self._thread = threading.local()
        self.name = name
        """The database as messages name it."""

    @classmethod
    def open(cls, url: str | None = None) -> Self:
        """Return the database at an address or in a file, made if need be and migrated;
        see `location.database_url`.
        """
        address = database_url(url)
        name = display_name(address)
        with require_driver():
            if address.drivername == "sqlite":
                engine = _sqlite_engine(address)
            else:
                engine = _postgresql_engine(address)
        store = cls(engine, name)
        try:
            with explain_errors(name, NoDatabase):
                store._migrate()
        except BaseException:
            store.close()
            raise
        return store

    def _migrate(self) -> None:
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
        """The whole address, for processes of our own: a password in it is not to be
        shown.
        """
        return self._engine.url.render_as_string(hide_password=False)

    @property
    def is_postgresql(self) -> bool:
        """Whether it is a PostgreSQL server's."""
        return self._engine.dialect.name == "postgresql"

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Open a transaction that sees one state of the database; within a writing one
        of the same thread, what that has written.
        """
        outer = getattr(self._thread, "writing", None)
        if outer is not None:
            yield outer
            return
        with explain_errors(self.name), self._engine.begin() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Open a transaction whose changes are all kept at its end, or none of them
        where it fails.

        Within another one of the same thread it is a part of that: several small
        steps make a larger one.
        """
        outer = getattr(self._thread, "writing", None)
        if outer is not None:
            yield outer
            return
        with explain_errors(self.name), self._begin_writing() as connection:
            self._thread.writing = connection
            try:
                yield connection
            finally:
                self._thread.writing = None

    @contextmanager
    def _begin_writing(self) -> Iterator[Connection]:
        with (
            self._engine.connect().execution_options(**{_WRITING: True}) as connection,
            connection.begin(),
        ):
            yield connection

    def close(self) -> None:
        """Close all connections."""
        self._engine.dispose()


def _sqlite_engine(url: URL) -> Engine:
    if not (url.database or "").startswith("file:"):
        _make_folder(Path(url.database or "").parent)
    engine = create_engine(
        url,
        json_serializer=json_text,
        json_deserializer=stored_value,
        connect_args={"timeout": TIMEOUT, "check_same_thread": False},
    )
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _make_folder(path: Path) -> None:
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise NoDatabase(
            f"The folder {path} for the database cannot be made: {error.strerror}. "
            "Name another file with --db."
        ) from error


def _prepare_sqlite(connection: Any, record: object) -> None:
    # `_begin_sqlite` begins transactions, not the driver's guess.
    connection.isolation_level = None
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA synchronous = NORMAL")
    if _is_of_another_program(connection):
        return  # `migrate` refuses it, and it stays as it is
    deadline = time.monotonic() + TIMEOUT
    # The change to a write-ahead log does not wait by itself for a process that makes it.
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except Exception as error:
            if "locked" not in str(error) or time.monotonic() > deadline:
                raise
            time.sleep(0.05)
        else:
            return


def _is_of_another_program(connection: Any) -> bool:
    rows = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
    names = {name for (name,) in rows.fetchall()}
    return bool(names) and SCHEMA_VERSIONS.name not in names


def _begin_sqlite(connection: Connection) -> None:
    writing = connection.get_execution_options().get(_WRITING)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")


def _postgresql_engine(url: URL) -> Engine:
    given = {
        name: value for name, value in _CONNECTION.items() if name not in url.query
    }
    engine = create_engine(
        url,
        json_serializer=json_text,
        json_deserializer=stored_value,
        pool_pre_ping=True,
        connect_args=given,
    )
    event.listen(engine, "connect", _prepare_postgresql)
    return engine


def _prepare_postgresql(connection: Any, record: object) -> None:
    """Let the server notice, too, that a client is cut off, and give up its locks."""
    connection.autocommit = True
    connection.execute(
        f"SET tcp_keepalives_idle = {TIMEOUT}; "
        f"SET tcp_keepalives_interval = {TIMEOUT // 3}; "
        f"SET tcp_keepalives_count = 3; SET tcp_user_timeout = '{2 * TIMEOUT}s'"
    )
    connection.autocommit = False
