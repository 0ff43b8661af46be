"""Another process holds the SQLite file: whatever must be written says so and changes
nothing, and goes on when the file is free. Readers do not wait.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from command_line import run_here
from growing_site import GrowingSite, Served
from read_pages import read_collection
from scythe.collect.collection import Collection
from scythe.errors import StoreError
from scythe.store import Store
from scythe.store import store as store_module
from visitor import Visitor, words_of

ADVICE = "another program has held it for too long. Try again when that has ended."


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(store_module, "TIMEOUT", 0.2)
    return str(tmp_path / "scythe.db")


@contextmanager
def locked(path: str) -> Iterator[None]:
    """Hold a database as another program that writes."""
    with closing(sqlite3.connect(path, isolation_level=None, timeout=30)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


@pytest.fixture
def kitchen(path: str) -> str:
    """The path of a database with a collection that was read."""
    with Store.open(path) as store:
        read_collection(store)
    with Collection.open("oats", db=path) as collection:
        collection.accept_suggestions()
    return path


@pytest.mark.parametrize(
    "command",
    [
        ["collect", "add", "https://rye.example/"],
        ["collect", "run", "oats"],
        ["collect", "edit", "oats", "1", "title=Groats"],
        ["collect", "hide", "oats", "1"],
        ["collect", "set", "oats", "delay=2"],
        ["collect", "show", "oats", "1"],
        ["collect", "remove", "oats"],
    ],
)
def test_commands_say_so_and_change_nothing(kitchen: str, command: list[str]) -> None:
    before = list(sqlite3.connect(kitchen).iterdump())
    with locked(kitchen):
        done = run_here([*command, "--db", kitchen])
    assert done.returncode == 1
    assert ADVICE in done.stderr
    assert done.stderr.count("\n") == 1
    assert list(sqlite3.connect(kitchen).iterdump()) == before


def test_commands_that_read_do_not_wait(kitchen: str) -> None:
    with locked(kitchen):
        for command in ("records", "status", "export"):
            more = ["--to", "csv"] if command == "export" else []
            done = run_here(["collect", command, "oats", *more, "--db", kitchen])
            assert done.returncode == 0, done.stderr


def test_the_web_app_says_so_and_keeps_what_was_typed(kitchen: str) -> None:
    with Store.open(kitchen) as store, Visitor(store) as visitor:
        with locked(kitchen):
            assert visitor.get("/collections/oats/records").status_code == 200
            hidden = visitor.send("/collections/oats/records/1/hide", what="hide")
            edited = visitor.send(
                "/collections/oats/records/1/edit", **{"field.title": "Groats"}
            )
        assert hidden.status_code == 503
        assert ADVICE in words_of(hidden.text)
        assert 'name="what" value="hide"' in hidden.text
        assert "Send it again" in hidden.text
        assert ADVICE in words_of(edited.text)
        assert 'value="Groats"' in edited.text or ">Groats<" in edited.text


def test_the_api_says_so(kitchen: str) -> None:
    requests = [
        ("DELETE", "/api/collections/oats", None),
        ("POST", "/api/collections", {"url": "https://rye.example/"}),
    ]
    with Store.open(kitchen) as store, Visitor(store) as visitor:
        with locked(kitchen):
            for method, path, values in requests:
                answer = visitor.api(method, path, values)
                assert answer.status_code == 503, answer.text
                assert ADVICE in answer.json()["message"]
        assert visitor.api("GET", "/api/collections/oats").status_code == 200


@pytest.mark.parametrize("step", range(0, 40, 3))
def test_a_run_that_is_locked_out_in_the_middle_is_resumed(
    path: str, step: int
) -> None:
    """Whenever that happens, the next run ends as an undisturbed one."""
    site = GrowingSite()
    site.grow(1, 8)
    held = closing(sqlite3.connect(path, isolation_level=None, timeout=30))
    with Served(site) as served:
        Collection.add(f"{served.url}/", "kitchen", "recipe", db=path).close()
        with held as other:
            calls = 0

            def hold(*_: object) -> None:
                nonlocal calls
                calls += 1
                if calls == step:
                    other.execute("BEGIN IMMEDIATE")

            with Collection.open("kitchen", db=path) as collection:
                try:
                    collection.run(progress=hold)
                except StoreError:
                    other.execute("ROLLBACK")
                collection.run()
                records = list(collection.records())
                assert len(records) == 8
                assert all(len(collection.history(record)) == 1 for record in records)
