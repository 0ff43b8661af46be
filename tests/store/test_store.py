"""Opening databases: new ones, present ones, those of others, those from the future,
and those that are not there.
"""

from __future__ import annotations

import sqlite3
import sys
from pathlib import Path

import pytest
from sqlalchemy import inspect, text

from postgres import Postgres
from scythe.errors import NewerDatabase, NoDatabase, StoreError
from scythe.store import Store
from scythe.store.collection_tables import COLLECTION_TABLES
from scythe.store.engines.engines import EngineRows
from scythe.store.engines.tables import TABLES as ENGINE_TABLES
from scythe.store.migrations import STEPS, schema_version
from scythe.store.search.tables import FULL_TEXT, SEARCH_TABLES

TABLES = (*ENGINE_TABLES, *COLLECTION_TABLES, *SEARCH_TABLES)


def test_the_steps_make_the_tables_that_statements_use(database: str) -> None:
    with Store.open(database) as store, store.reading() as connection:
        assert schema_version(connection) == len(STEPS)
        found = inspect(connection)
        for table in TABLES:
            made_columns = {
                column["name"]: column for column in found.get_columns(table.name)
            }
            assert made_columns.keys() == {column.name for column in table.c}
            for column in table.c:
                made = made_columns[column.name]
                where = f"{table.name}.{column.name}"
                may_be_null = made["nullable"] and not made.get("primary_key")
                assert column.nullable or not may_be_null, where
                if column.name != "words":  # text in SQLite, tsvector in PostgreSQL
                    kind = column.type._type_affinity
                    assert made["type"]._type_affinity is kind, where
        made_tables = {
            name for name in found.get_table_names() if not name.startswith(FULL_TEXT)
        }
        assert made_tables == {"scythe_schema", *(table.name for table in TABLES)}


def test_a_database_is_made_once_and_kept(database: str) -> None:
    with Store.open(database) as store:
        EngineRows(store).add("hay", "https://hay.example/", {}, reason="added")
    with Store.open(database) as store:
        assert [row.name for row in EngineRows(store).all()] == ["hay"]


def test_what_fails_halfway_leaves_nothing(database: str) -> None:
    def fail(store: Store) -> None:
        with store.writing() as connection:
            connection.execute(text("DELETE FROM scythe_schema"))
            connection.execute(text("SELECT nothing FROM nowhere"))

    with Store.open(database) as store:
        with pytest.raises(StoreError):
            fail(store)
        with store.reading() as connection:
            assert schema_version(connection) == len(STEPS)


def test_steps_inside_a_step_are_kept_or_lost_together(database: str) -> None:
    def add_two(store: Store, *, fail: bool) -> None:
        with store.writing():
            EngineRows(store).add("hay", "https://hay.example/", {}, reason="added")
            assert [row.name for row in EngineRows(store).all()] == ["hay"]
            if fail:
                raise LookupError
            EngineRows(store).add("oat", "https://oat.example/", {}, reason="added")

    with Store.open(database) as store:
        with pytest.raises(LookupError):
            add_two(store, fail=True)
        assert EngineRows(store).all() == []
        add_two(store, fail=False)
        assert [row.name for row in EngineRows(store).all()] == ["hay", "oat"]


def test_a_database_of_a_newer_scythe_is_left_alone(database: str) -> None:
    with Store.open(database) as store, store.writing() as connection:
        connection.execute(
            text(
                "INSERT INTO scythe_schema SELECT 999, brought, taken_at FROM scythe_schema WHERE version = 1"
            )
        )
    with pytest.raises(NewerDatabase, match=r"999.*Update Scythe"):
        Store.open(database)


def test_tables_of_another_program_are_left_alone(database: str) -> None:
    with Store.open(database) as store, store.writing() as connection:
        for table in ("scythe_schema", "engine_queries", "engine_records"):
            connection.execute(text(f"DROP TABLE {table}"))
    with pytest.raises(NoDatabase, match="another program"):
        Store.open(database)
    if database.startswith("sqlite"):
        with sqlite3.connect(database.removeprefix("sqlite:///")) as plain:
            names = {
                name
                for (name,) in plain.execute(
                    "SELECT name FROM sqlite_master WHERE type = 'table'"
                )
            }
        assert "scythe_schema" not in names


def test_a_file_that_is_no_database_is_named(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear Sir or Madam, " * 100)
    with pytest.raises(NoDatabase, match=r"letter\.txt.*no SQLite database"):
        Store.open(str(path))
    assert path.read_text().startswith("Dear")


def test_folders_are_made_where_that_is_possible(tmp_path: Path) -> None:
    Store.open(str(tmp_path / "new" / "folder" / "scythe.db")).close()
    assert (tmp_path / "new" / "folder" / "scythe.db").exists()
    (tmp_path / "file").write_text("")
    with pytest.raises(NoDatabase, match="cannot be made"):
        Store.open(str(tmp_path / "file" / "scythe.db"))
    with pytest.raises(NoDatabase, match="--db"):
        Store.open(str(tmp_path))


def test_a_database_that_may_only_be_read_is_named(tmp_path: Path) -> None:
    path = tmp_path / "scythe.db"
    with (
        Store.open(str(path)),
        Store.open(f"sqlite:///file:{path}?mode=ro&uri=true") as store,
    ):
        with pytest.raises(StoreError, match="permissions"):
            EngineRows(store).add("hay", "https://hay.example/", {}, reason="added")
        assert EngineRows(store).all() == []


def test_a_server_that_is_not_there_is_named_without_its_password() -> None:
    with pytest.raises(NoDatabase, match="no server answers") as caught:
        Store.open("postgresql://mo:secret@127.0.0.1:1/notes")
    assert "secret" not in str(caught.value)


def test_a_database_that_the_server_does_not_have_is_named(postgres: Postgres) -> None:
    with pytest.raises(NoDatabase, match="createdb"):
        Store.open(postgres.url("nowhere"))


def test_without_its_driver_postgresql_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(NoDatabase, match=r"scythe\[postgres\]"):
        Store.open("postgresql://127.0.0.1/notes")
