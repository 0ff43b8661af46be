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

from scythe.cli.main import app

_INTRODUCTION = """\
# Command line

Made from the commands themselves by `make docs`; a test fails when this page is out of date. Every command also explains
itself: `scythe COMMAND --help`.
"""


def reference() -> str:
    """The whole page."""
    return "\n".join(
        [
            _INTRODUCTION,
            *(_section(name, run) for name, run in _commands(app, "scythe")),
        ]
    )


def _commands(
    group: typer.Typer, prefix: str
) -> Iterator[tuple[str, Callable[..., Any]]]:
    """Every command with the words that call it, those of groups after the others."""
    for command in group.registered_commands:
        if command.callback:
            yield (
                f"{prefix} {command.name or command.callback.__name__}",
                command.callback,
            )
    for inner in group.registered_groups:
        if inner.typer_instance:
            yield from _commands(
                inner.typer_instance,
                f"{prefix} {inner.name or inner.typer_instance.info.name}",
            )


def _section(name: str, run: Callable[..., Any]) -> str:
    kinds = typing.get_type_hints(run, include_extras=True)
    arguments, options = [], []
    for parameter in inspect.signature(run).parameters.values():
        kind, info = typing.get_args(kinds[parameter.name])
        if isinstance(info, ArgumentInfo):
            repeated = "..." if typing.get_origin(kind) is list else ""
            arguments.append(
                (f"{info.metavar or parameter.name.upper()}{repeated}", info.help)
            )
        elif isinstance(info, OptionInfo):
            options.append(_row(info, kind, parameter.default))
    usage = " ".join(
        [
            name,
            *(["[OPTIONS]"] if options else []),
            *(argument for argument, _ in arguments),
        ]
    )
    lines = [
        f"## {name}",
        "",
        f"    {usage}",
        "",
        inspect.cleandoc(run.__doc__ or ""),
        "",
    ]
    lines += [f"- `{argument}`: {text}" for argument, text in arguments]
    return "\n".join(
        [
            *lines,
            "",
            "| option | value | default | |",
            "|---|---|---|---|",
            *options,
            "",
        ]
    )


def _row(info: OptionInfo, kind: Any, default: object) -> str:
    # Within Annotated, typer keeps the first name of an option where its default would
    # stand.
    names = ", ".join(
        f"`{name}`"
        for name in (info.default, *(info.param_decls or ()))
        if isinstance(name, str)
    )
    choices = typing.get_args(kind) if typing.get_origin(kind) is Literal else ()
    values = ", ".join(f"`{choice}`" for choice in choices) or info.metavar or ""
    return f"| {names} | {values} | {'' if default is None else f'`{default}`'} | {info.help} |"


if __name__ == "__main__":
    typer.echo(reference(), nl=False)
