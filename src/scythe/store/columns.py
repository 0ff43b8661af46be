"""Values that mean the same in every database: points in time, and text of any page."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import DateTime, Dialect, Text, TypeDecorator


class Time(TypeDecorator[datetime]):
    """A point in time, always UTC. SQLite keeps it as text that sorts and reads well,
    PostgreSQL as a time with a zone.
    """

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(
        self, value: datetime | None, dialect: Dialect
    ) -> datetime | None:
        """To the database: a time without a zone would be read differently by each."""
        if value is None:
            return None
        value = value.astimezone(UTC)
        return value.replace(tzinfo=None) if dialect.name == "sqlite" else value

    def process_result_value(
        self, value: datetime | None, dialect: Dialect
    ) -> datetime | None:
        """From the database."""
        if value is None:
            return None
        return (
            value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)
        )


class Words(TypeDecorator[str]):
    """Text. What no database can hold (NUL, half of a surrogate pair) is replaced:
    pages and their notes may have it.
    """

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        """To the database."""
        return (
            None
            if value is None
            else value.replace("\0", "\ufffd")
            .encode("utf-8", "replace")
            .decode("utf-8")
        )


def as_json_text(values: Any) -> str:
    """JSON that a person can read in the database, unless it holds what only escapes
    can say.
    """
    text = json.dumps(values, ensure_ascii=False)
    return text if text.isascii() or _is_sound(text) else json.dumps(values)


def _is_sound(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def now() -> datetime:
    """The present, as it is stored."""
    return datetime.now(UTC)
