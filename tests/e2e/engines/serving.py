"""A small web server on loopback: one function answers every request, and a test can
see what was asked.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from urllib.parse import parse_qs, urlsplit

HTML = "text/html; charset=utf-8"
LONGEST_BODY = 1 << 20


@dataclass(frozen=True)
class Asked:
    """One request, as the server got it."""

    method: str
    target: str
    headers: dict[str, str]
    body: bytes
    port: int
    stopping: threading.Event
    at: float = field(default_factory=time.monotonic)

    @property
    def path(self) -> str:
        return urlsplit(self.target).path

    @property
    def query(self) -> str:
        return urlsplit(self.target).query

    def values(self, charset: str = "utf-8") -> dict[str, str]:
        """What the form sent, by GET or by POST: the last value of each name."""
        sent = self.body.decode("latin-1") if self.method == "POST" else self.query
        return {
            name: values[-1]
            for name, values in parse_qs(
                sent, keep_blank_values=True, encoding=charset
            ).items()
        }

    @property
    def cookies(self) -> dict[str, str]:
        pairs = (
            pair.strip().partition("=")
            for pair in self.headers.get("cookie", "").split(";")
        )
        return {name: value for name, _, value in pairs if name}


@dataclass(frozen=True)
class Reply:
    """One answer. Text is sent as UTF-8 unless `kind` says otherwise."""

    body: str | bytes = ""
    status: int = 200
    kind: str = HTML
    headers: tuple[tuple[str, str], ...] = ()


Site = Callable[[Asked], Reply | None]
"""Answers requests; `None` drops the connection without a word."""


class Server:
    """Serves a site on a free port of loopback for as long as the `with` block lasts."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.asked: list[Asked] = []
        self.stopping = threading.Event()
        self._server = ThreadingHTTPServer(
            ("127.0.0.1", 0), type("Handler", (_Handler,), {"owner": self})
        )
        self._server.daemon_threads = True
        self._server.block_on_close = False
        self._thread = threading.Thread(
            target=self._server.serve_forever,
            kwargs={"poll_interval": 0.02},
            daemon=True,
        )

    @property
    def port(self) -> int:
        return self._server.server_address[1]

    def url(self, path: str = "/") -> str:
        return f"http://127.0.0.1:{self.port}{path}"

    def __enter__(self) -> Server:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    def stop(self) -> None:
        """Close the port; requests that wait are let go. A server that has stopped
        stays so.
        """
        if not self.stopping.is_set():
            self.stopping.set()
            self._server.shutdown()
            self._server.server_close()


class _Handler(BaseHTTPRequestHandler):
    owner: Server
    timeout = 30
    protocol_version = "HTTP/1.1"

    def _handle(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        if length > LONGEST_BODY:
            self._send(Reply("Too much", 413))
            return
        headers = {name.lower(): value for name, value in self.headers.items()}
        asked = Asked(
            self.command,
            self.path,
            headers,
            self.rfile.read(length),
            self.owner.port,
            self.owner.stopping,
        )
        self.owner.asked.append(asked)
        with contextlib.suppress(ConnectionError):
            self._send(self.owner.site(asked))

    do_GET = do_POST = do_HEAD = _handle  # noqa: N815 - the names that the base class looks for

    def _send(self, reply: Reply | None) -> None:
        self.close_connection = True
        if reply is None:
            return
        body = reply.body.encode() if isinstance(reply.body, str) else reply.body
        self.send_response(reply.status)
        self.send_header("Content-Type", reply.kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Connection", "close")
        for name, value in reply.headers:
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's signature
        """Keep quiet."""


def no_such_page(asked: Asked) -> Reply:
    """What a server says of addresses it does not know."""
    return Reply(
        f"<!DOCTYPE html><title>404</title><h1>Not found</h1><p>There is no page {len(asked.path)} letters long.",
        404,
    )
