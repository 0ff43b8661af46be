"""Messages on standard error: one line each, which says what to do."""

from __future__ import annotations

import json
import os
import re
import sys
import traceback
from dataclasses import dataclass

from scythe.logins import without_logins

CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
"""Characters by which text from a page could steer a terminal."""
REPLACEMENT = "\ufffd"


@dataclass
class _Style:
    """How messages are written: the same for all of a command."""

    quiet: bool = False
    as_json: bool = False


_style = _Style()


def choose_messages(*, quiet: bool, as_json: bool) -> None:
    """Choose whether only errors are written, and whether as JSON lines."""
    _style.quiet, _style.as_json = quiet, as_json


def shows_progress() -> bool:
    """Return whether somebody sees how far long work is: on a terminal, unless quiet."""
    return sys.stderr.isatty() and not _style.quiet and not _style.as_json


def print_message(line: str) -> None:
    """Write one line to standard error, whatever characters it has."""
    _write("info", line)


def print_warning(message: str, source: str = "") -> None:
    """Write a warning to standard error, which names the source it is about, once."""
    _write("warning", message, source)


def print_error(message: str, source: str = "") -> None:
    """Write an error to standard error, which names the source it is about, once."""
    _write("error", message, source)


def _write(level: str, message: str, source: str = "") -> None:
    message = without_logins(message)
    if _style.quiet and level != "error":
        return
    if _style.as_json:
        from datetime import UTC, datetime

        entry = {"time": datetime.now(UTC).isoformat(timespec="seconds")}
        entry |= {"level": level, "message": one_line(message)}
        if source:
            entry["source"] = one_line(source)
        line = json.dumps(entry, ensure_ascii=False)
    else:
        prefix = "" if level == "info" else f"{level}: "
        line = one_line(prefix + _with_source(message, source))
    sys.stderr.write(line + "\n")
    sys.stderr.flush()


def _with_source(message: str, source: str) -> str:
    return message if source in message else f"{source}: {message}"


def one_line(text: str) -> str:
    """Return text in which nothing breaks the line or steers the terminal."""
    line = replace_controls(" ".join(text.split()))
    return line.encode("utf-8", "replace").decode("utf-8")


def replace_controls(text: str) -> str:
    """Return text in which nothing steers the terminal."""
    return CONTROL.sub(REPLACEMENT, text)


def describe_unexpected(error: Exception) -> str:
    """Return one line for an error that is a fault of ours; print the traceback where
    SCYTHE_DEBUG asks for it.
    """
    if isinstance(error, MemoryError):
        return "there is not enough memory. Give a smaller --max-bytes or fewer --jobs."
    if isinstance(error, OSError):
        reason = error.strerror or str(error)
        if error.filename is not None:
            reason = f"{os.fsdecode(error.filename)}: {reason}"
        return f"{reason}. Check the path, its permissions and the free space."
    if os.environ.get("SCYTHE_DEBUG", "0") not in ("", "0"):
        traceback.print_exception(error)
    name = type(error).__name__
    description = f"{name}: {error}" if str(error) else name
    return (
        f"unexpected {description}. This is a fault of Scythe: "
        "please report it with the input and the output under SCYTHE_DEBUG=1."
    )
