"""`scythe engine`: search engines from a URL, kept in a database."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from scythe.cli.database import open_registry
from scythe.cli.options import Database, OutFile, Render, RowsFormat
from scythe.cli.output.files import write_page_text, write_result
from scythe.cli.output.messages import print_error, print_message, print_warning
from scythe.cli.output.progress import ShowDetail, status_line
from scythe.cli.output.rows import choose_format, write_rows
from scythe.errors import ScytheError, UsageError

if TYPE_CHECKING:
    from scythe.engines.engine import Engine
    from scythe.engines.registry.export import ResultAddresses

Target = Literal["searxng", "scrapy"]
ViewFormat = Literal["text", "json"]
ListFormat = Literal["table", "json"]

Url = Annotated[
    str,
    typer.Argument(
        metavar="URL",
        help="The page with the search form, or an OpenSearch description.",
    ),
]
NewName = Annotated[
    str | None,
    typer.Option(
        "--name",
        metavar="NAME",
        help="What the engine is called; by default the name of its site.",
    ),
]
Weight = Annotated[
    float,
    typer.Option(
        "--weight", metavar="W", help="How much it counts among others; 1 is usual."
    ),
]
NewWeight = Annotated[
    float,
    typer.Argument(
        metavar="WEIGHT",
        help="How much it counts among others; 1 is usual, 0 is least.",
    ),
]
Name = Annotated[
    str,
    typer.Argument(metavar="NAME", help="An engine, as `scythe engine list` names it."),
]
Names = Annotated[
    list[str],
    typer.Argument(metavar="NAME", help="Engines, as `scythe engine list` names them."),
]
SomeNames = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[NAME]",
        help="Engines, as `scythe engine list` names them; by default all.",
    ),
]
DueNames = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[NAME]",
        help="Engines to learn again; by default those that seem to have changed.",
    ),
]
Queries = Annotated[
    int,
    typer.Option(
        "--queries",
        metavar="N",
        help="Queries in all, earlier runs included; 0 only writes what there is.",
    ),
]
Pages = Annotated[
    int,
    typer.Option(
        "--pages", min=1, metavar="N", help="Result pages to read for each query."
    ),
]
Anew = Annotated[bool, typer.Option("--anew", help="Remove what was harvested before.")]
To = Annotated[Target, typer.Option("--to", help="The program that is to search.")]
Ask = Annotated[
    bool,
    typer.Option(
        "--ask/--no-ask",
        help="Ask each engine once how its pages are numbered (for SearXNG).",
    ),
]
View = Annotated[
    ViewFormat,
    typer.Option("--format", "-f", help="Text to read, or JSON with every version."),
]
Listing = Annotated[
    ListFormat, typer.Option("--format", "-f", help="A table, or JSON.")
]

app = typer.Typer(
    name="engine",
    no_args_is_help=True,
    help="Search engines: add, check, relearn, harvest and export them.",
)


def _progress_callback(show_detail: ShowDetail) -> Callable[[str, str], None]:
    """Return what discovery calls with a stage and its detail."""

    def on_progress(stage: str, detail: str) -> None:
        show_detail(f"{stage} {detail}")

    return on_progress


@app.command("add")
def add(
    url: Url,
    name: NewName = None,
    weight: Weight = 1.0,
    render: Render = None,
    db: Database = None,
) -> None:
    """Learn a search engine from the address of its search page, and store it.

    The form is found, sample queries are sent (politely, as robots.txt allows), and the
    records of the result pages are learned and checked. Nothing is stored where that
    fails; the exit code is then 1, and the message says what to do.
    """
    from scythe.cli.output.engine_views import engine_summary
    from scythe.engines.discovery.discover import DiscoverOptions
    from scythe.engines.engine import Engine
    from scythe.engines.registry.registry import require_weight

    require_weight(weight)
    with open_registry(db) as registry:
        registry.require_new(name, url)
        options = DiscoverOptions(name=name, render=render)
        with status_line(f"adding {url}") as show_detail:
            on_progress = _progress_callback(show_detail)
            engine = Engine.discover(url, options=options, progress=on_progress)
        known = registry.add(engine, weight=weight, number_if_taken=name is None)
    write_page_text(f"added {engine_summary(known)}\n")


@app.command("list")
def list_engines(format: Listing = "table", db: Database = None) -> None:  # noqa: A002 - its name on the command line
    """List all engines with their health, as real searches have shown it."""
    from scythe.cli.output.engine_views import engine_table, health_values

    with open_registry(db) as registry:
        engines = [(known, registry.health(known)) for known in registry.all()]
    if format == "json":
        values = []
        for known, health in engines:
            row = {
                "name": known.name,
                "home": known.engine.home,
                "version": known.engine.version,
                "weight": known.weight,
                "health": health_values(health),
            }
            values.append(row)
        _write_json(values)
        return
    if not engines:
        print_message("There is no engine yet. Add one with `scythe engine add URL`.")
    write_result(engine_table(engines, to_terminal=sys.stdout.isatty()), None)


@app.command("show")
def show(name: Name, format: View = "text", db: Database = None) -> None:  # noqa: A002 - its name on the command line
    """Show an engine: its form, its wrapper, its health, and every version with the
    reason it was made.
    """
    from scythe.cli.output.engine_views import engine_details, engine_values

    with open_registry(db) as registry:
        known = registry.get(name)
        if format == "json":
            _write_json(engine_values(registry, known))
        else:
            write_page_text(engine_details(registry, known))


@app.command("check")
def check(name: SomeNames = None, db: Database = None) -> None:
    """Ask engines a query they were learned from, and print whether they still fit.

    The exit code is 1 when some do not fit or do not answer. Searches notice by
    themselves when an engine changes: this is for whoever likes to know before.
    """
    from scythe.cli.output.engine_views import check_table
    from scythe.engines.registry.checks import check_engines, fits_engine

    with open_registry(db) as registry:
        engines = registry.select(name or ())
        with status_line(f"checking {len(engines)} engines"):
            answers = check_engines(registry, engines)

    results = []
    failed = []
    for known, answer in zip(engines, answers, strict=True):
        is_fit = fits_engine(known.engine, answer)
        results.append((answer, is_fit))
        if not is_fit:
            failed.append(answer)
    if results:
        write_result(check_table(results, to_terminal=sys.stdout.isatty()), None)

    for answer in failed:
        default_note = "it gives fewer records or fields than when it was learned."
        print_warning(answer.note or default_note, answer.engine)
    if failed:
        raise typer.Exit(1)


@app.command("relearn")
def relearn(name: DueNames = None, db: Database = None) -> None:
    """Learn engines again: those that are named, or those that seem to have changed.

    The earlier version is kept, and `scythe engine show` says what changed. The exit
    code is 1 when some could not be learned.
    """
    from scythe.engines.registry.relearn import RepairOutcome, due_engines, repair
    from scythe.engines.registry.relearn import relearn as relearn_one

    good_outcomes = (RepairOutcome.FITS, RepairOutcome.RELEARNED)
    all_good = True
    with open_registry(db) as registry:
        stored = registry.all()
        engines = registry.select(name) if name else due_engines(registry, stored)
        for known in engines:
            with status_line(f"learning {known.name}") as show_detail:
                on_progress = _progress_callback(show_detail)
                if name:
                    result = relearn_one(registry, known, "asked for", on_progress)
                else:
                    result = repair(registry, known, on_progress)
            print_message(f"{known.name}: {result.outcome}: {result.note}")
            if result.outcome not in good_outcomes:
                all_good = False
    if not engines:
        print_message(
            "No engine seems to have changed. Name one to learn it again all the same."
        )
    if not all_good:
        raise typer.Exit(1)


@app.command("harvest")
def harvest(
    name: Name,
    queries: Queries = 50,
    pages: Pages = 10,
    format: RowsFormat = None,  # noqa: A002 - its name on the command line
    out: OutFile = None,
    anew: Anew = False,  # noqa: FBT002 - a flag
    db: Database = None,
) -> None:
    """Harvest the records behind a search form: queries are chosen from what has come
    back, every record is stored once.

    A harvest that was stopped resumes where it was. With --format or --out all records
    so far are written. The exit code is 1 when the engine refused to continue.
    """
    from scythe.cli.output.rows import render_harvest
    from scythe.engines.registry.harvest import HarvestedQuery, HarvestOptions
    from scythe.engines.registry.harvest import harvest as harvest_engine

    options = HarvestOptions(queries=queries, pages=pages)
    row_format = choose_format(format, out)
    with open_registry(db) as registry:
        known = registry.get(name)
        rows = registry.harvest(known)
        if anew:
            rows.clear()
        with status_line(f"harvesting {name}") as show_detail:

            def on_progress(query: HarvestedQuery) -> None:
                counts = f"{query.records} records, {query.new_records} new"
                show_detail(f"{query.query!r}: {counts}")

            result = harvest_engine(registry, known, options, on_progress)
        if format is not None or out is not None:
            to_terminal = out is None and sys.stdout.isatty()
            text = render_harvest(rows, row_format, to_terminal=to_terminal)
            write_rows(text, out, row_format)

    print_message(
        f"{name}: {result.records} records, {result.new_records} new "
        f"from {result.queries} queries. {result.end_reason}"
    )
    if result.failed:
        raise typer.Exit(1)


@app.command("weight")
def weight_engine(name: Name, weight: NewWeight, db: Database = None) -> None:
    """Set how much an engine counts when the hits of many engines are ranked."""
    with open_registry(db) as registry:
        registry.set_weight(registry.get(name), weight)


@app.command("remove")
def remove(name: Names, db: Database = None) -> None:
    """Remove engines, with their versions, their health and what was harvested from
    them.
    """
    with open_registry(db) as registry:
        registry.remove(name)
    print_message(f"removed {', '.join(dict.fromkeys(name))}.")


@app.command("export")
def export(
    name: SomeNames = None,
    *,
    to: To,
    ask: Ask = True,
    out: OutFile = None,
    db: Database = None,
) -> None:
    """Write engines for other programs: entries for SearXNG's settings, or a Scrapy
    spider that takes a query.

    The exit code is 1 when some engines cannot be exported (each is named with its
    reason, the others are written).
    """
    from scythe.engines.registry.export import (
        ResultAddresses,
        engine_spider,
        searxng_entries,
    )

    with open_registry(db) as registry:
        engines = [known.engine for known in registry.select(name or ())]
    if to == "scrapy":
        if len(engines) != 1:
            raise UsageError(
                f"A spider is for one engine, and this names {len(engines)}. Name one."
            )
        write_page_text(engine_spider(engines[0]), out)
        return

    entries: list[tuple[Engine, ResultAddresses]] = []
    for engine in engines:
        try:
            searxng_entries([(engine, ResultAddresses())])
            addresses = _addresses(engine) if ask else ResultAddresses()
            entries.append((engine, addresses))
        except ScytheError as error:
            print_error(str(error), engine.name)
    if entries:
        write_page_text(searxng_entries(entries), out)
    if len(entries) < len(engines) or not engines:
        raise typer.Exit(1)


def _addresses(engine: Engine) -> ResultAddresses:
    from scythe.engines.registry.export import find_addresses

    addresses = find_addresses(engine)
    if addresses.paging is None:
        print_warning(
            "how its pages are numbered is not known, so only the first is exported.",
            engine.name,
        )
    return addresses


def _write_json(values: Sequence[Any] | dict[str, Any]) -> None:
    write_page_text(json.dumps(values, ensure_ascii=False, indent=2) + "\n")
