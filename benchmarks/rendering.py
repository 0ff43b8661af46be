"""Rendering: do rendered and parsed trees agree, what does a page cost, and what is
left of the browser afterwards?

python -m benchmarks.rendering [DATA] [--pages N]
"""

from __future__ import annotations

import gzip
import os
import signal
import socket
import statistics
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path

from benchmarks.common import arguments, content_pages, report, require, table
from benchmarks.growth import made_up_page
from scythe.errors import BrowserCrashed, ScytheError
from scythe.render import Browser, RenderOptions
from scythe.tree import Tree, parse

CONTENT = ("wcxb", "zh", "news-eras")
RENDERS, KILL_EVERY = 200, 10
CAPPED = RenderOptions(scripts=True, network=True, timeout=10)


def main() -> None:
    parser = arguments(__doc__ or "")
    parser.add_argument(
        "--pages",
        type=int,
        default=100,
        help="pages of each set of content pages; all record pages are taken",
    )
    options = parser.parse_args()
    sets = {"records": record_pages(options.data)}
    for name in CONTENT:
        sets[name] = (
            (page.name, page.html)
            for page in islice(content_pages(options.data, name), options.pages)
        )
    with Browser() as browser:
        browser.render("")
        agreeing = [agreement(name, pages, browser) for name, pages in sets.items()]
        ends = hostile_pages(browser)
    left = leaks()
    tables = [
        table(
            "Rendered and parsed trees, node for node",
            ["set", "pages", "agree", "share", "median ms", "95% ms"],
            agreeing,
        ),
        table("Hostile pages", ["page", "how it ends", "seconds"], ends),
        table(
            f"{RENDERS} renders, every {KILL_EVERY}th killed half-way",
            ["what", "number"],
            [list(row) for row in left.items()],
        ),
    ]
    report("rendering", tables, {"agreement": agreeing, "hostile": ends, "leaks": left})


def record_pages(data: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the list and search-result pages, those without a result included."""
    for path in sorted(require(data / "records").glob("*/*.html.gz")):
        yield f"{path.parent.name}/{path.name}", gzip.decompress(path.read_bytes())


def agreement(
    name: str, pages: Iterable[tuple[str, bytes]], browser: Browser
) -> list[object]:
    """Return how many pages of a set give the same tree, and what rendering takes."""
    seconds, agree = [], 0
    for page, html in pages:
        start = time.perf_counter()
        try:
            drawn = browser.render(html)
        except ScytheError as error:
            print(f"{name} {page}: {error}")
            continue
        finally:
            seconds.append(time.perf_counter() - start)
        if (difference := first_difference(drawn, parse(html))) is None:
            agree += 1
        else:
            print(f"{name} {page}: {difference}")
    slow = statistics.quantiles(seconds, n=20)[-1]
    return [
        name,
        len(seconds),
        agree,
        agree / len(seconds),
        round(1000 * statistics.median(seconds)),
        round(1000 * slow),
    ]


def first_difference(drawn: Tree, parsed: Tree) -> str | None:
    """Return the first node at which two trees differ in tag, text, position or
    attributes.
    """
    for node in range(min(len(drawn), len(parsed))):
        for what in (name_and_text, parent_and_end, attributes):
            if (here := what(drawn, node)) != (there := what(parsed, node)):
                return f"node {node} is {here!r} rendered and {there!r} parsed"[:300]
    return (
        None
        if len(drawn) == len(parsed)
        else f"{len(drawn)} nodes rendered and {len(parsed)} parsed"
    )


def name_and_text(tree: Tree, node: int) -> tuple[str, str]:
    return tree.name(node), tree.text[node]


def parent_and_end(tree: Tree, node: int) -> tuple[int, int]:
    return int(tree.parent[node]), int(tree.end[node])


def attributes(tree: Tree, node: int) -> dict[str, str]:
    return dict(tree.attributes(node))


def hostile_pages(browser: Browser) -> list[list[object]]:
    """Return how pages end that would take all time or memory."""
    with socket.create_server(
        ("127.0.0.1", 0)
    ) as silent:  # takes connections and never answers
        url = f"http://127.0.0.1:{silent.getsockname()[1]}/"
        many = "<p><b>x</b> y</p>"
        pages = {
            "never finishes loading": (f"<p>x<img src={url}>", CAPPED),
            "200,000 nodes": ("<!doctype html>" + many * 50_000, RenderOptions()),
            "1,000,000 nodes": ("<!doctype html>" + many * 250_000, RenderOptions()),
            "endless script": ("<p>x<script>while (true);</script>", CAPPED),
            "endless growth": (
                "<p>x<script>for (;;) document.body.append(document.createElement('p'))</script>",
                CAPPED,
            ),
        }
        return [
            [name, *outcome(partial(browser.render, page, url=url, options=options))]
            for name, (page, options) in pages.items()
        ]


def outcome(work: Callable[[], Tree]) -> tuple[str, float]:
    """Return what a render gives, in a word, and after how many seconds."""
    start = time.perf_counter()
    try:
        tree = work()
        result = f"{len(tree):,} nodes" + (
            f", cut: {', '.join(tree.cut)}" if tree.cut else ""
        )
    except ScytheError as error:
        result = type(error).__name__
    return result, round(time.perf_counter() - start, 1)


def leaks() -> dict[str, int]:
    """Return processes and memory left by many renders, some of which lose their
    browser.
    """
    small, large = made_up_page(50), made_up_page(1_000)
    before = below(os.getpid())
    killed, failed, seen = 0, 0, set[int]()
    with Browser() as browser:
        for turn in range(RENDERS):
            if turn % KILL_EVERY:
                browser.render(small)
                continue
            browser.render("")
            mine = below(os.getpid()) - before
            seen |= mine
            killer = threading.Timer(0.1, kill_browser, (mine,))
            killer.start()
            killed += 1
            try:
                browser.render(large)
            except BrowserCrashed:
                failed += 1
            killer.join()
        seen |= below(os.getpid()) - before
    deadline = time.monotonic() + 10
    while (left := seen & set(parents())) and time.monotonic() < deadline:
        time.sleep(0.1)
    return {
        "renders": RENDERS,
        "killed half-way": killed,
        "of them a clear error": failed,
        "processes seen": len(seen),
        "processes left": len(left),
    }


def kill_browser(processes: set[int]) -> None:
    """Kill the main process of the browser among these."""
    for process in sorted(processes):
        try:
            command = Path(f"/proc/{process}/cmdline").read_bytes()
        except OSError:
            continue
        if b"--headless" in command and b"--type=" not in command:
            os.kill(process, signal.SIGKILL)
            return


def parents() -> dict[int, int]:
    """Return the parent of every process that lives."""
    found = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, parent, *_ = (
                stat.read_text("utf-8", "replace").rpartition(")")[2].split()
            )
        except OSError:
            continue
        if state != "Z":
            found[int(stat.parent.name)] = int(parent)
    return found


def below(process: int) -> set[int]:
    """Return all processes that descend from one."""
    parent = parents()
    found = {process}
    while more := {child for child, above in parent.items() if above in found} - found:
        found |= more
    return found - {process}


if __name__ == "__main__":
    main()
