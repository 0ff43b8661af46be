"""Column types that hold the same values in SQLite and PostgreSQL: points in time, text
and JSON of any page, states.
"""

from __future__ import annotations

import json
import math
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, NamedTuple

from sqlalchemy import JSON, DateTime, Dialect, Text, TypeDecorator

from scythe.errors import StoreError

_FINITE = json.JSONEncoder(ensure_ascii=False, allow_nan=False)
_MAX_SHOWN = 60
"""Characters of a damaged value that a message shows: what fits."""


class UtcDateTime(TypeDecorator[datetime]):
    """A point in time, always UTC. SQLite keeps it as text that sorts and reads well,
    PostgreSQL as a time with a zone.
    """

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(
        self, value: datetime | None, dialect: Dialect
    ) -> datetime | None:
        """Return the time for the database. Each would read a time without a zone
        differently.
        """
        if value is None:
            return None
        value = value.astimezone(UTC)
        if dialect.name == "sqlite":
            return value.replace(tzinfo=None)
        return value

    def process_result_value(
        self, value: datetime | None, dialect: Dialect
    ) -> datetime | None:
        """Return the time from the database."""
        if value is None:
            return None
        if value.tzinfo is None:
            return value.replace(tzinfo=UTC)
        return value.astimezone(UTC)


class CleanText(TypeDecorator[str]):
    """Text. What no database can hold (NUL, half of a surrogate pair) is replaced:
    pages and notes about them may have it.
    """

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        """Return the text for the database."""
        if value is None:
            return None
        return storable_text(value)


class EnumText(TypeDecorator[StrEnum]):
    """The text of a member of an enumeration."""

    impl = Text
    cache_ok = True

    def __init__(self, members: type[StrEnum]) -> None:
        super().__init__()
        self.members = members

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        """Return the text for the database."""
        if value is None:
            return None
        return str(value)

    def process_result_value(
        self, value: str | None, dialect: Dialect
    ) -> StrEnum | None:
        """Return the member from the database."""
        if value is None:
            return None
        try:
            return self.members(value)
        except ValueError:
            raise _damaged(value) from None


class CleanJson(TypeDecorator[Any]):
    """JSON that every tool can read: no NUL, no half of a surrogate pair, no infinite
    number. PostgreSQL stops at them when a query looks into the JSON, as the SQL views
    of collections do.
    """

    impl = JSON(none_as_null=True)
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> Any:
        """Return the value for the database, written already where nothing is wrong
        with it: what is read of pages is long.
        """
        if value is None:
            return None
        text = _clean_text(value)
        return clean_json(value) if text is None else WrittenJson(text)


class WrittenJson(NamedTuple):
    """JSON that is written already."""

    text: str


def storable_text(text: str) -> str:
    """Return text that every database can hold."""
    return text.replace("\0", "\ufffd").encode("utf-8", "replace").decode("utf-8")


def clean_json(value: Any) -> Any:
    """Return a value that JSON of any database can hold. Nearly all are returned as
    they are: their JSON shows at once that nothing is wrong with them.
    """
    if _clean_text(value) is not None:
        return value
    return _clean_parts(value)


def _clean_text(value: Any) -> str | None:
    """Return the JSON of a value that any database can hold, None of others."""
    try:
        text = _FINITE.encode(value)
    except (ValueError, TypeError):
        return None
    is_clean = "\\u0000" not in text and _is_encodable(text)
    return text if is_clean else None


def _clean_parts(value: Any) -> Any:
    if isinstance(value, str):
        return storable_text(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        cleaned = {}
        for name, part in value.items():
            clean_name = _clean_parts(name)
            cleaned[clean_name] = _clean_parts(part)
        return cleaned
    if isinstance(value, (list, tuple)):
        return [_clean_parts(part) for part in value]
    return value


def json_text(value: Any) -> str:
    """Return JSON that a person can read in the database. Only where it holds what
    cannot be encoded, it has escapes.
    """
    if isinstance(value, WrittenJson):
        return value.text
    text = json.dumps(value, ensure_ascii=False)
    if _is_encodable(text):
        return text
    return json.dumps(value)


def stored_value(text: str) -> Any:
    """Return the value of JSON in the database."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise _damaged(text) from None


def _damaged(text: str) -> StoreError:
    shown = repr(text[:_MAX_SHOWN])
    return StoreError(
        f"The database holds what Scythe did not write: {shown}. "
        "Run `scythe db check`, and restore it from a copy if it finds damage."
    )


def _is_encodable(text: str) -> bool:
    if text.isascii():
        return True
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def now() -> datetime:
    """Return the present, as it is stored."""
    return datetime.now(UTC)
