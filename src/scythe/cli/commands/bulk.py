"""`scythe bulk`: a crawl's worth of pages into one table."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from scythe.cli.options import (
    DEFAULT_READ,
    CommentsOption,
    Delay,
    FocusOption,
    FrontMatterOption,
    IgnoreRobots,
    ImagesOption,
    LanguageOption,
    LinksOption,
    MaxBytes,
    TablesOption,
    Timeout,
    UserAgent,
)
from scythe.cli.output.messages import (
    print_error,
    print_message,
    print_warning,
    shows_progress,
)
from scythe.cli.output.progress import bulk_progress, summary_line
from scythe.content.extract import Method
from scythe.content.options import DEFAULT_OPTIONS, ExtractOptions
from scythe.errors import UsageError
from scythe.sources import ReadOptions
from scythe.tree import Limits

if TYPE_CHECKING:
    from scythe.bulk import PageExtraction, SiteExtraction, Summary

MEGABYTE = 1_000_000
MAX_NAMED = 5
"""Empty files that a warning names: a bound on what is shown, not tuned."""
READ_STATUSES = frozenset(
    {
        "ok",
        "list",
        "embedded",
        "truncated",
        "empty",
        "shell",
        "blocked",
        "text",
        "drifted",
        "duplicate",
        "other-language",
    }
)
"""Statuses of pages that were read; all others are failures."""

Inputs = Annotated[
    list[str],
    typer.Argument(
        metavar="INPUT",
        help="WARC files, Parquet tables, JSONL files (all also as s3:// and such), "
        "lists of addresses (.txt), folders, patterns such as 'crawl/*.warc.gz', "
        "or - for standard input.",
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
        help="What is extracted from a page: its content, the records of a list, "
        "or what --with reads from it.",
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
        help="Group pages by site and leave out what repeats on one; "
        "with --to template, grow templates.",
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
        help="Start over: remove an unfinished run, or an output that is there.",
    ),
]


def bulk(
    inputs: Inputs,
    out: Out,
    to: To = "documents",
    with_: With = None,
    method: MethodOption = "auto",
    content: ContentOption = "text",
    links: LinksOption = "inline",
    images: ImagesOption = True,  # noqa: FBT002 - a switch on the command line
    tables: TablesOption = "grid",
    front_matter: FrontMatterOption = False,  # noqa: FBT002 - a switch on the command line
    comments: CommentsOption = "out",
    focus: FocusOption = "balanced",
    language: LanguageOption = None,
    format: FormatOption = None,  # noqa: A002 - its name on the command line
    shard_mb: ShardSize = 256,
    workers: Workers = None,
    ray: Ray = None,
    by_site: BySite = False,  # noqa: FBT002 - a switch on the command line
    dedup: Dedup = None,
    page_seconds: PageSeconds = 30.0,
    page_memory: PageMemory = 2000,
    max_bytes: MaxBytes = DEFAULT_READ.max_bytes,
    url_column: UrlColumn = None,
    html_column: HtmlColumn = None,
    timeout: Timeout = DEFAULT_READ.timeout,
    user_agent: UserAgent = None,
    ignore_robots: IgnoreRobots = False,  # noqa: FBT002 - a switch on the command line
    delay: Delay = DEFAULT_READ.delay,
    timings: Timings = True,  # noqa: FBT002 - a switch on the command line
    restart: Restart = False,  # noqa: FBT002 - a switch on the command line
) -> None:
    """Extract all pages of WARC files, Parquet tables, JSONL files, folders or lists
    into one table, on all cores.

    Every page has a row, with a status and the reason where it has no content; no page
    stops another. A run that was ended, however, resumes where it was when the same
    command is given again. The exit code is 0 when the run is complete, also where pages
    failed (the last line counts them), 1 when not one page could be read, and 2 when the
    command was wrong.
    """
    from scythe.bulk import Budget, BulkOptions, InputOptions, run

    read = ReadOptions(
        max_bytes=max_bytes,
        timeout=timeout,
        user_agent=user_agent,
        robots=not ignore_robots,
        delay=delay,
    )
    options = BulkOptions(
        workers=workers,
        ray=ray,
        inputs=InputOptions(read, url_column, html_column),
        budget=Budget(page_seconds, page_memory * MEGABYTE),
        duplicates=dedup,
        by_site=by_site,
        timings=timings,
        format=format,
        shard_bytes=shard_mb * MEGABYTE,
        restart=restart,
    )
    limits = Limits(max_bytes=max_bytes)
    chosen = ExtractOptions(
        links,
        images,
        tables,
        front_matter,
        comments=comments,
        focus=focus,
        language=language,
    )
    _require_used_options(chosen, to, content)
    extraction = _extraction(to, with_, method, content, limits, chosen)
    with bulk_progress(to_terminal=shows_progress()) as (on_progress, elapsed):
        summary = run(inputs, out, extraction, options, on_progress)
    print_message(summary_line(summary.statuses, elapsed(), summary.resumed))
    _warn_of_empty_inputs(summary)
    _warn_of_failures(summary)
    if READ_STATUSES.isdisjoint(+summary.statuses):
        print_error("Not one page could be read. Check the input.")
        raise typer.Exit(1)


def _require_used_options(options: ExtractOptions, to: str, content: str) -> None:
    """Refuse options of which the output would show nothing."""
    if to != "documents" and options != DEFAULT_OPTIONS:
        raise UsageError(
            f"--to {to} takes none of the options of content (--links, --focus, ...). "
            "Leave them out."
        )
    if content == "text" and options.changes_markdown:
        raise UsageError(
            "--links, --no-images, --tables and --front-matter say how Markdown is "
            "written. Give --content markdown or both with them."
        )


def _extraction(
    to: str,
    path: str | None,
    method: Method,
    content: Literal["text", "markdown", "both"],
    limits: Limits,
    options: ExtractOptions,
) -> PageExtraction | SiteExtraction:
    from scythe.bulk import (
        Documents,
        ListRecords,
        SiteTemplates,
        TemplateRecords,
        WrapperRecords,
    )

    if to == "template" and path is None:
        return SiteTemplates(limits)
    if to in ("wrapper", "template"):
        if path is None:
            raise UsageError(f"--to {to} needs a file: see --with.")
    elif path is not None:
        raise UsageError(f"--to {to} takes no file: see --with.")

    if to == "wrapper":
        from scythe.wrappers.wrapper import Wrapper

        return WrapperRecords(Wrapper.load(str(path)), limits)
    if to == "template":
        return TemplateRecords.load(str(path), limits)
    if to == "records":
        return ListRecords(limits)
    return Documents(method, content, limits, options)


def _warn_of_empty_inputs(summary: Summary) -> None:
    """Print which files have nothing in them, which shows in no row."""
    names = summary.empty_inputs
    if not names:
        return
    named = ", ".join(names[:MAX_NAMED])
    more = f" and {len(names) - MAX_NAMED:,} more" if len(names) > MAX_NAMED else ""
    print_warning(f"Nothing is in {named}{more}. Check that it was written whole.")


def _warn_of_failures(summary: Summary) -> None:
    """Print how many pages failed, by kind, so that none goes unseen in a log."""
    failed: Counter[str] = Counter()
    for status, number in summary.statuses.items():
        if status not in READ_STATUSES:
            failed[status] = number
    total = failed.total()
    if not total:
        return
    counts = [f"{number:,} {status}" for status, number in failed.most_common()]
    print_warning(
        f"{total:,} pages have no content ({', '.join(counts)}): "
        "the column `reason` says why."
    )
