"""Pictures of records, through the server: pages of the app load nothing from elsewhere, and sites do not learn who looks.

Only the address that a record has is asked for, within limits of time and size, and private machines are not, unless the
collection is there itself. What comes is shown only if its first bytes are those of a picture of dots: a drawing (SVG) could
hold script.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from scythe.collect.addresses import Reach
from scythe.errors import FetchError
from scythe.sources.deadline import Deadline
from scythe.sources.download import agent, read_body, require_http
from scythe.sources.options import ReadOptions
from scythe.sources.public import host_of, is_private, require_public

MOST_BYTES = 5_000_000
"""Of one picture."""
SECONDS = 10.0
KEPT_BYTES = 200_000_000
"""Of all pictures that are kept on the disk; the ones not looked at for longest go first."""
AT_ONCE = 6
"""Pictures that are fetched at a time: a slow site must not keep pages waiting."""
_ASKED_AGAIN = 3600.0
"""Seconds until a picture that could not be had is asked for again."""
_TIDIED = 50
"""Pictures between two looks at how much is kept."""
_BEGINNINGS = ((b"\xff\xd8\xff", "jpeg"), (b"\x89PNG\r\n\x1a\n", "png"), (b"GIF87a", "gif"), (b"GIF89a", "gif"))
_BRANDS = (b"avif", b"avis")


class Picture(NamedTuple):
    """A picture of dots."""

    data: bytes
    kind: str
    """What follows `image/` in its type."""


def kind_of(data: bytes) -> str:
    """The kind of a picture by its first bytes, empty where it is none that is shown."""
    for beginning, kind in _BEGINNINGS:
        if data.startswith(beginning):
            return kind
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "webp"
    return "avif" if data[4:8] == b"ftyp" and data[8:12] in _BRANDS else ""


class Pictures:
    """Pictures by their addresses, kept in a folder."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = cache_folder(os.environ) if folder is None else folder
        self._free = threading.BoundedSemaphore(AT_ONCE)
        self._written = 0

    def get(self, url: str, allows: Callable[[str], bool]) -> Picture | None:
        """The picture at an address, None where none can be had now; `allows` tells which private addresses may be asked."""
        path = self._folder / hashlib.sha256(url.encode("utf-8", "replace")).hexdigest()
        kept = self._kept(path)
        if kept is not None:
            return Picture(kept, kind_of(kept)) if kept else None
        if not self._free.acquire(timeout=SECONDS):
            return None
        try:
            data = _fetched(url, allows)
        finally:
            self._free.release()
        self._keep(path, data)
        return Picture(data, kind_of(data)) if data else None

    def _kept(self, path: Path) -> bytes | None:
        """What is kept; empty where there was no picture a short while ago."""
        try:
            if path.stat().st_size == 0 and time.time() - path.stat().st_mtime > _ASKED_AGAIN:
                return None
            data = path.read_bytes()
            if data:
                os.utime(path)
        except OSError:
            return None
        return data

    def _keep(self, path: Path, data: bytes) -> None:
        """Keep a picture, whole or not at all; where the disk does not take it, it is fetched again."""
        with suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            with tempfile.NamedTemporaryFile(dir=path.parent, prefix=".", delete=False) as unfinished:
                unfinished.write(data)
            Path(unfinished.name).replace(path)
            self._written += 1
            if self._written % _TIDIED == 1:
                self._tidy()

    def _tidy(self) -> None:
        """Let go of what was not looked at for longest."""
        left = KEPT_BYTES
        files = [(entry.stat(), Path(entry.path)) for entry in os.scandir(self._folder) if entry.is_file()]
        for stat, path in sorted(files, key=lambda file: -file[0].st_mtime):
            left -= stat.st_size + 512
            if left < 0:
                path.unlink(missing_ok=True)


def reach(home: str, *, private: bool) -> Callable[[str], bool]:
    """Which private addresses a collection's pictures may have: those of its own machine, or any where that is allowed."""
    known = Reach(home)
    return lambda url: private or (known.is_private and known.allows(url))


def _fetched(url: str, allows: Callable[[str], bool]) -> bytes:
    """The bytes of a picture; none where there is no picture to be had."""
    import httpx2

    def check(request: httpx2.Request) -> None:
        asked = str(request.url)
        require_http(asked)
        if not (is_private(host_of(asked)) and allows(asked)):
            require_public(asked)

    options = ReadOptions(MOST_BYTES, SECONDS)
    headers = {"User-Agent": agent(options), "Accept": "image/avif, image/webp, image/png, image/jpeg, image/gif;q=0.9"}
    deadline = Deadline(SECONDS, public_only=not (is_private(host_of(url)) and allows(url)))
    try:
        with (
            deadline,
            httpx2.Client(
                headers=headers, timeout=SECONDS / 2, follow_redirects=True, max_redirects=5, event_hooks={"request": [check]}
            ) as client,
            client.stream("GET", url, extensions={"trace": deadline.trace}) as response,
        ):
            data = read_body(response, deadline, options.read_size) if response.is_success else b""
    except (FetchError, httpx2.HTTPError, httpx2.InvalidURL, httpx2.StreamError, OSError, ValueError):
        return b""
    return data if len(data) <= MOST_BYTES and kind_of(data) else b""


def cache_folder(environment: Mapping[str, str]) -> Path:
    """Where programs of this system keep what can be had again."""
    try:
        home = Path.home()
    except RuntimeError:
        home = Path(tempfile.gettempdir()) / f"scythe-{os.getpid()}"
    if sys.platform == "darwin":
        base = home / "Library" / "Caches"
    elif sys.platform == "win32":
        base = Path(environment.get("LOCALAPPDATA") or home / "AppData" / "Local")
    else:
        base = Path(environment.get("XDG_CACHE_HOME") or home / ".cache")
    return base / "scythe" / "pictures"
