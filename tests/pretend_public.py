"""Commands in pretend-public mode, in which a server on loopback counts as a public
host.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

FOLDER = Path(__file__).parent / "public_names"
_PROXIES = ("http_proxy", "https_proxy", "all_proxy")


def public_url(url: str, host: str = "kitchen.example") -> str:
    """Return the address that a page of a loopback server has in the mode."""
    parts = urlsplit(url)
    return parts._replace(netloc=f"{host}:{parts.port}").geturl()


def public_environment(given: Mapping[str, str] = os.environ) -> dict[str, str]:
    """Return the environment of a process in the mode, and of all that it starts: a
    given one otherwise.
    """
    kept = {name: text for name, text in given.items() if name.lower() not in _PROXIES}
    paths = (str(FOLDER), kept.get("PYTHONPATH", ""))
    return kept | {"PYTHONPATH": os.pathsep.join(filter(None, paths))}


@dataclass(frozen=True)
class PublicScythe:
    """The commands in the mode, with a database of their own."""

    database: Path
    settings: dict[str, str] = field(default_factory=dict)
    """More of the environment."""

    def __call__(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        environment = (
            public_environment() | {"SCYTHE_DB": str(self.database)} | self.settings
        )
        return subprocess.run(
            [sys.executable, "-m", "scythe", *arguments],
            env=environment,
            capture_output=True,
            check=False,
            encoding="utf-8",
            timeout=180,
        )

    def run(self, *arguments: str) -> str:
        """Return what a command that must do well writes."""
        done = self(*arguments)
        assert done.returncode == 0, done.stderr
        return done.stdout
