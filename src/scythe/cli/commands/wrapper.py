"""`scythe wrapper`: wrappers learned from pages, applied to others, and exported for
other programs.
"""

from __future__ import annotations

import sys
from typing import Annotated, Literal

import typer

from scythe.cli.commands.learn import learn
from scythe.cli.options import (
    DEFAULT_READ,
    IgnoreRobots,
    MaxBytes,
    OutFile,
    RowsFormat,
    Sources,
    Timeout,
    UserAgent,
    require_other_files,
)
from scythe.cli.output.files import write_page_text, write_result
from scythe.cli.output.messages import print_error, print_message
from scythe.cli.output.progress import with_progress
from scythe.cli.output.rows import (
    RowWriter,
    choose_format,
    print_records_status,
    write_rows,
)
from scythe.errors import ScytheError, UsageError
from scythe.sources import ReadOptions, expand
from scythe.sources.source import is_several
from scythe.tree import Limits

Target = Literal["xpath", "scrapy", "searxng"]
ColumnArgument = Annotated[
    str,
    typer.Argument(metavar="COLUMN", help="The column, as the wrapper calls it now."),
]
NewName = Annotated[
    str, typer.Argument(metavar="NAME", help="What its values are: title, price.")
]
UpdatedFile = Annotated[
    str | None,
    typer.Option(
        "--out",
        "-o",
        metavar="FILE",
        help="Where the changed wrapper is written; else over the old one.",
    ),
]
WrapperFile = Annotated[
    str,
    typer.Argument(
        metavar="WRAPPER", help="The file that `scythe wrapper learn` wrote."
    ),
]
To = Annotated[
    Target, typer.Option("--to", help="The program that is to find the records.")
]
StartUrl = Annotated[
    str | None,
    typer.Option(
        "--url",
        metavar="URL",
        help="Where a spider starts; for SearXNG the search address, with {query} and {pageno}.",
    ),
]
Name = Annotated[
    str | None,
    typer.Option(
        "--name", metavar="NAME", help="What the spider or the engine is called."
    ),
]

app = typer.Typer(
    name="wrapper",
    no_args_is_help=True,
    help="Learn, apply and export wrappers: the way to the records of a site.",
)


app.command("learn")(learn)


@app.command("apply")
def apply(
    wrapper: WrapperFile,
    sources: Sources,
    format: RowsFormat = None,  # noqa: A002 - its name on the command line
    out: OutFile = None,
    max_bytes: MaxBytes = DEFAULT_READ.max_bytes,
    timeout: Timeout = DEFAULT_READ.timeout,
    user_agent: UserAgent = None,
    ignore_robots: IgnoreRobots = False,  # noqa: FBT002 - a switch on the command line
) -> None:
    """Read the records of pages by a wrapper.

    The exit code is 0 when every page was understood, also those without records, and 1
    when some could not be read, are bot checks, or no longer fit the wrapper (each is
    named with its reason, the others are still done).
    """
    from scythe.wrappers.wrapper import Wrapper

    require_other_files([wrapper, *sources], out)
    loaded = Wrapper.load(wrapper)
    options = ReadOptions(
        max_bytes=max_bytes,
        timeout=timeout,
        user_agent=user_agent,
        robots=not ignore_robots,
    )
    limits = Limits(max_bytes=max_bytes)
    row_format = choose_format(format, out)
    writer = RowWriter(
        row_format,
        several=is_several(sources),
        columns=loaded.fields.columns,
        to_terminal=out is None and sys.stdout.isatty(),
    )

    texts = []
    all_good = True
    page_sources = list(expand(sources))
    shown = with_progress(page_sources) if out is not None else page_sources
    for source in shown:
        try:
            page = source.read(options)
            records = loaded.extract(page.data, page.url, limits, page.charset)
        except ScytheError as error:
            print_error(str(error), source.name)
            all_good = False
            continue
        if not print_records_status(source.name, records):
            all_good = False
        text = writer.render(source.name, page.url, records)
        if out is None:
            write_result(text, None)
        else:
            texts.append(text)

    if out is not None:
        write_rows("".join(texts), out, row_format)
    if not all_good:
        raise typer.Exit(1)


@app.command("name")
def name(
    wrapper: WrapperFile, column: ColumnArgument, name: NewName, out: UpdatedFile = None
) -> None:
    """Give a column of a wrapper another name.

    The exit code is 2 when the wrapper has no such column, or another one of that name.
    """
    from scythe.wrappers.wrapper import Wrapper

    renamed = Wrapper.load(wrapper).rename(column, name)
    renamed.save(out or wrapper)
    columns = ", ".join(renamed.fields.columns)
    print_message(f"{column} is {name}; columns: {columns}.")


@app.command("export")
def export(
    wrapper: WrapperFile,
    to: To,
    url: StartUrl = None,
    name: Name = None,
    out: OutFile = None,
) -> None:
    """Write a wrapper for another program: XPath, a Scrapy spider that runs by itself,
    or an entry for SearXNG's settings.
    """
    from scythe.wrappers.export import scrapy_spider, searxng, xpath
    from scythe.wrappers.wrapper import Wrapper

    require_other_files([wrapper], out)
    loaded = Wrapper.load(wrapper)
    if to == "xpath":
        if url is not None or name is not None:
            raise UsageError(
                "XPath has no address and no name. "
                "Leave --url and --name out, or give --to scrapy."
            )
        text = xpath(loaded)
    elif url is None:
        needed = "the address that it starts at"
        if to == "searxng":
            needed = "a search address with {query} in it"
        raise UsageError(f"--to {to} needs {needed}. Give it with --url.")
    elif to == "scrapy":
        text = scrapy_spider(loaded, url, name or "records")
    else:
        text = searxng(loaded, name or _engine_name(url), url)
    write_page_text(text, out)


def _engine_name(url: str) -> str:
    """Return what an engine is called that was given no name."""
    host = url.partition("://")[2].partition("/")[0]
    return host.removeprefix("www.") or "engine"
