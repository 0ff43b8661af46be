"""A PostgreSQL server that restarts, or is cut off, in the middle of a run: what was
confirmed stays, the message says what happened, and the next run ends as an undisturbed
one does.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from growing_site import GrowingSite, Recipe, Served
from postgres import Postgres, find_programs
from scythe.collect.collection import Collection

pytestmark = pytest.mark.thorough

SCRIPT = Path(__file__).with_name("killed_run.py")
REQUESTS = 8
"""Requests of a run after which it is disturbed, of some forty."""
PATIENCE = 240
"""Seconds after which a test that waits for others has failed."""
SOON = "tcp_user_timeout=4000&keepalives_idle=1&keepalives_interval=1&connect_timeout=3"
"""What an address says so that a cut is noticed in seconds instead of a minute."""


def grown() -> GrowingSite:
    site = GrowingSite()
    site.grow(1, 20)
    return site


def evolve(site: GrowingSite) -> None:
    """New and changed records."""
    site.grow(40, 10)
    for number in (2, 5, 9):
        site.recipes[Recipe.of(number).slug].steps.append("Serve it warm.")


def begin(site: Served, name: str, database: str) -> None:
    """Add a collection, and run it once."""
    with Collection.add(f"{site.url}/", name, "recipe", db=database) as collection:
        collection.run()
        collection.accept_suggestions()


def start(database: str, name: str, *host: str) -> subprocess.Popen[str]:
    """Start the next run of a collection, on this machine or by the command of another."""
    command = [*host, sys.executable, str(SCRIPT), database, name]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def run_again(database: str, name: str, *host: str) -> None:
    """Run a collection to its end."""
    process = start(database, name, *host)
    output, errors = process.communicate(timeout=PATIENCE)
    assert output.endswith("end\n"), errors


def wait_for(is_so: Callable[[], bool]) -> None:
    give_up = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < give_up
        time.sleep(0.02)


def wait_for_requests(site: GrowingSite) -> None:
    """Wait until a run has begun to ask for pages."""
    before = len(site.asked)
    wait_for(lambda: len(site.asked) >= before + REQUESTS)


def assert_told(process: subprocess.Popen[str]) -> None:
    """A run that was disturbed has ended well, or with an error of ours."""
    output, errors = process.communicate(timeout=PATIENCE)
    if not output.endswith("end\n"):
        assert errors.splitlines()[-1].startswith("scythe.errors."), errors


def records(database: str, name: str) -> dict[str, Any]:
    """Return the records of a collection, with the length of their histories: a server
    that crashed goes on with other numbers of rows.
    """
    with Collection.open(name, db=database) as collection:
        assert {run.state for run in collection.runs()} == {"done"}
        return {
            record.url.rpartition("/")[2]: (
                record.state,
                record.fields,
                len(collection.history(record)),
            )
            for record in collection.records()
        }


@pytest.fixture
def programs(postgres: Postgres) -> Path:
    """The programs of PostgreSQL, for a server that may be disturbed."""
    found = find_programs()
    assert found
    return found


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGQUIT])
def test_a_server_that_restarts_in_the_middle_of_a_run(
    programs: Path, how: signal.Signals
) -> None:
    with Postgres(programs) as server, Served(grown()) as site:
        undisturbed, disturbed = server.new_database(), server.new_database()
        begin(site, "kitchen", undisturbed)
        begin(site, "kitchen", disturbed)
        evolve(site.site)
        run_again(undisturbed, "kitchen")
        process = start(disturbed, "kitchen")
        wait_for_requests(site.site)
        server.stop(how)
        server.start()
        assert_told(process)
        with Collection.open("kitchen", db=disturbed) as collection:
            is_over = [run.state for run in collection.runs()] == ["done", "done"]
        if not is_over:
            run_again(disturbed, "kitchen")
        assert records(disturbed, "kitchen") == records(undisturbed, "kitchen")


class FarHost:
    """A network namespace that stands for another machine, with a cable to this one."""

    def __init__(self) -> None:
        number = os.getpid() % 60_000
        self._name, self._here = f"far{number}", f"near{number}"
        self._there = f"away{number}"
        self._network = f"10.213.{number % 250}"
        self.address_here = f"{self._network}.1"

    def make(self) -> None:
        """Make it; raise OSError or CalledProcessError where that is not allowed."""
        there = ("-n", self._name)
        _ip("netns", "add", self._name)
        _ip("link", "add", self._here, "type", "veth", "peer", self._there)
        _ip("link", "set", self._there, "netns", self._name)
        _ip("addr", "add", f"{self.address_here}/24", "dev", self._here)
        _ip("link", "set", self._here, "up")
        _ip(*there, "addr", "add", f"{self._network}.2/24", "dev", self._there)
        _ip(*there, "link", "set", "lo", "up")
        self.plug_in()

    @property
    def command(self) -> tuple[str, ...]:
        """What runs a command there, under a host name of its own."""
        naming = "import os, socket, sys; socket.sethostname('far'); "
        naming += "os.execv(sys.argv[1], sys.argv[1:])"
        inside = ("ip", "netns", "exec", self._name, "unshare", "--uts")
        return (*inside, sys.executable, "-c", naming)

    def pull_out(self) -> None:
        """Cut the cable: nothing comes back, not even a refusal."""
        _ip("-n", self._name, "link", "set", self._there, "down")

    def plug_in(self) -> None:
        """Mend the cable."""
        _ip("-n", self._name, "link", "set", self._there, "up")

    def remove(self) -> None:
        """Take away what was made of it."""
        for command in (("link", "del", self._here), ("netns", "del", self._name)):
            with suppress(OSError):  # there is no ip
                subprocess.run(["ip", *command], check=False, capture_output=True)


def _ip(*arguments: str) -> None:
    subprocess.run(["ip", *arguments], check=True, capture_output=True)


@pytest.fixture
def far() -> Iterator[FarHost]:
    """Another machine. Where none can be made its tests are skipped; CI must be able."""
    host = FarHost()
    try:
        host.make()
    except (OSError, subprocess.CalledProcessError) as error:
        host.remove()
        reason = f"no network namespace can be made (iproute2, as root): {error}"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    yield host
    host.remove()


def test_a_host_that_is_cut_off_in_the_middle_of_its_run(
    programs: Path, far: FarHost
) -> None:
    """Two hosts work on one database. One is cut off: it ends with a message, the other
    goes on; when the cable is mended, the first goes on where it was.
    """
    here = far.address_here
    with (
        Postgres(programs, here) as server,
        Served(grown()) as near_site,
        Served(grown(), host=here) as far_site,
    ):
        disturbed, undisturbed = server.new_database(), server.new_database()
        sites = {"kitchen": far_site, "larder": near_site}
        for database in (undisturbed, disturbed):
            for name, site in sites.items():
                begin(site, name, database)
        for name, site in sites.items():
            evolve(site.site)
            run_again(undisturbed, name)

        process = start(f"{disturbed}?{SOON}", "kitchen", *far.command)
        wait_for_requests(far_site.site)
        far.pull_out()
        run_again(disturbed, "larder")
        assert_told(process)
        far.plug_in()
        run_again(f"{disturbed}?{SOON}", "kitchen", *far.command)
        for name in sites:
            assert records(disturbed, name) == records(undisturbed, name)
