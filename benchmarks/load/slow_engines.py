"""Engines on loopback that take their time, from none to the slowest.

python -m benchmarks.load.slow_engines ENGINES SECONDS

It writes their ports, and serves until it is ended.
"""

from __future__ import annotations

import sys
import threading
import time
from html import escape
from http.server import ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

from benchmarks.load.served import QuietHandler

RESULTS = 10


def result_page(query: str) -> str:
    """Return what the engines answer."""
    rows = "".join(
        f"<li class=hit><h3><a href=/thing/{query}/{n}>The {escape(query)} of {n}</a></h3>"
        f"<p class=text>Some words on {escape(query)} and what goes with it, {n}.</p></li>"
        for n in range(RESULTS)
    )
    return f"<!DOCTYPE html><title>Found</title><h1>Results</h1><ul>{rows}</ul>"


class _SlowEngine(QuietHandler):
    seconds: float

    def do_GET(self) -> None:  # noqa: N802 - what the server calls
        """Answer a search after a while."""
        parts = urlsplit(self.path)
        if parts.path != "/search":
            self.send_error(404)
            return
        time.sleep(self.seconds)
        query = parse_qs(parts.query).get("q", ["nothing"])[0]
        self.send_page(result_page(query).encode())


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128
    """Searches that begin at once."""


def main() -> None:
    engines, slowest = int(sys.argv[1]), float(sys.argv[2])
    servers = []
    for number in range(engines):
        seconds = slowest * number / (engines - 1)
        handler = type("Handler", (_SlowEngine,), {"seconds": seconds})
        server = _Server(("127.0.0.1", 0), handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        servers.append(server)
    print(*[server.server_address[1] for server in servers], flush=True)
    threading.Event().wait()


if __name__ == "__main__":
    main()
