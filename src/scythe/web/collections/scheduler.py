"""Runs of collections that are due, for as long as the server runs."""

from __future__ import annotations

import threading

from scythe.collect.catalogue import Collections
from scythe.collect.run import Busy
from scythe.collect.views import is_held
from scythe.errors import ScytheError
from scythe.web.collections.run_status import run_key
from scythe.web.server.jobs import Jobs
from scythe.web.server.tasks import run_collection

INTERVAL = 60.0
"""Seconds between two looks at what is due: schedules are at least five minutes apart."""


class Scheduler:
    """Starts the run of every collection that is due, as a job like any other."""

    def __init__(self, collections: Collections, jobs: Jobs) -> None:
        self._collections = collections
        self._jobs = jobs
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def start(self) -> None:
        """Begin to look."""
        self._thread.start()

    def stop(self) -> None:
        """Look no more."""
        self._stopped.set()

    def _watch(self) -> None:
        while not self._stopped.wait(INTERVAL):
            try:
                self.run_due()
            except ScytheError:
                # The database may be away for a while; the next look may find it.
                continue

    def run_due(self) -> list[str]:
        """Start what is due; return the names. A collection that was never run waits
        for a person, and so does one whose run a person has stopped.
        """
        started = []
        for collection in self._collections.active():
            row = collection.row
            job = self._jobs.of(run_key(row.name))
            is_stopped = job is not None and job.state == "stopped"
            is_new = not collection.runs()
            if is_new or is_stopped or is_held(row) or not collection.is_due():
                continue
            arguments = (self._collections.address, row.name, False)
            key, title = run_key(row.name), f"Run of {row.name}"
            try:
                self._jobs.start(key, title, run_collection, *arguments)
            except Busy:
                continue
            started.append(row.name)
        return started
