"""Commands about records: listing, review, editing, export."""

from __future__ import annotations

import json
from typing import Any

from scythe.cli.commands.collect.arguments import (
    Assignments,
    Listing,
    Name,
    RecordKey,
    Reset,
    State,
)
from scythe.cli.commands.collect.shared import (
    app,
    assignments,
    user_name,
    write_view,
)
from scythe.cli.database import open_collection
from scythe.cli.options import Database
from scythe.cli.output.collect_views import record_table, review_view
from scythe.cli.output.files import write_page_text


@app.command("records")
def records(
    name: Name,
    state: State = "",
    format: Listing = "table",  # noqa: A002 - its name on the command line
    db: Database = None,
) -> None:
    """List the records."""
    with open_collection(name, db) as collection:
        write_view(record_table(collection, state), format)


@app.command("review")
def review(name: Name, format: Listing = "table", db: Database = None) -> None:  # noqa: A002 - its name on the command line
    """List the records that need review, and why."""
    with open_collection(name, db) as collection:
        write_view(review_view(collection), format)


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
            collection.reset_record(key, values, by=user_name())
        else:
            given = assignments(values)
            edited: dict[str, Any] = {}
            for field, value in given.items():
                lines = [line.strip() for line in value.split("|")]
                edited[field] = lines if value else None
            collection.edit_record(key, edited, by=user_name())
        record = collection.record_with_key(key)
        text = json.dumps(record.fields, ensure_ascii=False, indent=2, default=str)
        write_page_text(f"{record.url}: {record.state}\n{text}\n")


@app.command("hide")
def hide(name: Name, key: RecordKey, db: Database = None) -> None:
    """Hide a record from lists, searches and exports."""
    with open_collection(name, db) as collection:
        record = collection.hide_record(collection.record_key(key), by=user_name())
        write_page_text(f"hidden: {record.url}\n")


@app.command("show")
def show(name: Name, key: RecordKey, db: Database = None) -> None:
    """Show a hidden record again."""
    with open_collection(name, db) as collection:
        record = collection.show_record(collection.record_key(key), by=user_name())
        write_page_text(f"shown: {record.url}\n")
