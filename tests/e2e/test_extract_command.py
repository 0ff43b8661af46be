"""The installed command as a user runs it: a process of its own, pipes, signals."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from loopback import ARTICLE, Loopback

EXAMPLE = Path(__file__).parent.parent.parent / "examples" / "harvest.html"
COMMAND = (sys.executable, "-m", "scythe", "extract")


def start(*arguments: str | Path) -> subprocess.Popen[bytes]:
    """Start the command; Ctrl-C works in it even where this process was started with it
    switched off, as in the background.
    """
    return subprocess.Popen(
        [*COMMAND, *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )


def wait_until_gone(group: int) -> None:
    """Wait for the end of a process group, workers and all; fail if any of it stays."""
    for _ in range(1000):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return
        time.sleep(0.01)
    pytest.fail("processes of the command are still there")


@pytest.fixture
def site(tmp_path: Path) -> Path:
    folder = tmp_path / "site"
    folder.mkdir()
    for number in range(12):
        (folder / f"page-{number:02}.html").write_text(
            ARTICLE.replace("dawn", f"dawn of day {number}, " * 2000)
        )
    return folder


def test_the_example_of_the_readme_gives_the_article_without_the_links_around_it() -> (
    None
):
    environment = os.environ | {"PYTHONIOENCODING": "ascii"}
    done = subprocess.run(
        [*COMMAND, str(EXAMPLE)], capture_output=True, check=False, env=environment
    )
    text = done.stdout.decode("utf-8")
    assert (done.returncode, done.stderr) == (0, b"")
    for part in (
        "At five in the morning",
        "What the birds say",
        "Whoever finds a nest",
        "no ground",
        "since 1987",
        "“We had to check",
    ):
        assert part in text
    for part in (
        "Search the archive",
        "Hay prices fall",
        "Bridge at Nordvik closed",
        "Terms of use",
    ):
        assert part not in text


def test_a_page_from_a_pipe() -> None:
    with start("-", "--format", "json") as process:
        out, err = process.communicate(EXAMPLE.read_bytes())
    assert (process.returncode, err) == (0, b"")
    assert "At five in the morning" in json.loads(out)["text"]


def test_a_folder_on_several_cores(site: Path, tmp_path: Path) -> None:
    (site / "page-05.html").write_bytes(b"%PDF-1.5")
    with start(
        site, "--format", "text", "--jobs", "2", "-o", tmp_path / "out"
    ) as process:
        out, err = process.communicate()
    assert (process.returncode, out) == (1, b"")
    assert err.decode().splitlines() == [
        f"error: {site / 'page-05.html'} is a PDF document, not a web page. Convert it to HTML first.",
        "1 of 12 sources failed.",
    ]
    assert len(list((tmp_path / "out").iterdir())) == 11
    assert "dawn of day 11" in (tmp_path / "out" / "page-11.txt").read_text()


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_closed_pipe_ends_it_quietly(site: Path, jobs: str) -> None:
    with start(site, "--format", "text", "--jobs", jobs) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith(b"==> ")
        process.stdout.close()
        assert process.stderr is not None
        assert process.stderr.read() == b""
    assert process.returncode == 141


@pytest.mark.parametrize(
    ("number", "code", "said"),
    [(signal.SIGINT, 130, b"stopped.\n"), (signal.SIGTERM, 143, b"")],
    ids=["interrupt", "terminate"],
)
def test_a_signal_ends_it_and_its_workers_without_a_traceback(
    web: Loopback, site: Path, number: int, code: int, said: bytes
) -> None:
    with start(web.url("/silent"), site, "--jobs", "2", "--timeout", "300") as process:
        while not web.asked:
            assert process.poll() is None
            time.sleep(0.02)
        process.send_signal(number)
        out, err = process.communicate()
    assert (process.returncode, out, err) == (code, b"", said)
    wait_until_gone(process.pid)
