"""What `scythe collect` gives to other programs: files, feeds, metadata for Datasette."""

from __future__ import annotations

import json
import sys
from typing import Annotated, Literal

import typer

from scythe.cli.commands.collect.arguments import Name
from scythe.cli.commands.collect.shared import app
from scythe.cli.database import open_collection
from scythe.cli.options import Database, OutFile
from scythe.cli.output.files import write_result
from scythe.cli.output.messages import print_message

FeedFormat = Literal["rss", "json"]

To = Annotated[
    str | None,
    typer.Option(
        "--to",
        metavar="FORMAT",
        help="csv, jsonl, parquet, sql, xlsx, recipes (a zip for Mealie, Tandoor and "
        "Nextcloud), paprika, or the format of a plug-in; by default by the file's "
        "extension.",
    ),
]
Gone = Annotated[bool, typer.Option("--gone", help="Also records that are gone.")]
Feed = Annotated[FeedFormat, typer.Option("--to", help="RSS 2.0 or JSON Feed 1.1.")]
Exact = Annotated[
    bool,
    typer.Option(
        "--exact",
        help="Leave texts in CSV as they are that a spreadsheet takes for formulas.",
    ),
]


@app.command("export")
def export(
    name: Name,
    to: To = None,
    gone: Gone = False,  # noqa: FBT002 - a switch of the command line
    exact: Exact = False,  # noqa: FBT002 - a switch of the command line
    out: OutFile = None,
    db: Database = None,
) -> None:
    """Write the records as CSV, JSON lines, Parquet, SQL, a workbook, or recipes for
    programs that keep them; the table that other programs read is in the database
    already.
    """
    from scythe.collect.publish.export import (
        Export,
        export_file,
        export_text,
        select_format,
    )

    with open_collection(name, db) as collection:
        content = Export(
            collection.row, collection.schema, gone, for_spreadsheets=not exact
        )
        export_format = select_format(out, to)
        if out is None:
            export_text(collection.store, content, sys.stdout, export_format)
        else:
            count = export_file(collection.store, content, out, export_format)
            print_message(f"{count} records in {out}.")


@app.command("feed")
def feed(
    name: Name, to: Feed = "rss", out: OutFile = None, db: Database = None
) -> None:
    """Write a feed of new and changed records."""
    from scythe.collect.publish.feed import feed_entries, json_feed, rss_feed

    with open_collection(name, db) as collection:
        changes = feed_entries(collection.store, collection.row)
        render = rss_feed if to == "rss" else json_feed
        write_result(render(collection.row, changes), out)


@app.command("datasette")
def datasette(name: Name, out: OutFile = None, db: Database = None) -> None:
    """Write the metadata by which Datasette shows the collection: what its columns mean,
    what to count, and which tables are only ours.
    """
    from scythe.collect.publish.datasette import datasette_metadata

    with open_collection(name, db) as collection:
        metadata = datasette_metadata(
            collection.store, collection.row, collection.schema
        )
        database = collection.store.name
    write_result(json.dumps(metadata, ensure_ascii=False, indent=2) + "\n", out)
    file = out or "metadata.json"
    print_message(f"Open it: datasette {database} --metadata {file}")
