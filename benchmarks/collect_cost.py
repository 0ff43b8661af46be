"""What a collection costs by itself, besides waiting for the site: CPU time and memory of the process that runs it.

    python -m benchmarks.collect_cost [--pages 10000] [--db URL]

A made-up recipe site on loopback, served by a process of its own: one list, pages of some 25 KB (a recipe and 150 comments).
A run from nothing over 1,000 pages, with the naming of attributes, then one over all. The crawler is a process of its own and
is not counted; reading its answers, parsing, classifying, extracting, storing and importing are. `parse only` is turbohtml
from bytes to its own tree, over pages of the same site, in the same process. `MB` is the most memory that the process had up
to then.
"""

from __future__ import annotations

import multiprocessing
import random
import resource
import tempfile
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import turbohtml

from benchmarks.common import arguments, report, table
from scythe.collect.collection import Collection

HEADER = ("pages", "ms a page", "parse only, ms", "times parsing", "MB", "seconds in all", "records")
_COMMENT = (
    "<div class=c{0}><p>Comment {1} of a reader who liked it and wrote how it went, what they changed and why.</p>"
    "<span>reply</span></div>"
)
_COMMENTS = "".join(_COMMENT.format(number % 7, number) for number in range(150))
_THINGS = "milk butter salt honey onion carrot apple cream cheese thyme pepper garlic lemon parsley egg leek".split()


def recipe(number: int) -> bytes:
    chance = random.Random(number)
    things = chance.sample(_THINGS, 5)
    lines = "".join(f"<li>{chance.randint(1, 9) * 50} g {thing}</li>" for thing in things)
    steps = "".join(f"<li>Cook the {thing} for {chance.randint(2, 40)} minutes.</li>" for thing in things)
    title = f"{things[0].title()} and {things[1]} no. {number}"
    return (
        f"<!DOCTYPE html><html lang=en><head><title>{title}</title></head><body><nav><a href=/>Home</a></nav><h1>{title}</h1>"
        f"<p>Total time: {chance.randint(10, 90)} min</p><h2>Ingredients</h2><ul>{lines}</ul><h2>Directions</h2><ol>{steps}</ol>"
        f"<section class=comments>{_COMMENTS}</section></body></html>"
    ).encode()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    pages = 0

    def do_GET(self) -> None:
        """Answer with a recipe, the list, or nothing."""
        status, body = 200, b""
        if self.path == "/":
            entries = "".join(f"<li><a href=/r/{number}.html>Recipe {number}</a></li>" for number in range(type(self).pages))
            body = f"<h1>All</h1><ul>{entries}</ul>".encode()
        elif self.path.startswith("/r/"):
            body = recipe(int(self.path[3:-5]))
        elif self.path.startswith("/grow/"):
            type(self).pages = int(self.path[6:])
        else:
            status = 404
        self.send_response(status)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's signature
        """Keep quiet."""


def serve(pipe: Connection[Any, Any]) -> None:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    pipe.send(server.server_address[1])
    server.serve_forever()


def grow(url: str, pages: int) -> None:
    import urllib.request

    urllib.request.build_opener(urllib.request.ProxyHandler({})).open(f"{url}/grow/{pages}").read()


def parse_only(pages: int = 300) -> float:
    """Milliseconds for one page."""
    bodies = [recipe(number) for number in range(pages)]
    times = []
    for _ in range(3):
        began = time.process_time()
        for body in bodies:
            turbohtml.parse(body)
        times.append(time.process_time() - began)
    return min(times) / pages * 1_000


def measure(pages: int, database: str, url: str) -> list[dict[str, Any]]:
    found = []
    with Collection.add(f"{url}/", "kitchen", "recipe", db=database) as collection:
        known = 0
        for total in sorted({min(1_000, pages), pages}):
            grow(url, total)
            cpu, wall = time.process_time(), time.monotonic()
            collection.run()
            if not known:
                collection.accept()
            cpu, wall = time.process_time() - cpu, time.monotonic() - wall
            parsing = parse_only()
            new = total - known
            known = total
            memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            found.append(
                {
                    "pages": new,
                    "ms": cpu / new * 1_000,
                    "parse_only": parsing,
                    "ratio": cpu / new * 1_000 / parsing,
                    "memory": memory,
                    "seconds": wall,
                    "records": collection.counts().get("ok", 0),
                }
            )
    return found


def main() -> None:
    parser = arguments(__doc__ or "")
    parser.add_argument("--pages", type=int, default=10_000, help="pages in all")
    parser.add_argument("--db", help="the database to use, by default an SQLite file that is thrown away")
    given = parser.parse_args()
    ours, theirs = multiprocessing.Pipe()
    server = multiprocessing.get_context("spawn").Process(target=serve, args=(theirs,), daemon=True)
    server.start()
    with tempfile.TemporaryDirectory() as folder:
        database = given.db or f"sqlite:///{Path(folder) / 'cost.db'}"
        figures = measure(given.pages, database, f"http://127.0.0.1:{ours.recv()}")
    server.terminate()
    rows = [
        [
            each["pages"],
            each["ms"],
            each["parse_only"],
            f"{each['ratio']:.0f}",
            f"{each['memory']:.0f}",
            f"{each['seconds']:.0f}",
            each["records"],
        ]
        for each in figures
    ]
    report("collect_cost", [table("A collection's own cost", HEADER, rows)], figures)


if __name__ == "__main__":
    main()
