"""A PostgreSQL server of our own: a new cluster in its own folder, on a free port of
loopback, run by a user who is not root.
"""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path
from types import TracebackType

import psycopg

QUICK = {
    "fsync": "off",
    "full_page_writes": "off",
    "unix_socket_directories": "",
    "listen_addresses": "127.0.0.1",
}
SECONDS_TO_START = 60


def find_programs() -> Path | None:
    """The folder with `initdb` and `postgres`: Debian keeps them off the path."""
    places = [
        Path(found).resolve().parent
        for found in (shutil.which("initdb"), shutil.which("postgres"))
        if found
    ]
    places += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next(
        (
            place
            for place in places
            if (place / "initdb").exists() and (place / "postgres").exists()
        ),
        None,
    )


class Postgres:
    """A running server; `new_database` gives the address of an empty database."""

    def __init__(self, programs: Path) -> None:
        self._programs = programs
        self._folder = Path(tempfile.mkdtemp(prefix="scythe-postgres-"))
        self._made = 0

    def __enter__(self) -> Postgres:
        # PostgreSQL refuses to run as root.
        self._user = _first_user("postgres", "nobody") if os.geteuid() == 0 else None
        if self._user:
            os.chown(self._folder, pwd.getpwnam(self._user).pw_uid, -1)
        data = str(self._folder / "data")
        command = [
            str(self._programs / "initdb"),
            "-D",
            data,
            "-U",
            "scythe",
            "-A",
            "trust",
            "-E",
            "UTF8",
            "--locale=C",
            "-N",
        ]
        subprocess.run(
            command, user=self._user, cwd=self._folder, check=True, capture_output=True
        )
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self._port = free.getsockname()[1]
        settings = [
            f"-c{name}={value}" for name, value in {**QUICK, "port": self._port}.items()
        ]
        log = (self._folder / "log").open("wb")
        command = [str(self._programs / "postgres"), "-D", data, *settings]
        self._server = subprocess.Popen(
            command, user=self._user, cwd=self._folder, stdout=log, stderr=log
        )
        log.close()
        self._wait()
        return self

    def _wait(self) -> None:
        deadline = time.monotonic() + SECONDS_TO_START
        while True:
            try:
                psycopg.connect(self.url("postgres")).close()
            except psycopg.OperationalError:
                if self._server.poll() is not None or time.monotonic() > deadline:
                    raise
                time.sleep(0.05)
            else:
                return

    def url(self, database: str) -> str:
        return f"postgresql://scythe@127.0.0.1:{self._port}/{database}"

    def new_database(self) -> str:
        self._made += 1
        name = f"test{self._made}"
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}".encode())
        return self.url(name)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.send_signal(signal.SIGQUIT)
        self._server.wait(30)
        shutil.rmtree(self._folder, ignore_errors=True)


def _first_user(*names: str) -> str:
    known = {entry.pw_name for entry in pwd.getpwall()}
    return next(name for name in names if name in known)
