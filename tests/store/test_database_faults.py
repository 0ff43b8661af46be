"""Faults of databases: full, locked, damaged, cut off in the middle of a migration. What
was stored stays, a message says what to do, and the next start works.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine, event, inspect, text

from scythe.errors import NoDatabase, StoreError
from scythe.store import Store
from scythe.store import store as store_module
from scythe.store.collections.collections import CollectionRows
from scythe.store.failures import explain_errors
from scythe.store.leases import this_process
from scythe.store.migrations import STEPS, schema_version

HOME = "https://oats.example/"


def names(store: Store) -> list[str]:
    return [row.name for row in CollectionRows(store).all()]


def add(store: Store, name: str) -> None:
    CollectionRows(store).add(name, HOME, "Recipe")


def fill(store: Store) -> None:
    for number in range(1_000):
        add(store, f"more {number} " + "x" * 5_000)


def on_connect(store: Store, prepare: Callable[[Any], object]) -> None:
    store._engine.dispose()
    event.listen(store._engine, "connect", lambda made, _: prepare(made))


def test_a_full_disk_loses_nothing(tmp_path: Path) -> None:
    path = str(tmp_path / "scythe.db")
    with Store.open(path) as store:
        add(store, "before")
        on_connect(store, lambda made: made.execute("PRAGMA max_page_count = 1"))
        with pytest.raises(StoreError, match="Free some space"):
            fill(store)
    with Store.open(path) as store:
        assert names(store)[0] == "before"
        assert all(name.startswith(("before", "more")) for name in names(store))
        add(store, "after")


def test_a_file_that_cannot_be_written_to_is_read_all_the_same(tmp_path: Path) -> None:
    path = str(tmp_path / "scythe.db")
    with Store.open(path) as store:
        add(store, "before")
        on_connect(store, lambda made: made.execute("PRAGMA query_only = 1"))
        with pytest.raises(StoreError, match="Check its permissions"):
            add(store, "more")
        assert names(store) == ["before"]


@pytest.mark.parametrize(
    ("message", "advice"),
    [
        (
            "could not extend file: No space left on device",
            "disk of the server is full",
        ),
        ("server closed the connection unexpectedly", "broke off"),
        ("database or disk is full", "Free some space"),
        ("disk I/O error", "Check it and its free space"),
    ],
)
def test_faults_say_what_to_do(message: str, advice: str) -> None:
    from sqlalchemy.exc import OperationalError

    with pytest.raises(StoreError, match=advice), explain_errors("the database"):
        raise OperationalError("SELECT 1", {}, Exception(message))


def test_a_file_that_another_process_has_locked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_module, "TIMEOUT", 0.1)
    path = str(tmp_path / "scythe.db")
    with Store.open(path) as store:
        add(store, "before")
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            assert names(store) == ["before"]  # readers do not wait
            with pytest.raises(StoreError, match="Try again when that has ended"):
                add(store, "meanwhile")
            other.execute("ROLLBACK")
        add(store, "after")
        assert names(store) == ["after", "before"]


def test_rows_that_another_process_has_locked(database: str) -> None:
    """Whoever waits for a lock gets it when the other has ended, on both databases."""
    with Store.open(database) as store, Store.open(database) as other:
        add(store, "one")
        with other.writing() as connection:
            connection.execute(text("UPDATE collections SET name = 'two'"))
        assert names(store) == ["two"]


def test_a_damaged_file_is_named_and_left(tmp_path: Path) -> None:
    path = tmp_path / "scythe.db"
    with Store.open(str(path)) as store:
        for number in range(200):
            add(store, f"{number} " + "x" * 200)
    data = bytearray(path.read_bytes())
    data[4096:] = b"\x99" * (len(data) - 4096)
    path.write_bytes(data)
    with (
        pytest.raises((StoreError, NoDatabase), match=r"damaged|no SQLite"),
        Store.open(str(path)) as store,
    ):
        names(store)
    assert path.read_bytes()[4096:4200] == b"\x99" * 104


def test_values_that_scythe_did_not_write_are_named(database: str) -> None:
    with Store.open(database) as store:
        add(store, "oats")
        for broken in ('{"a":', "[" * 100_000):
            if store.is_postgresql:
                pytest.skip("PostgreSQL takes no broken JSON")
            with store.writing() as connection:
                connection.execute(
                    text("UPDATE collections SET settings = :broken"),
                    {"broken": broken},
                )
            with pytest.raises(StoreError, match="scythe db check"):
                names(store)


def test_a_clock_that_goes_back_gives_no_lease_away(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    where = "scythe.store.collections.collections.now"
    with Store.open(database) as store:
        add(store, "oats")
        add(store, "more oats")
        rows = CollectionRows(store)
        number, other = rows.get("oats").id, rows.get("more oats").id
        assert rows.acquire_lease(number, "far/1/1", 60, host="oats.example")
        past = datetime(2001, 1, 1, tzinfo=UTC)
        monkeypatch.setattr(where, lambda: past)
        assert not rows.acquire_lease(number, "here/2/2", 60)
        assert rows.acquire_lease(number, this_process(), 60, lambda _: True)
        future = datetime(2101, 1, 1, tzinfo=UTC)
        monkeypatch.setattr(where, lambda: future)
        assert not rows.acquire_lease(number, "here/2/2", 60)  # we still run
        assert not rows.acquire_lease(other, "here/2/2", 60, host="oats.example")


class Cut(Exception):
    """The process that migrates ends here."""


def is_cut_off(database: str, last: int) -> bool:
    """Open a database, and end after a statement; return False where it has no more."""
    executed = 0
    engine_of = create_engine

    def execute(*_: object) -> None:
        nonlocal executed
        executed += 1
        if executed > last:
            raise Cut

    def cutting(*arguments: Any, **options: Any) -> Any:
        engine = engine_of(*arguments, **options)
        event.listen(engine, "before_cursor_execute", execute)
        return engine

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store_module, "create_engine", cutting)
        try:
            Store.open(database).close()
        except Cut:
            return True
    return False


def test_a_migration_that_is_cut_off_at_any_statement_is_made_by_the_next_start(
    database: str,
) -> None:
    """The one database is cut off at every statement in turn; nothing of a try stays."""
    step = 1 if database.startswith("sqlite") else 7
    last = 0
    while is_cut_off(database, last):
        last += step
    assert last > 3 * len(STEPS)
    with Store.open(database) as store, store.reading() as connection:
        assert schema_version(connection) == len(STEPS)
        assert "collections" in inspect(connection).get_table_names()
    with Store.open(database) as store:
        add(store, "oats")
        assert names(store) == ["oats"]
