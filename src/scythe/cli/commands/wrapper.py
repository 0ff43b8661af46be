"""`scythe wrapper`: wrappers learned from pages, applied to others, and exported for
other programs.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Annotated, Literal

import typer

from scythe.cli.browser import Eyes
from scythe.cli.commands.extract import MaxBytes, Sources, Timeout, UserAgent
from scythe.cli.commands.records import (
    OutFile,
    Render,
    RowsFormat,
    deliver,
    is_good,
    require_apart,
    require_one,
)
from scythe.cli.output.messages import CONTROL, about, one_line, print_message
from scythe.cli.output.rows import RowWriter, format_of
from scythe.errors import ScytheError, UsageError
from scythe.sources import ReadOptions, Source, expand
from scythe.sources.source import is_several
from scythe.tree import Limits, Tree

_DEFAULT = ReadOptions()

Target = Literal["xpath", "scrapy", "searxng"]
Pages = Annotated[
    list[str],
    typer.Argument(
        metavar="PAGE",
        help="Pages of one kind: three or more results of one search, pages of one list, or a folder.",
    ),
]
NoResult = Annotated[
    str | None,
    typer.Option(
        "--no-result",
        metavar="PAGE",
        help="The page that the site shows where nothing is found.",
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


@app.command("learn")
def learn(
    pages: Pages,
    no_result: NoResult = None,
    render: Render = None,
    out: OutFile = None,
    max_bytes: MaxBytes = _DEFAULT.max_bytes,
    timeout: Timeout = _DEFAULT.timeout,
    user_agent: UserAgent = None,
) -> None:
    """Learn a wrapper from pages of one kind: all that is needed to read the records of
    later pages, without a browser.

    The wrapper is JSON that a person can read. The exit code is 1 when some pages could
    not be read (each is named, and the wrapper is learned from the others), and 2 when
    the command was wrong or the pages have no records in common.
    """
    from scythe.wrappers.learn import learn_from

    require_apart([*pages, *([] if no_result is None else [no_result])], out)
    if no_result is not None:
        require_one(no_result)
    reading = ReadOptions(max_bytes=max_bytes, timeout=timeout, user_agent=user_agent)
    sources = list(expand(pages))
    with Eyes(reading, render=render) as eyes:
        trees = list(_trees(sources, eyes))
        without = (
            None
            if no_result is None
            else eyes.see(next(iter(expand([no_result])))).tree
        )
        if not trees:
            raise typer.Exit(1)
        wrapper = learn_from(trees, without)
    _deliver_text(
        json.dumps(wrapper.as_json(), ensure_ascii=False, indent=1) + "\n", out
    )
    least, most = wrapper.expected.records
    print_message(
        one_line(
            f"learned from {len(trees)} pages with {least} to {most} records; columns: {', '.join(wrapper.fields.columns)}."
        )
    )
    if len(trees) < len(sources):
        raise typer.Exit(1)


def _trees(sources: list[Source], eyes: Eyes) -> Iterator[Tree]:
    """The pages that can be read; the others are named."""
    for source in sources:
        try:
            seen = eyes.see(source)
        except ScytheError as error:
            print_message(f"error: {about(source.name, str(error))}")
            continue
        for warning in seen.warnings:
            print_message(f"warning: {about(source.name, warning)}")
        yield seen.tree


@app.command("apply")
def apply(
    wrapper: WrapperFile,
    sources: Sources,
    format: RowsFormat = None,  # noqa: A002 - its name on the command line
    out: OutFile = None,
    max_bytes: MaxBytes = _DEFAULT.max_bytes,
    timeout: Timeout = _DEFAULT.timeout,
    user_agent: UserAgent = None,
) -> None:
    """Read the records of pages by a wrapper.

    The exit code is 0 when every page was understood, also those without records, and 1
    when some could not be read, are bot checks, or no longer fit the wrapper (each is
    named with its reason, the others are still done).
    """
    from scythe.wrappers.wrapper import Wrapper

    require_apart([wrapper, *sources], out)
    known = Wrapper.load(wrapper)
    several = is_several(sources)
    reading = ReadOptions(max_bytes=max_bytes, timeout=timeout, user_agent=user_agent)
    to_terminal = out is None and sys.stdout.isatty()
    writer = RowWriter(
        format_of(format, out),
        several=several,
        columns=known.fields.columns,
        to_terminal=to_terminal,
    )
    rendered, good = [], True
    for source in expand(sources):
        try:
            page = source.read(reading)
            found = known.extract(
                page.data, page.url, Limits(max_bytes=max_bytes), page.charset
            )
        except ScytheError as error:
            print_message(f"error: {about(source.name, str(error))}")
            good = False
            continue
        good = is_good(source.name, found) and good
        text = writer.render(source.name, page.url, found)
        if out is None:
            deliver(text, None)
        else:
            rendered.append(text)
    if out is not None:
        deliver("".join(rendered), out)
    if not good:
        raise typer.Exit(1)


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

    require_apart([wrapper], out)
    known = Wrapper.load(wrapper)
    if to == "xpath":
        if url is not None or name is not None:
            raise UsageError(
                "XPath has no address and no name. Leave --url and --name out, or give --to scrapy."
            )
        _deliver_text(xpath(known), out)
        return
    if url is None:
        what = (
            "a search address with {query} in it"
            if to == "searxng"
            else "the address that it starts at"
        )
        raise UsageError(f"--to {to} needs {what}. Give it with --url.")
    if to == "scrapy":
        _deliver_text(scrapy_spider(known, url, name or "records"), out)
    else:
        _deliver_text(searxng(known, name or _host(url), url), out)


def _deliver_text(text: str, out: str | None) -> None:
    """Write what may hold characters of a page."""
    deliver(
        CONTROL.sub("\ufffd", text) if out is None and sys.stdout.isatty() else text,
        out,
    )


def _host(url: str) -> str:
    """What an engine is called that was given no name."""
    return url.partition("://")[2].partition("/")[0].removeprefix("www.") or "engine"
