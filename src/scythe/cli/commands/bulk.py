"""`scythe bulk`: a crawl's worth of pages into one table."""

from __future__ import annotations

import sys
from collections import Counter
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from scythe.cli.output.bulk_progress import summary_line, watched
from scythe.cli.output.messages import say
from scythe.content.extract import Method
from scythe.errors import UsageError
from scythe.sources import ReadOptions
from scythe.tree import Limits

if TYPE_CHECKING:
    from scythe.bulk import Summary
    from scythe.bulk.sites.site_pages import GroupWork
    from scythe.bulk.workers.extraction import PageWork

_DEFAULT = ReadOptions()
MEGABYTE = 1_000_000
GOOD = frozenset(
    {
        "ok",
        "list",
        "embedded",
        "truncated",
        "empty",
        "shell",
        "blocked",
        "drifted",
        "duplicate",
    }
)
"""Statuses of pages that were read; all others are failures."""

Inputs = Annotated[
    list[str],
    typer.Argument(
        metavar="INPUT",
        help="WARC files, Parquet tables, JSONL files (all also as s3:// and such), lists of addresses (.txt), folders, "
        "patterns such as 'crawl/*.warc.gz', or - for standard input.",
    ),
]
Out = Annotated[
    str,
    typer.Option(
        "--out",
        "-o",
        metavar="PATH",
        help="A file (.jsonl, .jsonl.gz, .jsonl.zst, .parquet), else a folder that gets shards.",
    ),
]
To = Annotated[
    Literal["documents", "records", "wrapper", "template"],
    typer.Option(
        "--to",
        help="What is made of a page: its content, the records of a list, or what --with reads from it.",
    ),
]
With = Annotated[
    str | None,
    typer.Option(
        "--with",
        "-w",
        metavar="FILE",
        help="The wrapper or the template; with --by-site templates grow by themselves.",
    ),
]
MethodOption = Annotated[
    Method, typer.Option("--method", "-m", help="How the content is found.")
]
ContentOption = Annotated[
    Literal["text", "markdown", "both"],
    typer.Option("--content", "-c", help="How the content is written."),
]
FormatOption = Annotated[
    Literal["jsonl", "jsonl.gz", "jsonl.zst", "parquet"] | None,
    typer.Option(
        "--format", "-f", help="Of the shards in a folder; a file's name says its own."
    ),
]
ShardSize = Annotated[
    int,
    typer.Option(
        "--shard-mb", min=1, metavar="MB", help="The size of a shard, counted as JSON."
    ),
]
Workers = Annotated[
    int | None,
    typer.Option(
        "--workers",
        "-j",
        min=1,
        metavar="N",
        help="Processes; by default one for each core.",
    ),
]
Ray = Annotated[
    str | None,
    typer.Option(
        "--ray",
        metavar="ADDRESS",
        help="Work on a Ray cluster; local starts one on this machine.",
    ),
]
BySite = Annotated[
    bool,
    typer.Option(
        "--by-site",
        help="Group pages by site and leave out what repeats on one; with --to template, grow templates.",
    ),
]
Dedup = Annotated[
    Literal["exact", "near"] | None,
    typer.Option(
        "--dedup",
        help="Keep the content of one page only of those with the same, or nearly the same, text.",
    ),
]
PageSeconds = Annotated[
    float,
    typer.Option(
        "--page-seconds",
        min=0.1,
        metavar="SECONDS",
        help="Processor time after which a page is given up.",
    ),
]
PageMemory = Annotated[
    int,
    typer.Option(
        "--page-memory",
        min=10,
        metavar="MB",
        help="Memory beyond which a page is given up.",
    ),
]
MaxBytes = Annotated[
    int,
    typer.Option("--max-bytes", min=1, metavar="N", help="Where a longer page is cut."),
]
UrlColumn = Annotated[
    str | None,
    typer.Option(
        "--url-column",
        metavar="NAME",
        help="With the addresses, in JSONL and Parquet; else guessed.",
    ),
]
HtmlColumn = Annotated[
    str | None,
    typer.Option(
        "--html-column",
        metavar="NAME",
        help="With the pages, in JSONL and Parquet; else guessed.",
    ),
]
Timeout = Annotated[
    float,
    typer.Option(
        "--timeout", metavar="SECONDS", help="How long one download may take."
    ),
]
UserAgent = Annotated[
    str | None,
    typer.Option(
        "--user-agent",
        metavar="TEXT",
        help="The name given to web servers; by default scythe/VERSION.",
    ),
]
Timings = Annotated[
    bool,
    typer.Option(
        "--timings/--no-timings",
        help="Write how long each page took; no two runs agree on it.",
    ),
]
Restart = Annotated[
    bool,
    typer.Option(
        "--restart",
        help="Begin anew, over an unfinished run or an output that is there.",
    ),
]


def bulk(
    inputs: Inputs,
    out: Out,
    to: To = "documents",
    with_: With = None,
    method: MethodOption = "auto",
    content: ContentOption = "text",
    format: FormatOption = None,  # noqa: A002 - its name on the command line
    shard_mb: ShardSize = 256,
    workers: Workers = None,
    ray: Ray = None,
    by_site: BySite = False,  # noqa: FBT002 - a switch on the command line
    dedup: Dedup = None,
    page_seconds: PageSeconds = 30.0,
    page_memory: PageMemory = 2000,
    max_bytes: MaxBytes = _DEFAULT.max_bytes,
    url_column: UrlColumn = None,
    html_column: HtmlColumn = None,
    timeout: Timeout = _DEFAULT.timeout,
    user_agent: UserAgent = None,
    timings: Timings = True,  # noqa: FBT002 - a switch on the command line
    restart: Restart = False,  # noqa: FBT002 - a switch on the command line
) -> None:
    """Extract all pages of WARC files, Parquet tables, JSONL files, folders or lists
    into one table, on all cores.

    Every page has a row, with a status and the reason where it has no content; no page
    stops another. A run that was ended, however, goes on where it was when the same
    command is given again. The exit code is 0 when the run is whole, also where pages
    failed (the last line counts them), and 2 when the command was wrong.
    """
    from scythe.bulk import Budget, BulkOptions, Reading, run

    reading = ReadOptions(max_bytes=max_bytes, timeout=timeout, user_agent=user_agent)
    options = BulkOptions(
        workers=workers,
        ray=ray,
        reading=Reading(reading, url_column, html_column),
        budget=Budget(page_seconds, page_memory * MEGABYTE),
        duplicates=dedup,
        by_site=by_site,
        timings=timings,
        format=format,
        shard_bytes=shard_mb * MEGABYTE,
        restart=restart,
    )
    work = _work(to, with_, method, content, Limits(max_bytes=max_bytes))
    with watched(to_terminal=sys.stderr.isatty()) as (watch, clock):
        summary = run(inputs, out, work, options, watch)
    say(summary_line(summary.statuses, clock()))
    _warn(summary)


def _work(
    to: str,
    path: str | None,
    method: Method,
    content: Literal["text", "markdown", "both"],
    limits: Limits,
) -> PageWork | GroupWork:
    from scythe.bulk import (
        Documents,
        ListRecords,
        SiteTemplates,
        TemplateRecords,
        WrapperRecords,
    )

    if to == "template" and path is None:
        return SiteTemplates(limits)
    if (to in ("wrapper", "template")) != (path is not None):
        raise UsageError(
            f"--to {to} {'needs a file' if path is None else 'takes no file'}: see --with."
        )
    if to == "wrapper":
        from scythe.wrappers.wrapper import Wrapper

        return WrapperRecords(Wrapper.load(str(path)), limits)
    if to == "template":
        return TemplateRecords.load(str(path), limits)
    return (
        ListRecords(limits) if to == "records" else Documents(method, content, limits)
    )


def _warn(summary: Summary) -> None:
    """One line for each kind of failure, so that none goes unseen in a log."""
    failed = Counter(
        {
            status: number
            for status, number in summary.statuses.items()
            if status not in GOOD
        }
    )
    if failed.total():
        kinds = ", ".join(
            f"{number:,} {status}" for status, number in failed.most_common()
        )
        say(
            f"warning: {failed.total():,} pages have no content ({kinds}): the column `reason` says why."
        )
