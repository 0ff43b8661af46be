"""The `scythe` command: its subcommands, and what happens to every error that reaches
the top.
"""

from __future__ import annotations

import os
import signal
import sys
from types import FrameType
from typing import Annotated, Any, Literal

import typer
from typer.core import TyperGroup

from scythe.cli.catalogue import SUMMARIES, load_command
from scythe.cli.configuration import Configuration
from scythe.cli.output.messages import (
    choose_messages,
    describe_unexpected,
    print_error,
    print_message,
)
from scythe.cli.values import leave_plain_values
from scythe.errors import ScytheError, UsageError
from scythe.logins import without_logins
from scythe.version import installed_version

WRONG_USAGE = 2
INTERRUPTED = 130
PIPE_CLOSED = 141
TERMINATED = 143
"""The codes a shell gives to a command that SIGINT, SIGPIPE and SIGTERM ended."""


class GuardedGroup(TyperGroup):
    """Commands of which none ever ends in a traceback (unless SCYTHE_DEBUG asks for
    one), and of which a call loads only the one it names.
    """

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of all commands."""
        return list(SUMMARIES)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return a command; None where there is none of that name."""
        if cmd_name not in SUMMARIES:
            return None
        command = load_command(cmd_name)
        configuration = ctx.obj
        if isinstance(configuration, Configuration):
            defaults = configuration.defaults(command, (cmd_name,))
            ctx.default_map[cmd_name] = defaults
        return command

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the commands into the help page, without loading them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(SUMMARIES.items()))

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the options that stand before a command, or anywhere after it, over the
        defaults of the configuration.
        """
        try:
            configuration = Configuration.load()
            ctx.default_map = configuration.options_of(self)
        except ScytheError as error:
            print_error(str(error))
            raise typer.Exit(WRONG_USAGE) from None
        ctx.obj = configuration
        leave_plain_values(self)
        return super().parse_args(ctx, _with_general_options_first(args))

    def invoke(self, ctx: Any) -> Any:
        """Run a command and turn what it raises into one line and an exit code."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            print_message("stopped.")
            code = INTERRUPTED
        except BrokenPipeError:
            _discard_output()
            code = PIPE_CLOSED
        except ScytheError as error:
            print_error(str(error))
            code = WRONG_USAGE if isinstance(error, UsageError) else 1
        except Exception as error:
            is_of_typer = isinstance(error, typer.Abort) or hasattr(error, "exit_code")
            if is_of_typer:  # it shows its own errors itself
                _hide_logins(error)
                raise
            print_error(describe_unexpected(error))
            code = 1
        raise typer.Exit(code)


def _hide_logins(error: Exception) -> None:
    """Take users and passwords out of what an error repeats of the command."""
    known = vars(error)
    if "message" in known:
        known["message"] = without_logins(str(known["message"]))


def _with_general_options_first(args: list[str]) -> list[str]:
    """Return arguments in which --quiet and --log stand before the command: people type
    them after it.
    """
    first: list[str] = []
    others: list[str] = []
    waiting = iter(args)
    for word in waiting:
        if word == "--":
            return [*first, *others, word, *waiting]
        if word == "--quiet" or word.startswith("--log="):
            first.append(word)
        elif word == "--log":
            first.append(word)
            if following := next(waiting, ""):
                first.append(following)
        else:
            others.append(word)
    return [*first, *others]


def _discard_output() -> None:
    """Point standard output at nothing, so that the interpreter's last flush does not
    meet the closed pipe again.
    """
    null_device = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null_device, sys.stdout.fileno())


def _terminate(number: int, frame: FrameType | None) -> None:
    """Exit as on any other end, so that the workers end too."""
    raise SystemExit(TERMINATED)


def _show_version(requested: bool) -> None:  # noqa: FBT001 - typer's callback
    if requested:
        from scythe.core.library import at_work

        parser = "compiled core" if at_work() else "turbohtml and NumPy"
        typer.echo(f"scythe {installed_version()} ({parser})")
        raise typer.Exit


app = typer.Typer(
    name="scythe",
    cls=GuardedGroup,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback()
def scythe(
    *,
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            callback=_show_version,
            is_eager=True,
            help="Show the version and exit.",
        ),
    ] = False,
    quiet: Annotated[
        bool,
        typer.Option(
            "--quiet",
            help="Print errors only: no warnings, no messages, no progress.",
        ),
    ] = False,
    log: Annotated[
        Literal["text", "json"],
        typer.Option(
            "--log", help="Write messages to standard error as text, or as JSON lines."
        ),
    ] = "text",
) -> None:
    """Clean content and structured records from web pages, with no selector written by
    hand.
    """
    choose_messages(quiet=quiet, as_json=log == "json")
    signal.signal(signal.SIGTERM, _terminate)
