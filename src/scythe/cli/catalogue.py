"""The commands by name, each in a module that is loaded when the command is called.

A command stands on much of the library; a shell that asks for help, or for another
command, should not wait for that.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from types import ModuleType
from typing import Any

import typer
from typer.core import TyperCommand
from typer.main import get_command

from scythe.cli.values import leave_plain_values

SUMMARIES: Mapping[str, str] = {
    "extract": "Extract the main content of pages.",
    "records": "Extract the records of a list or search-result page.",
    "learn": "Learn a wrapper from pages of one kind.",
    "page": "Read the typed record of pages that describe one thing each.",
    "bulk": "Extract all pages of WARC files, Parquet tables, JSONL files, folders or lists.",
    "search": "Search with all engines at once, and merge what they find.",
    "serve": "Open the web app.",
    "mcp": "Serve agents by the Model Context Protocol.",
    "doctor": "Say what is installed and works.",
    "wrapper": "Learn, apply and export wrappers.",
    "engine": "Search engines: add, check, relearn, harvest and export them.",
    "template": "Grow, apply and name templates.",
    "collect": "Collections: databases that follow sites.",
    "db": "Back up, restore and check the database.",
}
"""The commands in the order of the help page, each with its line there."""


def command_module(name: str) -> ModuleType:
    """Return the module of a command: it has a function of that name, or a group of
    commands as its `app`.
    """
    return import_module(f"scythe.cli.commands.{name}")


def load_command(name: str) -> Any:
    """Return a command as the shell's parser wants it.

    Help is plain text: the modules that draw boxes around it take longer to load than
    all others of a help page.
    """
    parent = typer.Typer(rich_markup_mode=None, add_completion=False)
    parent.callback()(_stay_a_group)
    module = command_module(name)
    if hasattr(module, "app"):
        parent.add_typer(module.app, name=name)
    else:
        command_class = getattr(module, "COMMAND_CLASS", TyperCommand)
        parent.command(name, cls=command_class)(getattr(module, name))
    command = get_command(parent).commands[name]  # type: ignore[attr-defined]
    leave_plain_values(command)
    return command


def _stay_a_group() -> None:
    """Keep a parent of one command a group, which it is only with a callback."""
