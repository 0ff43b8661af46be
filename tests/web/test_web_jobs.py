"""Jobs: what they do is seen while they do it, one at a time of each key, and none
outlives the server.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from scythe.collect.run import Busy
from scythe.errors import UsageError
from scythe.web.server.jobs import (
    MAX_RUNNING,
    Jobs,
    JobState,
    Progress,
    ProgressCallback,
    Step,
    TaskResult,
)


@pytest.fixture
def jobs() -> Iterator[Jobs]:
    made = Jobs()
    yield made
    made.close()


def count(report: ProgressCallback, number: int) -> Any:
    report(Step("said", "before"))
    for done in range(1, number + 1):
        report(Step("mown", done=done, total=number, is_counter=True))
    return TaskResult({"mown": number}, "<p>the field</p>")


def refuse(report: ProgressCallback) -> None:
    raise UsageError("The field is too wet. Wait for the sun.")


def fail(report: ProgressCallback) -> None:
    raise RuntimeError("a stone")


def go_on(report: ProgressCallback) -> None:
    report(Step("process", str(os.getpid())))
    time.sleep(600)


def begun(jobs: Jobs, key: str) -> int:
    """The number of the process of a job that goes on."""
    jobs.start(key, "mowing", go_on)
    while not (steps := known(jobs, key).steps):
        time.sleep(0.02)
    return int(steps[0].detail)


def known(jobs: Jobs, key: str) -> Progress:
    found = jobs.of(key)
    assert found
    return found


def is_there(process: int) -> bool:
    """Whether a process is at work; one that has ended and waits to be noticed is not."""
    try:
        return (
            Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
            != "Z"
        )
    except OSError:
        return False


def test_a_job_tells_what_it_does_and_what_came_of_it(jobs: Jobs) -> None:
    assert jobs.of("a") is None
    assert jobs.start("a", "mowing", count, 3).is_running
    done = jobs.wait("a")
    assert done is not None
    assert done.state is JobState.DONE
    assert (done.result, done.frame) == ({"mown": 3}, "<p>the field</p>")
    assert [(step.name, step.detail, step.done, step.total) for step in done.steps] == [
        ("said", "before", 0, 0),
        ("mown", "", 3, 3),
    ]
    assert done.ended_at is not None
    assert not jobs.is_running("a")


def test_what_went_wrong_is_said(jobs: Jobs) -> None:
    jobs.start("a", "mowing", refuse)
    jobs.start("b", "mowing", fail)
    told, unexpected = jobs.wait("a"), jobs.wait("b")
    assert told is not None
    assert unexpected is not None
    assert (told.state, told.message) == (
        JobState.FAILED,
        "The field is too wet. Wait for the sun.",
    )
    assert unexpected.state is JobState.FAILED
    assert "RuntimeError: a stone" in unexpected.message


def test_of_one_key_there_is_one_job(jobs: Jobs) -> None:
    begun(jobs, "a")
    with pytest.raises(Busy, match="already"):
        jobs.start("a", "mowing", count, 1)


def test_where_enough_are_running_a_job_waits_for_one_to_end(jobs: Jobs) -> None:
    for number in range(MAX_RUNNING):
        begun(jobs, f"a{number}")
    jobs.start("b", "mowing", count, 1)
    jobs.start("c", "mowing", count, 1)
    assert known(jobs, "b").state is JobState.WAITING
    jobs.stop("c")
    assert known(jobs, "c").state is JobState.STOPPED
    jobs.stop("a0")
    assert jobs.wait("b").state is JobState.DONE  # type: ignore[union-attr]


def test_a_job_that_is_stopped_has_ended(jobs: Jobs) -> None:
    process = begun(jobs, "a")
    jobs.stop("a")
    assert known(jobs, "a").state is JobState.STOPPED
    assert not is_there(process)
    jobs.start("a", "mowing", count, 1)
    assert jobs.wait("a").state is JobState.DONE  # type: ignore[union-attr]


def test_a_job_that_is_killed_is_said_to_be(jobs: Jobs) -> None:
    os.kill(begun(jobs, "a"), signal.SIGKILL)
    done = jobs.wait("a")
    assert done is not None
    assert done.state is JobState.FAILED
    assert "ended from outside" in done.message


def test_all_jobs_end_with_the_app(jobs: Jobs) -> None:
    processes = [begun(jobs, key) for key in ("a", "b")]
    jobs.close()
    assert not any(map(is_there, processes))


SERVER = """
import sys, time
sys.path.insert(0, sys.argv[1])
from test_web_jobs import Jobs, begun
if __name__ == "__main__":
    print(begun(Jobs(), "a"), flush=True)
    time.sleep(600)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_jobs_do_not_outlive_a_server_that_is_killed(tmp_path: Path) -> None:
    script = tmp_path / "server.py"
    script.write_text(SERVER)
    server = subprocess.Popen(
        [sys.executable, str(script), str(Path(__file__).parent)],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert server.stdout
    process = int(server.stdout.readline())
    assert is_there(process)
    server.kill()
    server.wait()
    for _ in range(200):
        if not is_there(process):
            break
        time.sleep(0.05)
    assert not is_there(process)
