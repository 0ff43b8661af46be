"""Which database a command means, and what it is told where that cannot be."""

from __future__ import annotations

from pathlib import Path

import pytest

from scythe.errors import UsageError
from scythe.store.location import database_url, display_name


@pytest.mark.parametrize(
    ("given", "variable", "meant"),
    [
        ("notes.db", "", "sqlite:///notes.db"),
        ("sqlite:////var/notes.db", "ignored.db", "sqlite:////var/notes.db"),
        (None, "other.db", "sqlite:///other.db"),
        (None, "", "sqlite:////home/mo/data/scythe/scythe.db"),
        (
            "postgres://mo@db.example/notes",
            "",
            "postgresql+psycopg://mo@db.example/notes",
        ),
        (
            "postgresql://mo@db.example/notes",
            "",
            "postgresql+psycopg://mo@db.example/notes",
        ),
    ],
)
def test_the_option_comes_before_the_variable_and_that_before_the_users_folder(
    given: str | None, variable: str, meant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    url = database_url(given, {"SCYTHE_DB": variable, "XDG_DATA_HOME": "/home/mo/data"})
    assert url.render_as_string(hide_password=False) == meant


def test_without_settings_the_file_is_in_the_home_folder(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setattr(Path, "home", lambda: Path("/home/mo"))
    assert database_url(None, {}).database == "/home/mo/.local/share/scythe/scythe.db"


@pytest.mark.parametrize(
    "given",
    [
        "mysql://host/name",
        "sqlite://",
        "sqlite:///:memory:",
        "http://host:x/",
        "://",
        "postgresql:/mo:secret@host/name",
        "host=db.example dbname=notes password=secret",
    ],
)
def test_what_is_no_database_is_wrong_usage(given: str) -> None:
    with pytest.raises(UsageError, match=r"FILE"):
        database_url(given, {})


def test_messages_never_name_a_password() -> None:
    assert (
        display_name(database_url("postgresql://mo:secret@db.example/notes", {}))
        == "postgresql://mo:***@db.example/notes"
    )
    assert display_name(database_url("notes.db", {})) == "notes.db"


def test_a_password_among_the_settings_goes_where_the_others_are() -> None:
    url = database_url(
        "postgresql://db.example/notes?user=mo&password=secret&sslmode=require", {}
    )
    assert (url.username, url.password) == ("mo", "secret")
    assert url.query == {"sslmode": "require"}
    assert display_name(url) == "postgresql://mo:***@db.example/notes"


def test_settings_of_a_file_are_left_out() -> None:
    assert database_url("sqlite:///notes.db?password=secret", {}).query == {}
