"""The output: rows of the parts in their order, as one file or as shards of a bounded
size.

Files are written under another name and renamed when they are whole. What is written
down about each shard says where the next one begins, so that a killed run goes on with
the shard it was at.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Literal, Protocol, cast

from scythe.bulk.output.tables import Table, arrow_row, arrow_schema
from scythe.bulk.reading.files import create_file, is_remote
from scythe.bulk.workers.journal import Part
from scythe.errors import UsageError

Format = Literal["jsonl", "jsonl.gz", "jsonl.zst", "parquet"]
ENDINGS: dict[str, Format] = {
    ".jsonl.gz": "jsonl.gz",
    ".jsonl.zst": "jsonl.zst",
    ".ndjson": "jsonl",
    ".jsonl": "jsonl",
    ".parquet": "parquet",
    ".pq": "parquet",
}
ROW_GROUP = 32 << 20
"""Bytes of rows, as JSON, in a group of rows of a Parquet table."""

Rewrite = Callable[[int, int, bytes], bytes]
"""What becomes of a row: its part, its number in it, its line."""


@dataclass(frozen=True, slots=True)
class Output:
    """Where rows go, and how."""

    name: str
    format: Format
    shard_bytes: int | None
    """The size of a shard, counted as JSON; None for one file."""

    @property
    def description(self) -> str:
        """For the plan."""
        return f"{self.format} {self.shard_bytes}"

    def shard(self, number: int) -> str:
        """The name of a shard, or of the one file."""
        return (
            self.name
            if self.shard_bytes is None
            else f"{self.name.rstrip('/')}/part-{number:05}.{self.format}"
        )


def output_of(name: str, wanted: Format | None, shard_bytes: int) -> Output:
    """What a name and perhaps a format ask for: a file where the name has an ending of
    one, else a folder of shards.
    """
    ending = next((ending for ending in ENDINGS if name.lower().endswith(ending)), None)
    if ending is None or (not is_remote(name) and Path(name).is_dir()):
        if not is_remote(name) and Path(name).is_file():
            known = ", ".join(ENDINGS)
            raise UsageError(
                f"{name} is a file, but not of a kind that bulk writes ({known}). Name a folder or such a file."
            )
        output = Output(name, wanted or "jsonl", shard_bytes)
    else:
        if wanted is not None and wanted != ENDINGS[ending]:
            raise UsageError(
                f"The name {name} does not go with --format {wanted}. Leave --format out, or change the name."
            )
        output = Output(name, ENDINGS[ending], None)
    if output.format in ("parquet", "jsonl.zst") or is_remote(name):
        _require_pyarrow(name)
    return output


def _require_pyarrow(name: str) -> None:
    try:
        import pyarrow  # noqa: F401
    except ImportError as error:
        raise UsageError(
            f"Writing {name} needs pyarrow. Install it with: pip install 'scythe[parquet]'"
        ) from error


class _Writer(Protocol):
    def write(self, line: bytes) -> None:
        """Add a row."""

    def close(self) -> None:
        """Write what is left."""


class _Lines:
    def __init__(self, file: BinaryIO, wanted: Format) -> None:
        self._file = file
        self._packed: Any = file
        if wanted == "jsonl.gz":
            self._packed = gzip.GzipFile(
                filename="", mode="wb", compresslevel=6, fileobj=file, mtime=0
            )
        elif wanted == "jsonl.zst":
            import pyarrow as pa

            self._packed = pa.CompressedOutputStream(file, "zstd")

    def write(self, line: bytes) -> None:
        self._packed.write(line)

    def close(self) -> None:
        if self._packed is not self._file:
            self._packed.close()


class _Groups:
    """Rows of a Parquet table, group by group."""

    def __init__(self, file: BinaryIO, table: Table) -> None:
        import pyarrow.parquet as pq

        self._schema = arrow_schema(table)
        self._writer = pq.ParquetWriter(file, self._schema, compression="zstd")
        self._rows: list[dict[str, Any]] = []
        self._bytes = 0

    def write(self, line: bytes) -> None:
        self._rows.append(arrow_row(json.loads(line)))
        self._bytes += len(line)
        if self._bytes >= ROW_GROUP:
            self._flush()

    def _flush(self) -> None:
        import pyarrow as pa

        if self._rows:
            self._writer.write_table(
                pa.Table.from_pylist(self._rows, schema=self._schema)
            )
        self._rows, self._bytes = [], 0

    def close(self) -> None:
        self._flush()
        self._writer.close()


class _File:
    """A file that is there whole or not at all."""

    def __init__(self, name: str, wanted: Format, table: Table) -> None:
        self._name = name
        path = Path(name)
        self._unfinished = (
            name if is_remote(name) else str(path.with_name(f".{path.name}.unfinished"))
        )
        self._file = create_file(self._unfinished)
        self._writer: _Writer = (
            _Groups(self._file, table)
            if wanted == "parquet"
            else _Lines(self._file, wanted)
        )
        self.bytes = 0
        self.rows = 0

    def write(self, line: bytes) -> None:
        self._writer.write(line)
        self.bytes += len(line)
        self.rows += 1

    def finish(self) -> None:
        self._writer.close()
        self._file.close()
        if self._unfinished != self._name:
            Path(self._unfinished).replace(self._name)


@dataclass(frozen=True, slots=True)
class _Place:
    """Where the next row is: in which part, how many bytes and rows into it."""

    part: int = 0
    byte: int = 0
    row: int = 0


class Assembler:
    """Puts parts together to the output, as far as they are done."""

    def __init__(self, output: Output, table: Table, parts: Path, count: int) -> None:
        self._output, self._table = output, table
        self._parts, self._count = parts, count
        self._log = parts / "shards.jsonl"
        self.shards: list[dict[str, Any]] = _read_log(self._log)
        last = self.shards[-1] if self.shards else None
        self._place = _Place(*last["next"]) if last else _Place()
        self._file: _File | None = None
        self._removed = 0
        self._remove_before(self._place.part)

    def advance(self, rewrite: Rewrite | None = None) -> None:
        """Write the rows of all parts that are done and follow on what is written."""
        while (
            self._place.part < self._count
            and (part := Part(self._parts, self._place.part)).is_done
        ):
            for line, behind in _lines(part, self._place):
                if rewrite:
                    line = rewrite(self._place.part, behind.row - 1, line)
                self._opened().write(line)
                self._place = behind
                self._finish_if_full()
            self._place = _Place(self._place.part + 1)

    def finish(self) -> None:
        """Write what is left; every part must be done. An input without pages gives one
        empty file.
        """
        if self._file is None and not self.shards:
            self._opened()
        if self._file is not None:
            self._finish_shard()

    def _opened(self) -> _File:
        if self._file is None:
            self._file = _File(
                self._output.shard(len(self.shards)), self._output.format, self._table
            )
        return self._file

    def _finish_if_full(self) -> None:
        bound = self._output.shard_bytes
        if bound is not None and self._file is not None and self._file.bytes >= bound:
            self._finish_shard()

    def _finish_shard(self) -> None:
        file = cast("_File", self._file)
        file.finish()
        self._file = None
        place = self._place
        shard = {
            "file": self._output.shard(len(self.shards)),
            "rows": file.rows,
            "next": [place.part, place.byte, place.row],
        }
        with self._log.open("a", encoding="utf-8") as log:
            log.write(json.dumps(shard) + "\n")
        self.shards.append(shard)
        self._remove_before(place.part)

    def _remove_before(self, part: int) -> None:
        """Give back the space of rows that are in the output; that the parts are done
        stays known.
        """
        for number in range(self._removed, part):
            Part(self._parts, number).rows_path.unlink(missing_ok=True)
        self._removed = part


def _read_log(path: Path) -> list[dict[str, Any]]:
    if not path.exists():
        return []
    text = path.read_text("utf-8")
    whole = text[: text.rfind("\n") + 1]
    if whole != text:
        path.write_text(whole, "utf-8")
    return [json.loads(line) for line in whole.splitlines()]


def _lines(part: Part, place: _Place) -> Iterator[tuple[bytes, _Place]]:
    """The rows of a part from a place on, each with the place behind it."""
    with part.rows_path.open("rb") as file:
        file.seek(place.byte)
        byte, row = place.byte, place.row
        for line in file:
            byte += len(line)
            row += 1
            yield line, _Place(place.part, byte, row)
