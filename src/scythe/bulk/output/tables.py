"""What a row has: the same columns in every run, in JSONL as in Parquet.

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
PLACE = ("source", "offset", "inner")
COLUMNS: Mapping[Table, tuple[str, ...]] = {
    "documents": (
        *(
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
        ),
        *PLACE,
        "timings",
    ),
    "records": (
        *(
            "url",
            "status",
            "reason",
            "record",
            "text",
            "link",
            "fields",
            "confidence",
            "method",
        ),
        *PLACE,
        "timings",
    ),
}
NO_TIMINGS = {"read": None, "extract": None}


def whole_row(table: Table, values: Mapping[str, Any]) -> dict[str, Any]:
    """A row with every column of its table, in order, None where there is no value."""
    return {name: values.get(name) for name in COLUMNS[table]}


def line_of(row: Mapping[str, Any], *, timed: bool) -> bytes:
    """A row as a line of JSON."""
    timings = row["timings"] if timed else None
    written = {name: value for name, value in row.items() if name != "timings"}
    line = json.dumps(written, ensure_ascii=False, separators=(",", ":"))
    return f'{line[:-1]},"timings":{_fixed(timings)}}}\n'.encode("utf-8", "replace")


def _fixed(timings: Mapping[str, float | None] | None) -> str:
    if timings is None:
        return "null"
    return (
        "{"
        + ",".join(
            f'"{name}":{0.0 if seconds is None else seconds:.3e}'
            for name, seconds in timings.items()
        )
        + "}"
    )


def arrow_schema(table: Table) -> Any:
    """The same as pyarrow has it."""
    import pyarrow as pa

    text, number, place = pa.string(), pa.float64(), pa.int64()
    kinds = {
        "metadata": pa.struct([(name, text) for name in METADATA]),
        "fields": pa.map_(text, pa.list_(text)),
        "timings": pa.struct([("read", number), ("extract", number)]),
        "confidence": number,
        "record": place,
        "offset": place,
        "inner": place,
    }
    return pa.schema([(name, kinds.get(name, text)) for name in COLUMNS[table]])


def arrow_row(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row as pyarrow takes it: the values of a field are a list."""
    fields = row.get("fields")
    if not isinstance(fields, Mapping):
        return dict(row)
    return {
        **row,
        "fields": [
            (name, [v] if isinstance(v, str) else list(v)) for name, v in fields.items()
        ],
    }
