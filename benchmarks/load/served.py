"""What the load is put on: `scythe serve` in a process of its own, and sites."""

from __future__ import annotations

import re
import subprocess
import sys
import threading
from contextlib import suppress
from http.server import BaseHTTPRequestHandler
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


class QuietHandler(BaseHTTPRequestHandler):
    """A site that tells nobody whom it serves."""

    def send_page(self, body: bytes, status: int = 200, **headers: str) -> None:
        """Answer with a page; headers of the same name take the place of the usual."""
        self.send_response(status)
        given = {"Content-Type": "text/html; charset=utf-8"}
        given["Content-Length"] = str(len(body))
        for name, value in headers.items():
            given[name.replace("_", "-")] = value
        for name, value in given.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def handle(self) -> None:
        """Serve, also to those who go away."""
        with suppress(OSError):
            super().handle()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's signature
        """Keep quiet."""
