"""Files by name: of this machine, or by any address that pyarrow has a file system for
(`s3://`, `gs://`, `hdfs://`, ...).
"""

from __future__ import annotations

import fnmatch
import glob
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, cast

from scythe.errors import FetchError, UsageError

_SCHEME = re.compile(r"[a-z][a-z0-9+.-]+://", re.IGNORECASE)
_WILDCARD = re.compile(r"[*?\[]")
_NEEDS_FOLDERS = frozenset({"local", "hdfs"})
"""File systems in which a folder must exist before a file is written to it."""


@dataclass(frozen=True, slots=True)
class FileState:
    """What shows that a file is still the one it was."""

    name: str
    size: int
    changed: int
    """The time of its last change, in nanoseconds."""


def is_remote(name: str) -> bool:
    """Return whether a name is an address rather than a path."""
    return _SCHEME.match(name) is not None


def file_state(name: str) -> FileState:
    """Return a file's size and the time of its last change."""
    if is_remote(name):
        system, path = _file_system(name)
        infos = _checked(name, lambda: system.get_file_info([path]))
        info = infos[0]
        if not info.is_file:
            raise FetchError(f"There is no file {name}. Check the address.")
        changed = int(info.mtime_ns or 0)
        return FileState(name, int(info.size), changed)

    try:
        info = Path(name).stat()
    except OSError as error:
        raise _unreadable(name, error) from error
    return FileState(name, info.st_size, info.st_mtime_ns)


def open_file(name: str) -> BinaryIO:
    """Return a file to read from, which can seek."""
    if is_remote(name):
        system, path = _file_system(name)
        return cast("BinaryIO", _checked(name, lambda: system.open_input_file(path)))
    try:
        return Path(name).open("rb")
    except OSError as error:
        raise _unreadable(name, error) from error


def _unreadable(name: str, error: OSError) -> FetchError:
    return FetchError(
        f"Cannot read {name}: {error.strerror}. Check the name and its permissions."
    )


def create_file(name: str) -> BinaryIO:
    """Return a new, empty file to write to."""
    if not is_remote(name):
        path = Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        return path.open("wb")

    system, remote_path = _file_system(name)
    if system.type_name in _NEEDS_FOLDERS:
        folder = remote_path.rpartition("/")[0]
        _checked(name, lambda: system.create_dir(folder, recursive=True))
    stream = _checked(name, lambda: system.open_output_stream(remote_path))
    return cast("BinaryIO", stream)


def matching_files(pattern: str) -> list[str]:
    """Return the files that a name stands for: itself, or those that its wildcards
    match, in the order of their names.
    """
    if not _WILDCARD.search(pattern):
        return [pattern]
    if is_remote(pattern):
        names = _matching_remote_files(pattern)
    elif Path(pattern).exists():
        return [pattern]
    else:
        names = sorted(glob.glob(pattern, recursive=True))  # noqa: PTH207 - Path.glob takes no absolute pattern

    if not names:
        raise UsageError(
            f"Nothing fits {pattern}. "
            "Check the pattern; quote it so that the shell leaves it alone."
        )
    return names


def _matching_remote_files(pattern: str) -> list[str]:
    from pyarrow.fs import FileSelector

    system, path = _file_system(pattern)
    before_wildcard = _WILDCARD.split(path, maxsplit=1)[0]
    folder = before_wildcard.rpartition("/")[0]
    selector = FileSelector(folder, recursive=True)
    infos = _checked(pattern, lambda: system.get_file_info(selector))

    if pattern.endswith(path):
        prefix = pattern[: len(pattern) - len(path)]
    else:
        prefix = pattern.partition("://")[0] + "://"

    files = [info.path for info in infos if info.is_file]
    matching = [file for file in files if fnmatch.fnmatchcase(file, path)]
    return sorted(prefix + file for file in matching)


def _file_system(name: str) -> tuple[Any, str]:
    """Return pyarrow's file system for an address, and the path in it."""
    try:
        from pyarrow.fs import FileSystem
    except ImportError as error:
        raise UsageError(
            f"Reading {name} needs pyarrow. Install it with: pip install 'webscythe[parquet]'"
        ) from error

    if not _WILDCARD.search(name):
        found = _checked(name, lambda: FileSystem.from_uri(name))
        return cast("tuple[Any, str]", found)

    # pyarrow takes no address with wildcards: it gets the bucket alone
    scheme, _, rest = name.partition("://")
    bucket, slash, path = rest.partition("/")
    bucket_url = f"{scheme}://{bucket}{slash}"
    system, base = _checked(name, lambda: FileSystem.from_uri(bucket_url))
    return system, f"{base.rstrip('/')}/{path}"


def _checked(name: str, call: Callable[[], Any]) -> Any:
    """Return what a file system answers; its many errors all mean that a file cannot be
    opened.
    """
    try:
        return call()
    except (OSError, ValueError, KeyError, NotImplementedError) as error:
        raise FetchError(
            f"Cannot open {name}: {error}. Check the address and your access to it."
        ) from error
