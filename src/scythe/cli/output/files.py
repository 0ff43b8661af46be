"""Where results are written: standard output, one file, or a folder with one file for
each source.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path, PurePath
from typing import Protocol

from scythe.cli.output.messages import one_line, replace_controls
from scythe.cli.output.rendering import EXTENSIONS, Format
from scythe.errors import UsageError
from scythe.sources import FileSource, Source
from scythe.sources.source import is_folder, is_several

_FILE_EXTENSIONS = frozenset({*EXTENSIONS.values(), ".jsonl", ".htm", ".markdown"})


class Destination(Protocol):
    """Takes the sources in their order, and the rendering of those that have one."""

    def claim(self, source: Source) -> Path | None:
        """Return the file for a source's result. Called for every source, failed ones
        too, so that names do not depend on failures.
        """

    def write(self, path: Path | None, source: Source, rendering: str) -> None:
        """Write a result."""


class StandardOutput:
    """Results one after the other; where there may be several, each under a line that
    names its source.
    """

    def __init__(self, format_: Format, *, several: bool) -> None:
        self._format = format_
        self._with_header = several and format_ != "json"
        self._is_first = True
        self._to_terminal = sys.stdout.isatty()

    def claim(self, source: Source) -> Path | None:
        """Return None: there is no file."""
        return None

    def write(self, path: Path | None, source: Source, rendering: str) -> None:
        """Write under a header where there may be several."""
        if self._with_header:
            separator = "" if self._is_first else "\n"
            header = source_header(self._format, source.name)
            rendering = separator + header + rendering
        if self._to_terminal:
            rendering = replace_controls(rendering)
        self._is_first = False
        _write_stdout(rendering)


class OneFile:
    """A file that the user named."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def claim(self, source: Source) -> Path | None:
        """Return the one file."""
        return self._path

    def write(self, path: Path | None, source: Source, rendering: str) -> None:
        """Write the file."""
        write_text_file(self._path, rendering)


class Folder:
    """A folder with one file for each source, named after it.

    The pages of a folder keep their paths below it. Where two sources would get the
    same name, the later one gets a number; no file that is itself a source is ever
    written over.
    """

    def __init__(self, path: Path, extension: str, names: Sequence[str]) -> None:
        self._path = path
        self._extension = extension
        self._keeps_folder_names = len(names) > 1
        self._used = {_file_key(Path(name)) for name in names}

    def claim(self, source: Source) -> Path | None:
        """Return a name of its own for every source."""
        stem = source.stem
        if (
            isinstance(source, FileSource)
            and source.folder
            and self._keeps_folder_names
        ):
            stem = source.folder.resolve().name / stem
        return self._unused_path(self._path / stem)

    def write(self, path: Path | None, source: Source, rendering: str) -> None:
        """Write its file."""
        if path is not None:
            write_text_file(path, rendering)

    def _unused_path(self, stem: PurePath) -> Path:
        path = Path(f"{stem}{self._extension}")
        number = 1
        while _file_key(path) in self._used:
            number += 1
            path = Path(f"{stem}-{number}{self._extension}")
        self._used.add(_file_key(path))
        return path


def source_header(format_: Format, source: str) -> str:
    """Return the line that names the source where several results follow each other: a
    comment where the format has them.
    """
    name = one_line(source)
    if format_ == "text":
        return f"==> {name} <==\n\n"
    return f"<!-- source: {name.replace('--', '-%2D')} -->\n\n"


def choose_destination(
    out: str | None, names: Sequence[str], format_: Format
) -> Destination:
    """Return where the results of a command are written, or raise a `UsageError` where
    that would lose something.
    """
    several = is_several(names)
    if out is None:
        if several and format_ in ("xml", "tei"):
            raise UsageError(
                "An XML file holds one document. Give -o FOLDER for several sources."
            )
        return StandardOutput(format_, several=several)

    path = Path(out)
    is_folder_path = path.is_dir()
    if not several and not is_folder_path and not out.endswith(("/", os.sep)):
        if _file_key(path) in {_file_key(Path(name)) for name in names}:
            raise UsageError(
                f"-o {out} would write over the source itself. Give another name."
            )
        return OneFile(path)

    names_file = path.exists() or path.suffix.lower() in _FILE_EXTENSIONS
    if several and not is_folder_path and names_file:
        raise UsageError(
            f"-o {out} names a file, but several sources need a folder. "
            f"Name a folder, or write '> {out}' instead of -o."
        )
    if format_ == "html":
        _require_separate_folders(path, names)
    return Folder(path, EXTENSIONS[format_], names)


def _require_separate_folders(out: Path, names: Sequence[str]) -> None:
    """Refuse to mix results into the pages they come from, where the next run would
    take them for pages.
    """
    target = out.resolve()
    for name in filter(is_folder, names):
        source = Path(name).resolve()
        if source == target or source in target.parents or target in source.parents:
            raise UsageError(
                f"-o {out} and {name} overlap, so results would be mixed with pages. "
                "Name a folder elsewhere."
            )


def _file_key(path: Path) -> str:
    """Return what two paths share that are one file, also where the file system ignores
    case.
    """
    return os.path.realpath(path).casefold()


def write_result(text: str, out: str | None) -> None:
    """Write text to a file or to standard output. What steers a terminal must be of our
    own making.
    """
    if out is not None:
        write_text_file(Path(out), text)
    else:
        _write_stdout(text)


def write_page_text(text: str, out: str | None = None) -> None:
    """Write text that may hold characters of a page, of which none steers a terminal."""
    if out is None and sys.stdout.isatty():
        text = replace_controls(text)
    write_result(text, out)


def _write_stdout(text: str) -> None:
    sys.stdout.buffer.write(text.encode("utf-8", "replace"))
    sys.stdout.buffer.flush()


def write_text_file(path: Path, text: str) -> None:
    """Write a file that appears complete or not at all; a device or a pipe is written
    to as it is.
    """
    write_file(path, text.encode("utf-8", "replace"))


def write_file(path: Path, data: bytes) -> None:
    """Write a file of bytes that appears complete or not at all; a device or a pipe is
    written to as it is.
    """
    if path.exists() and not path.is_file():
        path.write_bytes(data)
        return
    with new_file(path) as unfinished:
        unfinished.write_bytes(data)


@contextmanager
def new_file(path: Path) -> Iterator[Path]:
    """Give the path of a file to write, which takes the place of another at the end. An
    error names the file that was asked for.
    """
    path = Path(os.path.realpath(path))
    unfinished = path.with_name(f".scythe-{os.getpid()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        yield unfinished
        unfinished.replace(path)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error
    finally:
        with suppress(OSError):
            unfinished.unlink()
