"""The app on a socket: opened first, so that a port in use is reported in one line, and
the address is known before the first request.
"""

from __future__ import annotations

import secrets
import socket
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from multiprocessing.context import BaseContext
from pathlib import Path

import uvicorn

from scythe.collect.catalogue import Collections
from scythe.errors import UsageError
from scythe.processes import worker_context
from scythe.web.app import create_app
from scythe.web.collections.scheduler import Scheduler
from scythe.web.server.jobs import PRELOAD
from scythe.web.server.settings import Settings


@contextmanager
def listening(settings: Settings) -> Iterator[tuple[socket.socket, Settings]]:
    """Open the socket; yield it and the settings with its real port and, where other
    machines can reach it, a token.
    """
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    try:
        server = socket.create_server(
            (settings.host, settings.port), family=family, backlog=128
        )
    except OSError as error:
        where = f"{settings.host} port {settings.port}"
        raise UsageError(
            f"Cannot listen on {where}: {error.strerror or error}. "
            "Choose another with --host and --port."
        ) from error
    with server:
        token = settings.token
        if not settings.is_local and not token:
            token = secrets.token_urlsafe(16)
        port = server.getsockname()[1]
        yield server, replace(settings, port=port, token=token)


def job_processes() -> BaseContext:
    """Return how the processes of jobs are started, for others beside the app, too."""
    return worker_context(PRELOAD)


def address(settings: Settings) -> str:
    """Return the address of the app for a browser."""
    host = settings.host
    if ":" in host:
        host = f"[{host}]"
    scheme = "https" if settings.tls else "http"
    return f"{scheme}://{host}:{settings.port}/"


def welcome(settings: Settings) -> list[str]:
    """Return the lines to print for who started the app."""
    lines = [f"Scythe is at {address(settings)} (stop it with Ctrl-C)"]
    if settings.token:
        lines.append(
            f"Visitors need the token {settings.token}, once: "
            f"{address(settings)}?token={settings.token}"
        )
    if not settings.is_local and not settings.tls:
        lines.append(
            "Other machines can reach it, and all that is sent, the token too, can be "
            "read on the way. Use TLS: --certificate and --key, or a proxy that has it."
        )
    return lines


def serve(
    collections: Collections,
    settings: Settings,
    socket: socket.socket,
    *,
    certificate: str | None = None,
    key: str | None = None,
    open_browser: bool = False,
) -> None:
    """Serve the app until it is stopped, and run the collections that are due."""
    for file in filter(None, (certificate, key)):
        if not Path(file).is_file():
            raise UsageError(
                f"There is no file {file}. --certificate and --key name PEM files."
            )
    app = create_app(collections, settings)
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        ssl_certfile=certificate,
        ssl_keyfile=key,
        timeout_graceful_shutdown=5,
    )
    if open_browser:
        token = f"?token={settings.token}" if settings.token else ""
        webbrowser.open(address(settings) + token)
    scheduler = Scheduler(collections, app.state.jobs)
    scheduler.start()
    try:
        uvicorn.Server(config).run(sockets=[socket])
    finally:
        scheduler.stop()
