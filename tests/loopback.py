"""A real web server on loopback, with the faults of real ones."""

from __future__ import annotations

import gzip
import threading
from collections.abc import Callable
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType

HTML = "text/html; charset=utf-8"
ARTICLE = (
    "<!DOCTYPE html><html lang=en><title>On mowing</title><nav><a href=/>Home</a> <a href=/news>News</a></nav>"
    "<article><h1>On mowing</h1>"
    "<p>The first cut is made at dawn, while the dew is on the grass, because wet stalks stand up to the blade.</p>"
    "<p>By noon, when it is dry, the mowers rest; in the evening they sharpen, talk, and look at the <a href='sky'>sky</a>.</p>"
    "</article><footer><a href=/imprint>Imprint</a></footer></html>"
)


@dataclass(frozen=True)
class Visit:
    """One request to a site."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes


Reply = tuple[int, dict[str, str], bytes]
"""Status, headers and body."""


class Loopback:
    """Serves `/mowing` and whatever a test adds, or its `site` makes; other paths show one fault each."""

    def __init__(self) -> None:
        self.pages: dict[str, Reply] = {}
        self.site: Callable[[Visit], Reply | None] = lambda _: None
        self.asked: list[tuple[str, dict[str, str]]] = []
        self.stopping = threading.Event()
        self.add("/mowing", ARTICLE.encode())
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"loopback": self}))
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)

    @property
    def port(self) -> int:
        return self._server.server_address[1]

    def url(self, path: str) -> str:
        return f"http://127.0.0.1:{self.port}{path}"

    def add(self, path: str, body: bytes, kind: str | None = HTML, status: int = 200, **headers: str) -> None:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        self.pages[path] = (status, named | ({"Content-Type": kind} if kind else {}), body)

    def __enter__(self) -> Loopback:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.stopping.set()
        self._server.shutdown()
        self._server.server_close()


class _Handler(BaseHTTPRequestHandler):
    loopback: Loopback

    def do_POST(self) -> None:
        self.do_GET()

    def do_GET(self) -> None:
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.loopback.asked.append((self.path, headers))
        body = self.rfile.read(int(headers.get("content-length", 0)))
        made = self.loopback.site(Visit(self.command, self.path, headers, body))
        try:
            if made is not None:
                self._answer(*made)
            elif self.path in self.loopback.pages:
                self._answer(*self.loopback.pages[self.path])
            else:
                {
                    "/silent": self._stay_silent,
                    "/dripping": self._drip,
                    "/trickling": self._trickle,
                    "/endless": self._go_on,
                    "/bomb": self._send_bomb,
                }[self.path]()
        except (ConnectionError, KeyError):
            pass

    def _answer(self, status: int, headers: dict[str, str], body: bytes = b"") -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def _stay_silent(self) -> None:
        self.loopback.stopping.wait(20)

    def _drip(self) -> None:
        """One byte of a header at a time, each well within any timeout of a single read."""
        self.wfile.write(b"HTTP/1.1 200 OK\r\nX-Drip: ")
        while not self.loopback.stopping.wait(0.02):
            self.wfile.write(b"x")

    def _trickle(self) -> None:
        """A body without a length, of which each line comes well within any timeout of a read."""
        self._answer(200, {"Content-Type": HTML}, ARTICLE.encode())
        while not self.loopback.stopping.wait(0.02):
            self.wfile.write(b"<p>More of it, line by line.</p>")

    def _go_on(self) -> None:
        self._answer(200, {"Content-Type": HTML})
        while not self.loopback.stopping.is_set():
            self.wfile.write(b"<p>More and more, and no end of it.</p>" * 1000)

    def _send_bomb(self) -> None:
        """A body of some kilobytes that unpacks to a thousand times as much."""
        self._answer(200, {"Content-Type": HTML, "Content-Encoding": "gzip"})
        self.wfile.write(gzip.compress(b"<p>a</p>" * 4_000_000))

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's signature
        """Keep quiet."""
