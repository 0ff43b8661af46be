"""`scythe serve` in a process of its own."""

from __future__ import annotations

import re
import subprocess
import sys
import threading
from pathlib import Path
from typing import Self

_ADDRESS = re.compile(r"https?://\S+?:\d+(?=/)")


class ServedApp:
    """The running web app of a database."""

    def __init__(self, database: Path) -> None:
        command = [sys.executable, "-m", "scythe", "serve", "--port", "0"]
        self._process = subprocess.Popen(
            [*command, "--db", f"sqlite:///{database}"],
            stderr=subprocess.PIPE,
            text=True,
        )
        self.url = ""

    @property
    def process_id(self) -> int:
        """The process that answers."""
        return self._process.pid

    def __enter__(self) -> Self:
        assert self._process.stderr
        for line in self._process.stderr:
            if found := _ADDRESS.search(line):
                self.url = found[0]
                break
        else:
            raise SystemExit("`scythe serve` did not start.")
        threading.Thread(target=self._process.stderr.read, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.wait(60)
