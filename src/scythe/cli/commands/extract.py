"""`scythe extract`: the main content of pages."""

from __future__ import annotations

import sys
from collections.abc import Generator, Iterable
from contextlib import closing
from functools import partial
from operator import attrgetter
from typing import Annotated

import typer

from scythe.cli.extraction import Job, Outcome, perform, perform_together
from scythe.cli.output.files import Destination, destination
from scythe.cli.output.messages import about, print_message, progress
from scythe.cli.output.rendering import Format
from scythe.content.extract import Extractor, Method
from scythe.content.methods.ad_servers import AdServers
from scythe.content.methods.lbda import Lbda
from scythe.errors import UsageError
from scythe.sources import ReadOptions, Source, expand
from scythe.sources.source import is_several, is_url

_DEFAULT = ReadOptions()
_DIED = Outcome(
    error="the process that worked on it died, perhaps for lack of memory. Give a smaller --max-bytes or fewer --jobs."
)

Sources = Annotated[
    list[str],
    typer.Argument(
        metavar="SOURCE",
        help="Web addresses, files (also .gz), folders, or - for standard input.",
    ),
]
MethodOption = Annotated[
    Method, typer.Option("--method", "-m", help="How the content is found.")
]
FormatOption = Annotated[
    Format,
    typer.Option(
        "--format",
        "-f",
        help="What is written: Markdown, plain text, a web page or JSON.",
    ),
]
Out = Annotated[
    str | None,
    typer.Option(
        "--out",
        "-o",
        metavar="PATH",
        help="A file for one source, a folder for several; else standard output.",
    ),
]
Url = Annotated[
    str | None,
    typer.Option(
        "--url",
        metavar="URL",
        help="The address that a file or standard input came from, for its relative links.",
    ),
]
Jobs = Annotated[
    int | None,
    typer.Option(
        "--jobs",
        "-j",
        min=1,
        metavar="N",
        help="Sources worked on at once; by default one per core.",
    ),
]
MaxBytes = Annotated[
    int,
    typer.Option("--max-bytes", min=1, metavar="N", help="Where a longer page is cut."),
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

AdList = Annotated[
    str | None,
    typer.Option(
        "--ad-list",
        metavar="FILE",
        help="More advertisement servers for --method lbda: names, hosts or Adblock.",
    ),
]
SameSite = Annotated[
    bool,
    typer.Option(
        "--same-site",
        help="The sources are pages of one site: leave out what they share.",
    ),
]


def extract(
    sources: Sources,
    method: MethodOption = "auto",
    format: FormatOption = "md",  # noqa: A002 - its name on the command line
    out: Out = None,
    url: Url = None,
    jobs: Jobs = None,
    max_bytes: MaxBytes = _DEFAULT.max_bytes,
    timeout: Timeout = _DEFAULT.timeout,
    user_agent: UserAgent = None,
    ad_list: AdList = None,
    same_site: SameSite = False,  # noqa: FBT002 - a switch on the command line
) -> None:
    """Extract the main content of pages: the text without navigation, advertisements
    and page furniture.

    Results go to standard output, messages to standard error. The exit code is 0 when
    every source gave a result, 1 when some failed (each is named with its reason, the
    others are still done), and 2 when the command was wrong.
    """
    several = is_several(sources)
    require_one_page(url, sources)
    reading = ReadOptions(max_bytes=max_bytes, timeout=timeout, user_agent=user_agent)
    job = Job(
        _with_ad_list(method, ad_list),
        format,
        reading,
        on_one_line=several and out is None,
    )
    target = destination(out, sources, format)
    listed = partial(expand, sources, url)
    shows_progress = (
        several and sys.stderr.isatty() and (out is not None or not sys.stdout.isatty())
    )
    counted = (lambda: sum(1 for _ in listed())) if shows_progress else None
    outcomes_of = (
        partial(perform_together, job)
        if same_site
        else partial(_outcomes, job, jobs if several else 1)
    )
    with progress(counted) as advance, closing(outcomes_of(listed())) as outcomes:
        delivered = []
        for source, outcome in outcomes:
            delivered.append(_deliver(source, outcome, target))
            advance()
    if not all(delivered):
        if several:
            print_message(
                f"{delivered.count(False)} of {len(delivered)} sources failed."
            )
        raise typer.Exit(1)


def require_one_page(url: str | None, names: list[str]) -> None:
    """Refuse an address where there is not one page that it could be of."""
    if url is None:
        return
    if is_several(names) or is_url(names[0]):
        raise UsageError(
            "--url is the address of one file or of standard input. Give one such source, or leave --url out."
        )
    if not is_url(url):
        raise UsageError(
            f"--url {url} is not a web address. It must begin with https:// or http://."
        )


def _with_ad_list(method: Method, path: str | None) -> Method | Extractor:
    if path is None:
        return method
    if method != "lbda":
        raise UsageError(
            "--ad-list is read by one method only. Give --method lbda with it."
        )
    return Lbda(AdServers.known() | AdServers.read(path))


def _outcomes(
    job: Job, jobs: int | None, sources: Iterable[Source]
) -> Generator[tuple[Source, Outcome], None, None]:
    """Every source with what became of it, in order."""
    work = partial(perform, job)
    if jobs == 1:
        yield from ((source, work(source)) for source in sources)
        return
    from scythe.cli.parallel import Crew, cores

    crew = Crew(work, jobs or cores(), preload="scythe.cli.main")
    with closing(
        crew.map(sources, is_bound_here=attrgetter("is_process_local"))
    ) as results:
        for source, outcome in results:
            yield source, outcome or _DIED


def _deliver(source: Source, outcome: Outcome, target: Destination) -> bool:
    """Hand on a result and what there is to say about it; whether there was one."""
    path = target.claim(source)
    if outcome.rendering is None:
        print_message(f"error: {about(source.name, outcome.error or '')}")
        return False
    for warning in outcome.warnings:
        print_message(f"warning: {about(source.name, warning)}")
    try:
        target.write(path, source, outcome.rendering)
    except BrokenPipeError:
        raise
    except OSError as error:
        place = path or "to standard output"
        print_message(
            f"error: cannot write {place}: {error.strerror}. Check the path, its permissions and the free space."
        )
        return False
    return True
