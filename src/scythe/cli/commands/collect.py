"""`scythe collect`: databases that follow sites."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from scythe.cli.commands.records import OutFile, deliver
from scythe.cli.database import Database
from scythe.cli.output.collect_views import (
    attribute_rows,
    link_rows,
    record_rows,
    review_rows,
    status_lines,
    summary_lines,
)
from scythe.cli.output.live import live
from scythe.cli.output.messages import CONTROL, print_message
from scythe.cli.output.rows import table_of
from scythe.errors import ScytheError, UsageError

if TYPE_CHECKING:
    from scythe.collect.collection import Collection

ExportTo = Literal["csv", "jsonl", "parquet", "sql"]
FeedFormat = Literal["rss", "json"]
TableFormat = Literal["table", "json"]

Url = Annotated[
    str,
    typer.Argument(
        metavar="URL",
        help="A page that lists the records, or the home page of the site.",
    ),
]
NewName = Annotated[
    str | None,
    typer.Option(
        "--name", metavar="NAME", help="What it is called; by default its host."
    ),
]
Kind = Annotated[
    str,
    typer.Option(
        "--kind",
        "-k",
        metavar="KIND",
        help="What its records are: recipe, product, article, job, or any word.",
    ),
]
SchemaFile = Annotated[
    str | None,
    typer.Option("--schema", metavar="FILE", help="A schema of your own, as TOML."),
]
Delay = Annotated[
    float | None,
    typer.Option(
        "--delay", min=0.0, metavar="S", help="Least seconds between two requests."
    ),
]
MaxPages = Annotated[
    int | None,
    typer.Option(
        "--max-pages", min=1, metavar="N", help="Pages that one run asks for at most."
    ),
]
Private = Annotated[
    bool,
    typer.Option(
        "--allow-private", help="Follow links of a public site to private machines."
    ),
]
Agent = Annotated[
    str | None,
    typer.Option("--user-agent", metavar="NAME", help="The name given to servers."),
]
Name = Annotated[
    str,
    typer.Argument(
        metavar="NAME", help="A collection, as `scythe collect status` names it."
    ),
]
SomeNames = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[NAME]", help="Collections; by default all that are active."
    ),
]
All = Annotated[
    bool,
    typer.Option(
        "--all",
        help="Ask for all known pages again, whether their time has come or not.",
    ),
]
Due = Annotated[
    bool,
    typer.Option(
        "--due",
        help="Look only at index pages whose time has come: for cron and timers.",
    ),
]
Listing = Annotated[
    TableFormat, typer.Option("--format", "-f", help="A table, or JSON.")
]
Only = Annotated[
    str | None,
    typer.Option(
        "--decision", metavar="D", help="Only links to: record, index, sample or skip."
    ),
]
Slot = Annotated[
    str,
    typer.Argument(
        metavar="SLOT", help="An attribute, as `scythe collect attributes` names it."
    ),
]
FieldName = Annotated[
    str,
    typer.Argument(
        metavar="FIELD",
        help="The field whose values it gives; `-` takes its name away.",
    ),
]
FieldType = Annotated[
    str | None,
    typer.Option(
        "--type", metavar="TYPE", help="The type, for fields the schema has not."
    ),
]
Key = Annotated[
    str | None,
    typer.Argument(
        metavar="[KEY]", help="A record in review; by default all proposals are taken."
    ),
]
To = Annotated[
    ExportTo | None,
    typer.Option("--to", help="The format; by default what the file's ending says."),
]
Gone = Annotated[bool, typer.Option("--gone", help="Also records that are gone.")]
Feed = Annotated[FeedFormat, typer.Option("--to", help="RSS 2.0 or JSON Feed 1.1.")]
State = Annotated[
    str,
    typer.Option(
        "--state", metavar="S", help="Records in a state: ok, review or gone."
    ),
]

app = typer.Typer(
    name="collect",
    no_args_is_help=True,
    help="Collections: databases that follow sites.",
)


@contextmanager
def _opened(name: str, db: str | None) -> Iterator[Collection]:
    from scythe.collect.collection import Collection

    with Collection.open(name, db=db) as collection:
        yield collection


@app.command("add")
def add(
    url: Url,
    name: NewName = None,
    kind: Kind = "record",
    schema: SchemaFile = None,
    delay: Delay = None,
    max_pages: MaxPages = None,
    user_agent: Agent = None,
    allow_private: Private = False,  # noqa: FBT002 - a switch of the command line
    db: Database = None,
) -> None:
    """Begin a collection: a database that follows a site. Nothing is fetched yet;
    `scythe collect run` does that.
    """
    from scythe.collect.collection import Collection

    given: dict[str, Any] = {
        "delay": delay,
        "max_pages": max_pages,
        "user_agent": user_agent,
        "private": allow_private or None,
    }
    settings = {option: value for option, value in given.items() if value is not None}
    if schema is not None:
        settings["schema"] = _read(schema)
    with Collection.add(url, name, kind, db=db, **settings) as collection:
        row = collection.row
        _write(
            f"added {row.name}: {row.kind} of {row.url}\nRun it: scythe collect run {row.name}\n"
        )


@app.command("run")
def run(
    names: SomeNames = None,
    everything: All = False,  # noqa: FBT002 - a switch of the command line
    due: Due = False,  # noqa: FBT002 - a switch of the command line
    db: Database = None,
) -> None:
    """Bring collections up to date: new records arrive, changed ones get history, moved
    and gone ones are recognised.

    A run that was interrupted, by whatever, is gone on with. The exit code is 1 when
    some collection could not be run.
    """
    from scythe.collect.schedule import active
    from scythe.store import Store

    failed = False
    with Store.open(db) as store:
        collections = active(store, names or ())
        if not collections:
            print_message(
                "There is no collection yet. Add one with `scythe collect add URL`."
            )
        for collection in collections:
            name = collection.row.name
            try:
                with live(name) as tell:
                    summary = collection.run(
                        everything=everything,
                        due_only=due,
                        report=lambda what, done, total: tell(
                            f"{what} {done}" + (f" of {total}" if total else "")
                        ),
                    )
            except ScytheError as error:
                print_message(f"error: {name}: {error}")
                failed = True
                continue
            _write("\n".join(summary_lines(collection, summary)) + "\n")
    if failed:
        raise typer.Exit(1)


@app.command("watch")
def watch(names: SomeNames = None, db: Database = None) -> None:
    """Keep collections up to date until you stop it: each is run when the first of its
    index pages is due.
    """
    from scythe.collect.run import Summary
    from scythe.collect.schedule import active
    from scythe.collect.schedule import watch as keep
    from scythe.store import Store

    with Store.open(db) as store:

        def tell(name: str, came: Summary | ScytheError) -> None:
            if isinstance(came, ScytheError):
                print_message(f"error: {name}: {came}")
            else:
                (collection,) = active(store, [name])
                _write("\n".join(summary_lines(collection, came)) + "\n")

        keep(store, tell, names or ())


@app.command("status")
def status(name: SomeNames = None, db: Database = None) -> None:
    """Show collections: their records, what they watch and when, their last run, and
    what waits for you.
    """
    from scythe.collect.schedule import active
    from scythe.store import Store
    from scythe.store.collections.collections import CollectionRows

    with Store.open(db) as store:
        names = name or [row.name for row in CollectionRows(store).all()]
        if not names:
            print_message(
                "There is no collection yet. Add one with `scythe collect add URL`."
            )
            return
        for collection in active(store, names):
            _write("\n".join(status_lines(collection)) + "\n")


@app.command("links")
def links(
    name: Name, decision: Only = None, format: Listing = "table", db: Database = None
) -> None:
    """List the links of index pages: what was decided about each and why, and what it
    turned out to be.
    """
    with _opened(name, db) as collection:
        _table(link_rows(collection, decision), format)


@app.command("attributes")
def attributes(name: Name, format: Listing = "table", db: Database = None) -> None:  # noqa: A002 - its name on the command line
    """List what pages have: each attribute with its support, examples, name and
    proposal; and the notices about them.
    """
    with _opened(name, db) as collection:
        _table(attribute_rows(collection), format)
        for notice in collection.notices():
            print_message(
                f"notice: {notice.kind}: {notice.data.get('slot', '')} {notice.data.get('message', '')}"
            )


@app.command("name")
def name_slot(
    name: Name,
    slot: Slot,
    field: FieldName,
    type: FieldType = None,
    db: Database = None,
) -> None:
    """Say which field the values of an attribute belong to. All records follow at once,
    from pages that are kept.
    """
    with _opened(name, db) as collection:
        if field == "-":
            collection.unname(slot)
        else:
            collection.name(slot, field, type)
        _write(_counted(collection))


@app.command("accept")
def accept(name: Name, key: Key = None, db: Database = None) -> None:
    """Take the proposals for attributes, or one record in review as it is."""
    with _opened(name, db) as collection:
        if key is not None:
            record = collection.accept_record(key)
            _write(f"accepted {record.url}\n")
            return
        chosen = collection.accept()
        collection.settle(collection.notices())
        if not chosen:
            print_message(
                "There is no proposal that is sure enough. Name attributes with `scythe collect name`."
            )
        _write(
            "".join(f"{slot} is {field}\n" for slot, field in chosen.items())
            + _counted(collection)
        )


@app.command("records")
def records(
    name: Name, state: State = "ok", format: Listing = "table", db: Database = None
) -> None:
    """List the records."""
    with _opened(name, db) as collection:
        _table(record_rows(collection, state), format)


@app.command("review")
def review(name: Name, format: Listing = "table", db: Database = None) -> None:  # noqa: A002 - its name on the command line
    """List the records that wait for you, each with what is wrong with it."""
    with _opened(name, db) as collection:
        _table(review_rows(collection), format)


@app.command("export")
def export(
    name: Name,
    to: To = None,
    gone: Gone = False,
    out: OutFile = None,
    db: Database = None,
) -> None:
    """Write the records as CSV, JSON lines, Parquet or SQL; the table that other
    programs read is in the database already.
    """
    from scythe.collect.publish.export import (
        Export,
        export_file,
        export_text,
        format_of,
    )

    with _opened(name, db) as collection:
        what = Export(collection.row, collection.schema, gone)
        wanted = format_of(out, to)
        if out is None:
            export_text(collection.store, what, sys.stdout, wanted)
        else:
            print_message(
                f"{export_file(collection.store, what, out, wanted)} records in {out}."
            )


@app.command("feed")
def feed(
    name: Name, to: Feed = "rss", out: OutFile = None, db: Database = None
) -> None:
    """Write a feed of new and changed records."""
    from scythe.collect.publish.feed import entries, json_feed, rss

    with _opened(name, db) as collection:
        told = entries(collection.store, collection.row)
        deliver((rss if to == "rss" else json_feed)(collection.row, told), out)


@app.command("remove")
def remove(name: Name, db: Database = None) -> None:
    """Forget a collection with all its pages and records."""
    with _opened(name, db) as collection:
        collection.remove()
    _write(f"removed {name}\n")


def _counted(collection: Collection) -> str:
    counts = ", ".join(
        f"{number} {state}" for state, number in sorted(collection.counts().items())
    )
    return f"records: {counts or 'none'}\n"


def _table(
    rows: tuple[list[str], list[list[str]], list[dict[str, Any]]], format: TableFormat
) -> None:
    names, cells, values = rows
    if format == "json":
        _write(json.dumps(values, ensure_ascii=False, indent=2, default=str) + "\n")
    elif cells:
        deliver(table_of(names, cells, to_terminal=sys.stdout.isatty()), None)


def _read(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"The schema {path} cannot be read: {error}.") from error


def _write(text: str) -> None:
    """Write what may hold characters of a page."""
    deliver(CONTROL.sub("\ufffd", text) if sys.stdout.isatty() else text, None)
