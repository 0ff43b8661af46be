"""What the pages of the web app cost with many records.

    python -m benchmarks.web [--records 100000] [--db FILE]

A collection of made-up recipes in an SQLite file (with `--db` one that is kept and used
again; see `benchmarks.web_site`). Every page is asked for in this process, without a
network: `CPU ms` is what the process takes from the request to the last byte of the
answer, `ms` the time on the clock, medians of a dozen requests after two that are not
counted. `times a query` is the CPU time over that of a plain query by Python's own
sqlite3 that fetches the rows the page shows, their JSON not even read. `holds up
paint`: scripts that are not deferred, or stand in the page.
"""

from __future__ import annotations

import asyncio
import re
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.common import arguments, report, table
from benchmarks.web_site import NAME, make
from scythe.collect.catalogue import Collections
from scythe.store import Store
from scythe.web.app import create_app
from scythe.web.server.settings import Settings

HEADER = ("page", "CPU ms", "ms", "query ms", "times a query", "KB", "holds up paint")
ROUNDS = 12
_AT = f"/collections/{NAME}"
_RECORD = "SELECT * FROM collection_records"
_FOUND = (
    "SELECT r.* FROM collection_record_words w JOIN collection_records r ON r.id = w.rowid "
    "WHERE collection_record_words MATCH '{}' ORDER BY rank LIMIT 24"
)


class Asked(NamedTuple):
    """A page, and the plain query for what it shows."""

    name: str
    path: str
    query: str


PAGES = (
    Asked("first page", "/", "SELECT * FROM collections"),
    Asked("collections", "/collections", "SELECT * FROM collections"),
    Asked("a collection", _AT, "SELECT * FROM collection_index_pages LIMIT 30"),
    Asked("links", f"{_AT}/links", "SELECT * FROM collection_links LIMIT 100"),
    Asked(
        "links with a word",
        f"{_AT}/links?q=soup",
        "SELECT * FROM collection_links WHERE text LIKE '%soup%' LIMIT 100",
    ),
    Asked(
        "links, a late page",
        f"{_AT}/links?page=500",
        "SELECT * FROM collection_links LIMIT 100 OFFSET 50000",
    ),
    Asked("review list", f"{_AT}/review", f"{_RECORD} WHERE state = 'review' LIMIT 25"),
    Asked(
        "annotate", f"{_AT}/annotate", "SELECT * FROM collection_extracted LIMIT 200"
    ),
    Asked(
        "page in the frame",
        f"{_AT}/pages/5/frame",
        "SELECT packed FROM collection_bodies LIMIT 1",
    ),
    Asked("records", f"{_AT}/records", f"{_RECORD} ORDER BY id DESC LIMIT 24"),
    Asked(
        "records, a late page",
        f"{_AT}/records?page=3000",
        f"{_RECORD} ORDER BY id DESC LIMIT 24 OFFSET 72000",
    ),
    Asked(
        "records by title",
        f"{_AT}/records?sort=title",
        f"{_RECORD} ORDER BY json_extract(fields, '$.title') LIMIT 24",
    ),
    Asked(
        "records by a number",
        f"{_AT}/records?sort=-rating",
        f"{_RECORD} ORDER BY json_extract(fields, '$.rating') DESC LIMIT 24",
    ),
    Asked(
        "search, a word of half of all", f"{_AT}/records?q=salt", _FOUND.format("salt")
    ),
    Asked(
        "search, two words",
        f"{_AT}/records?q=cumin+gratin",
        _FOUND.format("cumin gratin"),
    ),
    Asked(
        "search, a phrase",
        f"{_AT}/records?q=%22barley+soup%22",
        _FOUND.format('"barley soup"'),
    ),
    Asked("search, a beginning", f"{_AT}/records?q=sal*", _FOUND.format("sal*")),
    Asked(
        "search, without a word",
        f"{_AT}/records?q=-salt",
        f"{_RECORD} ORDER BY id DESC LIMIT 24",
    ),
    Asked(
        "a facet",
        f"{_AT}/records?f.category=Dinner",
        f"{_RECORD} WHERE json_extract(fields, '$.category') = 'Dinner' LIMIT 24",
    ),
    Asked(
        "three facets and a range",
        f"{_AT}/records?f.category=Dinner&f.ingredients=leek&f.cuisine=Thai&f.total_time=..60",
        f"{_RECORD} WHERE json_extract(fields, '$.category') = 'Dinner' LIMIT 24",
    ),
    Asked(
        "records as a table",
        f"{_AT}/records?view=table&sort=category",
        f"{_RECORD} ORDER BY json_extract(fields, '$.category') LIMIT 24",
    ),
    Asked(
        "values of a facet by letters",
        f"{_AT}/facets/ingredients?find=le",
        "SELECT * FROM collection_facets WHERE key LIKE '%le%' LIMIT 200",
    ),
    Asked(
        "search in all collections", "/records?q=cumin+gratin", _FOUND.format("cumin")
    ),
    Asked("a record", f"{_AT}/records/50000", f"{_RECORD} WHERE id = 50000"),
    Asked(
        "its saved page",
        f"{_AT}/records/50000/original",
        "SELECT packed FROM collection_bodies LIMIT 1",
    ),
    Asked(
        "RSS of a search",
        f"{_AT}/feed.rss?q=gratin",
        "SELECT * FROM collection_record_versions ORDER BY id DESC LIMIT 50",
    ),
    Asked(
        "search as JSON",
        f"/api{_AT}/records?q=cumin+gratin",
        _FOUND.format("cumin gratin"),
    ),
    Asked("engines", "/engines", "SELECT 1"),
    Asked("extract", "/extract", "SELECT 1"),
)


def ask(app: Any, path: str) -> tuple[int, bytes]:
    """Return what the app answers."""
    route, _, query = path.partition("?")
    scope = {
        "type": "http",
        "http_version": "1.1",
        "method": "GET",
        "scheme": "http",
        "path": route,
        "raw_path": route.encode(),
        "query_string": query.encode(),
        "headers": [(b"host", b"127.0.0.1")],
        "server": ("127.0.0.1", 80),
        "client": ("127.0.0.1", 1),
    }
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    asyncio.run(app(scope, receive, send))
    return sent[0]["status"], b"".join(message.get("body", b"") for message in sent)


def fetch(database: sqlite3.Connection, query: str) -> list[Any]:
    """Return the rows of a plain query."""
    return database.execute(query).fetchall()


def timed(work: Callable[[], object]) -> tuple[float, float]:
    """Return milliseconds of CPU and of the clock, medians."""
    cpu, clock = [], []
    for _ in range(ROUNDS + 2):
        began = time.process_time(), time.perf_counter()
        work()
        cpu.append((time.process_time() - began[0]) * 1_000)
        clock.append((time.perf_counter() - began[1]) * 1_000)
    return statistics.median(cpu[2:]), statistics.median(clock[2:])


def blocking(body: bytes) -> int:
    """Return how many scripts keep a browser from painting."""
    return sum(
        b" defer" not in tag or b"src=" not in tag
        for tag in re.findall(rb"<script[^>]*>", body)
    )


def measure(database: Path) -> list[dict[str, Any]]:
    plain = sqlite3.connect(database)
    figures = []
    with Store.open(str(database)) as store:
        app = create_app(Collections(store), Settings(port=80))
        for name, path, query in PAGES:
            status, body = ask(app, path)
            if status not in (200, 303):
                raise SystemExit(f"{path} answers {status}: {body[:300]!r}")
            cpu, clock = timed(partial(ask, app, path))
            query_cpu, _ = timed(partial(fetch, plain, query))
            figure = {
                "page": name,
                "cpu": cpu,
                "clock": clock,
                "query": query_cpu,
                "ratio": cpu / max(query_cpu, 0.001),
            }
            figures.append({**figure, "bytes": len(body), "blocking": blocking(body)})
            print(f"{name:32} {cpu:8.1f} {clock:8.1f} {query_cpu:8.2f}", flush=True)
    plain.close()
    return figures


def assets() -> list[tuple[str, int]]:
    """Return the files that pages load, and their bytes."""
    folder = files("scythe.web") / "static"
    return sorted(
        (file.name, len(file.read_bytes()))
        for file in folder.iterdir()
        if file.is_file()
    )


def main() -> None:
    parser = arguments(__doc__ or "")
    parser.add_argument("--records", type=int, default=100_000, help="records in all")
    parser.add_argument(
        "--db",
        type=Path,
        help="an SQLite file to use, made if it is not there; else one that is thrown away",
    )
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        database = given.db or Path(folder) / "web.db"
        if not database.exists():
            make(f"sqlite:///{database}", given.records)
        figures = measure(database)
    rows = [
        [
            figure["page"],
            f"{figure['cpu']:.0f}",
            f"{figure['clock']:.0f}",
            f"{figure['query']:.2f}",
            f"{figure['ratio']:.0f}",
            f"{figure['bytes'] / 1024:.0f}",
            figure["blocking"],
        ]
        for figure in figures
    ]
    own = assets()
    sizes = [
        [name, f"{size / 1024:.1f}"]
        for name, size in [*own, ("all", sum(size for _, size in own))]
    ]
    tables = [
        table(f"Pages with {given.records:,} records", HEADER, rows),
        table("Own files", ("file", "KB"), sizes),
    ]
    report(
        "web", tables, {"pages": figures, "files": dict(own), "records": given.records}
    )


if __name__ == "__main__":
    main()
