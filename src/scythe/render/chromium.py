"""The Chromium of this machine: where it is and how it is started."""

from __future__ import annotations

import os
import shutil
import sys
from importlib.util import find_spec
from pathlib import Path

from scythe.errors import NoBrowser

_NAMES = "chromium chromium-browser google-chrome-stable google-chrome chrome microsoft-edge-stable microsoft-edge msedge".split()
_MAC = (
    "Google Chrome.app/Contents/MacOS/Google Chrome",
    "Chromium.app/Contents/MacOS/Chromium",
    "Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
)
_WINDOWS = (
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
    f"--js-flags=--max-old-space-size={_SCRIPT_HEAP_MB}",
)
"""What Chromium is started with besides playwright's own arguments."""


def find_chromium() -> Path | None:
    """The browser: what SCYTHE_CHROMIUM names, else the first of the usual names on the
    PATH and in the usual places.
    """
    if named := os.environ.get("SCYTHE_CHROMIUM"):
        found = shutil.which(named)
        return Path(found) if found else None
    on_path = (shutil.which(name) for name in _NAMES)
    usual = (str(place) for place in _usual_places() if place.is_file())
    return next((Path(found) for found in (*on_path, *usual) if found), None)


def _usual_places() -> list[Path]:
    if sys.platform == "darwin":
        return [
            folder / name
            for folder in (Path("/Applications"), Path.home() / "Applications")
            for name in _MAC
        ]
    if sys.platform == "win32":
        roots = [
            os.environ.get(name)
            for name in ("PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA")
        ]
        return [Path(root) / name for root in roots if root for name in _WINDOWS]
    return [Path("/snap/bin/chromium"), Path("/opt/google/chrome/chrome")]


def browser_available() -> bool:
    """Whether pages can be rendered here: playwright is installed and there is a
    Chromium.
    """
    return find_spec("playwright") is not None and find_chromium() is not None


def require_chromium() -> Path:
    """The browser, or an error that says how to get one."""
    if find_spec("playwright") is None:
        raise NoBrowser(
            "Rendering needs playwright, which is not installed. Install it: pip install 'scythe[browser]'."
        )
    found = find_chromium()
    if found is None and (named := os.environ.get("SCYTHE_CHROMIUM")):
        raise NoBrowser(
            f"SCYTHE_CHROMIUM names {named}, which is no program here. Correct it, or unset it to search for one."
        )
    if found is None:
        raise NoBrowser(
            "There is no Chromium or Chrome on this machine. Install one, or name its program in SCYTHE_CHROMIUM."
        )
    return found


def sandboxed() -> bool:
    """Whether Chromium's sandbox stays on: always, but for root, with whom it refuses
    to start, and where it is asked not to.
    """
    as_root = hasattr(os, "geteuid") and os.geteuid() == 0
    return not (as_root or os.environ.get("SCYTHE_CHROMIUM_NO_SANDBOX") == "1")
