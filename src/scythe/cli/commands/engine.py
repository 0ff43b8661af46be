"""`scythe engine`: search engines from a URL, kept in a database."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from scythe.cli.commands.records import OutFile, Render, RowsFormat, deliver
from scythe.cli.database import Database, engines_in
from scythe.cli.output.live import live
from scythe.cli.output.messages import CONTROL, about, print_message
from scythe.errors import ScytheError, UsageError

if TYPE_CHECKING:
    from scythe.engines.engine import Engine
    from scythe.engines.registry.export import Paging

CHECKED_AT_ONCE = 16
"""Engines that are checked at the same time: each waits for its own site."""

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
WeightGiven = Annotated[
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
Anew = Annotated[bool, typer.Option("--anew", help="Forget what was harvested before.")]
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
    help="Search engines: add, look after, harvest and export them.",
)


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
    from scythe.cli.output.engine_views import summary
    from scythe.engines.discovery.discover import DiscoverOptions
    from scythe.engines.engine import Engine
    from scythe.engines.registry.registry import require_weight

    require_weight(weight)
    with engines_in(db) as registry:
        registry.require_new(name, url)
        with live(f"adding {url}") as tell:
            options = DiscoverOptions(name=name, render=render)
            found = Engine.discover(
                url,
                options=options,
                progress=lambda stage, detail: tell(f"{stage} {detail}"),
            )
        known = registry.add(found, weight=weight, number_if_taken=name is None)
    _write(f"added {summary(known)}\n")


@app.command("list")
def list_engines(format: Listing = "table", db: Database = None) -> None:  # noqa: A002 - its name on the command line
    """List all engines with their health, as real searches have shown it."""
    from scythe.cli.output.engine_views import health_values, listed

    with engines_in(db) as registry:
        engines = [(known, registry.health(known)) for known in registry.all()]
    if format == "json":
        values = [
            {
                "name": known.name,
                "home": known.engine.home,
                "version": known.engine.version,
                "weight": known.weight,
                "health": health_values(health),
            }
            for known, health in engines
        ]
        _write_json(values)
        return
    if not engines:
        print_message("There is no engine yet. Add one with `scythe engine add URL`.")
    deliver(listed(engines, to_terminal=sys.stdout.isatty()), None)


@app.command("show")
def show(name: Name, format: View = "text", db: Database = None) -> None:  # noqa: A002 - its name on the command line
    """Show an engine: its form, its wrapper, its health, and every version with the
    reason it was made.
    """
    from scythe.cli.output.engine_views import as_values, shown

    with engines_in(db) as registry:
        known = registry.get(name)
        if format == "json":
            _write_json(as_values(registry, known))
        else:
            _write(shown(registry, known))


@app.command("check")
def check(name: SomeNames = None, db: Database = None) -> None:
    """Ask engines a query they were learned from, and say whether they still fit.

    The exit code is 1 when some do not fit or do not answer. Searches notice by
    themselves when an engine changes: this is for whoever wants to know before.
    """
    from concurrent.futures import ThreadPoolExecutor

    from scythe.cli.output.engine_views import checked
    from scythe.engines.registry.checks import check_engine, fits_engine

    with engines_in(db) as registry:
        engines = registry.select(name or ())
        with (
            live(f"checking {len(engines)} engines"),
            ThreadPoolExecutor(CHECKED_AT_ONCE) as pool,
        ):
            answers = list(
                pool.map(lambda known: check_engine(registry, known), engines)
            )
    results = [
        (answer, fits_engine(known.engine, answer))
        for known, answer in zip(engines, answers, strict=True)
    ]
    if results:
        deliver(checked(results, to_terminal=sys.stdout.isatty()), None)
    for answer, good in results:
        if not good:
            print_message(
                f"warning: {about(answer.engine, answer.note or 'it gives fewer records or fields than when it was learned.')}"
            )
    if not all(good for _, good in results):
        raise typer.Exit(1)


@app.command("relearn")
def relearn(name: DueNames = None, db: Database = None) -> None:
    """Learn engines again: those that are named, or those that seem to have changed.

    The earlier version is kept, and `scythe engine show` says what changed. The exit
    code is 1 when some could not be learned.
    """
    from scythe.engines.registry.relearn import RepairOutcome, due_engines, repair
    from scythe.engines.registry.relearn import relearn as relearn_one

    good = True
    with engines_in(db) as registry:
        engines = (
            registry.select(name) if name else due_engines(registry, registry.all())
        )
        for known in engines:
            with live(f"learning {known.name}") as tell:

                def progress(stage: str, detail: str, tell: Any = tell) -> None:
                    tell(f"{stage} {detail}")

                done = (
                    relearn_one(registry, known, "asked for", progress)
                    if name
                    else repair(registry, known, progress)
                )
            print_message(f"{known.name}: {done.outcome}: {done.note}")
            good = good and done.outcome in (
                RepairOutcome.FITS,
                RepairOutcome.RELEARNED,
            )
    if not engines:
        print_message(
            "No engine seems to have changed. Name one to learn it again all the same."
        )
    if not good:
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
    """Collect the records behind a search form: queries are chosen from what has come
    back, every record is stored once.

    A harvest that was stopped goes on where it was. With --format or --out all records
    so far are written. The exit code is 1 when the engine refused to go on.
    """
    from scythe.cli.output.harvest_rows import rendered
    from scythe.engines.registry.harvest import HarvestedQuery, HarvestOptions
    from scythe.engines.registry.harvest import harvest as harvest_engine

    options = HarvestOptions(queries=queries, pages=pages)
    with engines_in(db) as registry:
        known = registry.get(name)
        rows = registry.harvest(known)
        if anew:
            rows.clear()
        with live(f"harvesting {name}") as tell:

            def listen(brought: HarvestedQuery) -> None:
                tell(
                    f"{brought.query!r}: {brought.records} records, {brought.new_records} new"
                )

            done = harvest_engine(registry, known, options, listen)
        if format is not None or out is not None:
            deliver(
                rendered(
                    rows, format, out, to_terminal=out is None and sys.stdout.isatty()
                ),
                out,
            )
    print_message(
        f"{name}: {done.records} records, {done.new_records} new from {done.queries} queries. {done.end_reason}"
    )
    if done.failed:
        raise typer.Exit(1)


@app.command("weight")
def weight_engine(name: Name, weight: WeightGiven, db: Database = None) -> None:
    """Say how much an engine counts when what many engines found is ranked."""
    with engines_in(db) as registry:
        registry.set_weight(registry.get(name), weight)


@app.command("remove")
def remove(name: Names, db: Database = None) -> None:
    """Forget engines, with their versions, their health and what was harvested from
    them.
    """
    with engines_in(db) as registry:
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
    from scythe.engines.registry.export import engine_spider, searxng_entries

    with engines_in(db) as registry:
        engines = [known.engine for known in registry.select(name or ())]
    if to == "scrapy":
        if len(engines) != 1:
            raise UsageError(
                f"A spider is for one engine, and this names {len(engines)}. Name one."
            )
        _write(engine_spider(engines[0]), out)
        return
    entries: list[tuple[Engine, Paging | None]] = []
    for engine in engines:
        try:
            searxng_entries([(engine, None)])
            entries.append((engine, _paging(engine) if ask else None))
        except ScytheError as error:
            print_message(f"error: {about(engine.name, str(error))}")
    if entries:
        _write(searxng_entries(entries), out)
    if len(entries) < len(engines) or not engines:
        raise typer.Exit(1)


def _paging(engine: Engine) -> Paging | None:
    from scythe.engines.registry.export import find_paging

    found = find_paging(engine)
    if found is None:
        print_message(
            f"warning: {about(engine.name, 'how its pages are numbered is not known, so only the first is exported.')}"
        )
    return found


def _write(text: str, out: str | None = None) -> None:
    """Write what may hold characters of a page."""
    deliver(
        CONTROL.sub("\ufffd", text) if out is None and sys.stdout.isatty() else text,
        out,
    )


def _write_json(values: Sequence[Any] | dict[str, Any]) -> None:
    _write(json.dumps(values, ensure_ascii=False, indent=2) + "\n")
