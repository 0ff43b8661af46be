"""A site of many recipes on loopback of which one page in fifty fails, each in another of
the ways in which servers do.
"""

from __future__ import annotations

import gzip
import socket
import struct
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler

from benchmarks.load.served import QuietHandler
from benchmarks.web_site import page, recipe

FAILS_EVERY = 50
PER_LIST = 200
"""Recipes on a list page."""
_BOMB = gzip.compress(bytes(100_000_000), 1)


def is_failing(number: int) -> bool:
    """Return whether the page of a recipe fails."""
    return number % FAILS_EVERY == FAILS_EVERY - 1


def handler(pages: int) -> type[BaseHTTPRequestHandler]:
    """Return the handler of a site of so many recipes."""
    return type("Handler", (_Handler,), {"pages": pages})


class _Handler(QuietHandler):
    pages: int

    def do_GET(self) -> None:  # noqa: N802 - what the server calls
        """Answer with a list, a recipe, or a fault."""
        if self.path.startswith("/r/"):
            number = int(self.path[3:-5])
            if is_failing(number):
                faults = _FAULTS
                faults[number // FAILS_EVERY % len(faults)](self)
            else:
                self.send_page(page(recipe(number)))
        elif self.path == "/" or self.path.startswith("/list/"):
            first = int(self.path.removeprefix("/list/").strip("/") or 0)
            self.send_page(self._list(first))
        else:
            self.send_error(404)

    def _list(self, first: int) -> bytes:
        last = min(first + PER_LIST, self.pages)
        entries = "".join(
            f"<li><a href=/r/{n}.html>{recipe(n)['title']}</a></li>"
            for n in range(first, last)
        )
        following = f"<a href=/list/{last}>Next</a>" if last < self.pages else ""
        return f"<h1>All</h1><ul>{entries}</ul><nav>{following}</nav>".encode()

    def fail(self) -> None:
        """Have an error of its own."""
        self.send_page(b"<h1>Error</h1>", 500)

    def be_away(self) -> None:
        """Ask to wait."""
        self.send_page(b"", 503, Retry_After="1")

    def refuse(self) -> None:
        """Let programs not in."""
        self.send_page(b"<h1>Forbidden</h1>", 403)

    def be_gone(self) -> None:
        """Have no such page any more."""
        self.send_page(b"", 410)

    def break_off(self) -> None:
        """Send half of what was promised."""
        self.send_page(b"<h1>Half of", Content_Length="5000")

    def hang_up(self) -> None:
        """End the connection by a reset, without an answer."""
        linger = struct.pack("ii", 1, 0)
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        self.connection.close()

    def say_nonsense(self) -> None:
        """Speak no HTTP."""
        self.wfile.write(b"\x00\xffno answer at all\r\n\r\n")

    def be_silent(self) -> None:
        """Say nothing for longer than anybody waits."""
        time.sleep(8)

    def go_in_circles(self) -> None:
        """Lead to itself."""
        self.send_page(b"", 302, Location=self.path)

    def lead_inside(self) -> None:
        """Lead to a machine of the network."""
        self.send_page(b"", 302, Location="http://10.0.0.1/secret")

    def send_a_bomb(self) -> None:
        """Send some kilobytes that unpack to a hundred megabytes."""
        self.send_page(_BOMB, Content_Encoding="gzip")

    def lie_about_packing(self) -> None:
        """Say that plain text is packed."""
        self.send_page(b"<h1>Plain</h1>", Content_Encoding="gzip")

    def be_something_else(self) -> None:
        """Send no page."""
        self.send_page(bytes(1_000), Content_Type="application/zip")

    def be_empty(self) -> None:
        """Send nothing."""
        self.send_page(b"")


_FAULTS: tuple[Callable[[_Handler], None], ...] = (
    _Handler.fail,
    _Handler.be_away,
    _Handler.refuse,
    _Handler.be_gone,
    _Handler.break_off,
    _Handler.hang_up,
    _Handler.say_nonsense,
    _Handler.be_silent,
    _Handler.go_in_circles,
    _Handler.lead_inside,
    _Handler.send_a_bomb,
    _Handler.lie_about_packing,
    _Handler.be_something_else,
    _Handler.be_empty,
)
