"""CGI programs behind the loopback server (RFC 3875): how Debian's search engines are
meant to be run.
"""

from __future__ import annotations

import contextlib
import mimetypes
import os
import signal
import subprocess
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from email.parser import BytesHeaderParser
from pathlib import Path

from .serving import Asked, Reply, Site, no_such_page

SECONDS = 20.0
LONGEST_OUTPUT = 16 << 20
PASSED_ON = ("PATH", "LANG", "LC_ALL", "TMPDIR")


@dataclass(frozen=True)
class Program:
    """A CGI program: what to run, where, and its settings in the environment."""

    command: tuple[str, ...]
    folder: Path
    settings: Mapping[str, str] = field(default_factory=dict)


@dataclass
class Gateway:
    """A site of folders and CGI programs, each at its path; the longest path that fits
    answers.

    At most `at_once` programs run at a time, none longer than `SECONDS`, none writes
    more than `LONGEST_OUTPUT`.
    """

    routes: Mapping[str, Program | Path | Site]
    at_once: int = 4

    def __post_init__(self) -> None:
        self._places = threading.Semaphore(self.at_once)

    def __call__(self, asked: Asked) -> Reply:
        fitting = [
            path
            for path in self.routes
            if asked.path == path
            or (path.endswith("/") and asked.path.startswith(path))
        ]
        if not fitting:
            return no_such_page(asked)
        path = max(fitting, key=len)
        match self.routes[path]:
            case Program() as program:
                with self._places:
                    return run_program(program, asked, path)
            case Path() as folder:
                return file_of(folder, asked, path)
            case site:
                return site(asked) or no_such_page(asked)


def file_of(folder: Path, asked: Asked, path: str) -> Reply:
    """The file of a folder (or the file itself) that a path names; never one outside
    it.
    """
    file = (
        (folder / asked.path.removeprefix(path)).resolve()
        if folder.is_dir()
        else folder
    )
    if not file.is_file() or not file.is_relative_to(folder.resolve()):
        return no_such_page(asked)
    return Reply(
        file.read_bytes(),
        kind=mimetypes.guess_type(file.name)[0] or "application/octet-stream",
    )


def run_program(program: Program, asked: Asked, path: str) -> Reply:
    """Run a CGI program on a request; one that fails, hangs or floods is a server
    error.
    """
    script = subprocess.Popen(
        program.command,
        cwd=program.folder,
        env=environment_of(program, asked, path),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    timer = threading.Timer(SECONDS, _kill, [script])
    timer.start()
    try:
        assert script.stdin is not None
        assert script.stdout is not None
        with contextlib.suppress(BrokenPipeError), script.stdin:
            script.stdin.write(asked.body)
        output = script.stdout.read(LONGEST_OUTPUT)
        script.stdout.close()
    finally:
        _kill(script)
        script.wait()
        timer.cancel()
    return reply_of(output)


def _kill(script: subprocess.Popen[bytes]) -> None:
    """End a program and all it started; one that has ended by itself is left alone."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(script.pid, signal.SIGKILL)


def environment_of(program: Program, asked: Asked, path: str) -> dict[str, str]:
    """The meta-variables of RFC 3875, 4.1, and nothing of the tests' own environment
    but the search path and the language.
    """
    names = {
        f"HTTP_{name.upper().replace('-', '_')}": value
        for name, value in asked.headers.items()
        if name != "proxy"
    }
    return {
        **{name: os.environ[name] for name in PASSED_ON if name in os.environ},
        **names,
        "GATEWAY_INTERFACE": "CGI/1.1",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "SERVER_SOFTWARE": "loopback",
        "SERVER_NAME": "127.0.0.1",
        "SERVER_PORT": str(asked.port),
        "REMOTE_ADDR": "127.0.0.1",
        "REQUEST_METHOD": asked.method,
        "REQUEST_URI": asked.target,
        "SCRIPT_NAME": path.rstrip("/"),
        "PATH_INFO": asked.path.removeprefix(path.rstrip("/")),
        "QUERY_STRING": asked.query,
        "CONTENT_TYPE": asked.headers.get("content-type", ""),
        "CONTENT_LENGTH": str(len(asked.body)) if asked.body else "",
        **program.settings,
    }


def reply_of(output: bytes) -> Reply:
    """What a CGI program wrote, as an answer: its headers end at the first empty line,
    and `Status` is the status.
    """
    head, gap, body = output.partition(b"\r\n\r\n")
    if not gap or b"\n\n" in head:
        head, gap, body = output.partition(b"\n\n")
    if not gap:
        return Reply(
            "<!DOCTYPE html><title>500</title><p>The program gave no answer.", 500
        )
    headers = BytesHeaderParser().parsebytes(head)
    location = headers.get("Location")
    status = int((headers.get("Status") or ("302" if location else "200")).split()[0])
    own = {"status", "content-type", "content-length", "connection"}
    others = tuple(
        (name, value) for name, value in headers.items() if name.lower() not in own
    )
    return Reply(body, status, headers.get("Content-Type", "text/html").strip(), others)
