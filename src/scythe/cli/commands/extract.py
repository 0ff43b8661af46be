"""`scythe extract`: the main content of pages."""

from __future__ import annotations

import sys
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import closing
from functools import partial
from operator import attrgetter
from typing import Annotated, Any, Literal

import typer
from typer.core import TyperCommand

from scythe.cli.extraction import (
    ExtractOutcome,
    ExtractSettings,
    extract_site,
    extract_source,
)
from scythe.cli.options import (
    DEFAULT_READ,
    CommentsOption,
    Delay,
    DroppedOption,
    FocusOption,
    FrontMatterOption,
    IgnoreRobots,
    ImagesOption,
    LanguageOption,
    LinksOption,
    MaxBytes,
    Sources,
    TablesOption,
    Timeout,
    Url,
    UserAgent,
    require_url_of_file,
)
from scythe.cli.output.files import Destination, choose_destination
from scythe.cli.output.messages import (
    print_error,
    print_message,
    print_warning,
    shows_progress,
)
from scythe.cli.output.progress import progress_bar
from scythe.cli.output.rendering import Format
from scythe.content.extract import Extractor, Method, Render, resolve_method
from scythe.content.methods.ad_servers import AdServers
from scythe.content.methods.lbda import Lbda
from scythe.content.options import ExtractOptions
from scythe.errors import UsageError
from scythe.processes import cores
from scythe.sources import ReadOptions, Source, expand
from scythe.sources.pacing import shared_pace_file
from scythe.sources.source import is_several
from scythe.tree.encoding import codec_of

_DIED = ExtractOutcome(
    error="the process that worked on it died, perhaps for lack of memory. "
    "Give a smaller --max-bytes or fewer --jobs."
)

MethodOption = Annotated[
    str,
    typer.Option(
        "--method",
        "-m",
        metavar="METHOD",
        help="How the content is found: auto, learned, econ, econ+, coreex, lbda, or a plug-in.",
    ),
]
FormatOption = Annotated[
    Format,
    typer.Option(
        "--format",
        "-f",
        help="What is written: Markdown, plain text, a web page, XML, TEI or JSON.",
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
AdList = Annotated[
    str | None,
    typer.Option(
        "--ad-list",
        metavar="FILE",
        help="More advertisement servers for --method lbda: names, hosts or Adblock.",
    ),
]
Charset = Annotated[
    str | None,
    typer.Option(
        "--charset",
        metavar="NAME",
        help="The charset of the pages, whatever they or their server declare.",
    ),
]
RenderOption = Annotated[
    Literal["always", "auto", "never"],
    typer.Option(
        "--render",
        help="Run the scripts of pages in a browser: always (also as --render alone), "
        "or auto, where a page has no content without them.",
    ),
]
SameSite = Annotated[
    bool,
    typer.Option(
        "--same-site",
        help="The sources are pages of one site: leave out what they share.",
    ),
]


_RENDER_VALUES: Mapping[str, Render] = {"always": True, "auto": "auto", "never": False}


class ExtractCommand(TyperCommand):
    """The command, in which `--render` may stand without a value."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the arguments; `--render` before anything but a value of it means
        `--render always`.
        """
        complete: list[str] = []
        for number, argument in enumerate(args):
            complete.append(argument)
            following = args[number + 1 : number + 2]
            has_value = bool(set(following) & _RENDER_VALUES.keys())
            if argument == "--render" and not has_value:
                complete.append("always")
        return super().parse_args(ctx, complete)


COMMAND_CLASS = ExtractCommand


def extract(
    sources: Sources,
    method: MethodOption = "auto",
    format: FormatOption = "md",  # noqa: A002 - its name on the command line
    out: Out = None,
    links: LinksOption = "inline",
    images: ImagesOption = True,  # noqa: FBT002 - a switch on the command line
    tables: TablesOption = "grid",
    front_matter: FrontMatterOption = False,  # noqa: FBT002 - a switch on the command line
    dropped: DroppedOption = False,  # noqa: FBT002 - a switch on the command line
    comments: CommentsOption = "out",
    focus: FocusOption = "balanced",
    language: LanguageOption = None,
    url: Url = None,
    charset: Charset = None,
    render: RenderOption = "never",
    jobs: Jobs = None,
    max_bytes: MaxBytes = DEFAULT_READ.max_bytes,
    timeout: Timeout = DEFAULT_READ.timeout,
    user_agent: UserAgent = None,
    ignore_robots: IgnoreRobots = False,  # noqa: FBT002 - a switch on the command line
    delay: Delay = DEFAULT_READ.delay,
    ad_list: AdList = None,
    same_site: SameSite = False,  # noqa: FBT002 - a switch on the command line
) -> None:
    """Extract the main content of pages: the text without navigation, advertisements
    and page furniture.

    Results go to standard output, messages to standard error. The exit code is 0 when
    every source gave a result, 1 when some failed (each is named with its reason, the
    others are still done) or build their content by script and were not rendered, and 2
    when the command was wrong.
    """
    several = is_several(sources)
    require_url_of_file(url, sources)
    options = ExtractOptions(
        links, images, tables, front_matter, dropped, comments, focus, language
    )
    _require_format(options, format)
    if charset is not None and codec_of(charset) is None:
        raise UsageError(
            f"--charset {charset}: there is no such charset. "
            "Give a name such as utf-8, gb18030 or windows-1251."
        )
    extractor = _method_with_ad_list(method, ad_list)
    resolve_method(extractor, focus)  # refuses a focus that the method does not have
    read_options = ReadOptions(
        max_bytes=max_bytes,
        timeout=timeout,
        user_agent=user_agent,
        robots=not ignore_robots,
        delay=delay,
    )
    settings = ExtractSettings(
        extractor,
        format,
        read_options,
        on_one_line=several and out is None,
        options=options,
        charset=charset,
        render=_RENDER_VALUES[render],
    )
    if same_site and render != "never":
        raise UsageError(
            "--same-site compares pages as they were sent. Leave --render out."
        )
    destination = choose_destination(out, sources, format)

    def expanded() -> Iterator[Source]:
        return iter(expand(sources, url))

    def count() -> int:
        return sum(1 for _ in expanded())

    if same_site:
        outcomes = extract_site(settings, expanded())
    else:
        # Pages that are rendered share one browser, and so one process.
        one_process = not several or settings.render is not False
        outcomes = _extract_all(settings, 1 if one_process else jobs, expanded())
    writes_elsewhere = out is not None or not sys.stdout.isatty()
    shows_bar = several and shows_progress() and writes_elsewhere
    written = []
    with progress_bar(count if shows_bar else None) as advance, closing(outcomes):
        for source, outcome in outcomes:
            written.append(_write_outcome(source, outcome, destination))
            advance()

    failed = written.count(False)
    if failed and several:
        print_message(f"{failed} of {len(written)} sources failed.")
    if failed:
        raise typer.Exit(1)


def _require_format(options: ExtractOptions, format_: str) -> None:
    """Refuse options that the format has no room for."""
    if options.front_matter and format_ not in ("md", "json"):
        raise UsageError(
            "--front-matter is a part of Markdown. Give --format md or json with it."
        )
    if options.dropped and format_ != "json":
        raise UsageError(
            "--dropped lists what was left out, beside the content. "
            "Give --format json with it."
        )


def _method_with_ad_list(method: Method, path: str | None) -> Method | Extractor:
    if path is None:
        return method
    if method != "lbda":
        raise UsageError(
            "--ad-list is read by one method only. Give --method lbda with it."
        )
    return Lbda(AdServers.known() | AdServers.read(path))


def _extract_all(
    settings: ExtractSettings, jobs: int | None, sources: Iterable[Source]
) -> Generator[tuple[Source, ExtractOutcome], None, None]:
    """Yield every source with its outcome, in order."""
    if jobs == 1:
        for source in sources:
            yield source, extract_source(settings, source)
        return

    from scythe.cli.parallel import WorkerPool

    is_process_local = attrgetter("is_process_local")
    with shared_pace_file() as path:
        function = partial(extract_source, settings.paced_by(path))
        pool = WorkerPool(function, jobs or cores(), preload="scythe.cli.main")
        with closing(pool.map(sources, is_process_local)) as results:
            for source, outcome in results:
                yield source, outcome or _DIED


def _write_outcome(
    source: Source, outcome: ExtractOutcome, destination: Destination
) -> bool:
    """Write a result and the messages about it; return whether it was a success."""
    path = destination.claim(source)
    if outcome.error is not None:
        print_error(outcome.error, source.name)
    if outcome.rendering is None:
        return False
    for warning in outcome.warnings:
        print_warning(warning, source.name)
    try:
        destination.write(path, source, outcome.rendering)
    except BrokenPipeError:
        raise
    except OSError as error:
        target = path or "to standard output"
        print_error(
            f"cannot write {target}: {error.strerror}. "
            "Check the path, its permissions and the free space."
        )
        return False
    return outcome.error is None
