"""Copies of a database that can be put back, and a look at whether it is whole.

SQLite copies a database that is in use page by page, and PostgreSQL dumps one as of one
moment: neither stops those who work with it.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

from sqlalchemy import URL, Connection, text

from scythe.errors import NoDatabase, StoreError, UsageError
from scythe.store.location import database_url, display_name
from scythe.store.store import Store

_JSON_COLUMNS = """
SELECT found.name, parts.name
FROM sqlite_master AS found JOIN pragma_table_info(found.name) AS parts
WHERE found.type = 'table' AND parts.type = 'JSON'
"""
_BUSY_SECONDS = 60.0
"""How long a copy waits for who writes: a bound, not tuned."""


def back_up(db: str | None, target: Path) -> None:
    """Write a copy of a database to a file that does not exist yet, whole or not at
    all.
    """
    if target.exists():
        raise UsageError(f"{target} exists already. Name another file.")
    Store.open(db).close()
    url = database_url(db)
    part = target.with_name(f"{target.name}.part")
    try:
        if url.drivername == "sqlite":
            _copy_sqlite(Path(str(url.database)), part)
        else:
            _run_postgres("pg_dump", ["--format=custom", f"--file={part}"], url)
        part.replace(target)
    except OSError as error:
        raise StoreError(
            f"The copy cannot be written to {target}: {error.strerror}. "
            "Check the folder and its free space."
        ) from error
    finally:
        with suppress(OSError):
            part.unlink()


def restore(db: str | None, source: Path) -> str:
    """Put a copy back where there is no database yet; return its name."""
    if not source.is_file():
        raise UsageError(f"There is no file {source}. Name a copy made by `db backup`.")
    url = database_url(db)
    if url.drivername != "sqlite":
        options = ["--exit-on-error", "--single-transaction", "--no-owner", str(source)]
        _run_postgres("pg_restore", options, url)
    else:
        target = Path(str(url.database))
        if target.exists():
            raise UsageError(
                f"{target} exists already, and is left as it is. "
                "Name a file that does not exist with --db, or move that one away."
            )
        _require_whole(source)
        target.parent.mkdir(parents=True, exist_ok=True)
        _copy_sqlite(source, target)
    Store.open(db).close()
    return display_name(url)


def find_damage(db: str | None) -> list[str]:
    """Return what is wrong with a database, in words; nothing where it is whole."""
    with Store.open(db) as store, store.reading() as connection:
        if store.is_postgresql:
            connection.execute(text("SELECT 1"))
            return []
        rows = connection.execute(text("PRAGMA integrity_check(20)")).scalars()
        damage = [str(row) for row in rows if row != "ok"]
        orphans = connection.execute(text("PRAGMA foreign_key_check")).all()
        damage += [f"{row[0]}: row {row[1]} belongs to nothing" for row in orphans[:20]]
        return [*damage, *_broken_json(connection)]


def _broken_json(connection: Connection) -> Iterator[str]:
    """Yield the columns of SQLite whose JSON cannot be read; PostgreSQL takes none."""
    columns = connection.execute(text(_JSON_COLUMNS)).all()
    for table, column in columns:
        is_broken = f"{column} IS NOT NULL AND NOT json_valid({column})"
        query = f"SELECT count(*) FROM {table} WHERE {is_broken}"  # noqa: S608 - our own names
        count = connection.execute(text(query)).scalar_one()
        if count:
            yield f"{table}: {count} rows have {column} that is no JSON"


def _copy_sqlite(source: Path, target: Path) -> None:
    try:
        with (
            closing(sqlite3.connect(source, timeout=_BUSY_SECONDS)) as original,
            closing(sqlite3.connect(target)) as copy,
        ):
            original.backup(copy)
    except sqlite3.Error as error:
        with suppress(OSError):
            target.unlink()
        raise StoreError(
            f"{source} cannot be copied to {target} ({error}). "
            "Check the free space and the permissions."
        ) from error


def _require_whole(source: Path) -> None:
    try:
        address = f"{source.absolute().as_uri()}?mode=ro"
        with closing(sqlite3.connect(address, uri=True)) as connection:
            found = connection.execute("PRAGMA integrity_check(1)").fetchone()[0]
            connection.execute("SELECT count(*) FROM scythe_schema")
    except sqlite3.Error as error:
        raise UsageError(
            f"{source} is no copy of a database of Scythe ({error}). Name another."
        ) from error
    if found != "ok":
        raise UsageError(f"{source} is damaged ({found}). Name another copy.")


def _run_postgres(program: str, options: list[str], url: URL) -> None:
    """Run a program of PostgreSQL. The password goes by the environment, where no list
    of processes shows it.
    """
    path = shutil.which(program)
    if path is None:
        raise NoDatabase(
            f"{program} is not installed. Install PostgreSQL's client programs."
        )
    plain = url.set(drivername="postgresql", password=None)
    plain = plain.difference_update_query(["sslpassword"])
    command = [path, f"--dbname={plain.render_as_string()}", *options]
    environment = dict(os.environ)
    if url.password:
        environment["PGPASSWORD"] = url.password
    done = subprocess.run(  # noqa: S603 - PostgreSQL's own program, as found on the path
        command, env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        reason = (done.stderr.strip().splitlines() or ["no reason given"])[0]
        raise StoreError(f"{program} failed: {reason}")
