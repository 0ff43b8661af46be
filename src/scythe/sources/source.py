"""What the user names, as values: a web address, a file, a page of a folder, standard
input.

A source is small and can be sent to another process, which reads it there.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Protocol

from scythe.errors import FetchError, UsageError
from scythe.logins import without_logins
from scythe.sources.compression import read_bounded
from scythe.sources.fetching import fetch
from scythe.sources.options import ReadOptions
from scythe.sources.page import RawPage

PAGE_SUFFIX = re.compile(r"\.x?html?(\.gz)?$", re.IGNORECASE)
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]+://", re.IGNORECASE)
_UNSAFE = re.compile(r"[^\w.-]+")
_STEM_LENGTH = 120
"""Characters of an address kept in a file name: with an ending and a number well under
the 255 bytes of common file systems.
"""


class Source(Protocol):
    """Something that a page can be read from."""

    @property
    def name(self) -> str:
        """What the user called it, for messages and headers."""

    @property
    def stem(self) -> PurePath:
        """The path, without an ending, under which a result of it may be stored."""

    @property
    def is_process_local(self) -> bool:
        """Whether only this process can read it, as it can its own standard input."""

    def read(self, options: ReadOptions) -> RawPage:
        """Return the page, or raise a `ScytheError` that says what to do."""


@dataclass(frozen=True, slots=True)
class UrlSource:
    """A page on the web."""

    url: str
    """Its address, with the user and password that the user gave."""

    @property
    def name(self) -> str:
        """The address without them, for messages and headers."""
        return without_logins(self.url)

    @property
    def stem(self) -> PurePath:
        """Host, path and query, with everything unusual in a file name made a dash."""
        without_scheme = self.name.partition("://")[2]
        without_fragment = without_scheme.partition("#")[0]
        address, _, query = without_fragment.partition("?")
        user_and_host, _, path = address.partition("/")
        host = user_and_host.rpartition("@")[2]
        path = PAGE_SUFFIX.sub("", path).strip("/")

        parts = [part for part in (host, path, query) if part]
        stem = _UNSAFE.sub("-", "-".join(parts)).strip("-.")
        return PurePath(stem[:_STEM_LENGTH] or "page")

    @property
    def is_process_local(self) -> bool:
        """Any process can fetch it."""
        return False

    def read(self, options: ReadOptions) -> RawPage:
        """Return the page, fetched now."""
        return fetch(self.url, options)


@dataclass(frozen=True, slots=True)
class FileSource:
    """A page in a file, plain or gzip."""

    path: Path
    folder: Path | None = None
    """The folder that the user named, where the file was found by looking through it."""
    url: str | None = None

    @property
    def name(self) -> str:
        """The path as given."""
        return str(self.path)

    @property
    def stem(self) -> PurePath:
        """The name of the file; for one found in a folder, its path from there."""
        inside = PurePath(self.path.name)
        if self.folder:
            inside = self.path.relative_to(self.folder)
        without_suffix = PAGE_SUFFIX.sub("", inside.name)
        return inside.with_name(without_suffix.rstrip(".") or "page")

    @property
    def is_process_local(self) -> bool:
        """Whether it is a pipe of this process, such as a shell's `<(command)`."""
        return self.path.exists() and not self.path.is_file()

    def read(self, options: ReadOptions) -> RawPage:
        """Return the page in the file."""
        try:
            with self.path.open("rb") as stream:
                data = read_bounded(stream, options.read_size, self.name)
        except FileNotFoundError as error:
            hint = "Check the name; a web address begins with https://."
            raise FetchError(
                f"There is no file or folder {self.name}. {hint}"
            ) from error
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise FetchError(
                f"Cannot read {self.name}: {reason}. "
                "Check the name and its permissions."
            ) from error
        return RawPage.checked(data, self.name, url=self.url)


@dataclass(frozen=True, slots=True)
class StandardInput:
    """A page piped into this process."""

    url: str | None = None

    @property
    def name(self) -> str:
        """What messages call it."""
        return "standard input"

    @property
    def stem(self) -> PurePath:
        """A fixed name: a pipe has none."""
        return PurePath("stdin")

    @property
    def is_process_local(self) -> bool:
        """Another process has another standard input."""
        return True

    def read(self, options: ReadOptions) -> RawPage:
        """Return the page, read to the end or to the limit."""
        data = read_bounded(sys.stdin.buffer, options.read_size, self.name)
        return RawPage.checked(data, self.name, url=self.url)


@dataclass(frozen=True, slots=True)
class UnreadableFolder:
    """A folder that gives no pages; it stands among the sources so that its reason is
    reported in its place.
    """

    path: Path
    reason: str

    @property
    def name(self) -> str:
        """The path as given."""
        return str(self.path)

    @property
    def stem(self) -> PurePath:
        """The folder's name; nothing is ever stored for it."""
        return PurePath(self.path.name)

    @property
    def is_process_local(self) -> bool:
        """There is nothing to read, so no process needs to be asked."""
        return True

    def read(self, options: ReadOptions) -> RawPage:
        """Raise the reason why there is no page."""
        raise FetchError(self.reason)


def is_url(name: str) -> bool:
    """Return whether a name given by the user is a web address."""
    return name.lower().startswith(("http://", "https://"))


def is_several(names: Sequence[str]) -> bool:
    """Return whether names may stand for more than one page: decided by what they are,
    not by how many pages a folder has today.
    """
    return len(names) > 1 or any(map(is_folder, names))


def is_folder(name: str) -> bool:
    """Return whether a name given by the user stands for all pages below a folder."""
    if name == "-" or _SCHEME.match(name):
        return False
    return Path(name).is_dir()


def expand(names: Iterable[str], url: str | None = None) -> Iterator[Source]:
    """Yield the sources behind what the user named, in the order given; a folder stands
    for its pages.

    Lazy, so that a folder of a million pages costs no memory. `url` is the address that
    a file or standard input came from.
    """
    piped = False
    for name in names:
        if not name:
            raise UsageError(
                "One of the sources has an empty name. "
                "Name a file, a folder or a web address."
            )
        if name == "-":
            if piped:
                raise UsageError(
                    "Standard input (-) can be read only once. Name it once."
                )
            piped = True
            yield StandardInput(url)
        elif _SCHEME.match(name):
            yield UrlSource(name)
        elif is_folder(name):
            yield from _pages_below(Path(name))
        else:
            yield FileSource(Path(name), url=url)


def _pages_below(folder: Path) -> Iterator[Source]:
    """Yield the pages of a folder: the files of each level by name, then its subfolders
    by name; links to folders are not followed.
    """
    errors: list[OSError] = []
    is_empty = True
    for parent, subfolders, files in os.walk(folder, onerror=errors.append):
        subfolders.sort()
        for name in sorted(files):
            path = Path(parent, name)
            if PAGE_SUFFIX.search(name) and path.is_file():
                is_empty = False
                yield FileSource(path, folder)

    yield from map(_unreadable, errors)
    if is_empty and not errors:
        yield UnreadableFolder(
            folder,
            f"There are no pages (*.html, *.htm, *.xhtml, *.html.gz) below {folder}. "
            "Name the files.",
        )


def _unreadable(error: OSError) -> UnreadableFolder:
    path = Path(os.fsdecode(error.filename))
    return UnreadableFolder(
        path,
        f"Cannot look into the folder {path}: {error.strerror}. Check its permissions.",
    )
