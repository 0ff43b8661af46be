"""Statements that every database has in its own words."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Select, TableClause
from sqlalchemy.dialects import postgresql, sqlite


def inserting(connection: Connection, table: TableClause) -> Any:
    """An insertion that can say what to do where the row is there already: `on_conflict_do_update`, `..._do_nothing`."""
    return postgresql.insert(table) if connection.dialect.name == "postgresql" else sqlite.insert(table)


def columns_of(table: TableClause, row: type) -> list[Any]:
    """The columns that a row class has as fields."""
    return [table.c[name] for name in row.__dataclass_fields__]  # type: ignore[attr-defined]


def counted(connection: Connection, wanted: Select[Any]) -> dict[Any, int]:
    """The rows of a statement that gives something and how often it is there."""
    return {row[0]: row[1] for row in connection.execute(wanted)}
