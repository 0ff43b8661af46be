"""What the commands of `scythe collect` share: the application and its output."""

from __future__ import annotations

import getpass
import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import typer

from scythe.cli.commands.collect.arguments import TableFormat
from scythe.cli.output.collect_views import TableView, counts_text
from scythe.cli.output.files import write_page_text, write_result
from scythe.cli.output.tables import render_table
from scythe.errors import UsageError

if TYPE_CHECKING:
    from scythe.collect.collection import Collection

app = typer.Typer(
    name="collect",
    no_args_is_help=True,
    help="Collections: databases that follow sites.",
)


NO_COLLECTION = "There is no collection yet. Add one with `scythe collect add URL`."


def assignments(values: Sequence[str], separator: str = "=") -> dict[str, str]:
    """Return what NAME=VALUE arguments say."""
    given: dict[str, str] = {}
    for assignment in values:
        name, equals, value = assignment.partition(separator)
        if not equals or not name:
            raise UsageError(f"Write {assignment!r} as NAME{separator}VALUE.")
        given[name.strip()] = value
    return given


def user_name() -> str:
    """Return who sits at the command line, for the history of records."""
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return "operator"


def record_counts(collection: Collection) -> str:
    """Return the line that says how many records there are of each state."""
    return f"records: {counts_text(collection.counts())}\n"


def write_lines(lines: Sequence[str]) -> None:
    """Write lines to standard output."""
    write_page_text("\n".join(lines) + "\n")


def write_view(view: TableView, format_: TableFormat) -> None:
    """Write a table, or the same values as JSON, to standard output."""
    if format_ == "json":
        text = json.dumps(view.values, ensure_ascii=False, indent=2, default=str)
        write_page_text(text + "\n")
    elif view.cells:
        to_terminal = sys.stdout.isatty()
        table = render_table(view.columns, view.cells, to_terminal=to_terminal)
        write_result(table, None)
