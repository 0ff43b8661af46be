"""Files by name: of this machine, or by any address that pyarrow has a file system for
(`s3://`, `gs://`, `hdfs://`, ...).
"""

from __future__ import annotations

import glob
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, cast

from scythe.errors import FetchError, UsageError

_SCHEME = re.compile(r"[a-z][a-z0-9+.-]+://", re.IGNORECASE)
_WITH_FOLDERS = frozenset({"local", "hdfs"})
"""File systems in which a folder must be there before a file is."""
_MAGIC = re.compile(r"[*?\[]")


@dataclass(frozen=True, slots=True)
class FileState:
    """What tells that a file is still the one it was."""

    name: str
    size: int
    changed: int


def is_remote(name: str) -> bool:
    """Whether a name is an address rather than a path."""
    return _SCHEME.match(name) is not None


def state_of(name: str) -> FileState:
    """A file's size and the time of its last change."""
    if is_remote(name):
        system, path = _system(name)
        found = _asked(name, lambda: system.get_file_info([path]))[0]
        if not found.is_file:
            raise FetchError(f"There is no file {name}. Check the address.")
        return FileState(name, int(found.size), int(found.mtime_ns or 0))
    try:
        found = Path(name).stat()
    except OSError as error:
        raise FetchError(
            f"Cannot read {name}: {error.strerror}. Check the name and its permissions."
        ) from error
    return FileState(name, found.st_size, found.st_mtime_ns)


def open_file(name: str) -> BinaryIO:
    """A file to read from, at any place in it."""
    if is_remote(name):
        system, path = _system(name)
        return cast("BinaryIO", _asked(name, lambda: system.open_input_file(path)))
    try:
        return Path(name).open("rb")
    except OSError as error:
        raise FetchError(
            f"Cannot read {name}: {error.strerror}. Check the name and its permissions."
        ) from error


def create_file(name: str) -> BinaryIO:
    """A file to write to, from its beginning."""
    if is_remote(name):
        system, path = _system(name)
        if system.type_name in _WITH_FOLDERS:
            _asked(
                name, lambda: system.create_dir(path.rpartition("/")[0], recursive=True)
            )
        return cast("BinaryIO", _asked(name, lambda: system.open_output_stream(path)))
    place = Path(name)
    place.parent.mkdir(parents=True, exist_ok=True)
    return place.open("wb")


def matching(pattern: str) -> list[str]:
    """The files that a name stands for: itself, or those that its wildcards fit, in the
    order of their names.
    """
    if not _MAGIC.search(pattern) or (
        not is_remote(pattern) and Path(pattern).exists()
    ):
        return [pattern]
    found = (
        _matching_remote(pattern)
        if is_remote(pattern)
        else sorted(glob.glob(pattern, recursive=True))
    )
    if not found:
        raise UsageError(
            f"Nothing fits {pattern}. Check the pattern; quote it so that the shell leaves it alone."
        )
    return found


def _matching_remote(pattern: str) -> list[str]:
    import fnmatch

    from pyarrow.fs import FileSelector

    system, path = _system(pattern)
    folder = path[: _MAGIC.search(path).start()].rpartition("/")[0]  # type: ignore[union-attr]
    infos = _asked(
        pattern, lambda: system.get_file_info(FileSelector(folder, recursive=True))
    )
    prefix = (
        pattern[: len(pattern) - len(path)]
        if pattern.endswith(path)
        else pattern.partition("://")[0] + "://"
    )
    return sorted(
        prefix + info.path
        for info in infos
        if info.is_file and fnmatch.fnmatchcase(info.path, path)
    )


def _system(name: str) -> tuple[Any, str]:
    try:
        from pyarrow.fs import FileSystem
    except ImportError as error:
        raise UsageError(
            f"Reading {name} needs pyarrow. Install it with: pip install 'scythe[parquet]'"
        ) from error
    if _MAGIC.search(name):  # no part of an address as pyarrow reads them
        head, _, rest = name.partition("://")
        bucket, slash, path = rest.partition("/")
        system, base = _asked(
            name, lambda: FileSystem.from_uri(f"{head}://{bucket}{slash}")
        )
        return system, f"{base.rstrip('/')}/{path}"
    return cast("tuple[Any, str]", _asked(name, lambda: FileSystem.from_uri(name)))


def _asked(name: str, ask: Any) -> Any:
    """The answer of a file system, whose many errors all mean that a file cannot be
    had.
    """
    try:
        return ask()
    except (OSError, ValueError, KeyError, NotImplementedError) as error:
        raise FetchError(
            f"Cannot open {name}: {error}. Check the address and your access to it."
        ) from error
