"""Searches at once over engines that take their time: each comes back by its deadline,
with what the quick ones found.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from benchmarks.load.slow_engines import result_page
from scythe import Engine, learn, search
from scythe.engines.forms.form import Control, SearchForm
from scythe.engines.metasearch.search import SearchOptions

ENGINES, SEARCHES = 20, 20
DEADLINE = 10.0
GRACE = 3.0
"""Seconds beyond the deadline after which a search is late: threads of a busy machine."""
SLOWEST = 40.0
"""Seconds of the slowest engine; they are spread from nothing to it."""


def search_slow_engines() -> dict[str, Any]:
    """Return what became of many searches over many slow engines."""
    wrapper = learn([result_page(f"word{n}") for n in range(3)], render=False)
    with SlowEngines() as ports:
        found = _search_at_once([_engine(port, wrapper) for port in ports])
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


def _search_at_once(engines: Sequence[Engine]) -> list[tuple[float, int, int]]:
    """Return the seconds, the engines that answered and the hits of each search."""

    def timed(query: str) -> tuple[float, int, int]:
        began = time.monotonic()
        hits = search(engines, query, SearchOptions(deadline=DEADLINE))
        quick = sum(answer.status == "ok" for answer in hits.answers)
        return time.monotonic() - began, quick, len(hits)

    with ThreadPoolExecutor(SEARCHES) as pool:
        return list(pool.map(timed, [f"query{n}" for n in range(SEARCHES)]))


def _engine(port: int, wrapper: Any) -> Engine:
    home = f"http://127.0.0.1:{port}/"
    form = SearchForm(f"{home}search", "q", controls=(Control("q", kind="search"),))
    return Engine(f"engine {port}", home, form, wrapper)


class SlowEngines:
    """The engines, in a process of their own, as they are elsewhere in life."""

    def __enter__(self) -> list[int]:
        command = [sys.executable, "-m", "benchmarks.load.slow_engines"]
        self._process = subprocess.Popen(
            [*command, str(ENGINES), str(SLOWEST)], stdout=subprocess.PIPE, text=True
        )
        assert self._process.stdout
        return [int(port) for port in self._process.stdout.readline().split()]

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.wait(60)
