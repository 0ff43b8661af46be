"""Where on this machine things are kept that can be fetched again."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path


def cache_folder(name: str) -> Path:
    """Return a folder where programs of this system keep what can be fetched again; in
    `SCYTHE_CACHE`, where that names one.
    """
    if own := os.environ.get("SCYTHE_CACHE"):
        return Path(own) / name
    try:
        home = Path.home()
    except RuntimeError:
        home = Path(tempfile.gettempdir()) / f"scythe-{os.getpid()}"
    if sys.platform == "darwin":
        base = home / "Library" / "Caches"
    elif sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA")
        base = Path(local) if local else home / "AppData" / "Local"
    else:
        cache = os.environ.get("XDG_CACHE_HOME")
        base = Path(cache) if cache else home / ".cache"
    return base / "scythe" / name
