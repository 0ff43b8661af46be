"""What can go wrong with a database, in words that say what to do."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import (
    DBAPIError,
    IntegrityError,
    NoSuchModuleError,
    SQLAlchemyError,
)

from scythe.errors import AlreadyStored, NoDatabase, NotStored, StoreError

_ADVICE = (
    (
        "unable to open database file",
        "its folder is missing, read-only or not yours. Check the path, or name another with --db.",
    ),
    (
        "readonly database",
        "it cannot be written to. Check its permissions, or name another file with --db.",
    ),
    (
        "file is not a database",
        "it is no SQLite database. Name another file with --db.",
    ),
    (
        "malformed",
        "the file is damaged. Restore it from a copy, or name another file with --db.",
    ),
    (
        "database is locked",
        "another program has held it for too long. Try again when that has ended.",
    ),
    ("disk is full", "the disk is full. Free some space, then try again."),
    (
        "No space left",
        "the disk of the server is full. Free some space, then try again.",
    ),
    ("disk I/O error", "the disk failed. Check it and its free space."),
    (
        "already exists",
        (
            "it has tables of another program under the names that Scythe uses. "
            "Name another database with --db."
        ),
    ),
    (
        "password authentication failed",
        (
            "the user or the password is wrong. "
            "Check the address (postgresql://USER:PASSWORD@HOST/NAME)."
        ),
    ),
    (
        "no password supplied",
        (
            "it needs a password. "
            "Put it into the address (postgresql://USER:PASSWORD@HOST/NAME)."
        ),
    ),
    (
        "does not exist",
        (
            "there is no such database or user on that server. "
            "Make it with createdb, or check the address."
        ),
    ),
    (
        "permission denied",
        "its user may not make tables there. Grant that, or name another database with --db.",
    ),
    (
        "the database system is",
        "the server is starting or shutting down. Try again in a moment.",
    ),
    (
        "onnection",
        (
            "no server answers there, or it broke off. "
            "Check that PostgreSQL runs and that the address is right."
        ),
    ),
    ("resolve host", "the host name is unknown. Check the address."),
)
"""Parts of the messages of SQLite and PostgreSQL, from the most to the least specific,
and what each means for a user.
"""


@contextmanager
def explain_errors(
    name: str, error_type: type[StoreError] = StoreError
) -> Iterator[None]:
    """Raise every error of the database as one of ours; `name` is the database as
    messages name it.
    """
    try:
        yield
    except IntegrityError as error:
        if "foreign key" in str(error.orig).lower():
            raise NotStored(
                "Another process has just removed this. Nothing was changed."
            ) from error
        raise AlreadyStored(
            "Another process has just stored this. Nothing was changed."
        ) from error
    except DBAPIError as error:
        advice = _advice(str(error.orig))
        raise error_type(f"The database {name} cannot be used: {advice}") from error
    except SQLAlchemyError as error:
        advice = _advice(str(error))
        raise error_type(f"The database {name} cannot be used: {advice}") from error


@contextmanager
def require_driver() -> Iterator[None]:
    """Raise an error that says what to install where nothing on this machine can speak
    to PostgreSQL.
    """
    try:
        yield
    except (ImportError, NoSuchModuleError) as error:
        raise NoDatabase(
            "PostgreSQL needs psycopg: install webscythe[postgres], "
            "or name an SQLite file with --db."
        ) from error


def _advice(message: str) -> str:
    for part, advice in _ADVICE:
        if part in message:
            return advice
    one_line = " ".join(message.split())
    return f"{one_line}. Check it, or name another with --db."
