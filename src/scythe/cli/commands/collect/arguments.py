"""Arguments and options of `scythe collect`."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

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
Part = Annotated[
    str | None,
    typer.Option(
        "--part",
        metavar="PATTERN",
        help="The field is a part of the values: `Info about {}`, `{} (*`, `2: {}`.",
    ),
]
PartExamples = Annotated[
    list[str] | None,
    typer.Option(
        "--example",
        metavar="URL = TEXT",
        help="The part as it stands on a page; the pattern is learned from several.",
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
