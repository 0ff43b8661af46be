"""The output: rows of the partitions in their order, as one file or as shards of a
bounded size.

Files are written under another name and renamed when they are complete. The log of
shards says where the next one begins, so that a killed run resumes with the shard it
was at.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Literal, NamedTuple, Protocol, cast

from scythe.bulk.output.journal import PartitionResult
from scythe.bulk.output.tables import Table, arrow_row, arrow_schema
from scythe.bulk.reading.files import create_file, is_remote
from scythe.errors import UsageError

Format = Literal["jsonl", "jsonl.gz", "jsonl.zst", "parquet"]
FORMATS_BY_EXTENSION: dict[str, Format] = {
    ".jsonl.gz": "jsonl.gz",
    ".jsonl.zst": "jsonl.zst",
    ".ndjson": "jsonl",
    ".jsonl": "jsonl",
    ".parquet": "parquet",
    ".pq": "parquet",
}
ROW_GROUP_BYTES = 32 << 20
"""Bytes of rows, as JSON, in a row group of a Parquet table: a bound on memory, not
tuned.
"""
_GZIP_LEVEL = 6
"""The default of gzip itself."""

RewriteRow = Callable[[int, int, bytes], bytes]
"""Returns the line to write for a row, from its partition, its number in it, and its
line.
"""


@dataclass(frozen=True, slots=True)
class Output:
    """Where rows are written, and in which format."""

    name: str
    format: Format
    shard_bytes: int | None
    """The size of a shard, counted as JSON; None for one file."""

    @property
    def description(self) -> str:
        """The output as manifests have it."""
        return f"{self.format} {self.shard_bytes}"

    def shard_name(self, number: int) -> str:
        """Return the name of a shard, or of the one file."""
        if self.shard_bytes is None:
            return self.name
        folder = self.name.rstrip("/")
        return f"{folder}/part-{number:05}.{self.format}"


def resolve_output(name: str, format: Format | None, shard_bytes: int) -> Output:  # noqa: A002
    """Return what a name and perhaps a format ask for: a file where the name has an
    extension of one, else a folder of shards.
    """
    named_format = _format_by_extension(name)
    is_local = not is_remote(name)
    if named_format is None or (is_local and Path(name).is_dir()):
        if is_local and Path(name).is_file():
            known = ", ".join(FORMATS_BY_EXTENSION)
            raise UsageError(
                f"{name} is a file, but not of a kind that bulk writes ({known}). "
                "Name a folder or such a file."
            )
        output = Output(name, format or "jsonl", shard_bytes)
    elif format is not None and format != named_format:
        raise UsageError(
            f"The name {name} does not go with --format {format}. "
            "Leave --format out, or change the name."
        )
    else:
        output = Output(name, named_format, None)

    if output.format in ("parquet", "jsonl.zst") or not is_local:
        _require_pyarrow(name)
    return output


def _format_by_extension(name: str) -> Format | None:
    for extension, format_ in FORMATS_BY_EXTENSION.items():
        if name.lower().endswith(extension):
            return format_
    return None


def _require_pyarrow(name: str) -> None:
    try:
        import pyarrow  # noqa: F401
    except ImportError as error:
        raise UsageError(
            f"Writing {name} needs pyarrow. Install it with: pip install 'webscythe[parquet]'"
        ) from error


class _RowWriter(Protocol):
    def write(self, line: bytes) -> None:
        """Add a row."""

    def close(self) -> None:
        """Write what is left."""


class _JsonLinesWriter:
    def __init__(self, file: BinaryIO, format_: Format) -> None:
        self._file = file
        self._stream: Any = file
        if format_ == "jsonl.gz":
            self._stream = gzip.GzipFile(
                filename="",
                mode="wb",
                compresslevel=_GZIP_LEVEL,
                fileobj=file,
                mtime=0,
            )
        elif format_ == "jsonl.zst":
            import pyarrow as pa

            self._stream = pa.CompressedOutputStream(file, "zstd")

    def write(self, line: bytes) -> None:
        self._stream.write(line)

    def close(self) -> None:
        if self._stream is not self._file:
            self._stream.close()


class _ParquetWriter:
    """Writes the rows of a Parquet table, one row group at a time."""

    def __init__(self, file: BinaryIO, table: Table) -> None:
        import pyarrow.parquet as pq

        self._schema = arrow_schema(table)
        self._writer = pq.ParquetWriter(file, self._schema, compression="zstd")
        self._rows: list[dict[str, Any]] = []
        self._bytes = 0

    def write(self, line: bytes) -> None:
        self._rows.append(arrow_row(json.loads(line)))
        self._bytes += len(line)
        if self._bytes >= ROW_GROUP_BYTES:
            self._flush()

    def _flush(self) -> None:
        import pyarrow as pa

        if self._rows:
            table = pa.Table.from_pylist(self._rows, schema=self._schema)
            self._writer.write_table(table)
        self._rows = []
        self._bytes = 0

    def close(self) -> None:
        self._flush()
        self._writer.close()


class _ShardFile:
    """A file that appears complete or not at all."""

    def __init__(self, name: str, format_: Format, table: Table) -> None:
        self._name = name
        self._unfinished = name
        if not is_remote(name):
            path = Path(name)
            hidden = path.with_name(f".{path.name}.unfinished")
            self._unfinished = str(hidden)
        self._file = create_file(self._unfinished)

        self._writer: _RowWriter
        if format_ == "parquet":
            self._writer = _ParquetWriter(self._file, table)
        else:
            self._writer = _JsonLinesWriter(self._file, format_)
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


class _Cursor(NamedTuple):
    """Where the next row is: in which partition, how many bytes and rows into it."""

    partition: int = 0
    byte: int = 0
    row: int = 0


class ShardWriter:
    """Writes the rows of partitions to the output, as far as they are done."""

    def __init__(self, output: Output, table: Table, folder: Path, count: int) -> None:
        self._output = output
        self._table = table
        self._folder = folder
        self._count = count
        self._log = folder / "shards.jsonl"
        self.shards: list[dict[str, Any]] = _load_log(self._log)
        """The file, the rows and the next cursor of each shard that is complete."""
        self._cursor = _Cursor()
        if self.shards:
            next_cursor = self.shards[-1]["next"]
            self._cursor = _Cursor(*next_cursor)
        self._file: _ShardFile | None = None
        self._removed = 0
        self._remove_rows_before(self._cursor.partition)

    def advance(self, rewrite: RewriteRow | None = None) -> None:
        """Write the rows of all partitions that are done and follow on what is written."""
        while self._cursor.partition < self._count:
            number = self._cursor.partition
            result = PartitionResult(self._folder, number)
            if not result.is_done:
                return
            for line, cursor in _rows_from(result, self._cursor):
                if rewrite:
                    line = rewrite(number, cursor.row - 1, line)
                self._open_shard().write(line)
                self._cursor = cursor
                self._finish_full_shard()
            self._cursor = _Cursor(number + 1)

    def finish(self) -> None:
        """Write what is left; every partition must be done. An input without pages
        gives one empty file.
        """
        if self._file is None and not self.shards:
            self._open_shard()
        if self._file is not None:
            self._finish_shard()

    def _open_shard(self) -> _ShardFile:
        if self._file is None:
            name = self._output.shard_name(len(self.shards))
            self._file = _ShardFile(name, self._output.format, self._table)
        return self._file

    def _finish_full_shard(self) -> None:
        limit = self._output.shard_bytes
        if limit is None or self._file is None:
            return
        if self._file.bytes >= limit:
            self._finish_shard()

    def _finish_shard(self) -> None:
        file = cast("_ShardFile", self._file)
        file.finish()
        self._file = None
        shard = {
            "file": self._output.shard_name(len(self.shards)),
            "rows": file.rows,
            "next": list(self._cursor),
        }
        with self._log.open("a", encoding="utf-8") as log:
            log.write(json.dumps(shard) + "\n")
        self.shards.append(shard)
        self._remove_rows_before(self._cursor.partition)

    def _remove_rows_before(self, partition: int) -> None:
        """Free the space of rows that are in the output; the journals stay."""
        for number in range(self._removed, partition):
            result = PartitionResult(self._folder, number)
            result.rows_path.unlink(missing_ok=True)
        self._removed = partition


def _load_log(path: Path) -> list[dict[str, Any]]:
    """Return the lines of the log, and cut off a line that is not complete."""
    if not path.exists():
        return []
    text = path.read_text("utf-8")
    complete = text[: text.rfind("\n") + 1]
    if complete != text:
        path.write_text(complete, "utf-8")
    return [json.loads(line) for line in complete.splitlines()]


def _rows_from(
    result: PartitionResult, cursor: _Cursor
) -> Iterator[tuple[bytes, _Cursor]]:
    """Yield the rows of a partition from a cursor on, each with the cursor behind it."""
    with result.rows_path.open("rb") as file:
        file.seek(cursor.byte)
        byte, row = cursor.byte, cursor.row
        for line in file:
            byte += len(line)
            row += 1
            yield line, _Cursor(cursor.partition, byte, row)
