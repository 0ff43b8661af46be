"""Searches at once over engines that take their time: each comes back by its deadline,
with what the quick ones found.
"""

from __future__ import annotations

import statistics
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from html import escape
from http.server import ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from benchmarks.load.served import QuietHandler
from scythe import Engine, learn, search
from scythe.engines.forms.form import Control, SearchForm
from scythe.engines.metasearch.search import SearchOptions

ENGINES, SEARCHES = 20, 20
DEADLINE = 10.0
GRACE = 3.0
"""Seconds beyond the deadline after which a search is late: threads of a busy machine."""
SLOWEST = 40.0
"""Seconds of the slowest engine; they are spread from nothing to it."""
RESULTS = 10


def search_slow_engines() -> dict[str, Any]:
    """Return what became of many searches over many slow engines."""
    wrapper = learn([_result_page(f"word{n}") for n in range(3)], render=False)
    servers = [_serve(SLOWEST * n / (ENGINES - 1)) for n in range(ENGINES)]
    engines = [_engine(server, wrapper) for server in servers]

    def timed(query: str) -> tuple[float, int, int]:
        began = time.monotonic()
        hits = search(engines, query, SearchOptions(deadline=DEADLINE))
        quick = sum(answer.status == "ok" for answer in hits.answers)
        return time.monotonic() - began, quick, len(hits)

    with ThreadPoolExecutor(SEARCHES) as pool:
        found = list(pool.map(timed, [f"query{n}" for n in range(SEARCHES)]))
    for server in servers:
        server.shutdown()
    seconds = [taken for taken, _, _ in found]
    late = sum(taken > DEADLINE + GRACE for taken in seconds)
    empty = sum(hits == 0 for _, _, hits in found)
    return {
        "engines, from quick to s": f"{ENGINES}, {SLOWEST:g}",
        "searches at once": SEARCHES,
        "deadline, s": DEADLINE,
        "median, longest, s": f"{statistics.median(seconds):.2f}, {max(seconds):.2f}",
        "engines that answered in time, least": min(quick for _, quick, _ in found),
        "searches beyond the deadline": late,
        "searches without a result": empty,
        "broken promises": late + empty,
    }


def _serve(seconds: float) -> ThreadingHTTPServer:
    """Start an engine that takes so long."""
    handler = type("Handler", (_SlowEngine,), {"seconds": seconds})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def _engine(server: ThreadingHTTPServer, wrapper: Any) -> Engine:
    port = server.server_address[1]
    home = f"http://127.0.0.1:{port}/"
    form = SearchForm(f"{home}search", "q", controls=(Control("q", kind="search"),))
    return Engine(f"engine {port}", home, form, wrapper)


def _result_page(query: str) -> str:
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
        self.send_page(_result_page(query).encode())
