"""The Chromium of this machine: where it is and how it is started."""

from __future__ import annotations

import os
import shutil
import sys
from importlib.util import find_spec
from itertools import product
from pathlib import Path

from scythe.errors import NoBrowser

_COMMANDS = (
    "chromium chromium-browser google-chrome-stable google-chrome chrome "
    "microsoft-edge-stable microsoft-edge msedge"
).split()
_MAC_PROGRAMS = (
    "Google Chrome.app/Contents/MacOS/Google Chrome",
    "Chromium.app/Contents/MacOS/Chromium",
    "Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
)
_WINDOWS_PROGRAMS = (
    "Google/Chrome/Application/chrome.exe",
    "Chromium/Application/chrome.exe",
    "Microsoft/Edge/Application/msedge.exe",
)
_SCRIPT_HEAP_MB = 512
"""Memory for a page's scripts. Chromium's own limit of several gigabytes would let one
page take the machine down.
"""

ARGUMENTS = (
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-crash-reporter",
    # Calls between browsers go round every proxy, and are of no use to a reader. The
    # switch has one name or the other, by the version.
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    f"--js-flags=--max-old-space-size={_SCRIPT_HEAP_MB}",
)
"""What Chromium is started with besides playwright's own arguments."""


def find_chromium() -> Path | None:
    """Return the browser: what SCYTHE_CHROMIUM names, else the first of the usual
    commands on the PATH and of the usual programs.
    """
    if command := os.environ.get("SCYTHE_CHROMIUM"):
        program = shutil.which(command)
        return Path(program) if program else None
    for command in _COMMANDS:
        program = shutil.which(command)
        if program:
            return Path(program)
    for path in _usual_programs():
        if path.is_file():
            return path
    return None


def _usual_programs() -> list[Path]:
    if sys.platform == "darwin":
        applications = [Path("/Applications"), Path.home() / "Applications"]
        return [root / name for root, name in product(applications, _MAC_PROGRAMS)]
    if sys.platform == "win32":
        names = ("PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA")
        values = filter(None, map(os.environ.get, names))
        folders = [Path(value) for value in values]
        return [root / name for root, name in product(folders, _WINDOWS_PROGRAMS)]
    return [Path("/snap/bin/chromium"), Path("/opt/google/chrome/chrome")]


def browser_available() -> bool:
    """Return whether pages can be rendered here: playwright is installed and there is a
    Chromium.
    """
    return find_spec("playwright") is not None and find_chromium() is not None


def require_chromium() -> Path:
    """Return the browser, or raise an error that says how to get one."""
    if find_spec("playwright") is None:
        raise NoBrowser(
            "Rendering needs playwright, which is not installed. "
            "Install it: pip install 'webscythe[browser]'."
        )
    program = find_chromium()
    if program is not None:
        return program
    if command := os.environ.get("SCYTHE_CHROMIUM"):
        raise NoBrowser(
            f"SCYTHE_CHROMIUM names {command}, which is no program here. "
            "Correct it, or unset it to search for one."
        )
    raise NoBrowser(
        "There is no Chromium or Chrome on this machine. "
        "Install one, or name its program in SCYTHE_CHROMIUM."
    )


def is_sandboxed() -> bool:
    """Return whether Chromium's sandbox stays on: always, but for root, with whom it
    refuses to start, and where it is asked not to.
    """
    as_root = hasattr(os, "geteuid") and os.geteuid() == 0
    is_switched_off = os.environ.get("SCYTHE_CHROMIUM_NO_SANDBOX") == "1"
    return not as_root and not is_switched_off
