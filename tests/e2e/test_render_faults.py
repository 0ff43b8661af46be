"""A real Chromium with bad addresses, hostile pages, kills and interrupts: a clear
error, and nothing left behind.
"""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from loopback import Loopback
from scythe.errors import (
    BrowserCrashed,
    FetchError,
    NoBrowser,
    NotHtml,
    PageTooLarge,
    RenderTimeout,
    UsageError,
)
from scythe.render import OFFLINE, ONLINE, Browser, RenderOptions, render_page
from scythe.tree import Limits, parse
from trees import assert_agree, text_of

SCRIPTED = RenderOptions(scripts=True, network_idle_timeout=0)
linux_only = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")


@pytest.fixture
def own_browser(browser: Browser) -> Iterator[Browser]:
    """A browser that a test may break."""
    with Browser() as own:
        yield own


# Addresses


def test_an_address_is_opened_with_scripts_and_network(
    browser: Browser, web: Loopback
) -> None:
    web.add(
        "/list",
        "<meta charset=latin-1><p>Füße<script src=/more.js></script>".encode("latin-1"),
        "text/html",
    )
    web.add(
        "/more.js",
        b"setTimeout(() => document.body.append('later'), 50)",
        "text/javascript",
    )
    tree = browser.open(web.url("/list"))
    assert "Füße" in text_of(tree)
    assert "later" in text_of(tree)
    assert tree.encoding == "windows-1252"


@pytest.mark.parametrize(
    ("path", "error", "said"),
    [
        ("/gone", FetchError, "404"),
        ("/paper", NotHtml, "application/pdf"),
        ("/archive", NotHtml, "not a web page"),
    ],
)
def test_an_address_without_a_page_is_an_error(
    browser: Browser, web: Loopback, path: str, error: type[Exception], said: str
) -> None:
    web.add("/gone", b"gone", status=404)
    web.add("/paper", b"%PDF-1.4", "application/pdf")
    web.add("/archive", b"PK", "application/zip")
    with pytest.raises(error, match=said):
        browser.open(web.url(path))


def test_addresses_that_cannot_be_opened(browser: Browser) -> None:
    with pytest.raises(FetchError, match="host name is unknown"):
        browser.open("http://page.invalid/")
    with pytest.raises(FetchError, match="only http and https"):
        browser.open("file:///etc/hosts")
    with pytest.raises(UsageError, match="network=False"):
        browser.open("http://page.invalid/", options=OFFLINE)


# Bounds


def test_a_page_that_never_finishes_loading_is_taken_as_it_is(
    browser: Browser, web: Loopback
) -> None:
    page = f"<p>there<img src={web.url('/silent')}>"
    tree = browser.render(
        page, url=web.url("/page"), options=RenderOptions(network=True, timeout=5)
    )
    assert "there" in text_of(tree)
    assert tree.cut == ("time",)


def test_an_address_that_never_answers_is_an_error(
    browser: Browser, web: Loopback
) -> None:
    with pytest.raises(RenderTimeout, match="did not answer in time"):
        browser.open(web.url("/silent"), options=replace(ONLINE, timeout=2))


@pytest.mark.parametrize(
    "script",
    ["while (true);", "setTimeout(() => { while (true); })", "while (true) alert(1)"],
)
def test_an_endless_script_is_an_error_and_the_next_page_is_well(
    browser: Browser, script: str
) -> None:
    with pytest.raises(RenderTimeout, match="time"):
        browser.render(
            f"<p>x<script>{script}</script>",
            options=replace(SCRIPTED, timeout=3, network_idle_timeout=1),
        )
    assert len(browser.render("<p>x")) == 5


def test_a_script_that_takes_all_memory_is_an_error(own_browser: Browser) -> None:
    page = "<script>const all = []; for (;;) { all.push(new Array(100000).fill(1.5)) }</script>"
    with pytest.raises((BrowserCrashed, PageTooLarge)):
        own_browser.render(page, options=SCRIPTED)
    assert len(own_browser.render("<p>x")) == 5


@linux_only
def test_a_page_that_takes_too_much_memory_is_an_error(own_browser: Browser) -> None:
    page = "<script>for (;;) document.body.append(document.createElement('p'), 'text')</script>"
    with pytest.raises(PageTooLarge, match="more than 500 MB"):
        own_browser.render(
            "<body>" + page, options=replace(SCRIPTED, max_memory=500_000_000)
        )


def test_a_page_of_too_many_elements_is_an_error(browser: Browser) -> None:
    with pytest.raises(PageTooLarge, match="20,003 elements"):
        browser.render(
            "<p>" * 20_000, options=RenderOptions(limits=Limits(max_nodes=10_000))
        )


def test_texts_beyond_the_limit_of_nodes_are_cut(browser: Browser) -> None:
    tree = browser.render(
        "<p>x" * 1000, options=RenderOptions(limits=Limits(max_nodes=1500))
    )
    assert (len(tree), tree.cut) == (1500, ("nodes",))
    assert tree.end.max() == 1500


def test_bytes_and_depth_are_cut_as_in_parsing(browser: Browser) -> None:
    page, limits = "<p>x<b>" * 100, Limits(max_bytes=350, max_depth=20)
    assert_agree(
        browser.render(page, options=RenderOptions(limits=limits)), parse(page, limits)
    )


@pytest.mark.parametrize(
    "wrong",
    [
        {"timeout": 0},
        {"network_idle_timeout": -1},
        {"max_memory": 0},
        {"viewport": (0, 100)},
    ],
)
def test_options_that_make_no_sense_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(UsageError, match="RenderOptions"):
        RenderOptions(**wrong)  # type: ignore[arg-type]


# Processes


def parents() -> dict[int, int]:
    """The parent of every process that lives, from /proc."""
    parent: dict[int, int] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, above, *_ = (
                stat.read_text("utf-8", "replace").rpartition(")")[2].split()
            )
        except OSError:
            continue
        if state != "Z":
            parent[int(stat.parent.name)] = int(above)
    return parent


def descendants(process: int) -> set[int]:
    parent = parents()
    below = {process}
    while more := {child for child, above in parent.items() if above in below} - below:
        below |= more
    return below - {process}


def chromium_below(process: int) -> set[int]:
    found = set()
    for child in descendants(process):
        try:
            command = Path(f"/proc/{child}/cmdline").read_bytes()
        except OSError:
            continue
        if b"--headless" in command or b"--type=" in command:
            found.add(child)
    return found


def eventually(condition: Callable[[], bool]) -> bool:
    """Whether it comes true while the system tidies up."""
    deadline = time.monotonic() + 15
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.05)
    return condition()


def gone(processes: set[int]) -> bool:
    return not processes & parents().keys()


@linux_only
def test_nothing_is_left_of_a_browser_that_was_closed_or_killed(
    own_browser: Browser, browser: Browser
) -> None:
    browser.render("<p>x")
    others = descendants(os.getpid())
    seen: set[int] = set()
    for turn in range(6):
        own_browser.render("<p>x")
        mine = descendants(os.getpid()) - others
        seen |= mine
        if turn % 3 == 2:
            chromium = chromium_below(os.getpid()) - others
            killer = threading.Timer(0.1, os.kill, (min(chromium), signal.SIGKILL))
            killer.start()
            with pytest.raises(BrowserCrashed, match="Try again"):
                own_browser.render("<p>x</p>" * 100_000)
            killer.join()
            assert eventually(partial(gone, chromium))
    own_browser.close()
    assert seen
    assert eventually(lambda: gone(seen))
    assert len(own_browser.render("<p>a closed browser starts again")) == 5


INTERRUPTED = """
from scythe.render import Browser, RenderOptions
browser = Browser()
browser.render("<p>x")
print("ready", flush=True)
try:
    browser.render("<script>while (true);</script>", options=RenderOptions(scripts=True))
except KeyboardInterrupt:
    print(len(browser.render("<p>y")), flush=True)
    raise
"""
"""A program that is interrupted, goes on, and ends without closing its browser."""


@linux_only
def test_an_interrupt_ends_the_page_at_once_and_leaves_no_process(
    browser: Browser,
) -> None:
    program = subprocess.Popen(
        [sys.executable, "-c", INTERRUPTED],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert program.stdout is not None
    assert program.stdout.readline() == "ready\n"
    below = descendants(program.pid)
    assert below
    time.sleep(0.5)
    program.send_signal(signal.SIGINT)
    output, errors = program.communicate(timeout=60)
    assert output == "5\n"
    assert errors.strip().endswith("KeyboardInterrupt")
    assert eventually(lambda: gone(below))


@linux_only
def test_a_program_that_is_killed_leaves_no_process(browser: Browser) -> None:
    program = subprocess.Popen(
        [sys.executable, "-c", INTERRUPTED], stdout=subprocess.PIPE, text=True
    )
    assert program.stdout is not None
    assert program.stdout.readline() == "ready\n"
    below = descendants(program.pid)
    program.kill()
    program.communicate(timeout=60)
    assert below
    assert eventually(lambda: gone(below))


def test_a_browser_works_inside_an_event_loop_and_from_any_thread(
    browser: Browser,
) -> None:
    async def inside() -> int:
        return len(browser.render("<p>x"))

    assert asyncio.run(inside()) == 5
    sizes: list[int] = []
    threads = [
        threading.Thread(target=lambda: sizes.append(len(browser.render("<p>x"))))
        for _ in range(3)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sizes == [5, 5, 5]


def test_one_page_without_a_browser_of_ones_own(browser: Browser) -> None:
    assert render_page("<p>x").box is not None


# Where there is no browser


def test_without_a_chromium_the_error_says_what_to_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pytest.importorskip("playwright")
    monkeypatch.setenv("SCYTHE_CHROMIUM", "no-such-browser")
    with pytest.raises(NoBrowser, match="SCYTHE_CHROMIUM names no-such-browser"):
        render_page("<p>x")
    monkeypatch.delenv("SCYTHE_CHROMIUM")
    monkeypatch.setattr("scythe.render.chromium.find_chromium", lambda: None)
    with pytest.raises(
        NoBrowser, match="Install one, or name its program in SCYTHE_CHROMIUM"
    ):
        render_page("<p>x")


def test_without_playwright_the_error_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("scythe.render.chromium.find_spec", lambda name: None)
    with pytest.raises(NoBrowser, match=r"pip install 'webscythe\[browser\]'"):
        render_page("<p>x")


def test_a_program_that_is_no_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("playwright")
    monkeypatch.setenv("SCYTHE_CHROMIUM", sys.executable)
    with pytest.raises(NoBrowser, match="does not start"):
        render_page("<p>x")


def test_playwright_is_loaded_only_with_a_browser() -> None:
    code = "import scythe, scythe.render, sys; print('playwright' in sys.modules)"
    assert (
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True
        ).stdout
        == "False\n"
    )
