"""The reference of the command line as Markdown, from the commands themselves: `python
-m scythe.cli.reference > docs/cli.md`.
"""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable, Iterator
from typing import Any, Literal

import typer
from typer.models import ArgumentInfo, OptionInfo

from scythe.cli.catalogue import SUMMARIES, command_module

_INTRODUCTION = """\
# Command line

Made from the commands themselves by `make docs`; a test fails when this page is out
of date. Every command also explains itself: `scythe COMMAND --help`.
"""


def reference() -> str:
    """Return the whole page."""
    sections = [_section(name, command) for name, command in _all_commands()]
    return "\n".join([_INTRODUCTION, *sections])


def _all_commands() -> Iterator[tuple[str, Callable[..., Any]]]:
    for name in SUMMARIES:
        module = command_module(name)
        if hasattr(module, "app"):
            yield from _commands(module.app, f"scythe {name}")
        else:
            yield f"scythe {name}", getattr(module, name)


def _commands(
    group: typer.Typer, prefix: str
) -> Iterator[tuple[str, Callable[..., Any]]]:
    """Yield every command with the words that call it, those of groups after the others."""
    for command in group.registered_commands:
        if command.callback:
            name = command.name or command.callback.__name__
            yield f"{prefix} {name}", command.callback
    for inner in group.registered_groups:
        if inner.typer_instance:
            group_name = inner.name or inner.typer_instance.info.name
            yield from _commands(inner.typer_instance, f"{prefix} {group_name}")


def _section(name: str, command: Callable[..., Any]) -> str:
    hints = typing.get_type_hints(command, include_extras=True)
    usage = [name]
    argument_lines, option_rows = [], []
    for parameter in inspect.signature(command).parameters.values():
        type_, info = typing.get_args(hints[parameter.name])
        if isinstance(info, ArgumentInfo):
            repeated = "..." if typing.get_origin(type_) is list else ""
            argument = f"{info.metavar or parameter.name.upper()}{repeated}"
            usage.append(argument)
            argument_lines.append(f"- `{argument}`: {info.help}")
        elif isinstance(info, OptionInfo):
            option_rows.append(_option_row(info, type_, parameter.default))
    if option_rows:
        usage.insert(1, "[OPTIONS]")

    lines = [
        f"## {name}",
        "",
        f"    {' '.join(usage)}",
        "",
        inspect.cleandoc(command.__doc__ or ""),
        "",
        *argument_lines,
        "",
        "| option | value | default | |",
        "|---|---|---|---|",
        *option_rows,
        "",
    ]
    return "\n".join(lines)


def _option_row(info: OptionInfo, type_: Any, default: object) -> str:
    # within Annotated, typer keeps the first name of an option where its default would be
    names = [info.default, *(info.param_decls or ())]
    quoted_names = [f"`{name}`" for name in names if isinstance(name, str)]
    choices = typing.get_args(type_) if typing.get_origin(type_) is Literal else ()
    values = ", ".join(f"`{choice}`" for choice in choices) or info.metavar or ""
    default_text = "" if default is None else f"`{default}`"
    if default is inspect.Parameter.empty:
        default_text = "required"
    return f"| {', '.join(quoted_names)} | {values} | {default_text} | {info.help} |"


if __name__ == "__main__":
    typer.echo(reference(), nl=False)
