"""`scythe serve` under readers and writers: errors, times, memory, and whether every
change that was confirmed is there at the end.
"""

from __future__ import annotations

import random
import re
import statistics
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2

from benchmarks.load.served import ServedApp
from benchmarks.web import PAGES
from benchmarks.web_site import NAME, make
from scythe.bulk.workers.heartbeat import resident_bytes
from scythe.collect.collection import Collection

READERS, WRITERS = 50, 5
EDITED = 500
"""Records that are edited, again and again."""
PAUSE = 0.5
"""Seconds that a reader looks at a page, at most, and a writer at a record."""
TIMEOUT = 120.0
"""Seconds after which a request has failed."""
LOOK_EVERY = 5.0
_RECORD = 50_000
"""The record whose pages `benchmarks.web` asks for; here everybody reads another."""
_CSRF = re.compile(r'name="csrf" value="(\w+)"')


@dataclass
class Log:
    """What the clients have seen. Appending to lists needs no lock."""

    read_seconds: list[float] = field(default_factory=list)
    write_seconds: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    titles: dict[int, str] = field(default_factory=dict)
    """The last confirmed title of each record that was edited."""


def load_web_app(database: Path, records: int, seconds: float) -> dict[str, Any]:
    """Return what became of a server under load."""
    if not database.exists():
        make(f"sqlite:///{database}", records)
    log = Log()
    ended = threading.Event()
    with ServedApp(database) as app:
        clients = [
            *(_thread(_read, app.url, log, ended, seed) for seed in range(READERS)),
            *(_thread(_write, app.url, log, ended, seed) for seed in range(WRITERS)),
        ]
        memory = _watch(app.process_id, seconds)
        ended.set()
        for client in clients:
            client.join(TIMEOUT)
    lost = _lost(database, log.titles)
    for error in log.errors[:20]:
        print(error)
    return {
        "records": records,
        "seconds": round(seconds),
        "pages read": len(log.read_seconds),
        "changes confirmed": len(log.write_seconds),
        "read: median, 95 %, longest, s": _spread(log.read_seconds),
        "write: median, 95 %, longest, s": _spread(log.write_seconds),
        "memory after a tenth, at the end, MB": _growth(memory),
        "errors": len(log.errors),
        "confirmed changes lost": lost,
        "broken promises": len(log.errors) + lost,
    }


@dataclass
class Visit:
    """One of the clients."""

    number: int
    http: httpx2.Client
    chance: random.Random


Client = Callable[[Visit, Log], None]


def _thread(
    work: Client, url: str, log: Log, ended: threading.Event, number: int
) -> threading.Thread:
    """Start a client that works until the end."""

    def visit() -> None:
        chance = random.Random(number)
        with httpx2.Client(base_url=url, timeout=TIMEOUT, trust_env=False) as http:
            while not ended.wait(chance.uniform(0, PAUSE)):
                try:
                    work(Visit(number, http, chance), log)
                except Exception as error:  # any of them is a figure
                    log.errors.append(f"{work.__name__}: {error!r}")

    thread = threading.Thread(target=visit, daemon=True)
    thread.start()
    return thread


def _read(visit: Visit, log: Log) -> None:
    path = visit.chance.choice(PAGES).path.replace(
        f"/{_RECORD}", f"/{visit.number + 1}"
    )
    began = time.perf_counter()
    answer = visit.http.get(path, follow_redirects=True)
    log.read_seconds.append(time.perf_counter() - began)
    if answer.status_code != 200:
        log.errors.append(f"{path}: {answer.status_code}")


def _write(visit: Visit, log: Log) -> None:
    """Give a record another title; no two writers share a record."""
    number = visit.chance.randrange(EDITED // WRITERS) * WRITERS + visit.number + 1
    path = f"/collections/{NAME}/records/{number}/edit"
    form = visit.http.get(path)
    token = _CSRF.search(form.text)
    if form.status_code != 200 or token is None:
        log.errors.append(f"{path}: {form.status_code}")
        return
    title = f"Title {visit.chance.randrange(10**9)}"
    began = time.perf_counter()
    answer = visit.http.post(path, data={"csrf": token[1], "field.title": title})
    if answer.status_code != 303:
        log.errors.append(f"{path}: {answer.status_code}")
        return
    log.write_seconds.append(time.perf_counter() - began)
    log.titles[number] = title


def _watch(process_id: int, seconds: float) -> list[int]:
    """Return the bytes of the server's memory, at every look."""
    memory = []
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        time.sleep(min(LOOK_EVERY, left))
        memory.append(resident_bytes(process_id))
    return memory


def _lost(database: Path, titles: dict[int, str]) -> int:
    """Return how many confirmed titles are not those of the records."""
    with Collection.open(NAME, db=f"sqlite:///{database}") as collection:
        stored = {record.id: record for record in collection.records()}
    return sum(
        (stored[number].fields or {}).get("title") != title
        for number, title in titles.items()
    )


def _spread(seconds: list[float]) -> str:
    if len(seconds) < 2:
        return "too few"
    middle = statistics.median(seconds)
    most = statistics.quantiles(seconds, n=20)[-1]
    return f"{middle:.3f}, {most:.3f}, {max(seconds):.3f}"


def _growth(memory: list[int]) -> str:
    early = memory[len(memory) // 10]
    return f"{early / 1e6:.0f}, {memory[-1] / 1e6:.0f}"
