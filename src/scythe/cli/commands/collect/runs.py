"""Commands that add, run and set up collections."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from scythe.cli.commands.collect.arguments import (
    Agent,
    All,
    Assignments,
    Delay,
    Due,
    KeepMedia,
    Kind,
    MaxPages,
    Name,
    NewName,
    Private,
    Schedule,
    SchemaFile,
    SomeNames,
    Url,
)
from scythe.cli.commands.collect.shared import (
    NO_COLLECTION,
    app,
    assignments,
    write_lines,
)
from scythe.cli.database import open_collection
from scythe.cli.options import Database
from scythe.cli.output.collect_views import status_lines, summary_lines
from scythe.cli.output.files import write_page_text
from scythe.cli.output.messages import print_error, print_message
from scythe.cli.output.progress import ShowDetail, status_line
from scythe.errors import ScytheError, UsageError

if TYPE_CHECKING:
    from scythe.collect.progress import RunProgress


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
            print_message(NO_COLLECTION)
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
            write_lines(summary_lines(collection, summary))
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
            write_lines(summary_lines(collection, result))

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
            print_message(NO_COLLECTION)
            return
        for collection in collections.active(names):
            write_lines(status_lines(collection))


@app.command("set")
def set_settings(name: Name, values: Assignments, db: Database = None) -> None:
    """Change settings: name, kind, url, paused, schedule, delay, max_pages, notify...

    `notify` is JSON: [{"webhook": "https://...", "secret": "..."}]. No value is the
    default again.
    """
    with open_collection(name, db) as collection:
        given: dict[str, Any] = {}
        for setting, value in assignments(values).items():
            given[setting] = _setting_value(setting, value)
        collection.change(**given)
        row = collection.row
        lines = [f"{row.name}: {row.kind} of {row.url} ({row.state})"]
        for key, value in sorted(row.settings.items()):
            lines.append(f"  {key} = {_shown_setting(key, value)}")
        write_lines(lines)


def _shown_setting(name: str, value: Any) -> str:
    """Return a setting for a person, without the secrets of notifications."""
    if name != "notify":
        return str(value)
    from scythe.collect.settings import notifications

    targets = [given.target for given in notifications({name: value})]
    return ", ".join(targets)


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


@app.command("remove")
def remove(name: Name, db: Database = None) -> None:
    """Remove a collection with all its pages and records."""
    with open_collection(name, db) as collection:
        collection.remove()
    write_page_text(f"removed {name}\n")


def _read_schema(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"The schema {path} cannot be read: {error}.") from error
