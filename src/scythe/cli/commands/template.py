"""`scythe template`: templates grown from pages, applied to others, shown and named."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from scythe.cli.browser import PageLoader
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
    require_preview_file,
    require_single_page,
)
from scythe.cli.output.files import write_page_text
from scythe.cli.output.messages import print_error, print_message
from scythe.cli.output.progress import with_progress
from scythe.cli.output.rows import choose_format, write_rows
from scythe.cli.output.template_rows import (
    PageRecordRow,
    render_template_rows,
    template_columns,
)
from scythe.errors import ScytheError, UsageError
from scythe.sources import ReadOptions, Source, expand
from scythe.sources.source import is_several
from scythe.tree import Limits, Tree, parse

if TYPE_CHECKING:
    from scythe.templates.template.notices import Update

_MIN_FIT = 0.5
"""The share of a page's texts with a slot in the template below which it is another kind
of page; not tuned.
"""
_NAMED_EXAMPLES = 3
"""Examples that are printed with a new name: a choice of layout."""

Pages = Annotated[
    list[str],
    typer.Argument(
        metavar="PAGE",
        help="Pages of one kind, each about one record: two or more, or a folder.",
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
        help="Where the grown template is written; else over the old one.",
    ),
]
SlotArgument = Annotated[
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
    help="Grow, apply and name templates: the fields of pages that are each about one record.",
)


@app.command("induce")
def induce(
    pages: Pages,
    out: OutFile = None,
    max_bytes: MaxBytes = DEFAULT_READ.max_bytes,
    timeout: Timeout = DEFAULT_READ.timeout,
    user_agent: UserAgent = None,
    ignore_robots: IgnoreRobots = False,  # noqa: FBT002 - a switch on the command line
) -> None:
    """Grow a template from pages of one kind: recipes, products, films, jobs, each page
    about one of them.

    The template is JSON that a person can read. The exit code is 1 when some pages
    could not be read; each is named, and the template is grown from the others.
    """
    from scythe.templates.suggestions.suggestions import suggest
    from scythe.templates.template.template import Template

    require_other_files(pages, out)
    options = ReadOptions(
        max_bytes=max_bytes,
        timeout=timeout,
        user_agent=user_agent,
        robots=not ignore_robots,
    )
    sources = list(expand(pages))
    read = []
    for source, tree, url in _parse_pages(with_progress(sources), options):
        read.append((tree, url or source.name))
    if not read:
        raise typer.Exit(1)

    template = Template.induce(read)
    template.add_suggestions(suggest(template, read))
    if out is not None:
        template.save(out)
    else:
        write_page_text(template.as_text())

    suggested = [
        f"{slot.id} {slot.suggestion.name}"
        for slot in template.slots
        if slot.suggestion
    ]
    names = f"; suggested names: {', '.join(suggested)}" if suggested else ""
    print_message(
        f"grown from {template.pages} pages, {len(template.slots)} slots{names}."
    )
    if len(read) < len(sources):
        raise typer.Exit(1)


@app.command("update")
def update(
    template: TemplateFile,
    pages: Pages,
    out: UpdatedFile = None,
    max_bytes: MaxBytes = DEFAULT_READ.max_bytes,
    timeout: Timeout = DEFAULT_READ.timeout,
    user_agent: UserAgent = None,
    ignore_robots: IgnoreRobots = False,  # noqa: FBT002 - a switch on the command line
) -> None:
    """Grow a template by more pages, and print what is new on them.

    Names that were given to slots stay. Notices go to standard output, one JSON object
    a line; the template is written over the old one, or to --out. The exit code is 1
    when some pages could not be read.
    """
    from scythe.templates.suggestions.suggestions import suggest
    from scythe.templates.template.template import Template

    require_other_files(pages, out)
    loaded = Template.load(template)
    options = ReadOptions(
        max_bytes=max_bytes,
        timeout=timeout,
        user_agent=user_agent,
        robots=not ignore_robots,
    )
    sources = list(expand(pages))
    read = []
    for source, tree, url in _parse_pages(sources, options):
        page = (tree, url or source.name)
        read.append(page)
        notices = _notice_lines(loaded.update(page))
        write_page_text("".join(notices))

    if read:
        loaded.add_suggestions(suggest(loaded, read))
    loaded.save(out or template)
    print_message(f"now {loaded.pages} pages, {len(loaded.slots)} slots.")
    if len(read) < len(sources):
        raise typer.Exit(1)


def _notice_lines(update: Update) -> Iterator[str]:
    for notice in update.notices:
        examples = [
            {"value": example.value, "page": example.page}
            for example in notice.examples
        ]
        values = {
            "page": update.page,
            "kind": str(notice.kind),
            "slot": notice.slot,
            "message": notice.message,
            "examples": examples,
            "pages": notice.pages,
            "affects_named": notice.affects_named,
        }
        yield json.dumps(values, ensure_ascii=False) + "\n"


@app.command("apply")
def apply(
    template: TemplateFile,
    sources: Sources,
    format: RowsFormat = None,  # noqa: A002 - its name on the command line
    out: OutFile = None,
    max_bytes: MaxBytes = DEFAULT_READ.max_bytes,
    timeout: Timeout = DEFAULT_READ.timeout,
    user_agent: UserAgent = None,
    ignore_robots: IgnoreRobots = False,  # noqa: FBT002 - a switch on the command line
) -> None:
    """Read pages by a template: one record a page, with the slots that were named, or
    all slots if none was.

    The exit code is 0 when every page was read, and 1 when some could not be, or are
    pages of another kind (each is named with its reason, the others are still done).
    """
    from scythe.templates.template.template import Template

    require_other_files([template, *sources], out)
    row_format = choose_format(format, out)
    loaded = Template.load(template)
    options = ReadOptions(
        max_bytes=max_bytes,
        timeout=timeout,
        user_agent=user_agent,
        robots=not ignore_robots,
    )
    columns = template_columns(loaded)
    page_sources = list(expand(sources))
    rows = []
    for source, tree, url in _parse_pages(with_progress(page_sources), options):
        extracted = loaded.extract(tree)
        if extracted.fit < _MIN_FIT:
            print_error(
                f"only {extracted.fit:.0%} of its texts have a slot in the template: "
                "it is another kind of page.",
                source.name,
            )
            continue
        row = PageRecordRow.from_extracted(source.name, url, extracted, columns)
        rows.append(row)

    text = render_template_rows(
        rows,
        list(columns),
        row_format,
        several=is_several(sources),
    )
    write_rows(text, out, row_format)
    if len(rows) < len(page_sources):
        raise typer.Exit(1)


@app.command("show")
def show(
    template: TemplateFile,
    page: ExamplePage = None,
    draw: Draw = None,
    template_text: TemplateText = False,  # noqa: FBT002 - an option of the command line
    max_bytes: MaxBytes = DEFAULT_READ.max_bytes,
    timeout: Timeout = DEFAULT_READ.timeout,
    user_agent: UserAgent = None,
    ignore_robots: IgnoreRobots = False,  # noqa: FBT002 - a switch on the command line
) -> None:
    """Print a template as a tree: where its slots are, on how many pages, with examples;
    or draw it over a page.
    """
    from scythe.templates.template.preview import draw_template, tree_text
    from scythe.templates.template.template import Template

    loaded = Template.load(template)
    if (page is None) != (draw is None):
        raise UsageError(
            "--draw needs a page to draw over, and --page a file to draw into. Give both."
        )
    if page is None or draw is None:
        write_page_text(tree_text(loaded, template_text=template_text))
        return

    require_single_page(page)
    require_other_files([template, page], draw)
    require_preview_file("--draw", "templates", draw)
    options = ReadOptions(
        max_bytes=max_bytes,
        timeout=timeout,
        user_agent=user_agent,
        robots=not ignore_robots,
    )
    with PageLoader(options, render=False) as loader:
        (source,) = expand([page])
        loaded_page = loader.load(source)
        url = loaded_page.url
        preview = draw_template(loaded, loaded_page.html, loaded_page.tree, url)
        loader.write_preview(draw, preview, url)


@app.command("name")
def name(
    template: TemplateFile,
    slot: SlotArgument,
    name: SlotName,
    type: SlotType = None,  # noqa: A002 - its name on the command line
) -> None:
    """Give a slot of a template a name and a type, which stay whatever pages come."""
    from scythe.templates.template.template import Template

    loaded = Template.load(template)
    loaded.name(slot, name, type)
    loaded.save(template)
    examples = [example.value for example in loaded.slot(slot).examples]
    values = " | ".join(examples[:_NAMED_EXAMPLES])
    print_message(f"{slot} is {name} now, as in: {values}")


def _parse_pages(
    sources: Iterable[Source], options: ReadOptions
) -> Iterator[tuple[Source, Tree, str | None]]:
    """Yield the pages that can be read; the others are named."""
    limits = Limits(max_bytes=options.max_bytes)
    for source in sources:
        try:
            page = source.read(options)
            tree = parse(page.data, limits, page.charset)
        except ScytheError as error:
            print_error(str(error), source.name)
            continue
        yield source, tree, page.url
