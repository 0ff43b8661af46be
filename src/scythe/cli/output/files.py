"""Where results go: standard output, one file, or a folder with one file for each
source.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path, PurePath
from typing import Protocol

from scythe.cli.output.messages import CONTROL, one_line
from scythe.cli.output.rendering import ENDINGS, Format
from scythe.errors import UsageError
from scythe.sources import FileSource, Source
from scythe.sources.source import is_folder, is_several

_FILE_ENDINGS = frozenset({*ENDINGS.values(), ".jsonl", ".htm", ".markdown"})


class Destination(Protocol):
    """Takes the sources in their order, and the rendering of those that have one."""

    def claim(self, source: Source) -> Path | None:
        """The file for a source's result. Asked for every source, failed ones too, so
        that names do not depend on failures.
        """

    def write(self, path: Path | None, source: Source, rendering: str) -> None:
        """Store a result."""


class StandardOutput:
    """Results one after the other; where there may be several, each under a line that
    names its source.
    """

    def __init__(self, wanted: Format, *, several: bool) -> None:
        self._format = wanted
        self._with_header = several and wanted != "json"
        self._first = True
        self._to_terminal = sys.stdout.isatty()

    def claim(self, source: Source) -> Path | None:
        """No file."""
        return None

    def write(self, path: Path | None, source: Source, rendering: str) -> None:
        """Write under a header where there may be several."""
        if self._with_header:
            rendering = (
                ("" if self._first else "\n")
                + header(self._format, source.name)
                + rendering
            )
        if self._to_terminal:
            rendering = CONTROL.sub("\ufffd", rendering)
        self._first = False
        sys.stdout.buffer.write(encoded(rendering))
        sys.stdout.buffer.flush()


class OneFile:
    """A file that the user named."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def claim(self, source: Source) -> Path | None:
        """The one file."""
        return self._path

    def write(self, path: Path | None, source: Source, rendering: str) -> None:
        """Write the file."""
        write_whole(self._path, rendering)


class Folder:
    """A folder with one file for each source, named after it.

    The pages of a folder keep their places below it. Where two sources would get the
    same name, the later one gets a number; no file that is itself a source is ever
    written over.
    """

    def __init__(self, path: Path, ending: str, names: Sequence[str]) -> None:
        self._path = path
        self._ending = ending
        self._folder_names_kept = len(names) > 1
        self._taken = {_key(Path(name)) for name in names}

    def claim(self, source: Source) -> Path | None:
        """A name of its own for every source."""
        stem = source.stem
        if self._folder_names_kept and isinstance(source, FileSource) and source.folder:
            stem = source.folder.resolve().name / stem
        return self._free(self._path / stem)

    def write(self, path: Path | None, source: Source, rendering: str) -> None:
        """Write its file."""
        if path is not None:
            write_whole(path, rendering)

    def _free(self, stem: PurePath) -> Path:
        path, number = Path(f"{stem}{self._ending}"), 1
        while _key(path) in self._taken:
            number += 1
            path = Path(f"{stem}-{number}{self._ending}")
        self._taken.add(_key(path))
        return path


def header(wanted: Format, source: str) -> str:
    """The line that names the source where several results follow each other: a comment
    where the format has them.
    """
    name = one_line(source)
    if wanted == "text":
        return f"==> {name} <==\n\n"
    return f"<!-- source: {name.replace('--', '-%2D')} -->\n\n"


def destination(out: str | None, names: Sequence[str], wanted: Format) -> Destination:
    """Where the results of a command go, or a `UsageError` where that would lose
    something.
    """
    several = is_several(names)
    if out is None:
        return StandardOutput(wanted, several=several)
    path = Path(out)
    if not several and not path.is_dir() and not out.endswith(("/", os.sep)):
        if _key(path) in {_key(Path(name)) for name in names}:
            raise UsageError(
                f"-o {out} would write over the source itself. Give another name."
            )
        return OneFile(path)
    if (
        several
        and not path.is_dir()
        and (path.exists() or path.suffix.lower() in _FILE_ENDINGS)
    ):
        raise UsageError(
            f"-o {out} names a file, but several sources need a folder. Name a folder, or write '> {out}' instead of -o."
        )
    if wanted == "html":
        _require_apart(path, names)
    return Folder(path, ENDINGS[wanted], names)


def _require_apart(out: Path, names: Sequence[str]) -> None:
    """Refuse to mix results into the pages they come from, where the next run would
    take them for pages.
    """
    for name in filter(is_folder, names):
        source, target = Path(name).resolve(), out.resolve()
        if source == target or source in target.parents or target in source.parents:
            raise UsageError(
                f"-o {out} and {name} overlap, so results would be mixed with pages. Name a folder elsewhere."
            )


def _key(path: Path) -> str:
    """What two paths share that are one file, also where the file system does not tell
    case.
    """
    return os.path.realpath(path).casefold()


def encoded(text: str) -> bytes:
    """UTF-8, whatever stands in the text."""
    return text.encode("utf-8", "replace")


def write_whole(path: Path, text: str) -> None:
    """Write a file so that it is there whole or not at all; a device or a pipe is
    written to as it is.
    """
    write_whole_bytes(path, encoded(text))


def write_whole_bytes(path: Path, data: bytes) -> None:
    """The same for what is not text."""
    if path.exists() and not path.is_file():
        path.write_bytes(data)
        return
    path = Path(os.path.realpath(path))
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f".scythe-{os.getpid()}.part")
    try:
        unfinished.write_bytes(data)
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)
