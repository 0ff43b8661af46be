"""A bulk run killed at any moment: started again, it ends with the output of a run that
nobody disturbed.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from crawl import article, page_record, rows_of, write_warc

PAGES, KILLS = 160, 10
COMMAND = (
    sys.executable,
    "-c",
    "import hostile_method; hostile_method.main()",
    "crawl.warc",
)
TESTS = Path(__file__).parent.parent
TIMEOUT = 60.0

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/stat").exists(),
    reason="looks for processes where Linux shows them",
)


@pytest.fixture(scope="module")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("crawl")
    pages = [page_record(f"https://farm.example/{n}", article(n)) for n in range(PAGES)]
    write_warc(folder / "crawl.warc", pages)
    assert start(folder, "whole.jsonl").wait() == 0
    assert len(rows_of(folder / "whole.jsonl")) == PAGES
    return folder


def start(crawl: Path, out: str) -> subprocess.Popen[bytes]:
    """A run of its own, in which Ctrl-C works even where it is switched off here, as in
    the background.
    """
    return subprocess.Popen(
        [*COMMAND, out],
        cwd=crawl,
        env=os.environ | {"PYTHONPATH": str(TESTS)},
        stderr=subprocess.PIPE,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )


def family(session: int) -> list[int]:
    """The processes of a command, zombies aside."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, _, its_session = stat.read_text().rpartition(")")[2].split()[:4]
        except OSError:
            continue
        if int(its_session) == session and state != "Z":
            found.append(int(stat.parent.name))
    return found


def pages_done(crawl: Path, out: str) -> int:
    folder = crawl / f".{out}.scythe-run" / "parts"
    found = 0
    for journal in folder.glob("*.journal"), folder.glob("*.done"):
        for path in journal:
            try:
                found += path.read_bytes().count(b"\n")
            except OSError:
                continue
    return found


def until(condition: object) -> None:
    """Wait for something that happens or never does."""
    end = time.monotonic() + TIMEOUT
    while not condition():  # type: ignore[operator]
        assert time.monotonic() < end
        time.sleep(0.005)


def test_killed_ten_times(crawl: Path) -> None:
    chance = random.Random(7)
    kills = 0
    while kills < KILLS:
        process = start(crawl, "killed.jsonl")
        before = pages_done(crawl, "killed.jsonl")
        target = before + chance.randrange(0, PAGES // KILLS // 2)
        until(
            lambda: (
                pages_done(crawl, "killed.jsonl") >= target  # noqa: B023
                or process.poll() is not None  # noqa: B023
            )
        )
        if process.poll() is not None:
            break
        if kills % 4 == 3:
            os.kill(chance.choice(family(process.pid)), signal.SIGKILL)
        process.kill()
        process.wait()
        until(lambda: not family(process.pid))  # noqa: B023
        kills += 1
    if not (crawl / "killed.jsonl").exists():
        process = start(crawl, "killed.jsonl")
        _, errors = process.communicate()
        assert process.returncode == 0, errors
    assert (crawl / "killed.jsonl").read_bytes() == (crawl / "whole.jsonl").read_bytes()
    assert kills >= KILLS // 2


def test_a_killed_worker_is_replaced(crawl: Path) -> None:
    process = start(crawl, "worker.jsonl")
    until(lambda: pages_done(crawl, "worker.jsonl") > 3)
    for pid in family(process.pid):
        if pid != process.pid:
            os.kill(pid, signal.SIGKILL)
    _, errors = process.communicate()
    assert process.returncode == 0, errors
    assert (crawl / "worker.jsonl").read_bytes() == (crawl / "whole.jsonl").read_bytes()


def test_ctrl_c_ends_all_processes_and_keeps_what_is_done(crawl: Path) -> None:
    process = start(crawl, "stopped.jsonl")
    until(lambda: pages_done(crawl, "stopped.jsonl") > 3)
    os.killpg(process.pid, signal.SIGINT)
    _, errors = process.communicate()
    assert b"KeyboardInterrupt" in errors
    until(lambda: not family(process.pid))
    before = pages_done(crawl, "stopped.jsonl")
    assert before > 3
    process = start(crawl, "stopped.jsonl")
    process.communicate()
    assert (crawl / "stopped.jsonl").read_bytes() == (
        crawl / "whole.jsonl"
    ).read_bytes()
