"""Inputs divided into partitions, each of which a worker reads by itself.

The process that gives out the partitions touches no page, so two workers do twice the
work of one. Partitions depend on the inputs alone: they are the same for any number of
workers, on this machine or another, and after any restart.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal, NamedTuple

from scythe.bulk.page import PageEntry, PagePosition
from scythe.bulk.reading.files import (
    FileState,
    file_state,
    is_remote,
    matching_files,
    open_file,
)
from scythe.bulk.reading.lines import (
    ZSTD,
    PageColumns,
    is_compressed,
    read_files,
    read_jsonl,
    read_list,
)
from scythe.bulk.reading.members import MAGIC, DamagedMember, Member
from scythe.bulk.reading.parquet import read_parquet, row_group_count
from scythe.bulk.reading.warc import RECORD_BEGINNING, read_warc
from scythe.errors import UsageError
from scythe.sources import FileSource, ReadOptions, expand

InputKind = Literal["warc", "jsonl", "parquet", "list", "files", "sites"]

MIN_PARTITION_BYTES = 1 << 18
MAX_PARTITION_BYTES = 64 << 20
"""Bounds on what starting a partition costs and on what is lost with one, not tuned."""
TARGET_PARTITIONS = 256
"""Partitions of the whole input, as far as their size allows: enough that all workers
end at about the same time.
"""
_LIST_PARTITION_BYTES: dict[InputKind, int] = {"files": 64 << 10, "list": 4 << 10}
"""Bytes of a list of files or of addresses in a partition: some hundred files, some
fifty addresses.
"""
TO_THE_END = 1 << 62
"""The stop of a partition that has all of a file, whose unpacked size is not known."""

_SNIFFED_BYTES = 16

_EXTENSIONS: dict[InputKind, tuple[str, ...]] = {
    "warc": (".warc", ".warc.gz", ".arc.warc.gz"),
    "jsonl": (
        ".jsonl",
        ".ndjson",
        ".jsonl.gz",
        ".ndjson.gz",
        ".jsonl.zst",
        ".ndjson.zst",
        ".json.gz",
        ".json.zst",
        ".json",
    ),
    "parquet": (".parquet", ".pq"),
    "list": (".txt", ".urls", ".list", ".lst", ".csv"),
}


@dataclass(frozen=True, slots=True)
class Partition:
    """A range of an input: of bytes, or of groups of rows."""

    number: int
    kind: InputKind
    source: str
    start: int
    stop: int
    weight: int
    """How much of the whole it is, in bytes."""


class _Span(NamedTuple):
    start: int
    stop: int
    weight: int


@dataclass(frozen=True, slots=True)
class InputOptions:
    """How inputs are read."""

    read: ReadOptions = field(default_factory=ReadOptions)
    url_column: str | None = None
    html_column: str | None = None
    partition_bytes: int | None = None
    """The size of a partition; by default by the size of the whole input."""

    @property
    def columns(self) -> PageColumns:
        """The columns with address and page."""
        return PageColumns(self.url_column, self.html_column)

    @property
    def description(self) -> str:
        """The options as manifests have them, in the words of the first version."""
        robots = "" if self.read.robots else ", robots=False"
        return (
            f"Reading(options={self.read}, url_column={self.url_column!r}, "
            f"html_column={self.html_column!r}, slice_bytes={self.partition_bytes}"
            f"{robots})"
        )

    def paced_by(self, path: Path) -> InputOptions:
        """Return the options for processes that fetch pages at the same time, and keep
        the pauses between requests by a file.
        """
        return replace(self, read=replace(self.read, pace_file=str(path)))


@dataclass(frozen=True, slots=True)
class Input:
    """A file of pages, as it was when the run began."""

    kind: InputKind
    state: FileState


def input_kind(name: str) -> InputKind:
    """Return what kind of input a file is: by its extension, else by its first bytes."""
    lower_name = name.lower()
    for kind, extensions in _EXTENSIONS.items():
        if lower_name.endswith(extensions):
            return kind
    return _sniffed_kind(name)


def _sniffed_kind(name: str) -> InputKind:
    with open_file(name) as file:
        beginning = file.read(_SNIFFED_BYTES)
        if beginning.startswith(MAGIC):
            try:
                beginning = Member(file, 0).read(_SNIFFED_BYTES)
            except DamagedMember:
                beginning = b""

    if beginning.startswith(RECORD_BEGINNING):
        return "warc"
    if beginning.startswith(b"PAR1"):
        return "parquet"
    if beginning.lstrip().startswith(b"{") or beginning.startswith(ZSTD):
        return "jsonl"
    if beginning.lower().startswith((b"http://", b"https://")):
        return "list"
    raise UsageError(
        f"Scythe cannot tell what {name} is. Give a WARC file, a Parquet table, JSONL, "
        "a list of addresses (.txt) or a folder."
    )


def find_inputs(names: Sequence[str], listing: Path) -> list[Input]:
    """Return the files behind what the user named, in the order given. The files of
    folders are written to `listing`.
    """
    inputs: dict[str, Input] = {}
    folders: list[str] = []
    for name in names:
        if name.lower().startswith(("http://", "https://")):
            raise UsageError(
                f"{name} is one page. Give `scythe bulk` a file that lists addresses, "
                "or use `scythe extract`."
            )
        for file_name in matching_files(name):
            if not is_remote(file_name) and Path(file_name).is_dir():
                folders.append(file_name)
            elif file_name not in inputs:
                kind = input_kind(file_name)
                inputs[file_name] = Input(kind, file_state(file_name))

    if folders:
        _write_listing(folders, listing)
        name = str(listing)
        inputs[name] = Input("files", file_state(name))
    return list(inputs.values())


def _write_listing(folders: Sequence[str], listing: Path) -> None:
    """Write the names of the files of folders once, so that files added later do not
    move the borders of partitions.
    """
    if listing.exists():
        return
    unfinished = listing.with_suffix(".new")
    with unfinished.open("w", encoding="utf-8") as file:
        for source in expand(folders):
            if not isinstance(source, FileSource):
                source.read(ReadOptions())  # raises what is wrong with the folder
            else:
                path = os.fsdecode(source.path)
                file.write(json.dumps(path) + "\n")
    unfinished.replace(listing)


def divide_inputs(inputs: Sequence[Input], options: InputOptions) -> list[Partition]:
    """Return the partitions of all inputs, in their order."""
    total = sum(item.state.size for item in inputs)
    default_size = max(total // TARGET_PARTITIONS, MIN_PARTITION_BYTES)
    size = options.partition_bytes or min(default_size, MAX_PARTITION_BYTES)

    partitions: list[Partition] = []
    for item in inputs:
        name = item.state.name
        for span in _spans(item, size, options):
            number = len(partitions)
            partition = Partition(number, item.kind, name, *span)
            partitions.append(partition)
    return partitions


def _spans(item: Input, size: int, options: InputOptions) -> Iterator[_Span]:
    name = item.state.name
    total = item.state.size
    if item.kind == "parquet":
        groups = row_group_count(name, options.columns)
        weight = max(total // max(groups, 1), 1)
        for group in range(groups):
            yield _Span(group, group + 1, weight)
        return

    if item.kind in ("jsonl", "list") and is_compressed(name):
        yield _Span(0, TO_THE_END, total)
        return

    if options.partition_bytes is None:
        size = _LIST_PARTITION_BYTES.get(item.kind, size)
    for start in range(0, total, size):
        stop = min(start + size, total)
        yield _Span(start, stop, stop - start)


def read_partition(
    partition: Partition, options: InputOptions, after: PagePosition | None = None
) -> Iterator[PageEntry]:
    """Return the pages of a partition, behind a position."""
    source = partition.source
    span = (partition.start, partition.stop)
    max_bytes = options.read.max_bytes
    if partition.kind == "warc":
        return read_warc(source, span, after, max_bytes)
    if partition.kind == "jsonl":
        return read_jsonl(source, span, after, options.columns, max_bytes)
    if partition.kind == "parquet":
        return read_parquet(source, span, after, options.columns)
    if partition.kind == "list":
        return read_list(source, span, after, options.read)
    if partition.kind == "files":
        return read_files(source, span, after, options.read)
    raise ValueError(f"Partitions of {partition.kind} are not read by themselves.")
