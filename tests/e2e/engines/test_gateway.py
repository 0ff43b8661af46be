"""The CGI server itself: programs that fail, flood or hang do no harm, and none
outlives its request.
"""

from __future__ import annotations

import os
import sys
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from . import gateway
from .gateway import Gateway, Program, reply_of
from .odd import hanging
from .serving import Server

SHOWING = "import os,sys; print('Content-Type: text/plain'); print(); print(os.environ.get(sys.argv[1]), sys.stdin.read())"
HANGING = "import os,time,pathlib; pathlib.Path('pid').write_text(str(os.getpid())); time.sleep(60)"
FLOODING = "import sys; print('Content-Type: text/plain\\n'); [sys.stdout.write('x' * 65536) for _ in iter(int, 1)]"


def python(source: str, folder: Path, *arguments: str) -> Program:
    return Program(
        (sys.executable, "-c", source, *arguments), folder, {"SETTING": "given"}
    )


def served(program: Program) -> Server:
    return Server(Gateway({"/run": program, "/files/": program.folder}))


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("QUERY_STRING", "a=b%20c"),
        ("REQUEST_METHOD", "POST"),
        ("HTTP_COOKIE", "one=two"),
        ("SETTING", "given"),
        ("HOME", "None"),
    ],
)
def test_a_program_is_told_of_the_request_and_of_nothing_else(
    tmp_path: Path, name: str, said: str
) -> None:
    with served(python(SHOWING, tmp_path, name)) as server:
        asked = urllib.request.Request(
            server.url("/run?a=b%20c"), b"words=hay", {"Cookie": "one=two"}
        )
        assert urllib.request.urlopen(asked).read().decode().split() == [
            said,
            "words=hay",
        ]


def test_a_program_that_hangs_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gateway, "SECONDS", 0.5)
    with (
        served(python(HANGING, tmp_path)) as server,
        pytest.raises(urllib.error.HTTPError, match="500"),
    ):
        urllib.request.urlopen(server.url("/run"))
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "pid").read_text()), 0)


def test_a_program_that_floods_is_cut(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gateway, "LONGEST_OUTPUT", 100_000)
    with served(python(FLOODING, tmp_path)) as server:
        assert len(urllib.request.urlopen(server.url("/run")).read()) < 100_000


def test_no_file_outside_the_folder_is_served(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("no")
    (tmp_path / "open").mkdir()
    (tmp_path / "open" / "page.html").write_text("yes")
    with Server(Gateway({"/files/": tmp_path / "open"})) as server:
        assert urllib.request.urlopen(server.url("/files/page.html")).read() == b"yes"
        for path in ("/files/../secret", "/files//etc/hostname", "/files/"):
            with pytest.raises(urllib.error.HTTPError, match="404"):
                urllib.request.urlopen(server.url(path))


def test_status_and_location_of_a_program_are_those_of_the_answer() -> None:
    assert (
        reply_of(b"Status: 404 Not Found\r\nContent-Type: text/plain\r\n\r\nno").status
        == 404
    )
    moved = reply_of(b"Location: /there\nX-Other: 1\n\n")
    assert (moved.status, moved.headers) == (
        302,
        (("Location", "/there"), ("X-Other", "1")),
    )
    assert reply_of(b"no headers at all").status == 500


def test_a_server_stops_while_requests_hang() -> None:
    ended: list[bool] = []

    def ask() -> None:
        with pytest.raises(OSError):
            urllib.request.urlopen(server.url())
        ended.append(True)

    with Server(hanging) as server:
        asking = threading.Thread(target=ask, daemon=True)
        asking.start()
        while not server.asked:
            time.sleep(0.01)
    asking.join(10)
    assert ended
