"""Harvested records in the formats of records from pages."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from scythe.cli.output.messages import CONTROL
from scythe.cli.output.rows import RowFormat, RowWriter, format_of

if TYPE_CHECKING:
    from scythe.store.engines.harvests import HarvestRows
    from scythe.wrappers.fields import Value


@dataclass(frozen=True)
class HarvestedRecord:
    """A record as it was stored."""

    values: Mapping[str, Any]

    @property
    def text(self) -> str:
        """All its text."""
        return str(self.values.get("text", ""))

    @property
    def link(self) -> str | None:
        """Where it leads."""
        return self.values.get("link")

    @property
    def fields(self) -> Mapping[str, Value]:
        """Its values by column."""
        return self.values.get("fields") or {}

    def as_json(self) -> dict[str, Any]:
        """All of it as plain values."""
        return dict(self.values)


class HarvestedRecords:
    """All records of a harvest; they are read from the database whenever they are gone
    through.
    """

    def __init__(self, rows: HarvestRows) -> None:
        self._rows = rows

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """The names of all fields, in the order in which they first appear."""
        return tuple(dict.fromkeys(name for record in self for name in record.fields))

    def __iter__(self) -> Iterator[HarvestedRecord]:
        return (HarvestedRecord(row.record) for row in self._rows.records())

    def __len__(self) -> int:
        return self._rows.count()


def rendered(
    rows: HarvestRows, wanted: RowFormat | None, out: str | None, *, to_terminal: bool
) -> str:
    """All records of a harvest as one text."""
    records = HarvestedRecords(rows)
    chosen = format_of(wanted, out)
    if chosen == "json":
        queries = [
            {
                "query": row.query,
                "pages": row.pages,
                "records": row.records,
                "new": row.fresh,
            }
            for row in rows.queries()
        ]
        values = {
            "queries": queries,
            "columns": list(records.columns),
            "records": [record.as_json() for record in records],
        }
        text = json.dumps(values, ensure_ascii=False, indent=2) + "\n"
        return CONTROL.sub("\ufffd", text) if to_terminal else text
    return RowWriter(chosen, several=False, to_terminal=to_terminal).rows("", records)
