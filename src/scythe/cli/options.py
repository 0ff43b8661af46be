"""Arguments and options that several commands have, and checks of what they were given."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Annotated

import typer

from scythe.cli.output.rows import RowFormat
from scythe.content.options import CommentChoice, Focus, LinkStyle, TableStyle
from scythe.errors import UsageError
from scythe.sources import ReadOptions
from scythe.sources.source import is_several, is_url

DEFAULT_READ = ReadOptions()
_PREVIEW_EXTENSIONS = (".html", ".htm", ".png")

Sources = Annotated[
    list[str],
    typer.Argument(
        metavar="SOURCE",
        help="Web addresses, files (also .gz), folders, or - for standard input.",
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
IgnoreRobots = Annotated[
    bool,
    typer.Option(
        "--ignore-robots",
        help="Fetch what robots.txt forbids: for sites of your own.",
    ),
]
Delay = Annotated[
    float,
    typer.Option(
        "--delay",
        min=0.0,
        metavar="SECONDS",
        help="Least time between two requests to a host; its robots.txt may ask for more.",
    ),
]
Render = Annotated[
    bool | None,
    typer.Option(
        "--render/--no-render",
        help="Render pages in a browser; web addresses are opened in it, scripts and all. "
        "By default a browser lays out what was read, if there is one.",
    ),
]
RowsFormat = Annotated[
    RowFormat | None,
    typer.Option(
        "--format",
        "-f",
        metavar="FORMAT",
        help="What is written: table, json, jsonl, csv, xlsx or the format of a plug-in; "
        "by default by the extension of --out, else a table.",
    ),
]
AllColumns = Annotated[
    bool,
    typer.Option(
        "--all-columns",
        help="Also columns that few records have, and those that say the same in all.",
    ),
]
OutFile = Annotated[
    str | None,
    typer.Option(
        "--out", "-o", metavar="FILE", help="Where it is written; else standard output."
    ),
]
LinksOption = Annotated[
    LinkStyle,
    typer.Option(
        "--links",
        help="Where the addresses of links stand: with their text, in a list at the end, "
        "or nowhere.",
    ),
]
ImagesOption = Annotated[
    bool,
    typer.Option("--images/--no-images", help="Show pictures and their captions."),
]
TablesOption = Annotated[
    TableStyle,
    typer.Option("--tables", help="Write a table as one, or each row as a line."),
]
FrontMatterOption = Annotated[
    bool,
    typer.Option(
        "--front-matter", help="Begin Markdown with the metadata, as YAML front matter."
    ),
]
DroppedOption = Annotated[
    bool,
    typer.Option(
        "--dropped", help="List in JSON what was left out, and why: navigation, ..."
    ),
]
CommentsOption = Annotated[
    CommentChoice,
    typer.Option(
        "--comments",
        help="Whether the comments of readers belong to a text: always, never, or as the "
        "method decides.",
    ),
]
FocusOption = Annotated[
    Focus,
    typer.Option(
        "--focus",
        help="What to favour in doubt: that all that is written is content (precision), "
        "or that all content is written (recall).",
    ),
]
LanguageOption = Annotated[
    str | None,
    typer.Option(
        "--language",
        metavar="TAG",
        help="Leave out the content of pages in another language, such as en or pt-BR.",
    ),
]
Database = Annotated[
    str | None,
    typer.Option(
        "--db",
        metavar="URL",
        show_default=False,  # it may have a password
        help="The database: a file, or postgresql://...; "
        "by default SCYTHE_DB, else in your data folder.",
    ),
]


def require_url_of_file(url: str | None, names: Sequence[str]) -> None:
    """Refuse --url where there is not one file or standard input that it could be of."""
    if url is None:
        return
    if is_several(names) or is_url(names[0]):
        raise UsageError(
            "--url is the address of one file or of standard input. "
            "Give one such source, or leave --url out."
        )
    if not is_url(url):
        raise UsageError(
            f"--url {url} is not a web address. It must begin with https:// or http://."
        )


def require_single_page(source: str) -> None:
    """Refuse a folder where one page is needed."""
    if is_several([source]):
        raise UsageError(
            f"{source} is a folder, and this takes one page. "
            "Name a page, or use `scythe wrapper` for many."
        )


def require_other_files(names: Sequence[str], *outputs: str | None) -> None:
    """Refuse to write over what is read."""
    inputs = {os.path.realpath(name) for name in names}
    for output in outputs:
        if output is None:
            continue
        if os.path.realpath(output) in inputs:
            raise UsageError(
                f"{output} is a source, and would be written over. Give another name."
            )


def require_preview_file(option: str, content: str, path: str) -> None:
    """Refuse to draw into anything but a page or a picture."""
    if not path.lower().endswith(_PREVIEW_EXTENSIONS):
        raise UsageError(
            f"{option} {path}: {content} are drawn into a page or a picture. "
            "Give a name that ends in .html or .png."
        )
