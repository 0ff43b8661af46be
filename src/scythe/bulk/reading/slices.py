"""Inputs cut into slices, each of which a worker reads by itself.

The process that gives out the work touches no page, so two workers do twice the work of
one. Slices depend on the inputs alone: the same for any number of workers, on this
machine or another, and after any restart.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from scythe.bulk.page import Entry, Position
from scythe.bulk.reading.files import (
    FileState,
    is_remote,
    matching,
    open_file,
    state_of,
)
from scythe.errors import UsageError
from scythe.sources import ReadOptions

Kind = Literal["warc", "jsonl", "parquet", "list", "files", "sites"]

SMALLEST_SLICE, LARGEST_SLICE = 1 << 18, 64 << 20
SLICES_WANTED = 256
"""Slices of the whole input, as far as their size allows: enough that all workers end
at about the same time.
"""
FILES_OF_SLICE, LINES_OF_SLICE = 64 << 10, 4 << 10
"""Bytes of a list of files or of addresses in a slice: some hundred files, some fifty
addresses.
"""
EVERYTHING = 1 << 62

_ENDINGS: dict[Kind, tuple[str, ...]] = {
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
class Slice:
    """A part of an input: a range of bytes, or of groups of rows."""

    number: int
    kind: Kind
    source: str
    start: int
    stop: int
    weight: int
    """How much of the whole it is, in bytes."""


@dataclass(frozen=True, slots=True)
class Reading:
    """How inputs are read."""

    options: ReadOptions = field(default_factory=ReadOptions)
    url_column: str | None = None
    html_column: str | None = None
    slice_bytes: int | None = None
    """The size of a slice; by default by the size of the whole input."""

    @property
    def columns(self) -> tuple[str | None, str | None]:
        """The columns with address and page, None to guess."""
        return self.url_column, self.html_column


@dataclass(frozen=True, slots=True)
class Input:
    """A file of pages, as it was when the work began."""

    kind: Kind
    state: FileState


def kind_of(name: str) -> Kind:
    """What kind of input a file is: by its ending, else by its first bytes."""
    lower = name.lower()
    for kind, endings in _ENDINGS.items():
        if lower.endswith(endings):
            return kind
    return _sniffed(name)


def _sniffed(name: str) -> Kind:
    from scythe.bulk.reading.lines import ZSTD
    from scythe.bulk.reading.members import MAGIC, Damaged, Member

    with open_file(name) as file:
        beginning = file.read(16)
        if beginning.startswith(MAGIC):
            try:
                beginning = Member(file, 0).read(16)
            except Damaged:
                beginning = b""
    if beginning.startswith(b"WARC/"):
        return "warc"
    if beginning.startswith(b"PAR1"):
        return "parquet"
    if beginning.lstrip().startswith(b"{") or beginning.startswith(ZSTD):
        return "jsonl"
    if beginning.lower().startswith((b"http://", b"https://")):
        return "list"
    raise UsageError(
        f"Scythe cannot tell what {name} is. Give a WARC file, a Parquet table, JSONL, a list of addresses (.txt) or a folder."
    )


def find_inputs(names: Sequence[str], listing: Path) -> list[Input]:
    """The files behind what the user named, in the order given. The pages of folders
    are written down in `listing`.
    """
    found: dict[str, Input] = {}
    folders: list[str] = []
    for name in names:
        if name.lower().startswith(("http://", "https://")):
            raise UsageError(
                f"{name} is one page. Give `scythe bulk` a file that lists addresses, or use `scythe extract`."
            )
        for one in matching(name):
            if not is_remote(one) and Path(one).is_dir():
                folders.append(one)
            else:
                found.setdefault(one, Input(kind_of(one), state_of(one)))
    if folders:
        _write_listing(folders, listing)
        found[str(listing)] = Input("files", state_of(str(listing)))
    return list(found.values())


def _write_listing(folders: Sequence[str], listing: Path) -> None:
    """Write down the files of folders once, so that what is added later does not move
    the borders of slices.
    """
    import json

    from scythe.sources import FileSource, expand

    if listing.exists():
        return
    unfinished = listing.with_suffix(".new")
    with unfinished.open("w", encoding="utf-8") as file:
        for source in expand(folders):
            if not isinstance(source, FileSource):
                source.read(ReadOptions())  # raises what is wrong with the folder
            else:
                file.write(json.dumps(os.fsdecode(source.path)) + "\n")
    unfinished.replace(listing)


def cut(inputs: Sequence[Input], reading: Reading) -> list[Slice]:
    """The slices of all inputs, in their order."""
    total = sum(each.state.size for each in inputs)
    size = reading.slice_bytes or min(
        max(total // SLICES_WANTED, SMALLEST_SLICE), LARGEST_SLICE
    )
    pieces = [
        (each.kind, each.state.name, *span)
        for each in inputs
        for span in _spans(each, size, reading)
    ]
    return [Slice(number, *piece) for number, piece in enumerate(pieces)]


def _spans(each: Input, size: int, reading: Reading) -> Iterator[tuple[int, int, int]]:
    from scythe.bulk.reading.lines import is_packed

    name, total = each.state.name, each.state.size
    if each.kind == "parquet":
        from scythe.bulk.reading.parquet import require_columns, row_groups, table_of

        require_columns(name, table_of(name).schema_arrow.names, reading.columns)
        groups = len(row_groups(name))
        yield from (
            (group, group + 1, max(total // max(groups, 1), 1))
            for group in range(groups)
        )
        return
    if each.kind in ("jsonl", "list") and is_packed(name):
        yield 0, EVERYTHING, total
        return
    if reading.slice_bytes is None:
        size = {"files": FILES_OF_SLICE, "list": LINES_OF_SLICE}.get(each.kind, size)
    for start in range(0, total, size):
        yield start, min(start + size, total), min(size, total - start)


def entries(
    part: Slice, reading: Reading, after: Position | None = None
) -> Iterator[Entry]:
    """The pages of a slice, behind a position."""
    from scythe.bulk.reading import lines, parquet, warc

    span, most = (part.start, part.stop), reading.options.max_bytes
    if part.kind == "warc":
        return warc.read_warc(part.source, part.start, part.stop, after, most)
    if part.kind == "jsonl":
        return lines.read_jsonl(part.source, span, after, reading.columns, most)
    if part.kind == "parquet":
        return parquet.read_parquet(part.source, span, after, reading.columns)
    if part.kind == "list":
        return lines.read_list(part.source, span, after, reading.options)
    if part.kind == "files":
        return lines.read_files(part.source, span, after, reading.options)
    raise ValueError(f"Slices of {part.kind} are not read by themselves.")
