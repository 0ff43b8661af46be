"""The next free moment of every host, shared by processes: a small SQLite file, which
every system can lock.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

_LOCK_SECONDS = 30.0
"""A bound on waiting for other processes, which hold the file for a millisecond."""
_TABLE = "CREATE TABLE IF NOT EXISTS hosts (site TEXT PRIMARY KEY, next_free REAL)"
_READ = "SELECT next_free FROM hosts WHERE site = ?"
_WRITE = "INSERT OR REPLACE INTO hosts VALUES (?, ?)"


class SharedPace:
    """Reserves moments of hosts for all processes that name the same file."""

    def __init__(self, path: str, clock: Callable[[], float] = time.time) -> None:
        self._path = path
        self._clock = clock

    def reserve(self, site: str, pause: float) -> float:
        """Reserve the next free moment of a host, and a pause after it.

        Return the seconds until then. Where the file cannot be used, as on another
        machine, this process is the only one, and waits for the pause.
        """
        try:
            connection = sqlite3.connect(
                self._path, timeout=_LOCK_SECONDS, isolation_level=None
            )
            with closing(connection):
                return self._reserve(connection, site, pause)
        except sqlite3.Error:
            return pause

    def _reserve(
        self, connection: sqlite3.Connection, site: str, pause: float
    ) -> float:
        connection.execute("BEGIN IMMEDIATE")
        connection.execute(_TABLE)
        row = connection.execute(_READ, (site,)).fetchone()
        now = self._clock()
        moment = max(row[0], now) if row else now
        connection.execute(_WRITE, (site, moment + pause))
        connection.execute("COMMIT")
        return moment - now


@contextmanager
def shared_pace_file() -> Iterator[str]:
    """Yield the name of a file for the processes of one command."""
    with TemporaryDirectory(prefix="scythe-", ignore_cleanup_errors=True) as folder:
        yield str(Path(folder, "pace.db"))
