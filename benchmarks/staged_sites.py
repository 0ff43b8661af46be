"""Sites at several moments of their lives, of any kind and language: their files served
on loopback, and what is true of each stage.

A site is a folder with `stage-N.tar.xz` and `stage-N.truth.json`; `sites` finds all of
them under the data.
"""

from __future__ import annotations

import hashlib
import io
import json
import tarfile
import threading
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

from scythe.collect.links.index_pages import parse_index_page
from scythe.urls import url_key

ROOTS = (("recipes", "sites"), ("collect",))
"""Where staged sites are, below the data."""
RECIPE_FIELDS = ("ingredients", "directions")
"""What the truth of older recipe sites has besides the title."""

_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".htm": "text/html; charset=utf-8",
    ".xml": "application/xml",
    ".txt": "text/plain",
    ".css": "text/css",
    ".json": "application/json",
    ".js": "text/javascript",
}


@dataclass(frozen=True)
class TrueRecord:
    """A record as the site's own sources have it."""

    path: str
    fields: Mapping[str, Sequence[str]]


@dataclass(frozen=True)
class Stage:
    """One moment of a site."""

    number: int
    files: Mapping[str, bytes]
    truth: Mapping[str, Any]

    @property
    def kind(self) -> str:
        """What its records are."""
        return str(self.truth.get("kind") or "recipe")

    @cached_property
    def records(self) -> list[TrueRecord]:
        """All records."""
        given = self.truth.get("records") or self.truth.get("recipes") or ()
        return [TrueRecord(record["url"], _fields(record)) for record in given]

    @property
    def moves(self) -> list[tuple[str, str]]:
        """Old and new paths of records that moved since the stage before."""
        diff = self.truth.get("diff") or {}
        moved = diff.get("moved_records") or diff.get("moved_recipes") or ()
        return [(old, new) for old, new in moved]

    def reachable(self, starts: Sequence[str]) -> set[str]:
        """Return the keys of all pages that links and declared feeds lead to, from some
        paths on.
        """
        found: set[str] = set()
        waiting = list(starts)
        while waiting:
            path = self._with_slash(waiting.pop())
            key = url_key(f"http://site{path}")
            if key in found:
                continue
            found.add(key)
            body = self.file(path)
            if body is None or body.lstrip()[:1] != b"<":
                continue
            listing = parse_index_page(body, f"http://site{path}")
            urls = [link.url for link in listing.links]
            urls += [url for url, _ in listing.index_pages]
            own = [url for url in urls if url.startswith("http://site/")]
            waiting += [url.removeprefix("http://site") for url in own]
        return found

    def _with_slash(self, path: str) -> str:
        """Return where a static server leads to from the name of a folder."""
        plain = unquote(path.partition("?")[0].partition("#")[0])
        is_folder = plain not in self.files and f"{plain}/" in self.files
        return quote(f"{plain}/") if is_folder else path

    def file(self, path: str) -> bytes | None:
        """Return the file at a path, as servers of static pages do: folders by their
        index, names of pages without their ending, too.
        """
        plain = unquote(path.partition("?")[0].partition("#")[0])
        for name in (plain, f"{plain}/", f"{plain}.html"):
            if name in self.files:
                return self.files[name]
        return None


def _fields(record: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return the true values of a record: what it says of its title, and its fields."""
    hidden = set(record.get("not_visible") or ())
    fields = {"title": [str(record["title"])]}
    given = record.get("fields")
    if given is None:
        given = {name: record.get(name) or [] for name in RECIPE_FIELDS}
    for name, values in given.items():
        texts = [str(value) for value in values if str(value).strip()]
        if texts and name not in hidden:
            fields[name] = texts
    return fields


@dataclass(frozen=True)
class StagedSite:
    """A site with all its stages."""

    folder: Path

    @property
    def name(self) -> str:
        """The name of its folder."""
        return self.folder.name

    @property
    def numbers(self) -> list[int]:
        """The numbers of its stages, in order."""
        paths = self.folder.glob("stage-*.truth.json")
        return sorted(int(path.name.split(".")[0].split("-")[1]) for path in paths)

    def stage(self, number: int) -> Stage:
        """Return one stage."""
        truth_file = self.folder / f"stage-{number}.truth.json"
        truth = json.loads(truth_file.read_text("utf-8"))
        packed = (self.folder / f"stage-{number}.tar.xz").read_bytes()
        files: dict[str, bytes] = {}
        with tarfile.open(fileobj=io.BytesIO(packed)) as content:
            for member in content.getmembers():
                file = content.extractfile(member) if member.isfile() else None
                if file is None:
                    continue
                path = "/" + member.name.removeprefix("./")
                body = file.read()
                files[path] = body
                if path.endswith("/index.html"):
                    files[path.removesuffix("index.html")] = body
        files.pop("/robots.txt", None)
        return Stage(number, files, truth)


def sites(data: Path) -> Iterator[StagedSite]:
    """Yield all staged sites of the data."""
    for root in ROOTS:
        folder = data.joinpath(*root)
        if folder.is_dir():
            for path in sorted(folder.iterdir()):
                if any(path.glob("stage-*.tar.xz")):
                    yield StagedSite(path)


class Server:
    """Serves a stage on loopback, as a static server does, and counts."""

    def __init__(self) -> None:
        self.stage: Stage | None = None
        self.asked: Counter[int] = Counter()
        handler = type("Handler", (_Handler,), {"server_of_site": self})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        """Its address, without the last slash."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def key(self, path: str) -> str:
        """Return the key of a path under its address."""
        return url_key(self.url + quote(unquote(path), safe="/?&=%+:@!$'()*,;~"))

    def close(self) -> None:
        """Stop serving."""
        self._server.shutdown()
        self._server.server_close()

    def answer(self, path: str, tag: str | None) -> tuple[int, dict[str, str], bytes]:
        """Return the status, headers and body of the answer to a request."""
        plain = unquote(path.partition("?")[0])
        files = self.stage.files if self.stage else {}
        body = files.get(plain)
        if body is None and f"{plain}/" in files:
            return 301, {"Location": quote(f"{plain}/")}, b""
        if body is None:
            body = files.get(f"{plain}.html")
        if body is None:
            return 404, {"Content-Type": "text/html"}, b"<h1>Not found</h1>"
        own = f'"{hashlib.sha256(body).hexdigest()}"'
        if tag == own:
            return 304, {"ETag": own}, b""
        kind = _TYPES.get(Path(plain).suffix or ".html", "application/octet-stream")
        return 200, {"ETag": own, "Content-Type": kind}, body


class _Handler(BaseHTTPRequestHandler):
    server_of_site: Server
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        """Answer and count."""
        server = self.server_of_site
        tag = self.headers.get("If-None-Match")
        status, headers, body = server.answer(self.path, tag)
        server.asked[status] += 1
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's signature
        """Keep quiet."""
