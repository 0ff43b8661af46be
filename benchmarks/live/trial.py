"""What is asked of each live engine: records, columns, a new theme, exports."""

from __future__ import annotations

import contextlib
import io
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from engines.searx import missing_searx, searx_rows
from engines.serving import Server, Site

from benchmarks.live.documents import QUERIES, Document, documents, found
from benchmarks.live.launching import Command, LiveEngine, rethemed
from benchmarks.live.scripted import BuiltSite
from scythe.engines.asking.results import Results
from scythe.engines.engine import Engine
from scythe.engines.registry.export import (
    engine_spider,
    find_addresses,
    searxng_entries,
)
from scythe.engines.registry.registry import Registry
from scythe.engines.registry.relearn import relearn
from scythe.errors import ScytheError

PAGES = 5
ASKED = 4
"""Result pages of a query, and queries, that are looked at."""
AROUND_TITLE = 24
"""Characters that an engine may put around a title in its link: `#57: defect: ... (new)`."""
COLUMNS = [
    "engine", "kind", "seconds", "precision", "recall", "title", "date", "snippet",
    "new theme", "searx", "Scrapy",
]  # fmt: skip
Pairs = list[tuple[str, int | None]]


@dataclass
class Tally:
    """Counts of what is right."""

    given: int = 0
    true: int = 0
    right: int = 0
    titles: int = 0
    shown: dict[str, int] = field(default_factory=lambda: {"date": 0, "snippet": 0})
    own: dict[str, int] = field(default_factory=lambda: {"date": 0, "snippet": 0})

    def share(self, name: str) -> str:
        """Return the share of the records with a value that have it in a column of its
        own; nothing where the engine shows none.
        """
        return f"{self.own[name] / self.shown[name]:.3f}" if self.shown[name] else "-"


def trial_row(live: LiveEngine) -> list[object]:
    """Return the row of an engine."""
    known = documents()
    with tempfile.TemporaryDirectory(prefix="scythe-live-") as folder:
        path = Path(folder)
        with live.serving(path, known) as site, Server(site) as server:
            started = time.monotonic()
            try:
                engine = Engine.discover(server.url(live.home))
            except ScytheError as error:
                print(f"{live.name}: {error}", file=sys.stderr)
                return [live.name, live.kind, type(error).__name__, *[""] * 8]
            seconds = time.monotonic() - started
            tally = tallied(live, engine, known)
            exports = [searx_agrees(live, engine), scrapy_agrees(live, engine, path)]
            server.site = in_new_theme(live, site, path, known)
            repaired = repaired_tally(live, engine, known, path)
    return [
        live.name,
        live.kind,
        f"{seconds:.0f}",
        _ratio(tally.right, tally.given),
        _ratio(tally.right, tally.true),
        _ratio(tally.titles, tally.right),
        tally.share("date"),
        tally.share("snippet"),
        repaired,
        *exports,
    ]


def in_new_theme(
    live: LiveEngine, site: Site, folder: Path, known: Sequence[Document]
) -> Site:
    """Return the site in another theme: one of its own where scripts build its pages,
    else one with other names and tags for everything.
    """
    if isinstance(live, BuiltSite):
        return live.in_new_theme(folder, known)
    return rethemed(site)


def _ratio(part: int, whole: int) -> str:
    return f"{part / whole:.3f}" if whole else "0"


def fresh_queries(engine: Engine) -> list[str]:
    """Return queries that the engine was not learned from."""
    return [query for query in QUERIES if query not in engine.queries][:ASKED]


def tallied(live: LiveEngine, engine: Engine, known: Sequence[Document]) -> Tally:
    """Ask an engine, and count what is right."""
    tally = Tally()
    by_number = {document.number: document for document in known}
    for query in fresh_queries(engine):
        results = engine.search(query, PAGES)
        truth = {document.number for document in found(known, query)}
        tally.true += len(truth)
        links: dict[int, str] = {}
        for record in results:
            link = record.link or ""
            number = live.number(link)
            if number in links and links[number] != link:
                continue  # the engine lists a part of a document beside the document
            tally.given += 1
            if number in truth:
                truth.discard(number)
                links[number] = link
                tally.right += 1
                count_columns(tally, record.fields, record.text, by_number[number])
        if truth:
            left = f"{query}: {len(truth)} missing, {results.status} {results.note}"
            print(f"{live.name}: {left}", file=sys.stderr)
    return tally


def count_columns(tally: Tally, fields: Any, text: str, document: Document) -> None:
    """Count which values of a record stand in columns of their own."""
    title = str(fields.get("title", ""))
    is_short = len(title) <= len(document.title) + AROUND_TITLE
    tally.titles += document.title in title and is_short
    days = [form for form in date_forms(document.written) if form in text]
    if days:
        tally.shown["date"] += 1
        values = [str(value) for value in fields.values()]
        alone = [value for value in values if days[0] in value and len(value) <= 40]
        tally.own["date"] += bool(alone) and document.title not in alone[0]
    snippet_words = document.text.split()
    middle = [word for word in snippet_words if f" {word} " in f" {text} "]
    rest = text.replace(document.title, "")
    if len(middle) >= 8 and len(rest) > 60:
        tally.shown["snippet"] += 1
        longest = max((str(value) for value in fields.values()), key=len)
        besides = " ".join(text.split()).replace(longest, "", 1)
        tally.own["snippet"] += document.title in besides


def date_forms(moment: datetime) -> Iterator[str]:
    """Yield the day of a moment as engines write it."""
    for form in (
        "%Y-%m-%d",
        "%b %d, %Y",
        "%b %-d, %Y",
        "%d %b %Y",
        "%m/%d/%y",
        "%d %B %Y",
    ):
        yield moment.strftime(form)


def repaired_tally(
    live: LiveEngine, engine: Engine, known: Sequence[Document], folder: Path
) -> str:
    """Return precision and recall after the theme has changed and the engine was looked
    after.
    """
    with Registry.open(str(folder / "engines.db")) as registry:
        stored = registry.add(replace(engine, name="live"))
        tally = quiet_tally(live, engine, known)
        if tally.right < tally.true:
            stored = relearn(registry, stored, "the theme").stored
            tally = quiet_tally(live, stored.engine, known)
    return f"{_ratio(tally.right, tally.given)} / {_ratio(tally.right, tally.true)}"


def quiet_tally(live: LiveEngine, engine: Engine, known: Sequence[Document]) -> Tally:
    """Count as `tallied` does, and say nothing."""
    with contextlib.redirect_stderr(io.StringIO()):
        return tallied(live, engine, known)


def searx_agrees(live: LiveEngine, engine: Engine) -> str:
    """Return on how many queries searx reads the rows that Scythe reads."""
    if missing_searx():
        return "no searx"
    try:
        settings = searxng_entries([(engine, find_addresses(engine))])
    except ScytheError as error:
        print(f"{live.name}: {error}", file=sys.stderr)
        return "refused"
    agreed = 0
    queries = fresh_queries(engine)
    for query in queries:
        rows = searx_rows(settings, query)
        theirs = {live.number(row["url"]) for row in rows}
        agreed += theirs == numbers(live, engine.search(query))
    return f"{agreed} of {len(queries)}"


def scrapy_agrees(live: LiveEngine, engine: Engine, folder: Path) -> str:
    """Return on how many queries the exported spider reads the rows that Scythe reads."""
    try:
        (folder / "spider.py").write_text(engine_spider(engine), encoding="utf-8")
    except ScytheError as error:
        print(f"{live.name}: {error}", file=sys.stderr)
        return "refused"
    agreed = 0
    queries = fresh_queries(engine)[:2]
    for query in queries:
        items = spider_items(folder, query)
        theirs = {live.number(item["link"] or "") for item in items}
        agreed += theirs == numbers(live, engine.search(query))
    return f"{agreed} of {len(queries)}"


def spider_items(folder: Path, query: str) -> list[dict[str, Any]]:
    """Run the spider in a folder, and return the items of the first page."""
    out = folder / "items.jsonl"
    command: Command = [
        sys.executable,
        "-m",
        "scrapy",
        "runspider",
        "spider.py",
        "-O",
        out,
    ]
    command += ["-a", f"query={query}", "-a", "pages=1", "-s", "DOWNLOAD_DELAY=0"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=180)
    return [json.loads(line) for line in out.read_text("utf-8").splitlines()]


def numbers(live: LiveEngine, results: Results) -> set[int | None]:
    """Return the documents of the first page of results."""
    return {live.number(record.link or "") for record in results}
