"""`scythe db`: copies of the database, and whether it is sound."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from scythe.cli.options import Database
from scythe.cli.output.messages import print_error, print_message

app = typer.Typer(no_args_is_help=True, help="Back up, restore and check the database.")
CopyFile = Annotated[Path, typer.Argument(metavar="FILE", help="The file of the copy.")]


@app.command("backup")
def backup(file: CopyFile, db: Database = None) -> None:
    """Write a copy of the database to a new file, also while others work with it.

    SQLite gives an SQLite file, PostgreSQL an archive of pg_dump.
    """
    from scythe.collect.database import back_up

    back_up(db, file)
    print_message(f"copied to {file}.")


@app.command("restore")
def restore_copy(file: CopyFile, db: Database = None) -> None:
    """Put a copy back, as a new file or into an empty PostgreSQL database.

    What is there already is never overwritten.
    """
    from scythe.collect.database import restore

    print_message(f"restored as {restore(db, file)}.")


@app.command("check")
def check(db: Database = None) -> None:
    """Look whether the database is whole; the exit code is 1 where it is not."""
    from scythe.collect.database import find_damage

    damage = find_damage(db)
    for finding in damage:
        print_error(finding)
    if damage:
        print_message("Restore a copy: `scythe db restore FILE --db NEW`.")
        raise typer.Exit(1)
    print_message("the database is whole.")
