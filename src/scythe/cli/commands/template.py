"""`scythe template`: templates grown from pages, applied to others, shown and named."""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from scythe.cli.commands.extract import MaxBytes, Sources, Timeout, UserAgent
from scythe.cli.commands.records import (
    OutFile,
    RowsFormat,
    deliver,
    require_apart,
    require_one,
)
from scythe.cli.output.files import write_whole, write_whole_bytes
from scythe.cli.output.messages import CONTROL, about, one_line, print_message
from scythe.cli.output.rows import MOST_COLUMNS, RowFormat, format_of, table_of
from scythe.errors import ScytheError, UsageError
from scythe.sources import ReadOptions, Source, expand
from scythe.sources.source import is_several
from scythe.tree import Limits, Tree, parse

if TYPE_CHECKING:
    from scythe.templates.template.notices import Update
    from scythe.templates.template.template import Template

_DEFAULT = ReadOptions()
_POOR_FIT = 0.5
"""The share of a page's texts with a place in the template below which it is another
kind of page.
"""

Pages = Annotated[
    list[str],
    typer.Argument(
        metavar="PAGE",
        help="Pages of one kind, each about one thing: two or more, or a folder.",
    ),
]
TemplateFile = Annotated[
    str,
    typer.Argument(
        metavar="TEMPLATE", help="The file that `scythe template induce` wrote."
    ),
]
UpdatedFile = Annotated[
    str | None,
    typer.Option(
        "--out",
        "-o",
        metavar="FILE",
        help="Where the grown template is written; else in its place.",
    ),
]
SlotId = Annotated[
    str,
    typer.Argument(
        metavar="SLOT", help="The slot, as `scythe template show` lists it: s12."
    ),
]
SlotName = Annotated[
    str,
    typer.Argument(
        metavar="NAME", help="What its values are: title, price, ingredients."
    ),
]
SlotType = Annotated[
    str | None,
    typer.Option(
        "--type", metavar="TYPE", help="The type of its values, for other programs."
    ),
]
ExamplePage = Annotated[
    str | None,
    typer.Option("--page", metavar="PAGE", help="A page to draw the template over."),
]
Draw = Annotated[
    str | None,
    typer.Option(
        "--draw",
        metavar="FILE",
        help="Draw the slots over --page: into a page (.html) or a picture (.png).",
    ),
]
TemplateText = Annotated[
    bool,
    typer.Option("--template-text", help="Show also what is the same on all pages."),
]

app = typer.Typer(
    name="template",
    no_args_is_help=True,
    help="Grow, apply and name templates: the attributes of pages that are each about one thing.",
)


@app.command("induce")
def induce(
    pages: Pages,
    out: OutFile = None,
    max_bytes: MaxBytes = _DEFAULT.max_bytes,
    timeout: Timeout = _DEFAULT.timeout,
    user_agent: UserAgent = None,
) -> None:
    """Grow a template from pages of one kind: recipes, products, films, jobs, each page
    about one of them.

    The template is JSON that a person can read. The exit code is 1 when some pages
    could not be read; each is named, and the template is grown from the others.
    """
    from scythe.templates.suggestions.suggestions import suggest
    from scythe.templates.template.template import Template

    require_apart(pages, out)
    reading = ReadOptions(max_bytes=max_bytes, timeout=timeout, user_agent=user_agent)
    sources = list(expand(pages))
    read = [
        (tree, url or source.name) for source, tree, url in _trees(sources, reading)
    ]
    if not read:
        raise typer.Exit(1)
    template = Template.induce(read)
    template.add_suggestions(suggest(template, read))
    _write(template, out)
    proposed = [
        f"{slot.id} {slot.suggestion.name}"
        for slot in template.slots
        if slot.suggestion
    ]
    names = f"; proposed names: {', '.join(proposed)}" if proposed else ""
    print_message(
        one_line(
            f"grown from {template.pages} pages, {len(template.slots)} slots{names}."
        )
    )
    if len(read) < len(sources):
        raise typer.Exit(1)


@app.command("update")
def update(
    template: TemplateFile,
    pages: Pages,
    out: UpdatedFile = None,
    max_bytes: MaxBytes = _DEFAULT.max_bytes,
    timeout: Timeout = _DEFAULT.timeout,
    user_agent: UserAgent = None,
) -> None:
    """Grow a template by more pages, and say what is new on them.

    Names that were given to slots stay. Notices go to standard output, one JSON object
    a line; the template is written in its place, or to --out. The exit code is 1 when
    some pages could not be read.
    """
    from scythe.templates.suggestions.suggestions import suggest
    from scythe.templates.template.template import Template

    require_apart(pages, out)
    known = Template.load(template)
    reading = ReadOptions(max_bytes=max_bytes, timeout=timeout, user_agent=user_agent)
    sources = list(expand(pages))
    read = []
    for source, tree, url in _trees(sources, reading):
        read.append((tree, url or source.name))
        deliver("".join(_notices(known.update(read[-1]))), None)
    if read:
        known.add_suggestions(suggest(known, read))
    known.save(out or template)
    print_message(f"now {known.pages} pages, {len(known.slots)} slots.")
    if len(read) < len(sources):
        raise typer.Exit(1)


def _notices(done: Update) -> Iterator[str]:
    for notice in done.notices:
        values = {
            "page": done.page,
            "kind": str(notice.kind),
            "slot": notice.slot,
            "message": notice.message,
            "examples": [
                {"value": example.value, "page": example.page}
                for example in notice.examples
            ],
        }
        yield _on_terminal(json.dumps(values, ensure_ascii=False)) + "\n"


@app.command("apply")
def apply(
    template: TemplateFile,
    sources: Sources,
    format: RowsFormat = None,  # noqa: A002 - its name on the command line
    out: OutFile = None,
    max_bytes: MaxBytes = _DEFAULT.max_bytes,
    timeout: Timeout = _DEFAULT.timeout,
    user_agent: UserAgent = None,
) -> None:
    """Read pages by a template: one record a page, with the attributes that were named,
    or all slots if none was.

    The exit code is 0 when every page was read, and 1 when some could not be, or are
    pages of another kind (each is named with its reason, the others are still done).
    """
    from scythe.templates.template.template import Template

    require_apart([template, *sources], out)
    known = Template.load(template)
    reading = ReadOptions(max_bytes=max_bytes, timeout=timeout, user_agent=user_agent)
    columns = _columns(known)
    given = list(expand(sources))
    rows: list[dict[str, Any]] = []
    for source, tree, url in _trees(given, reading):
        found = known.extract(tree)
        if found.fit < _POOR_FIT:
            note = f"only {found.fit:.0%} of its texts have a place in the template: it is another kind of page."
            print_message(f"error: {about(source.name, note)}")
            continue
        record = {
            name: [value for slot in slots for value in found.get(slot, ())]
            for name, slots in columns.items()
        }
        rows.append(
            {
                "source": source.name,
                "url": url,
                "fit": round(found.fit, 3),
                "record": record,
            }
        )
    deliver(
        _rendered(
            rows, list(columns), format_of(format, out), several=is_several(sources)
        ),
        out,
    )
    if len(rows) < len(given):
        raise typer.Exit(1)


def _columns(template: Template) -> dict[str, list[str]]:
    """What is read, by name: what an operator named, else every slot under its label or
    id.
    """
    slots = template.slots
    if any(slot.name for slot in slots):
        slots = [slot for slot in slots if slot.name]
    columns: dict[str, list[str]] = {}
    for slot in slots:
        title = (
            slot.title
            if slot.name or slot.title not in columns
            else f"{slot.title} {slot.id}"
        )
        columns.setdefault(title, []).append(slot.id)
    return columns


def _rendered(
    rows: Sequence[dict[str, Any]],
    columns: list[str],
    wanted: RowFormat,
    *,
    several: bool,
) -> str:
    if wanted == "json" and not several:
        return _on_terminal(
            "".join(
                json.dumps(row, ensure_ascii=False, indent=2) + "\n" for row in rows
            )
        )
    if wanted in ("json", "jsonl"):
        return _on_terminal(
            "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        )
    cells = [
        [row["source"], *(" | ".join(row["record"].get(name, ())) for name in columns)]
        for row in rows
    ]
    if wanted == "csv":
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows([["source", *columns], *cells])
        return _on_terminal(text.getvalue())
    if len(rows) == 1:
        pairs = [
            [one_line(name), one_line(cell)]
            for name, cell in zip(columns, cells[0][1:], strict=True)
            if cell
        ]
        return (
            table_of(["slot", "value"], pairs, to_terminal=sys.stdout.isatty())
            if pairs
            else ""
        )
    shown = [[one_line(cell) for cell in row[: MOST_COLUMNS + 1]] for row in cells]
    hidden = len(columns) - MOST_COLUMNS
    more = f"{hidden} more columns: --format csv has them.\n" if hidden > 0 else ""
    names = [one_line(name) for name in ["source", *columns[:MOST_COLUMNS]]]
    return (
        table_of(names, shown, to_terminal=sys.stdout.isatty()) + more if shown else ""
    )


@app.command("show")
def show(
    template: TemplateFile,
    page: ExamplePage = None,
    draw: Draw = None,
    template_text: TemplateText = False,  # noqa: FBT002 - an option of the command line
    max_bytes: MaxBytes = _DEFAULT.max_bytes,
    timeout: Timeout = _DEFAULT.timeout,
    user_agent: UserAgent = None,
) -> None:
    """Print a template as a tree: where its slots stand, on how many pages, with
    examples; or draw it over a page.
    """
    from scythe.templates.template.preview import draw_template, tree_text
    from scythe.templates.template.template import Template

    known = Template.load(template)
    if (page is None) != (draw is None):
        raise UsageError(
            "--draw needs a page to draw over, and --page a file to draw into. Give both."
        )
    if page is None or draw is None:
        deliver(_on_terminal(tree_text(known, template_text=template_text)), None)
        return
    require_one(page)
    require_apart([template, page], draw)
    if not draw.lower().endswith((".html", ".htm", ".png")):
        raise UsageError(
            f"--draw {draw}: templates are drawn into a page or a picture. Give a name that ends in .html or .png."
        )
    from scythe.cli.browser import Eyes

    with Eyes(
        ReadOptions(max_bytes=max_bytes, timeout=timeout, user_agent=user_agent),
        render=False,
    ) as eyes:
        seen = eyes.see(next(iter(expand([page]))))
        drawn = draw_template(known, seen.html, seen.tree, seen.url)
        if draw.lower().endswith(".png"):
            write_whole_bytes(Path(draw), eyes.picture(drawn, seen.url))
        else:
            write_whole(Path(draw), drawn)


@app.command("name")
def name(
    template: TemplateFile, slot: SlotId, name: SlotName, type: SlotType = None
) -> None:
    """Give a slot of a template a name and a type, which stay whatever pages come."""
    from scythe.templates.template.template import Template

    known = Template.load(template)
    known.name(slot, name, type)
    known.save(template)
    print_message(
        one_line(
            f"{slot} is {name} now, as in: {' | '.join(example.value for example in known.slot(slot).examples[:3])}"
        )
    )


def _trees(
    sources: Sequence[Source], reading: ReadOptions
) -> Iterator[tuple[Source, Tree, str | None]]:
    """The pages that can be read; the others are named."""
    for source in sources:
        try:
            page = source.read(reading)
            yield (
                source,
                parse(page.data, Limits(max_bytes=reading.max_bytes), page.charset),
                page.url,
            )
        except ScytheError as error:
            print_message(f"error: {about(source.name, str(error))}")


def _write(template: Template, out: str | None) -> None:
    if out is not None:
        template.save(out)
    else:
        deliver(_on_terminal(template.as_text()), None)


def _on_terminal(text: str) -> str:
    """What may hold characters of a page, without those that steer a terminal."""
    return CONTROL.sub("\ufffd", text) if sys.stdout.isatty() else text
