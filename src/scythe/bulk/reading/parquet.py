"""The pages of a Parquet table, by groups of its rows."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from scythe.bulk.page import Entry, Position
from scythe.bulk.reading.files import open_file
from scythe.bulk.reading.lines import (
    CHARSET_NAMES,
    HTML_NAMES,
    URL_NAMES,
    guessed,
    page_of_values,
)
from scythe.errors import FetchError, UsageError

_ROWS_AT_ONCE = 32
"""Rows held in memory: pages of 16 MB, the most that is read of one, come to half a
gigabyte.
"""


def table_of(source: str) -> Any:
    """The table in a file."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError as error:
        raise UsageError(
            f"Reading {source} needs pyarrow. Install it with: pip install 'scythe[parquet]'"
        ) from error
    try:
        return pq.ParquetFile(open_file(source))
    except (pa.ArrowException, OSError) as error:
        raise FetchError(
            f"{source} is no Parquet table, or it is damaged ({error}). Write it again."
        ) from error


def row_groups(source: str) -> list[int]:
    """How many rows each group of a table has."""
    metadata = table_of(source).metadata
    return [
        metadata.row_group(group).num_rows for group in range(metadata.num_row_groups)
    ]


def read_parquet(
    source: str,
    groups: tuple[int, int],
    after: Position | None,
    names: tuple[str | None, str | None],
) -> Iterator[Entry]:
    """The pages of some groups of rows; `names` are those of the columns with address
    and page, None to guess.
    """
    table = table_of(source)
    columns = require_columns(source, table.schema_arrow.names, names)
    counts = [
        table.metadata.row_group(group).num_rows
        for group in range(table.metadata.num_row_groups)
    ]
    for group in range(*groups):
        row = sum(counts[:group])
        if after is not None and row + counts[group] <= after.offset:
            continue
        for batch in table.iter_batches(
            _ROWS_AT_ONCE, row_groups=[group], columns=columns
        ):
            for values in batch.to_pylist():
                if after is None or row > after.offset:
                    yield Entry(
                        source,
                        Position(row),
                        partial(page_of_values, values, (source, row), names),
                    )
                row += 1


def require_columns(
    source: str, present: list[str], names: tuple[str | None, str | None]
) -> list[str]:
    """The columns to read, or a `UsageError` that names those there are."""
    spelled = {name.lower(): name for name in present}
    url = names[0] or guessed(spelled, URL_NAMES)
    html = names[1] or guessed(spelled, HTML_NAMES)
    missing = next(
        (name for name in (names[0], names[1]) if name and name not in present), None
    )
    if html is None or missing:
        what = (
            f"no column {missing}"
            if missing
            else "no column of pages that can be guessed"
        )
        raise UsageError(
            f"{source} has {what}, only: {', '.join(present)}. Name it with --html-column or --url-column."
        )
    return [name for name in (url, html, guessed(spelled, CHARSET_NAMES)) if name]
