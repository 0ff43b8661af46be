"""The columns of a row: the same in every run, in JSONL as in Parquet.

`timings` comes last and is written in a fixed width, so that two runs over the same
pages write the same bytes but for its digits, and shards end at the same rows.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Literal

Table = Literal["documents", "records"]

METADATA = (
    "author",
    "published",
    "modified",
    "language",
    "site_name",
    "description",
    "image",
    "canonical_url",
)
COLUMNS: Mapping[Table, tuple[str, ...]] = {
    "documents": (
        "url",
        "status",
        "reason",
        "title",
        "text",
        "markdown",
        "metadata",
        "page_type",
        "confidence",
        "method",
        "source",
        "offset",
        "inner",
        "date",
        "record_id",
        "http_status",
        "timings",
    ),
    "records": (
        "url",
        "status",
        "reason",
        "record",
        "text",
        "link",
        "fields",
        "confidence",
        "method",
        "source",
        "offset",
        "inner",
        "date",
        "record_id",
        "http_status",
        "timings",
    ),
}
NO_TIMINGS = {"read": None, "extract": None}


def complete_row(table: Table, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row with every column of its table, in order, None where there is no
    value.
    """
    columns = COLUMNS[table]
    return {name: values.get(name) for name in columns}


def json_line(row: Mapping[str, Any], *, with_timings: bool) -> bytes:
    """Return a row as a line of JSON."""
    timings = row["timings"] if with_timings else None
    others = dict(row)
    others.pop("timings", None)
    line = json.dumps(others, ensure_ascii=False, separators=(",", ":"))
    without_brace = line[:-1]
    line = f'{without_brace},"timings":{_fixed_width(timings)}}}\n'
    return line.encode("utf-8", "replace")


def _fixed_width(timings: Mapping[str, float | None] | None) -> str:
    """Return timings as JSON whose length does not depend on them."""
    if timings is None:
        return "null"
    items = []
    for name, seconds in timings.items():
        number = 0.0 if seconds is None else seconds
        items.append(f'"{name}":{number:.3e}')
    return "{" + ",".join(items) + "}"


def arrow_schema(table: Table) -> Any:
    """Return the columns of a table as pyarrow has them."""
    import pyarrow as pa

    text = pa.string()
    number = pa.float64()
    integer = pa.int64()
    types = {
        "metadata": pa.struct([(name, text) for name in METADATA]),
        "fields": pa.map_(text, pa.list_(text)),
        "timings": pa.struct([("read", number), ("extract", number)]),
        "confidence": number,
        "record": integer,
        "offset": integer,
        "inner": integer,
        "http_status": integer,
    }
    columns = {}
    for name in COLUMNS[table]:
        columns[name] = types.get(name, text)
    return pa.schema(columns)


def arrow_row(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row as pyarrow takes it: fields are pairs of names and values."""
    fields = row.get("fields")
    if not isinstance(fields, Mapping):
        return dict(row)
    return {**row, "fields": list(fields.items())}
