"""Copies of a database, and databases that are damaged or of others."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from typer.testing import CliRunner

from scythe.cli.main import app
from scythe.collect.collection import Collection
from scythe.errors import ScytheError, UsageError
from scythe.store import Store
from scythe.store.backup import back_up, find_damage, restore
from scythe.store.location import database_url, display_name


def add_collection(db: str) -> None:
    Collection.add("https://kitchen.example/", name="kitchen", db=db).close()


def names(db: str) -> list[str]:
    with Collection.open("kitchen", db=db) as collection:
        return [collection.row.name]


def test_a_copy_is_put_back(
    database: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    add_collection(database)
    copy = tmp_path / "copy.db"
    back_up(database, copy)
    with pytest.raises(UsageError, match="exists already"):
        back_up(database, copy)

    empty = str(tmp_path / "new" / "again.db")
    if database.startswith("postgresql"):
        empty = request.getfixturevalue("postgres").new_database()
    restore(empty, copy)
    assert names(empty) == ["kitchen"]
    assert find_damage(empty) == []
    assert not list(tmp_path.glob("*.part"))


def test_what_is_there_is_never_overwritten(tmp_path: Path) -> None:
    db, copy = tmp_path / "a.db", tmp_path / "copy.db"
    add_collection(str(db))
    back_up(str(db), copy)
    before = db.read_bytes()
    with pytest.raises(UsageError, match="exists already"):
        restore(str(db), copy)
    assert db.read_bytes() == before


def test_what_is_no_copy_is_refused(tmp_path: Path) -> None:
    text = tmp_path / "notes.txt"
    text.write_text("hay, oats, rye")
    with pytest.raises(UsageError, match="no copy"):
        restore(str(tmp_path / "new.db"), text)
    assert not (tmp_path / "new.db").exists()
    with pytest.raises(UsageError, match="no file"):
        restore(str(tmp_path / "new.db"), tmp_path / "nothing")


def test_damage_is_found_and_told_by_the_command(tmp_path: Path) -> None:
    db = tmp_path / "a.db"
    add_collection(str(db))
    run = CliRunner().invoke(app, ["db", "check", "--db", str(db)])
    assert (run.exit_code, run.output) == (0, "the database is whole.\n")

    with sqlite3.connect(db) as connection:
        connection.execute("PRAGMA foreign_keys = OFF")
        row = "INSERT INTO collection_states VALUES (99, 'x', '{}', '2026-01-01')"
        connection.execute(row)
    connection.close()
    run = CliRunner().invoke(app, ["db", "check", "--db", str(db)])
    assert run.exit_code == 1
    assert "collection_states" in run.output


def test_values_that_are_no_json_are_found(tmp_path: Path) -> None:
    db = tmp_path / "a.db"
    add_collection(str(db))
    with closing(sqlite3.connect(db)) as connection:
        connection.execute("UPDATE collections SET settings = '{'")
        connection.commit()
    run = CliRunner().invoke(app, ["db", "check", "--db", str(db)])
    assert run.exit_code == 1
    assert "collections: 1 rows have settings that is no JSON" in run.output


def test_the_database_of_another_program_is_refused_and_untouched(
    tmp_path: Path,
) -> None:
    db = tmp_path / "photos.db"
    with sqlite3.connect(db) as connection:
        connection.execute("CREATE TABLE photos (id INTEGER)")
    connection.close()
    before = db.read_bytes()
    with pytest.raises(ScytheError, match="another program"):
        Store.open(str(db))
    assert db.read_bytes() == before


def test_no_password_is_shown() -> None:
    address = "postgresql://user:secret@host/name?password=secret&sslpassword=secret"
    assert "secret" not in display_name(database_url(address))
