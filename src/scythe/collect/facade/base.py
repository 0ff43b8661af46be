"""What every part of a collection's facade has: the rows of the collection."""

from __future__ import annotations

from scythe.collect.context import RunContext
from scythe.collect.records.schema import RecordSchema
from scythe.store.collections.collections import CollectionRow
from scythe.store.store import Store

OPERATOR = "operator"
"""Who makes a change, where nobody says so."""


class CollectionPart:
    """A part of the facade of one collection."""

    _context: RunContext

    @property
    def row(self) -> CollectionRow:
        """Its name, address, kind and settings."""
        return self._context.row

    @property
    def schema(self) -> RecordSchema:
        """The fields of its records, with those that operators added."""
        return self._context.schema

    @property
    def store(self) -> Store:
        """The database it is in."""
        return self._context.store
