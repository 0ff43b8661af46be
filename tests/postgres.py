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

    def __init__(self, programs: Path, host: str = "127.0.0.1") -> None:
        self._programs = programs
        self._host = host
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
        with (self._folder / "data" / "pg_hba.conf").open("a") as rules:
            rules.write("host all all samenet trust\n")
        with socket.socket() as free:
            free.bind((self._host, 0))
            self._port = free.getsockname()[1]
        self.start()
        return self

    def start(self) -> None:
        """Start the server on its port, and wait until it answers."""
        given = {"port": self._port, "listen_addresses": self._host}
        settings = [f"-c{name}={value}" for name, value in {**QUICK, **given}.items()]
        data = str(self._folder / "data")
        command = [str(self._programs / "postgres"), "-D", data, *settings]
        with (self._folder / "log").open("ab") as log:
            self._server = subprocess.Popen(
                command, user=self._user, cwd=self._folder, stdout=log, stderr=log
            )
        self._wait()

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """Stop the server: SIGINT ends all sessions, SIGQUIT as a crash would."""
        self._server.send_signal(how)
        self._server.wait(30)

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
        return f"postgresql://scythe@{self._host}:{self._port}/{database}"

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
        self.stop(signal.SIGQUIT)
        shutil.rmtree(self._folder, ignore_errors=True)


def _first_user(*names: str) -> str:
    known = {entry.pw_name for entry in pwd.getpwall()}
    return next(name for name in names if name in known)
