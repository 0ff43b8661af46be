"""Debian's Firefox, driven by Marionette, the protocol that is built into it: the web
app in another engine than Chromium.

A command is a JSON list with its length before it, as WebDriver names it.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import time
from base64 import b64decode
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

SECONDS = 90.0
"""How long Firefox may take to start, and a page to come, on a busy machine."""
_ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
"""What WebDriver calls an element in an answer."""
_PREFERENCES = {
    "marionette.port": 0,
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "toolkit.telemetry.enabled": False,
    "app.normandy.enabled": False,
    "app.update.enabled": False,
    "browser.safebrowsing.update.enabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "extensions.update.enabled": False,
    "browser.newtabpage.enabled": False,
    "browser.aboutwelcome.enabled": False,
}


def find_firefox() -> str | None:
    """Return the program, None where there is none."""
    return shutil.which("firefox-esr") or shutil.which("firefox")


class Firefox:
    """One window of Firefox."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), SECONDS)
        self._received = b""
        self._sent = 0
        self._receive()
        self._command("WebDriver:NewSession", capabilities={})
        self._command(
            "WebDriver:SetTimeouts", pageLoad=int(SECONDS * 1_000), implicit=0
        )

    def open(self, url: str) -> None:
        """Open an address."""
        self._command("WebDriver:Navigate", url=url)

    def run(self, script: str, *arguments: Any) -> Any:
        """Return what a script returns, in the page or frame that is current."""
        answer = self._command("WebDriver:ExecuteScript", script=script, args=arguments)
        return answer["value"]

    def find(self, selector: str, words: str = "") -> str:
        """Return the first element of a CSS selector, with some words in it if they are
        given, as soon as it is shown.
        """
        script = """return [...document.querySelectorAll(arguments[0])].find(
            node => node.checkVisibility() && node.textContent.includes(arguments[1]))"""
        deadline = time.monotonic() + SECONDS
        while time.monotonic() < deadline:
            found = self.run(script, selector, words)
            if found:
                return str(found[_ELEMENT])
            time.sleep(0.1)
        raise AssertionError(f"There is no {selector} with {words!r}.")

    def click(self, selector: str, words: str = "") -> None:
        """Click where a person would."""
        self._command("WebDriver:ElementClick", id=self.find(selector, words))

    def write(self, selector: str, text: str) -> None:
        """Write into a field, in place of what is there."""
        field = self.find(selector)
        self._command("WebDriver:ElementClear", id=field)
        self._command("WebDriver:ElementSendKeys", id=field, text=text)

    @contextmanager
    def frame(self, selector: str) -> Iterator[None]:
        """Be inside of a frame for a while."""
        element = {_ELEMENT: self.find(selector)}
        self._command("WebDriver:SwitchToFrame", element=element)
        try:
            yield
        finally:
            self._command("WebDriver:SwitchToFrame", id=None)

    def shoot(self, path: Path) -> None:
        """Keep a picture of the window."""
        path.parent.mkdir(parents=True, exist_ok=True)
        answer = self._command("WebDriver:TakeScreenshot", full=False)
        path.write_bytes(b64decode(answer["value"]))

    def close(self) -> None:
        """End the session."""
        self._socket.close()

    def _command(self, name: str, **parameters: Any) -> Any:
        self._sent += 1
        message = json.dumps([0, self._sent, name, parameters]).encode()
        self._socket.sendall(b"%d:%s" % (len(message), message))
        _, _, error, result = self._receive()
        assert error is None, (name, error)
        return result

    def _receive(self) -> Any:
        while b":" not in self._received:
            self._received += self._read()
        size, _, rest = self._received.partition(b":")
        while len(rest) < int(size):
            rest += self._read()
        self._received = rest[int(size) :]
        return json.loads(rest[: int(size)])

    def _read(self) -> bytes:
        data = self._socket.recv(65_536)
        assert data, "Firefox has ended."
        return data


@contextmanager
def running_firefox(program: str, folder: Path) -> Iterator[Firefox]:
    """A Firefox without windows, with a profile of its own in a folder."""
    profile = folder / "profile"
    profile.mkdir()
    lines = [
        f"user_pref({json.dumps(name)}, {json.dumps(value)});"
        for name, value in _PREFERENCES.items()
    ]
    (profile / "user.js").write_text("\n".join(lines), "utf-8")
    home = {"HOME": str(folder), "MOZ_HEADLESS": "1"}
    sizes = {"MOZ_HEADLESS_WIDTH": "1280", "MOZ_HEADLESS_HEIGHT": "900"}
    command = [program, "--headless", "--marionette", "--profile", str(profile)]
    process = subprocess.Popen(
        command,
        env={**os.environ, **home, **sizes},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        firefox = Firefox(_active_port(profile / "MarionetteActivePort", process))
        yield firefox
        firefox.close()
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _active_port(file: Path, process: subprocess.Popen[bytes]) -> int:
    """Return the port that Firefox listens on, which it writes into its profile."""
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline:
        assert process.poll() is None, "Firefox does not start."
        if file.is_file() and (text := file.read_text("utf-8").strip()):
            return int(text)
        time.sleep(0.1)
    raise AssertionError("Firefox does not listen.")
