"""Which database is meant: what the command says, else what SCYTHE_DB says, else a file
in the user's data folder.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

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


def database_url(
    given: str | None = None, environment: Mapping[str, str] | None = None
) -> URL:
    """The address of the database; a plain path is an SQLite file."""
    environment = os.environ if environment is None else environment
    wanted = given or environment.get(VARIABLE) or ""
    if not wanted:
        return URL.create(
            "sqlite", database=str(data_folder(environment) / "scythe.db")
        )
    if "://" not in wanted:
        return URL.create("sqlite", database=wanted)
    try:
        url = make_url(wanted)
        driver = _DRIVERS[url.drivername]
    except (ArgumentError, KeyError, ValueError):
        raise UsageError(
            "This is no address of a database. Give a file, sqlite:///FILE, or postgresql://USER@HOST/NAME "
            f"(with --db or in {VARIABLE})."
        ) from None
    if driver == "sqlite" and (not url.database or ":memory:" in url.database):
        raise UsageError(
            f"An SQLite database needs a file, so that it is there next time. Name one: {url.drivername}:///FILE."
        )
    return url.set(drivername=driver)


def shown(url: URL) -> str:
    """The address as messages name it: without a password, and a file by its path."""
    if url.drivername == "sqlite":
        return url.database or ""
    return url.set(drivername="postgresql").render_as_string(hide_password=True)


def data_folder(environment: Mapping[str, str]) -> Path:
    """Where programs of this system keep a user's data."""
    try:
        if sys.platform == "darwin":
            base = Path.home() / "Library" / "Application Support"
        elif sys.platform == "win32":
            base = Path(
                environment.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
            )
        else:
            base = Path(
                environment.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
            )
    except RuntimeError as error:
        raise NoDatabase(
            f"There is no home folder to keep the database in. Name a file with --db or in {VARIABLE}."
        ) from error
    return base / "scythe"
