"""What a collection costs by itself, besides waiting for the site: CPU time and memory
of the process that runs it.

    python -m benchmarks.collect_cost [DATA] [--pages 10000] [--sites NAME ...] [--db
    URL]

Real sites (swde: 100 saved pages each), grown to as many pages as are wanted with other
words in every copy (`grown_site`), and served on loopback by a process of its own: a
front page, lists of 100 pages, the pages. Beside them, as the worst case, a made-up
site whose pages of 20 KB have hardly any mark-up and parse in a tenth of a millisecond.

Each site is collected from nothing by a process of its own: a run over the first pages,
with the naming of attributes, then one over the others. The crawler is yet another
process and is not counted; reading its answers, parsing, classifying, extracting,
storing and importing are. `parse only` is turbohtml from bytes to its own tree, over
pages of the same site, in the same process. `MB` is the most memory that the process
had up to then.
"""

from __future__ import annotations

import multiprocessing
import random
import resource
import tempfile
import time
import urllib.request
from collections.abc import Callable, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import turbohtml

from benchmarks.common import arguments, report, require, table
from benchmarks.grown_site import GrownSite
from scythe.collect.collection import Collection

HEADER = (
    "site",
    "KB a page",
    "pages",
    "ms a page",
    "parse only, ms",
    "times parsing",
    "MB",
    "seconds in all",
    "records",
)
MADE_UP = "made up"
KINDS = {"auto": "product", "book": "product", "job": "job"}
"""What the records of a site are, by the first word of its name; of the others there is
no built-in kind.
"""
LIST = 100
"""Pages that a list has."""
SAMPLE = 300
"""Pages that are parsed for comparison."""
_COMMENT = (
    "<div class=c{0}><p>Comment {1} of a reader who liked it and wrote how it went, "
    "what they changed and why.</p>"
    "<span>reply</span></div>"
)
_COMMENTS = "".join(_COMMENT.format(number % 7, number) for number in range(150))
_INGREDIENTS = (
    "milk butter salt honey onion carrot apple cream cheese thyme pepper garlic lemon "
    "parsley egg leek"
).split()

Pages = Callable[[int], bytes]


def recipe(number: int) -> bytes:
    """Return a page of the made-up site: a recipe and 150 comments."""
    chance = random.Random(number)
    ingredients = chance.sample(_INGREDIENTS, 5)
    lines = "".join(
        f"<li>{chance.randint(1, 9) * 50} g {ingredient}</li>"
        for ingredient in ingredients
    )
    steps = "".join(
        f"<li>Cook the {ingredient} for {chance.randint(2, 40)} minutes.</li>"
        for ingredient in ingredients
    )
    title = f"{ingredients[0].title()} and {ingredients[1]} no. {number}"
    return (
        f"<!DOCTYPE html><html lang=en><head><title>{title}</title></head>"
        f"<body><nav><a href=/>Home</a></nav><h1>{title}</h1>"
        f"<p>Total time: {chance.randint(10, 90)} min</p><h2>Ingredients</h2>"
        f"<ul>{lines}</ul><h2>Directions</h2><ol>{steps}</ol>"
        f"<section class=comments>{_COMMENTS}</section></body></html>"
    ).encode()


def pages_of(site: str, data: Path) -> Pages:
    """Return the pages of a site by number."""
    return (
        recipe
        if site == MADE_UP
        else GrownSite(require(data / "templates" / "swde" / site)).page
    )


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    pages: Pages
    number = 0

    def do_GET(self) -> None:
        """Answer with a page, a list, or nothing."""
        body = self._body()
        self.send_response(404 if body is None else 200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body or b"")))
        self.end_headers()
        self.wfile.write(body or b"")

    def _body(self) -> bytes | None:
        kind, _, name = self.path.strip("/").partition("/")
        number = (
            int(name.removesuffix(".html") or 0)
            if kind in ("list", "page", "grow")
            else 0
        )
        if kind == "page":
            return type(self).pages(number)
        if kind == "grow":
            type(self).number = number
            return b""
        if kind == "list":
            return _listing(
                "page",
                range(number * LIST, min(number * LIST + LIST, type(self).number)),
            )
        return None if kind else _listing("list", range(-(-type(self).number // LIST)))

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's signature
        """Keep quiet."""


def _listing(kind: str, numbers: range) -> bytes:
    entries = "".join(
        f"<li><a href=/{kind}/{number}.html>{kind} {number}</a></li>"
        for number in numbers
    )
    return f"<h1>Every {kind}</h1><ul>{entries}</ul>".encode()


def serve(pipe: Connection[Any, Any], site: str, data: Path) -> None:
    handler = type(
        "Handler", (_Handler,), {"pages": staticmethod(pages_of(site, data))}
    )
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    pipe.send(server.server_address[1])
    server.serve_forever()


def collect(
    pipe: Connection[Any, Any], site: str, totals: Sequence[int], database: str
) -> None:
    """Collect a site, and tell what each run took."""
    url = f"http://127.0.0.1:{pipe.recv()}"
    kind = "recipe" if site == MADE_UP else KINDS.get(site.partition("-")[0], "record")
    known = 0
    with Collection.add(f"{url}/", "cost", kind, db=database) as collection:
        for total in totals:
            fetched(f"{url}/grow/{total}")
            cpu, wall = time.process_time(), time.monotonic()
            collection.run()
            if not known:
                collection.accept_suggestions()
            cpu, wall = time.process_time() - cpu, time.monotonic() - wall
            memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            milliseconds = cpu / (total - known) * 1_000
            kilobytes, parsing = parse_only(url, total)
            figures = {
                "site": site,
                "kilobytes": kilobytes,
                "pages": total - known,
                "ms": milliseconds,
                "parse_only": parsing,
                "ratio": milliseconds / parsing,
                "memory": memory,
                "seconds": wall,
                "records": sum(collection.counts().values()),
            }
            known = total
            pipe.send(figures)
    pipe.send(None)


def fetched(url: str) -> bytes:
    body: bytes = (
        urllib.request.build_opener(urllib.request.ProxyHandler({})).open(url).read()
    )
    return body


def parse_only(url: str, pages: int) -> tuple[float, float]:
    """Return kilobytes of a page, and milliseconds for parsing it: the mean over some
    pages, of each the best of three.
    """
    size = seconds = 0.0
    for number in range(SAMPLE):
        body = fetched(f"{url}/page/{number * pages // SAMPLE}.html")
        times = []
        for _ in range(3):
            began = time.process_time()
            turbohtml.parse(body)
            times.append(time.process_time() - began)
        size, seconds = size + len(body) / 1_000, seconds + min(times)
    return size / SAMPLE, seconds / SAMPLE * 1_000


def measure(
    site: str, data: Path, totals: Sequence[int], database: str
) -> list[dict[str, Any]]:
    """Return the figures of one site."""
    context = multiprocessing.get_context("spawn")
    from_server, of_server = multiprocessing.Pipe()
    from_run, of_run = multiprocessing.Pipe()
    server = context.Process(target=serve, args=(of_server, site, data), daemon=True)
    run = context.Process(target=collect, args=(of_run, site, totals, database))
    server.start()
    run.start()
    of_run.close()
    from_run.send(from_server.recv())
    figures = list(iter(from_run.recv, None))
    run.join()
    server.terminate()
    return figures


def table_row(figures: dict[str, Any]) -> list[object]:
    rounded = {"kilobytes": 0, "ratio": 1, "memory": 0, "seconds": 0}
    return [
        f"{value:.{rounded[name]}f}" if name in rounded else value
        for name, value in figures.items()
    ]


def main() -> None:
    parser = arguments(__doc__ or "")
    parser.add_argument(
        "--pages",
        type=int,
        default=10_000,
        help="pages of the first site; of the others there are 1,000",
    )
    parser.add_argument(
        "--sites", nargs="+", help="folders of swde, or 'made up'; by default all"
    )
    parser.add_argument(
        "--db",
        help="the database to use, for one site; by default an SQLite file that is thrown away",
    )
    given = parser.parse_args()
    folder = given.data / "templates" / "swde"
    sites = given.sites or [
        *sorted(
            (path.name for path in require(folder).iterdir() if path.is_dir()),
            reverse=True,
        ),
        MADE_UP,
    ]
    figures = []
    for index, site in enumerate(sites):
        totals = sorted(
            {
                min(1_000, given.pages),
                given.pages if index == 0 else min(1_000, given.pages),
            }
        )
        with tempfile.TemporaryDirectory() as scratch:
            database = given.db or f"sqlite:///{Path(scratch) / 'cost.db'}"
            figures += measure(site, given.data, totals, database)
    report(
        "collect_cost",
        [table("A collection's own cost", HEADER, [table_row(row) for row in figures])],
        figures,
    )


if __name__ == "__main__":
    main()
