"""`scythe serve`: the local web app."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, Annotated

import typer

from scythe.cli.options import Database
from scythe.cli.output.messages import print_error, print_message
from scythe.errors import ScytheError, UsageError

if TYPE_CHECKING:
    from scythe.collect.run import RunSummary

Host = Annotated[
    str,
    typer.Option(
        "--host",
        metavar="ADDRESS",
        help="The address to listen on; by default only this machine can reach it.",
    ),
]
Port = Annotated[
    int | None,
    typer.Option(
        "--port",
        metavar="N",
        min=0,
        max=65535,
        help="The port; 0 takes a free one. [default: 8377]",
    ),
]
Token = Annotated[
    str | None,
    typer.Option(
        "--token",
        show_default=False,  # it is a secret
        metavar="WORD",
        envvar="SCYTHE_TOKEN",
        help="What visitors must know; one is made up where other machines can reach the app.",
    ),
]
Names = Annotated[
    list[str] | None,
    typer.Option(
        "--allow-host",
        metavar="NAME",
        help="A name besides its address by which browsers may call the app; may be repeated.",
    ),
]
Certificate = Annotated[
    str | None,
    typer.Option(
        "--certificate", metavar="FILE", help="Serve with TLS: the certificate, as PEM."
    ),
]
Key = Annotated[
    str | None,
    typer.Option("--key", metavar="FILE", help="The key of the certificate, as PEM."),
]
Private = Annotated[
    bool,
    typer.Option(
        "--allow-private",
        help="Let the app fetch pages of this machine and its network.",
    ),
]
Watch = Annotated[
    bool,
    typer.Option(
        "--watch", help="Also run collections when they are due, as `collect watch`."
    ),
]
Open = Annotated[bool, typer.Option("--open", help="Open the app in your browser.")]


def serve(
    *,
    host: Host = "127.0.0.1",
    port: Port = None,
    token: Token = None,
    allow_host: Names = None,
    certificate: Certificate = None,
    key: Key = None,
    allow_private: Private = False,
    watch: Watch = False,
    open_browser: Open = False,
    db: Database = None,
) -> None:
    """Open the web app: run and annotate collections, view their records, search
    engines, extract from pages.
    """
    try:
        from scythe.web import serving
        from scythe.web.server.settings import PORT, Settings
    except ImportError as error:
        raise UsageError(
            "The web app needs a few libraries more. Install them: pip install 'webscythe[web]'."
        ) from error
    from scythe.collect.catalogue import Collections

    requested = Settings(
        host=host,
        port=PORT if port is None else port,
        token=token or None,
        names=tuple(name.lower() for name in allow_host or ()),
        tls=certificate is not None,
        allow_private=allow_private,
    )
    with (
        Collections.open(db) as collections,
        serving.listening(requested) as (socket, settings),
        _watching(collections.address) if watch else nullcontext(),
    ):
        for line in serving.welcome(settings):
            print_message(line)
        serving.serve(
            collections,
            settings,
            socket,
            certificate=certificate,
            key=key,
            open_browser=open_browser,
        )


@contextmanager
def _watching(address: str) -> Iterator[None]:
    """Run collections when they are due, in a process of its own: it slows no page, and
    ends with the app, however that ends.
    """
    from scythe.processes import WorkerProcess
    from scythe.web.serving import job_processes

    worker = WorkerProcess(job_processes(), _watch, address)
    try:
        yield
    finally:
        worker.end()


def _watch(_: object, address: str) -> None:
    """Run the collections of a database, in processes of their own."""
    from scythe.collect.catalogue import Collections
    from scythe.collect.schedule import watch

    multiprocessing.current_process().daemon = False
    with Collections.open(address) as collections:
        watch(collections, _print_failure)


def _print_failure(name: str, result: RunSummary | ScytheError) -> None:
    if isinstance(result, ScytheError):
        print_error(str(result), name)
