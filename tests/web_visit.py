"""The web app as a person meets it: a real server, a real browser, and eyes for what
people with other senses would miss.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from urllib.parse import urlsplit

from playwright.sync_api import (
    Browser,
    ConsoleMessage,
    Error,
    Page,
    Playwright,
    Request,
    ViewportSize,
    sync_playwright,
)

from scythe.render.chromium import require_chromium

_ACCESSIBILITY = (Path(__file__).parent / "accessibility.js").read_text(
    encoding="utf-8"
)
SHOTS = Path(__file__).parent.parent / "build" / "screenshots"
_QUIET = "--disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync"
PICTURE_ATTEMPTS = 3
TAKES_PICTURES = os.environ.get("SCYTHE_PICTURES") == "1"
PHONE, DESK = ViewportSize(width=390, height=844), ViewportSize(width=1280, height=860)


class AppServer:
    """`scythe serve` in a process of its own."""

    def __init__(self, database: str, *arguments: str) -> None:
        command = [
            sys.executable,
            "-m",
            "scythe",
            "serve",
            "--port",
            "0",
            "--db",
            database,
            *arguments,
        ]
        self._process = subprocess.Popen(
            command, stderr=subprocess.PIPE, text=True, start_new_session=True
        )
        self.said: list[str] = []
        self.url = ""
        self._ready = threading.Event()
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        assert self._process.stderr
        for line in self._process.stderr:
            self.said.append(line)
            if found := re.search(r"https?://\S+?:\d+(?=/)", line):
                self.url = self.url or found[0]
                self._ready.set()
        self._ready.set()

    def kill(self) -> None:
        """End it at once, as a power cut would."""
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def __enter__(self) -> AppServer:
        self._ready.wait(60)
        assert self.url, "".join(self.said)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(20)
            except subprocess.TimeoutExpired:
                self.kill()


LEFT_BEHIND = ("htmx:sendAbort", "htmx:afterRequest")
"""What htmx reports when a page is left while it asks how far a run has come."""


class Visitor:
    """A person in front of a browser, who notes what goes wrong in it."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.problems: list[str] = []
        """What scripts and the policy complain of."""
        self.asked: list[str] = []
        """All addresses that the browser asked for."""
        page.set_default_timeout(30_000)
        page.on("console", self._heard)
        page.on("pageerror", lambda error: self.problems.append(str(error)))
        page.on("request", self._saw)

    def _heard(self, message: ConsoleMessage) -> None:
        if message.type == "error" and not message.text.startswith(LEFT_BEHIND):
            self.problems.append(message.text)

    def _saw(self, request: Request) -> None:
        self.asked.append(request.url)

    def hosts(self) -> set[str]:
        """The machines that were asked for anything."""
        return {
            urlsplit(url).netloc
            for url in self.asked
            if url.startswith(("http:", "https:", "ws:", "wss:"))
        }

    def shoot(self, name: str, *, whole: bool = False) -> Path:
        """Keep a picture of the page, for people to look at, where `SCYTHE_PICTURES` is
        1: a run of the suite would take a minute for them that nobody looks at.

        On a busy machine Chromium now and then cannot take one: then it is tried again.
        """
        path = SHOTS / f"{name}.png"
        if not TAKES_PICTURES:
            return path
        SHOTS.mkdir(parents=True, exist_ok=True)
        for attempt in range(PICTURE_ATTEMPTS):
            try:
                self.page.screenshot(path=path, full_page=whole)
                break
            except Error:
                if attempt == PICTURE_ATTEMPTS - 1:
                    raise
        return path

    def faults(self) -> list[str]:
        """What would keep somebody with a screen reader, a keyboard, weak eyes or a
        small screen from using the page.
        """
        found: list[str] = self.page.evaluate(_ACCESSIBILITY)
        return found


@contextmanager
def playwright_browser() -> Iterator[Browser]:
    """A browser to visit the app with."""
    sandbox = [] if os.name != "posix" or os.geteuid() else ["--no-sandbox"]
    driver: Playwright
    with sync_playwright() as driver:
        browser = driver.chromium.launch(
            executable_path=str(require_chromium()), args=[*_QUIET.split(), *sandbox]
        )
        try:
            yield browser
        finally:
            browser.close()
