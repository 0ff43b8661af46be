"""Pictures of records, through the server: pages of the app load nothing from
elsewhere, and sites do not learn who reads them.

Only the address that a record has is fetched, within limits of time and size, and
private machines are not, unless the collection is there itself. An answer is shown
only if its first bytes are those of a picture of dots: a drawing (SVG) could hold
script.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from scythe.collect.crawl.hosts import AllowedHosts
from scythe.errors import FetchError
from scythe.sources.cache_folder import cache_folder
from scythe.sources.deadline import Deadline
from scythe.sources.download import read_body, require_http, user_agent
from scythe.sources.options import ReadOptions
from scythe.urls import hostname, is_private, require_public

MAX_BYTES = 5_000_000
"""Bytes of one picture: an arbitrary cap."""
SECONDS = 10.0
"""How long a picture may take: a bound on the wait, not tuned."""
MAX_CACHE = 200_000_000
"""Bytes of all pictures on the disk; those not shown for longest go first. Not tuned."""
MAX_FETCHES = 6
"""Pictures that are fetched at a time: a slow site must not keep pages waiting."""
_RETRY_SECONDS = 3600.0
"""How long a picture that failed is not fetched again; not tuned."""
_CLEANUP_INTERVAL = 50
"""Pictures between two checks of the cache's size; not tuned."""
_FILE_OVERHEAD = 512
"""Bytes that a file takes besides its own, about."""
_SIGNATURES = (
    (b"\xff\xd8\xff", "jpeg"),
    (b"\x89PNG\r\n\x1a\n", "png"),
    (b"GIF87a", "gif"),
    (b"GIF89a", "gif"),
)
_BRANDS = (b"avif", b"avis")


class Picture(NamedTuple):
    """A picture of dots."""

    data: bytes
    kind: str
    """What follows `image/` in its type."""


def picture_kind(data: bytes) -> str:
    """Return the kind of a picture by its first bytes, empty where it is none that is
    shown.
    """
    for signature, kind in _SIGNATURES:
        if data.startswith(signature):
            return kind
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "webp"
    is_avif = data[4:8] == b"ftyp" and data[8:12] in _BRANDS
    return "avif" if is_avif else ""


class Pictures:
    """Pictures by their addresses, kept in a folder."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = cache_folder("pictures") if folder is None else folder
        self._free = threading.BoundedSemaphore(MAX_FETCHES)
        self._written = 0

    def is_missing(self, url: str) -> bool:
        """Return whether a picture was asked for a short while ago and was not there."""
        try:
            stat = self._path(url).stat()
        except OSError:
            return False
        return stat.st_size == 0 and not _is_old(stat)

    def get(self, url: str, allows: Callable[[str], bool]) -> Picture | None:
        """Return the picture at an address, None where there is none now; `allows`
        returns which private addresses may be fetched.
        """
        path = self._path(url)
        cached = self._load(path)
        if cached is not None:
            return Picture(cached, picture_kind(cached)) if cached else None
        if not self._free.acquire(timeout=SECONDS):
            return None
        try:
            data = _fetch(url, allows)
        finally:
            self._free.release()
        self._store(path, data)
        return Picture(data, picture_kind(data)) if data else None

    def _path(self, url: str) -> Path:
        name = hashlib.sha256(url.encode("utf-8", "replace")).hexdigest()
        return self._folder / name

    def _load(self, path: Path) -> bytes | None:
        """Return the cached bytes; empty where there was no picture a short while ago, None
        where nothing is known.
        """
        try:
            stat = path.stat()
            if stat.st_size == 0 and _is_old(stat):
                return None
            data = path.read_bytes()
            if data:
                os.utime(path)
        except OSError:
            return None
        return data

    def _store(self, path: Path, data: bytes) -> None:
        """Store a picture, whole or not at all; where the disk does not take it, it is
        fetched again.
        """
        with suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            with tempfile.NamedTemporaryFile(
                dir=path.parent, prefix=".", delete=False
            ) as unfinished:
                unfinished.write(data)
            Path(unfinished.name).replace(path)
            self._written += 1
            if self._written % _CLEANUP_INTERVAL == 1:
                self._clean_up()

    def _clean_up(self) -> None:
        """Remove the pictures that were not shown for longest."""
        left = MAX_CACHE
        entries = [entry for entry in os.scandir(self._folder) if entry.is_file()]
        for entry in sorted(entries, key=lambda entry: -entry.stat().st_mtime):
            left -= entry.stat().st_size + _FILE_OVERHEAD
            if left < 0:
                Path(entry.path).unlink(missing_ok=True)


def _is_old(stat: os.stat_result) -> bool:
    """Return whether a missing picture is asked for again."""
    return time.time() - stat.st_mtime > _RETRY_SECONDS


def private_addresses(home: str, *, allow_private: bool) -> Callable[[str], bool]:
    """Return which private addresses a collection's pictures may have: those of its own
    machine, or any where that is allowed.
    """
    hosts = AllowedHosts(home)

    def allows(url: str) -> bool:
        return allow_private or (hosts.include_private and hosts.allows(url))

    return allows


def _fetch(url: str, allows: Callable[[str], bool]) -> bytes:
    """Return the bytes of a picture; empty where there is none."""
    import httpx2

    def is_own(address: str) -> bool:
        return is_private(hostname(address)) and allows(address)

    def check(request: httpx2.Request) -> None:
        address = str(request.url)
        require_http(address)
        if not is_own(address):
            require_public(address)

    options = ReadOptions(MAX_BYTES, SECONDS)
    headers = {
        "User-Agent": user_agent(options),
        "Accept": "image/avif, image/webp, image/png, image/jpeg, image/gif;q=0.9",
    }
    deadline = Deadline(SECONDS, public_only=not is_own(url))
    try:
        with (
            deadline,
            httpx2.Client(
                headers=headers,
                timeout=SECONDS / 2,
                follow_redirects=True,
                max_redirects=5,
                event_hooks={"request": [check]},
            ) as client,
            client.stream("GET", url, extensions={"trace": deadline.trace}) as response,
        ):
            if not response.is_success:
                return b""
            data = read_body(response, deadline, options.read_size)
    except (
        FetchError,
        httpx2.HTTPError,
        httpx2.InvalidURL,
        httpx2.StreamError,
        OSError,
        ValueError,
    ):
        return b""
    return data if len(data) <= MAX_BYTES and picture_kind(data) else b""
