"""`scythe collect`: databases that follow sites."""

from __future__ import annotations

import getpass
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from scythe.cli.commands.publish import datasette, export, feed
from scythe.cli.database import open_collection
from scythe.cli.options import Database
from scythe.cli.output.collect_views import (
    TableView,
    counts_text,
    link_rule_lines,
    link_view,
    record_table,
    review_view,
    rule_view,
    slot_view,
    status_lines,
    summary_lines,
)
from scythe.cli.output.files import write_page_text, write_result
from scythe.cli.output.messages import print_error, print_message
from scythe.cli.output.progress import ShowDetail, status_line
from scythe.cli.output.tables import render_table
from scythe.errors import ScytheError, UsageError

if TYPE_CHECKING:
    from scythe.collect.collection import Collection
    from scythe.collect.progress import RunProgress

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
        "--delay", min=0.0, metavar="S", help="Seconds between two requests, at least."
    ),
]
MaxPages = Annotated[
    int | None,
    typer.Option(
        "--max-pages", min=1, metavar="N", help="Pages that one run fetches at most."
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
        help="Re-fetch every page, whether it is due or not.",
    ),
]
Due = Annotated[
    bool,
    typer.Option(
        "--due",
        help="Fetch only index pages that are due: for cron and timers.",
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
    typer.Argument(metavar="SLOT", help="A slot, as `scythe collect slots` lists it."),
]
FieldName = Annotated[
    str,
    typer.Argument(
        metavar="FIELD",
        help="The field that its values belong to; `-` removes the name.",
    ),
]
FieldType = Annotated[
    str | None,
    typer.Option(
        "--type",
        metavar="TYPE",
        help="The type, for fields that the schema does not have.",
    ),
]
Key = Annotated[
    str | None,
    typer.Argument(
        metavar="[KEY]",
        help="A record in review; by default all suggestions, and so all drafts.",
    ),
]
State = Annotated[
    str,
    typer.Option(
        "--state",
        metavar="S",
        help="Records in a state: ok, draft, review, gone or hidden. [default: ok and draft]",
    ),
]
Schedule = Annotated[
    str | None,
    typer.Option(
        "--schedule",
        metavar="WHEN",
        help="When `watch` and `serve` run it: adaptive, never, every 6 hours, "
        "daily at 03:30 (UTC).",
    ),
]
KeepMedia = Annotated[
    bool,
    typer.Option("--keep-media", help="Keep the pictures of records in the database."),
]
RecordUrls = Annotated[
    list[str] | None,
    typer.Option("--record", metavar="URL", help="This link leads to a record."),
]
WatchUrls = Annotated[
    list[str] | None,
    typer.Option("--watch", metavar="URL", help="This link leads to a list to watch."),
]
NeverUrls = Annotated[
    list[str] | None,
    typer.Option("--never", metavar="URL", help="This link is never followed."),
]
StartUrls = Annotated[
    list[str] | None,
    typer.Option("--start", metavar="URL", help="Start runs from this page, too."),
]
Includes = Annotated[
    list[str] | None,
    typer.Option(
        "--include",
        metavar="PATTERN",
        help="Addresses like /recipes/* lead to records.",
    ),
]
Excludes = Annotated[
    list[str] | None,
    typer.Option(
        "--exclude", metavar="PATTERN", help="Addresses like /tag/* are never followed."
    ),
]
WholeList = Annotated[
    bool,
    typer.Option(
        "--list", help="--record, --watch and --never are about the link's whole list."
    ),
]
TakeBack = Annotated[
    list[int] | None,
    typer.Option("--undo", metavar="N", help="Take back the rule of this number."),
]
Rules = Annotated[bool, typer.Option("--rules", help="List the rules that you gave.")]
DryRun = Annotated[
    bool, typer.Option("--preview", help="Only say what the rules would do.")
]
RecordKey = Annotated[
    str, typer.Argument(metavar="KEY", help="The key or the address of a record.")
]
Assignments = Annotated[
    list[str],
    typer.Argument(metavar="NAME=VALUE...", help="What to set; no value empties it."),
]
Reset = Annotated[
    bool, typer.Option("--reset", help="Take your values of these fields back.")
]

app = typer.Typer(
    name="collect",
    no_args_is_help=True,
    help="Collections: databases that follow sites.",
)


_NO_COLLECTION = "There is no collection yet. Add one with `scythe collect add URL`."


@app.command("add")
def add(
    url: Url,
    name: NewName = None,
    kind: Kind = "record",
    schema: SchemaFile = None,
    delay: Delay = None,
    max_pages: MaxPages = None,
    user_agent: Agent = None,
    schedule: Schedule = None,
    keep_media: KeepMedia = False,  # noqa: FBT002 - a switch of the command line
    allow_private: Private = False,  # noqa: FBT002 - a switch of the command line
    db: Database = None,
) -> None:
    """Add a collection: a database that follows a site. Nothing is fetched yet; `scythe
    collect run` does that.
    """
    from scythe.collect.collection import Collection

    options: dict[str, Any] = {
        "delay": delay,
        "max_pages": max_pages,
        "user_agent": user_agent,
        "private": allow_private or None,
        "schedule": schedule,
        "keep_media": keep_media or None,
    }
    settings = {key: value for key, value in options.items() if value is not None}
    if schema is not None:
        settings["schema"] = _read_schema(schema)
    with Collection.add(url, name, kind, db=db, **settings) as collection:
        row = collection.row
        write_page_text(
            f"added {row.name}: {row.kind} of {row.url}\n"
            f"Run it: scythe collect run {row.name}\n"
        )


@app.command("run")
def run(
    names: SomeNames = None,
    refetch_all: All = False,  # noqa: FBT002 - a switch of the command line
    due: Due = False,  # noqa: FBT002 - a switch of the command line
    db: Database = None,
) -> None:
    """Bring collections up to date: new records are added, changed ones get history,
    moved and gone ones are recognised.

    A run that was interrupted, by whatever, is resumed. The exit code is 1 when some
    collection could not be run, or its start page could not be read.
    """
    from scythe.collect.catalogue import Collections
    from scythe.collect.views import RunState

    failed = False
    with Collections.open(db) as collections:
        active = collections.active(names or ())
        if not active:
            print_message(_NO_COLLECTION)
        for collection in active:
            name = collection.row.name
            try:
                with status_line(name) as show_detail:
                    summary = collection.run(
                        refetch_all=refetch_all,
                        due_only=due,
                        on_progress=_progress_listener(show_detail),
                    )
            except ScytheError as error:
                print_error(str(error), name)
                failed = True
                continue
            _write_lines(summary_lines(collection, summary))
            failed = failed or summary.state != RunState.DONE
    if failed:
        raise typer.Exit(1)


def _progress_listener(show_detail: ShowDetail) -> Callable[[RunProgress], None]:
    """Return what shows how far a run has come."""

    def on_progress(progress: RunProgress) -> None:
        show_detail(progress.words)

    return on_progress


@app.command("watch")
def watch(names: SomeNames = None, db: Database = None) -> None:
    """Keep collections up to date until you stop it: each is run when it is due, by its
    schedule or when the first of its index pages is. Several may watch one database.
    """
    from scythe.collect.catalogue import Collections
    from scythe.collect.run import RunSummary
    from scythe.collect.schedule import watch as watch_collections

    with Collections.open(db) as collections:

        def print_result(name: str, result: RunSummary | ScytheError) -> None:
            if isinstance(result, ScytheError):
                print_error(str(result), name)
                return
            collection = collections.get(name)
            _write_lines(summary_lines(collection, result))

        watch_collections(collections, print_result, names or ())


@app.command("status")
def status(name: SomeNames = None, db: Database = None) -> None:
    """Show collections: their records, their index pages and when these are due, their
    last run, and what needs you.
    """
    from scythe.collect.catalogue import Collections

    with Collections.open(db) as collections:
        names = name or [row.name for row in collections.all()]
        if not names:
            print_message(_NO_COLLECTION)
            return
        for collection in collections.active(names):
            _write_lines(status_lines(collection))


@app.command("links")
def links(
    name: Name,
    decision: Only = None,
    record: RecordUrls = None,
    watch: WatchUrls = None,
    never: NeverUrls = None,
    include: Includes = None,
    exclude: Excludes = None,
    start: StartUrls = None,
    in_list: WholeList = False,  # noqa: FBT002 - a switch of the command line
    undo: TakeBack = None,
    rules: Rules = False,  # noqa: FBT002 - a switch of the command line
    preview: DryRun = False,  # noqa: FBT002 - a switch of the command line
    format: Listing = "table",  # noqa: A002 - its name on the command line
    db: Database = None,
) -> None:
    """List the links of index pages: what was decided about them and why, and the
    result. Or say yourself what links are: no run overrules that.
    """
    scope = "list" if in_list else "link"
    given = [
        *(("record", url, scope) for url in record or ()),
        *(("watch", url, scope) for url in watch or ()),
        *(("never", url, scope) for url in never or ()),
        *(("record", pattern, "pattern") for pattern in include or ()),
        *(("never", pattern, "pattern") for pattern in exclude or ()),
        *(("watch", url, "link") for url in start or ()),
    ]
    with open_collection(name, db) as collection:
        for number in undo or ():
            collection.remove_link_rule(number)
        for rule in given:
            _write_lines(link_rule_lines(collection, rule, preview=preview))
        if rules:
            _write_view(rule_view(collection), format)
        elif not given and not undo:
            _write_view(link_view(collection, decision), format)


@app.command("attributes", hidden=True)
@app.command("slots")
def slots(name: Name, format: Listing = "table", db: Database = None) -> None:  # noqa: A002 - its name on the command line
    """List the slots of pages, with their support, examples, field and suggestion; and
    the notices about them.
    """
    with open_collection(name, db) as collection:
        _write_view(slot_view(collection), format)
        for group in collection.notice_groups():
            print_message(f"notices: {group.summary}")
            for notice in group.notices:
                slot = notice.data.get("slot", "")
                message = notice.data.get("message", "")
                print_message(f"notice: {notice.kind}: {slot} {message}")


@app.command("name")
def name_slot(
    name: Name,
    slot: Slot,
    field: FieldName,
    type: FieldType = None,  # noqa: A002 - its name on the command line
    db: Database = None,
) -> None:
    """Set which field the values of a slot belong to. All records are updated at once,
    from snapshots.
    """
    with open_collection(name, db) as collection:
        if field == "-":
            collection.unname_slot(slot)
        else:
            collection.name_slot(slot, field, type)
        write_page_text(_record_counts(collection))


@app.command("accept")
def accept(name: Name, key: Key = None, db: Database = None) -> None:
    """Accept all suggestions for slots, or one record in review as it is."""
    with open_collection(name, db) as collection:
        if key is not None:
            record = collection.accept_record(collection.record_key(key), by=_user())
            write_page_text(f"accepted {record.url}\n")
            return
        accepted = collection.accept_suggestions()
        collection.dismiss_notices(collection.notices())
        if not accepted:
            print_message(
                "There is no suggestion that is certain enough. "
                "Name slots with `scythe collect name`."
            )
        lines = [f"{slot} is {field}\n" for slot, field in accepted.items()]
        write_page_text("".join(lines) + _record_counts(collection))


@app.command("records")
def records(
    name: Name,
    state: State = "",
    format: Listing = "table",  # noqa: A002 - its name on the command line
    db: Database = None,
) -> None:
    """List the records."""
    with open_collection(name, db) as collection:
        _write_view(record_table(collection, state), format)


@app.command("review")
def review(name: Name, format: Listing = "table", db: Database = None) -> None:  # noqa: A002 - its name on the command line
    """List the records that need review, and why."""
    with open_collection(name, db) as collection:
        _write_view(review_view(collection), format)


@app.command("edit")
def edit(
    name: Name,
    key: RecordKey,
    values: Assignments,
    reset: Reset = False,  # noqa: FBT002 - a switch of the command line
    db: Database = None,
) -> None:
    """Give fields of a record other values, which no run changes; lines of a list are
    separated by `|`. A record in review is accepted with them.
    """
    with open_collection(name, db) as collection:
        key = collection.record_key(key)
        if reset:
            collection.reset_record(key, values, by=_user())
        else:
            given = _assignments(values)
            edited: dict[str, Any] = {}
            for field, value in given.items():
                lines = [line.strip() for line in value.split("|")]
                edited[field] = lines if value else None
            collection.edit_record(key, edited, by=_user())
        record = collection.record_with_key(key)
        text = json.dumps(record.fields, ensure_ascii=False, indent=2, default=str)
        write_page_text(f"{record.url}: {record.state}\n{text}\n")


@app.command("hide")
def hide(name: Name, key: RecordKey, db: Database = None) -> None:
    """Hide a record from lists, searches and exports."""
    with open_collection(name, db) as collection:
        record = collection.hide_record(collection.record_key(key), by=_user())
        write_page_text(f"hidden: {record.url}\n")


@app.command("show")
def show(name: Name, key: RecordKey, db: Database = None) -> None:
    """Show a hidden record again."""
    with open_collection(name, db) as collection:
        record = collection.show_record(collection.record_key(key), by=_user())
        write_page_text(f"shown: {record.url}\n")


@app.command("set")
def set_settings(name: Name, values: Assignments, db: Database = None) -> None:
    """Change settings: name, kind, url, paused, schedule, delay, max_pages, notify...

    `notify` is JSON: [{"webhook": "https://...", "secret": "..."}]. No value is the
    default again.
    """
    with open_collection(name, db) as collection:
        given: dict[str, Any] = {}
        for setting, value in _assignments(values).items():
            given[setting] = _setting_value(setting, value)
        collection.change(**given)
        row = collection.row
        lines = [f"{row.name}: {row.kind} of {row.url} ({row.state})"]
        lines += [f"  {key} = {value}" for key, value in sorted(row.settings.items())]
        _write_lines(lines)


_TEXT_SETTINGS = ("name", "kind", "url", "schedule", "user_agent", "schema")


def _setting_value(setting: str, value: str) -> Any:
    """Return the value of a setting as it is stored: JSON, unless it is a text."""
    if not value:
        return None
    if setting in _TEXT_SETTINGS:
        return value
    try:
        return json.loads(value)
    except ValueError:
        raise UsageError(
            f"{setting} needs a number, true, false or JSON, not {value!r}."
        ) from None


def _assignments(values: Sequence[str]) -> dict[str, str]:
    """Return what NAME=VALUE arguments say."""
    given: dict[str, str] = {}
    for assignment in values:
        name, equals, value = assignment.partition("=")
        if not equals or not name:
            raise UsageError(f"Write {assignment!r} as NAME=VALUE.")
        given[name.strip()] = value
    return given


def _user() -> str:
    """Return who sits at the command line, for the history of records."""
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return "operator"


app.command("export")(export)
app.command("feed")(feed)
app.command("datasette")(datasette)


@app.command("remove")
def remove(name: Name, db: Database = None) -> None:
    """Remove a collection with all its pages and records."""
    with open_collection(name, db) as collection:
        collection.remove()
    write_page_text(f"removed {name}\n")


def _record_counts(collection: Collection) -> str:
    return f"records: {counts_text(collection.counts())}\n"


def _write_lines(lines: Sequence[str]) -> None:
    write_page_text("\n".join(lines) + "\n")


def _write_view(view: TableView, format_: TableFormat) -> None:
    if format_ == "json":
        text = json.dumps(view.values, ensure_ascii=False, indent=2, default=str)
        write_page_text(text + "\n")
    elif view.cells:
        to_terminal = sys.stdout.isatty()
        table = render_table(view.columns, view.cells, to_terminal=to_terminal)
        write_result(table, None)


def _read_schema(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"The schema {path} cannot be read: {error}.") from error
