"""Which database is meant: the one a command names, else the one SCYTHE_DB names, else a
file in the user's data folder.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from scythe.errors import NoDatabase, UsageError

VARIABLE = "SCYTHE_DB"
_POSTGRES = "postgresql+psycopg"
_DRIVERS = {
    "sqlite": "sqlite",
    "postgres": _POSTGRES,
    "postgresql": _POSTGRES,
    "postgresql+psycopg": _POSTGRES,
}
_MISSPELLED = re.compile(r"^(sqlite|postgres\w*|mysql):|\b(password|dbname)=")
"""Addresses that lack their slashes, or are written for another program: a file of that
name would have the password in its name.
"""


def database_url(
    address: str | None = None, environment: Mapping[str, str] | None = None
) -> URL:
    """Return the address of the database; a plain path is an SQLite file."""
    environment = os.environ if environment is None else environment
    address = address or environment.get(VARIABLE) or ""
    if not address:
        path = data_folder(environment) / "scythe.db"
        return URL.create("sqlite", database=str(path))
    if "://" not in address and not _MISSPELLED.search(address):
        return URL.create("sqlite", database=address)

    try:
        url = make_url(address)
        driver = _DRIVERS[url.drivername]
    except (ArgumentError, KeyError, ValueError):
        raise _no_address() from None
    is_in_memory = not url.database or ":memory:" in url.database
    if driver == "sqlite" and is_in_memory:
        raise UsageError(
            "An SQLite database needs a file, so that it is there next time. "
            f"Name one: {url.drivername}:///FILE."
        )
    url = url.set(drivername=driver)
    if driver == "sqlite":
        is_plain_file = not (url.database or "").startswith("file:")
        return url.set(query={}) if is_plain_file else url
    return _with_password_of_query(url)


def _no_address() -> UsageError:
    return UsageError(
        "This is no address of a database. Give a file, sqlite:///FILE, or "
        f"postgresql://USER@HOST/NAME (with --db or in {VARIABLE})."
    )


def _with_password_of_query(url: URL) -> URL:
    """Return an address whose user and password stand where every program that is
    given it looks for them, and hides them.
    """
    user, password = url.query.get("user"), url.query.get("password")
    if isinstance(user, str):
        url = url.set(username=user)
    if isinstance(password, str):
        url = url.set(password=password)
    return url.difference_update_query(["user", "password"])


class DatabaseLocation(NamedTuple):
    """Where a database is, without opening it."""

    name: str
    """As messages name it, without a password."""
    is_missing_file: bool
    """Whether it is a file that is not there yet."""


def locate_database(address: str | None = None) -> DatabaseLocation:
    """Return where the database of an address is, or the user's own."""
    url = database_url(address)
    name = display_name(url)
    is_file = url.drivername == "sqlite"
    return DatabaseLocation(name, is_file and not Path(name).exists())


def display_name(url: URL) -> str:
    """Return the address as messages show it: without a password, and a file by its
    path.
    """
    if url.drivername == "sqlite":
        return url.database or ""
    shown = url.set(drivername="postgresql", query={})  # a query may hold a password
    return shown.render_as_string(hide_password=True)


def data_folder(environment: Mapping[str, str]) -> Path:
    """Return the folder in which programs of this system keep a user's data."""
    try:
        if sys.platform == "darwin":
            base = Path.home() / "Library" / "Application Support"
        elif sys.platform == "win32":
            local = environment.get("LOCALAPPDATA")
            base = Path(local or Path.home() / "AppData" / "Local")
        else:
            data_home = environment.get("XDG_DATA_HOME")
            base = Path(data_home or Path.home() / ".local" / "share")
    except RuntimeError as error:
        raise NoDatabase(
            "There is no home folder to keep the database in. "
            f"Name a file with --db or in {VARIABLE}."
        ) from error
    return base / "scythe"
