"""Records as the text that a format asks for."""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol
from unicodedata import east_asian_width

from scythe.cli.output.messages import CONTROL, one_line
from scythe.errors import UsageError

if TYPE_CHECKING:
    from scythe.wrappers.fields import Value
    from scythe.wrappers.record import Records


class Row(Protocol):
    """A record, of a page or of a database."""

    @property
    def text(self) -> str:
        """All its text."""

    @property
    def link(self) -> str | None:
        """Where it leads."""

    @property
    def fields(self) -> Mapping[str, Value]:
        """Its values by column."""

    def as_json(self) -> dict[str, Any]:
        """All of it as plain values."""


class Rows(Protocol):
    """Records with columns in common."""

    @property
    def columns(self) -> Sequence[str]:
        """The names of all fields."""

    def __iter__(self) -> Iterator[Row]: ...
    def __len__(self) -> int: ...


RowFormat = Literal["table", "json", "jsonl", "csv"]

MOST_COLUMNS = 7
"""Columns of a table that a person still takes in; the other formats have all."""

CELL = 60
"""Characters of a value in a table of plain text."""

_FIRST = ("title", "price", "date", "rating", "snippet", "link")
"""Columns that a table shows before others."""


def format_of(wanted: RowFormat | None, out: str | None) -> RowFormat:
    """The format that was asked for, else the one that the file's ending names, else a
    table.
    """
    if wanted is not None:
        return wanted
    ending = Path(out).suffix.lower().removeprefix(".") if out else ""
    formats: dict[str, RowFormat] = {
        "json": "json",
        "jsonl": "jsonl",
        "ndjson": "jsonl",
        "csv": "csv",
    }
    return formats.get(ending, "table")


class RowWriter:
    """Renders the records of one source after the other, as one text of a format."""

    def __init__(
        self,
        wanted: RowFormat,
        *,
        several: bool,
        columns: Sequence[str] | None = None,
        to_terminal: bool,
    ) -> None:
        self._format = wanted
        self._several = several
        self._columns = columns
        self._to_terminal = to_terminal
        self._begun = False

    def render(self, source: str, url: str | None, records: Records) -> str:
        """The records of one source, ending with a newline; empty where there is
        nothing to write.
        """
        text = self._rendered(source, url, records)
        return (
            CONTROL.sub("\ufffd", text)
            if self._to_terminal and self._format != "table"
            else text
        )

    def _rendered(self, source: str, url: str | None, records: Records) -> str:
        if self._format == "json":
            return (
                json.dumps(
                    _answer(source, url, records),
                    ensure_ascii=False,
                    indent=None if self._several else 2,
                )
                + "\n"
            )
        return self._rows(source, records)

    def rows(self, source: str, records: Rows) -> str:
        """The rows alone, in a format that has nothing else: not `json`."""
        text = self._rows(source, records)
        return (
            CONTROL.sub("\ufffd", text)
            if self._to_terminal and self._format != "table"
            else text
        )

    def _rows(self, source: str, records: Rows) -> str:
        if self._format == "jsonl":
            named = {"source": source} if self._several else {}
            return "".join(
                json.dumps({**named, **row.as_json()}, ensure_ascii=False) + "\n"
                for row in records
            )
        if self._format == "csv":
            return self._csv(source, records)
        header = f"==> {one_line(source)} <==\n\n" if self._several else ""
        table = _table(records, to_terminal=self._to_terminal)
        begun, self._begun = self._begun, True
        return (
            ("\n" if begun and self._several else "") + header + table if table else ""
        )

    def _csv(self, source: str, records: Rows) -> str:
        """Comma-separated values under one line of names: all columns, the link, and
        the whole text at the end.
        """
        columns = [name for name in self._columns or records.columns if name != "link"]
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        if not self._begun:
            writer.writerow(
                [*(["source"] if self._several else []), *columns, "link", "text"]
            )
            self._begun = True
        for row in records:
            cells = [_as_cell(row.fields.get(name, "")) for name in columns]
            writer.writerow(
                [*([source] if self._several else []), *cells, row.link or "", row.text]
            )
        return text.getvalue()


def _answer(source: str, url: str | None, records: Records) -> dict[str, Any]:
    return {
        "source": source,
        "url": url,
        "status": str(records.status),
        "note": records.note,
        "method": records.method,
        "confidence": round(records.confidence, 3),
        "next_page": records.next_page,
        "columns": list(records.columns),
        "records": [row.as_json() for row in records],
    }


def _as_cell(value: Value) -> str:
    return value if isinstance(value, str) else " | ".join(value)


def _table(records: Rows, *, to_terminal: bool) -> str:
    if not records:
        return ""
    names = [name for name in _FIRST if name in records.columns or name == "link"]
    names += [
        name
        for name in records.columns
        if name not in names and not name.startswith("image") and "_link" not in name
    ]
    shown = names[:MOST_COLUMNS]
    rows = [
        [str(number), *(_shown(row, name) for name in shown)]
        for number, row in enumerate(records, 1)
    ]
    hidden = len({*records.columns, "link"}) - len(shown)
    more = f"{hidden} more columns: --format csv has them.\n" if hidden > 0 else ""
    return table_of(["", *shown], rows, to_terminal=to_terminal) + more


def table_of(
    names: Sequence[str], rows: Sequence[Sequence[str]], *, to_terminal: bool
) -> str:
    """A table of cells of one line each: drawn on a terminal, aligned text elsewhere."""
    return _drawn(names, rows) if to_terminal else _aligned(names, rows)


def _shown(row: Row, name: str) -> str:
    return one_line(
        row.link or "" if name == "link" else _as_cell(row.fields.get(name, ""))
    )


def _drawn(names: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table for a terminal, as wide as that is."""
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(file=sys.stdout)
    table = Table(box=SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False)
    needed = [max(map(_width, column)) for column in zip(names, *rows, strict=True)]
    for name, width in zip(
        names, _fitted(needed, console.width - 2 * len(needed) - 2), strict=True
    ):
        table.add_column(name, no_wrap=True, width=width)
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    with console.capture() as captured:
        console.print(table)
    return captured.get()


def _fitted(widths: Sequence[int], available: int) -> list[int]:
    """Widths of columns that fit: the widest are narrowed, so that numbers, dates and
    prices stay whole.
    """
    low, high = 1, max(widths)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (
            (middle, high)
            if sum(min(width, middle) for width in widths) <= available
            else (low, middle - 1)
        )
    return [min(width, low) for width in widths]


def _aligned(names: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table of plain text, for files and pipes."""
    short = [
        [cell if len(cell) <= CELL else f"{cell[: CELL - 1]}…" for cell in row]
        for row in (names, *rows)
    ]
    widths = [max(map(_width, column)) for column in zip(*short, strict=True)]
    lines = [
        "  ".join(
            cell + " " * (width - _width(cell))
            for cell, width in zip(row, widths, strict=True)
        ).rstrip()
        for row in short
    ]
    return (
        "\n".join([lines[0], "  ".join("-" * width for width in widths), *lines[1:]])
        + "\n"
    )


def _width(text: str) -> int:
    """How many places text takes on a screen with letters of one width."""
    return sum(2 if east_asian_width(letter) in "WF" else 1 for letter in text)


def require_show(path: str) -> None:
    """Refuse to draw into anything but a page or a picture."""
    if not path.lower().endswith((".html", ".htm", ".png")):
        raise UsageError(
            f"--show {path}: records are drawn into a page or a picture. Give a name that ends in .html or .png."
        )
