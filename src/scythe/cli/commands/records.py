"""`scythe records`: the rows of a list page."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from scythe.cli.browser import Eyes, Seen
from scythe.cli.commands.extract import (
    MaxBytes,
    Timeout,
    Url,
    UserAgent,
    require_one_page,
)
from scythe.cli.output.files import encoded, write_whole, write_whole_bytes
from scythe.cli.output.messages import about, print_message
from scythe.cli.output.rows import RowFormat, RowWriter, format_of, require_show
from scythe.errors import UsageError
from scythe.sources import ReadOptions, expand
from scythe.sources.source import is_several

if TYPE_CHECKING:
    from scythe.wrappers.record import Records

_DEFAULT = ReadOptions()

OneSource = Annotated[
    str,
    typer.Argument(
        metavar="SOURCE",
        help="A web address, a file (also .gz), or - for standard input.",
    ),
]
Render = Annotated[
    bool | None,
    typer.Option(
        "--render/--no-render",
        help="Look at pages in a browser; web addresses are opened in it, scripts and all. By default a browser lays out "
        "what was read, if there is one.",
    ),
]
RowsFormat = Annotated[
    RowFormat | None,
    typer.Option(
        "--format",
        "-f",
        help="What is written; by default what the ending of --out names, else a table.",
    ),
]
OutFile = Annotated[
    str | None,
    typer.Option(
        "--out", "-o", metavar="FILE", help="Where it is written; else standard output."
    ),
]
Show = Annotated[
    str | None,
    typer.Option(
        "--show",
        metavar="FILE",
        help="Draw the records over the page: into a page (.html) or a picture (.png).",
    ),
]


def records(
    source: OneSource,
    render: Render = None,
    format: RowsFormat = None,  # noqa: A002 - its name on the command line
    out: OutFile = None,
    show: Show = None,
    url: Url = None,
    max_bytes: MaxBytes = _DEFAULT.max_bytes,
    timeout: Timeout = _DEFAULT.timeout,
    user_agent: UserAgent = None,
) -> None:
    """Give the records of a list or search-result page: its rows, with their fields in
    columns.

    The exit code is 0 when the page was understood, also where it has no records, 1
    when it could not be read or is a bot check, and 2 when the command was wrong.
    """
    from scythe.wrappers.find import records_on

    require_one(source)
    require_one_page(url, [source])
    require_apart([source], out, show)
    if show is not None:
        require_show(show)
    reading = ReadOptions(max_bytes=max_bytes, timeout=timeout, user_agent=user_agent)
    with Eyes(reading, render=render) as eyes:
        (one,) = expand([source], url)
        seen = eyes.see(one)
        found = records_on(seen.tree, seen.url)
        if show is not None:
            draw(show, seen, found, eyes)
    for warning in seen.warnings:
        print_message(f"warning: {about(one.name, warning)}")
    writer = RowWriter(
        format_of(format, out),
        several=False,
        to_terminal=out is None and sys.stdout.isatty(),
    )
    deliver(writer.render(one.name, seen.url, found), out)
    if not is_good(one.name, found):
        raise typer.Exit(1)


def require_one(source: str) -> None:
    """Refuse a folder where one page is needed."""
    if is_several([source]):
        raise UsageError(
            f"{source} is a folder, and this takes one page. Name a page, or use `scythe wrapper` for many."
        )


def require_apart(names: Sequence[str], *outputs: str | None) -> None:
    """Refuse to write over what is read."""
    read = {os.path.realpath(name) for name in names}
    for output in outputs:
        if output is not None and os.path.realpath(output) in read:
            raise UsageError(
                f"{output} is a source, and would be written over. Give another name."
            )


def draw(path: str, seen: Seen, found: Records, eyes: Eyes) -> None:
    """Write the page with its records drawn over it."""
    from scythe.wrappers.show import show_html

    page = show_html(seen.html, seen.tree, found, seen.url)
    if path.lower().endswith(".png"):
        write_whole_bytes(Path(path), eyes.picture(page, seen.url))
    else:
        write_whole(Path(path), page)


def deliver(text: str, out: str | None) -> None:
    """Write what was rendered to a file or to standard output. What steers a terminal
    must be of our own making.
    """
    if out is not None:
        write_whole(Path(out), text)
        return
    sys.stdout.buffer.write(encoded(text))
    sys.stdout.buffer.flush()


def is_good(name: str, found: Records) -> bool:
    """Say what there is to say about the status of records; whether they are an answer."""
    from scythe.wrappers.record import RecordsStatus

    if found.status is RecordsStatus.OK:
        if found.note:
            print_message(f"warning: {about(name, found.note)}")
        return True
    empty = found.status is RecordsStatus.EMPTY
    print_message(
        f"{'warning' if empty else 'error'}: {about(name, f'{found.status}: {found.note}')}"
    )
    return empty
