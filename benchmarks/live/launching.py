"""Programs that are started for a while, behind a proxy that can change their theme."""

from __future__ import annotations

import contextlib
import http.client
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Protocol

from engines.serving import Asked, Reply, Site

from benchmarks.live.documents import Document

START_SECONDS = 90.0
Command = list[str | Path]
_HOP_HEADERS = {"connection", "transfer-encoding", "content-length", "content-type"}
_NAMES = re.compile(rb"""\b(class|id)=(["'])([^"']+)\2""")
_CHANGED_TAGS = {b"div": b"section", b"span": b"em", b"dl": b"div", b"dt": b"div"}
_KEPT = re.compile(r"(?:PATH|LANG)$|UV_|SSL_|PIP_|XDG_")
"""What programs are told of the environment: where to find programs and packages."""
_TAG = re.compile(rb"(</?)(div|span)(?=[\s>])", re.IGNORECASE)


class LiveEngine(Protocol):
    """A search engine that others wrote: how it is filled and served."""

    name: str
    kind: str
    home: str
    """The path of the page that is given to Scythe."""
    needs: Mapping[str, str]
    """Programs or files it needs, and the packages of Debian or PyPI they are in."""

    def serving(
        self, folder: Path, documents: Sequence[Document]
    ) -> AbstractContextManager[Site]:
        """Fill the engine, start it, and give what answers for it."""

    def number(self, url: str) -> int | None:
        """Return the number of the document that a link leads to."""


class NotStarted(RuntimeError):
    """A program ended before it answered: some refuse to run as root."""


def free_port() -> int:
    """Return a port of loopback that nobody listens on."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def run(
    command: Sequence[str | Path],
    folder: Path,
    settings: Mapping[str, str] | None = None,
    text: str | None = None,
) -> str:
    """Run a program to its end and return what it wrote."""
    done = subprocess.run(
        [str(part) for part in command],
        cwd=folder,
        env=environment(folder, settings),
        input=text,
        capture_output=True,
        check=False,
        encoding="utf-8",
        errors="replace",
        timeout=600,
    )
    if done.returncode:
        raise RuntimeError(f"{command[0]}: {done.stderr[-800:]}{done.stdout[-400:]}")
    return done.stdout


def environment(
    folder: Path, settings: Mapping[str, str] | None = None
) -> dict[str, str]:
    """Return an environment with a home of its own."""
    kept = {name: value for name, value in os.environ.items() if _KEPT.match(name)}
    kept.setdefault("UV_CACHE_DIR", str(Path.home() / ".cache" / "uv"))
    own = {"HOME": str(folder), "LC_ALL": "C.UTF-8"}
    return {**kept, **own, **(settings or {})}


def with_package(*packages: str) -> list[str]:
    """Return the command that runs Python with packages of PyPI, in an environment of
    its own that uv keeps.
    """
    uv = shutil.which("uv") or str(Path(sys.executable).with_name("uv"))
    command = [uv, "run", "--quiet", "--no-project", "--isolated"]
    for package in packages:
        command += ["--with", package]
    return [*command, "--python", sys.executable]


@contextmanager
def served(
    command: Sequence[str | Path],
    port: int,
    folder: Path,
    settings: Mapping[str, str] | None = None,
) -> Iterator[Site]:
    """Run a server for a while, and give what forwards requests to it."""
    log = (folder / "server.log").open("wb")
    process = subprocess.Popen(
        [str(part) for part in command],
        cwd=folder,
        env=environment(folder, settings),
        stdout=log,
        stderr=log,
        start_new_session=True,
    )
    try:
        _wait_for(port, process, folder / "server.log")
        yield Forwarding(port)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGTERM)
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
        log.close()


def _wait_for(port: int, process: subprocess.Popen[bytes], log: Path) -> None:
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end:
        if process.poll() is not None:
            raise NotStarted(log.read_text("utf-8", "replace")[-800:])
        with (
            contextlib.suppress(OSError),
            socket.create_connection(("127.0.0.1", port)),
        ):
            return
        time.sleep(0.1)
    raise RuntimeError(f"Nothing answers on port {port}.")


class Forwarding:
    """A site that another server answers for."""

    def __init__(self, port: int) -> None:
        self._port = port

    def __call__(self, asked: Asked) -> Reply:
        """Return what the other server answers."""
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=60)
        headers = {"Host": f"127.0.0.1:{asked.port}"}
        for name in ("cookie", "content-type", "user-agent", "accept"):
            if name in asked.headers:
                headers[name] = asked.headers[name]
        with contextlib.closing(connection):
            connection.request(asked.method, asked.target, asked.body or None, headers)
            answer = connection.getresponse()
            body = answer.read()
            others = [
                (
                    name,
                    value.replace(
                        f"127.0.0.1:{self._port}/", f"127.0.0.1:{asked.port}/"
                    ),
                )
                for name, value in answer.getheaders()
                if name.lower() not in _HOP_HEADERS
            ]
            kind = answer.getheader("Content-Type") or "text/html"
            return Reply(body, answer.status, kind, tuple(others))


def rethemed(site: Site) -> Site:
    """Return a site in a theme of its own: other names for all classes and identities,
    other tags for its boxes, and no search box on its home page.
    """

    def answer(asked: Asked) -> Reply | None:
        reply = site(asked)
        if reply is None or "html" not in reply.kind:
            return reply
        body = reply.body.encode() if isinstance(reply.body, str) else reply.body
        body = _NAMES.sub(_renamed, body)
        body = _TAG.sub(lambda tag: tag[1] + _CHANGED_TAGS[tag[2].lower()], body)
        return Reply(body, reply.status, reply.kind, reply.headers)

    return answer


def _renamed(found: re.Match[bytes]) -> bytes:
    attribute, quote, names = found.groups()
    new = b" ".join(b"t-" + name[::-1] for name in names.split())
    return attribute + b"=" + quote + new + quote
