"""The pages of a Parquet table, by groups of its rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from scythe.bulk.page import PageEntry, PagePosition
from scythe.bulk.reading.files import open_file
from scythe.bulk.reading.lines import (
    CHARSET_NAMES,
    HTML_NAMES,
    URL_NAMES,
    PageColumns,
    find_column,
    page_from_row,
)
from scythe.errors import FetchError, UsageError

_BATCH_ROWS = 32
"""Rows held in memory: pages of 16 MB, the most that is read of one, come to half a
gigabyte.
"""


def open_table(source: str) -> Any:
    """Return the `pyarrow.parquet.ParquetFile` of a file."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError as error:
        raise UsageError(
            f"Reading {source} needs pyarrow. Install it with: pip install 'webscythe[parquet]'"
        ) from error
    try:
        return pq.ParquetFile(open_file(source))
    except (pa.ArrowException, OSError) as error:
        raise FetchError(
            f"{source} is no Parquet table, or it is damaged ({error}). Write it again."
        ) from error


def row_group_count(source: str, columns: PageColumns) -> int:
    """Return how many groups of rows a table with these columns has."""
    table = open_table(source)
    require_columns(source, table.schema_arrow.names, columns)
    return int(table.metadata.num_row_groups)


def read_parquet(
    source: str,
    row_groups: tuple[int, int],
    after: PagePosition | None,
    columns: PageColumns,
) -> Iterator[PageEntry]:
    """Yield the pages of a range of row groups."""
    table = open_table(source)
    names = require_columns(source, table.schema_arrow.names, columns)
    first_group, last_group = row_groups
    row_number = 0
    for group in range(last_group):
        rows_in_group = table.metadata.row_group(group).num_rows
        next_row = row_number + rows_in_group
        is_done = after is not None and next_row <= after.offset
        if group < first_group or is_done:
            row_number = next_row
            continue

        batches = table.iter_batches(_BATCH_ROWS, row_groups=[group], columns=names)
        for batch in batches:
            for row in batch.to_pylist():
                if after is None or row_number > after.offset:
                    load = partial(page_from_row, row, source, row_number, columns)
                    yield PageEntry(source, PagePosition(row_number), load)
                row_number += 1


def require_columns(
    source: str, present: Sequence[str], columns: PageColumns
) -> list[str]:
    """Return the columns to read, or raise a `UsageError` that names those there are."""
    for name in columns:
        if name and name not in present:
            raise _missing_column(source, f"no column {name}", present)
    spelling = {name.lower(): name for name in present}
    html = columns.html or find_column(spelling, HTML_NAMES)
    if html is None:
        raise _missing_column(source, "no column of pages that can be guessed", present)

    url = columns.url or find_column(spelling, URL_NAMES)
    charset = find_column(spelling, CHARSET_NAMES)
    return [name for name in (url, html, charset) if name]


def _missing_column(source: str, problem: str, present: Sequence[str]) -> UsageError:
    return UsageError(
        f"{source} has {problem}, only: {', '.join(present)}. "
        "Name it with --html-column or --url-column."
    )
