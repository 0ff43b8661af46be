"""`scythe page`: the typed record of single pages."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from scythe.cli.browser import PageLoader
from scythe.cli.options import (
    DEFAULT_READ,
    Delay,
    IgnoreRobots,
    MaxBytes,
    OutFile,
    Sources,
    Timeout,
    Url,
    UserAgent,
    require_other_files,
    require_url_of_file,
)
from scythe.cli.output.files import write_result
from scythe.cli.output.messages import (
    describe_unexpected,
    print_error,
    print_message,
    print_warning,
)
from scythe.cli.output.page_records import PageRecordWriter
from scythe.cli.output.progress import with_progress
from scythe.cli.output.rows import RowFormat, choose_format, write_rows
from scythe.errors import InputError, ScytheError
from scythe.sources import ReadOptions, Source, expand
from scythe.sources.source import is_several

if TYPE_CHECKING:
    from scythe.templates.declared.record import PageRecord

_KIND_NAMES = {
    "Recipe": "a recipe",
    "Product": "a product",
    "JobPosting": "a job",
    "Event": "an event",
    "Article": "an article",
}
KindOption = Annotated[
    str,
    typer.Option(
        "--kind",
        "-k",
        metavar="KIND",
        help="What the page describes: recipe, product, article, job, event or a kind of a "
        "plug-in; by default what it declares or shows.",
    ),
]
RecordFormat = Annotated[
    RowFormat | None,
    typer.Option(
        "--format",
        "-f",
        metavar="FORMAT",
        help="What is written: table, json, jsonl, csv, xlsx or the format of a plug-in; "
        "by default by the extension of --out, else JSON.",
    ),
]
WithSources = Annotated[
    bool,
    typer.Option(
        "--with-sources",
        help="Say of each value where it comes from: declared data, or where on the page.",
    ),
]
OpenInBrowser = Annotated[
    bool,
    typer.Option("--render", help="Open web addresses in a browser, scripts and all."),
]


def page(
    sources: Sources,
    kind: KindOption = "auto",
    format: RecordFormat = None,  # noqa: A002 - its name on the command line
    with_sources: WithSources = False,  # noqa: FBT002 - a switch on the command line
    out: OutFile = None,
    url: Url = None,
    render: OpenInBrowser = False,  # noqa: FBT002 - a switch on the command line
    max_bytes: MaxBytes = DEFAULT_READ.max_bytes,
    timeout: Timeout = DEFAULT_READ.timeout,
    user_agent: UserAgent = None,
    ignore_robots: IgnoreRobots = False,  # noqa: FBT002 - a switch on the command line
    delay: Delay = DEFAULT_READ.delay,
) -> None:
    """Read the typed record of pages that describe one thing each: a recipe, a product,
    an article, a job or an event.

    What a page declares is taken first, then what it shows. The exit code is 0 when
    every page gave a record, 1 when some could not be read or have nothing of the kind
    (each is named with its reason, the others are still done), and 2 when the command
    was wrong.
    """
    from scythe.templates.page_records import schema_of

    if kind != "auto":
        schema_of(kind)
    several = is_several(sources)
    require_url_of_file(url, sources)
    require_other_files(sources, out)
    row_format = choose_format(format, out, default="json")
    writer = PageRecordWriter(
        row_format,
        kind,
        several=several,
        with_sources=with_sources,
        to_terminal=out is None and sys.stdout.isatty(),
    )
    options = ReadOptions(
        max_bytes=max_bytes,
        timeout=timeout,
        user_agent=user_agent,
        robots=not ignore_robots,
        delay=delay,
    )

    texts: list[str] = []
    failed = 0
    count = 0
    with PageLoader(options, render=render) as loader:
        page_sources = list(expand(sources, url))
        shown = with_progress(page_sources) if out is not None else page_sources
        for source in shown:
            count += 1
            found = _attempt(loader, source, kind)
            if found is None:
                failed += 1
                continue
            record, page_url = found
            text = writer.render(source.name, page_url, record)
            if out is None:
                write_result(text, None)
            else:
                texts.append(text)

    if out is not None and texts:
        write_rows("".join(texts), out, row_format)
    if failed and several:
        print_message(f"{failed} of {count} sources failed.")
    if failed:
        raise typer.Exit(1)


def _attempt(
    loader: PageLoader, source: Source, kind: str
) -> tuple[PageRecord, str | None] | None:
    """Return the record of a source and its address; None, with a message, where there
    is none.
    """
    try:
        return _read(loader, source, kind)
    except ScytheError as error:
        print_error(str(error), source.name)
    except Exception as error:
        print_error(describe_unexpected(error), source.name)
    return None


def _read(
    loader: PageLoader, source: Source, kind: str
) -> tuple[PageRecord, str | None]:
    """Return the record of a source and its address; print what a user should know."""
    from scythe.templates.page_records import tree_record

    loaded = loader.load(source)
    for warning in loaded.warnings:
        print_warning(warning, source.name)

    record = tree_record(loaded.tree, loaded.url, kind)
    if not record.values:
        raise InputError(
            "nothing could be read from it. If scripts build the page, give its web "
            "address with --render, or save it from a browser."
        )
    if record.missing:
        missing = " and no ".join(record.missing)
        name = _KIND_NAMES.get(record.kind, f"a {record.kind}")
        print_warning(f"it has no {missing}, so it may not be {name}.", source.name)
    return record, loaded.url
