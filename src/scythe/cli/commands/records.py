"""`scythe records`: the records of a list page."""

from __future__ import annotations

import sys
from typing import Annotated, Literal

import typer

from scythe.cli.browser import PageLoader
from scythe.cli.options import (
    DEFAULT_READ,
    AllColumns,
    IgnoreRobots,
    MaxBytes,
    OutFile,
    Render,
    RowsFormat,
    Timeout,
    Url,
    UserAgent,
    require_other_files,
    require_preview_file,
    require_single_page,
    require_url_of_file,
)
from scythe.cli.output.messages import print_warning
from scythe.cli.output.rows import (
    RowWriter,
    choose_format,
    print_records_status,
    write_rows,
)
from scythe.sources import ReadOptions, expand

OneSource = Annotated[
    str,
    typer.Argument(
        metavar="SOURCE",
        help="A web address, a file (also .gz), or - for standard input.",
    ),
]
FindMethod = Annotated[
    Literal["auto", "vints", "mdr"],
    typer.Option(
        "--method", help="How records are found: the trained finder, or as in a paper."
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
    method: FindMethod = "auto",
    all_columns: AllColumns = False,  # noqa: FBT002 - a switch on the command line
    format: RowsFormat = None,  # noqa: A002 - its name on the command line
    out: OutFile = None,
    show: Show = None,
    url: Url = None,
    max_bytes: MaxBytes = DEFAULT_READ.max_bytes,
    timeout: Timeout = DEFAULT_READ.timeout,
    user_agent: UserAgent = None,
    ignore_robots: IgnoreRobots = False,  # noqa: FBT002 - a switch on the command line
) -> None:
    """Extract the records of a list or search-result page: its rows, with their fields
    in columns.

    The exit code is 0 when the page was understood, also where it has no records, 1
    when it could not be read or is a bot check, and 2 when the command was wrong.
    """
    from scythe.wrappers.find import records_on

    require_single_page(source)
    require_url_of_file(url, [source])
    require_other_files([source], out, show)
    if show is not None:
        require_preview_file("--show", "records", show)

    row_format = choose_format(format, out)
    options = ReadOptions(
        max_bytes=max_bytes,
        timeout=timeout,
        user_agent=user_agent,
        robots=not ignore_robots,
    )
    (page_source,) = expand([source], url)
    name = page_source.name
    with PageLoader(options, render=render) as loader:
        page = loader.load(page_source)
        found = records_on(page.tree, page.url, method=method, all_columns=all_columns)
        if show is not None:
            from scythe.wrappers.show import show_html

            preview = show_html(page.html, page.tree, found, page.url)
            loader.write_preview(show, preview, page.url)

    for warning in page.warnings:
        print_warning(warning, name)
    writer = RowWriter(
        row_format,
        several=False,
        to_terminal=out is None and sys.stdout.isatty(),
    )
    rows = writer.render(name, page.url, found)
    write_rows(rows, out, row_format)
    if not print_records_status(name, found):
        raise typer.Exit(1)
