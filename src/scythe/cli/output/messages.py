"""What is said on standard error: one line a message, each with what to do, and a
progress bar on a terminal.
"""

from __future__ import annotations

import os
import re
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from scythe.content.document import Document
from scythe.content.status import Status

if TYPE_CHECKING:
    from collections.abc import Callable

CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
"""Characters by which text from a page could steer a terminal."""

_ADVICE = {
    Status.EMPTY: "it holds no text that could be content. Check that it is the page you meant.",
    Status.SHELL: "it builds its content by script. Open it in a browser, save the page once it is shown, and give that file.",
    Status.EMBEDDED: "no content is visible in it, so this is from its structured data. Open it in a browser to compare.",
    Status.BLOCKED: "it is a bot check, a login wall or an error page. Open it in a browser, save the page, and give that file.",
    Status.LIST: "it is a list of links or records rather than one text. For whole texts, give the pages that it links to.",
}
_CUT_ADVICE = {
    "bytes": "it is longer than --max-bytes, so its end is missing. Give a larger --max-bytes.",
    "nodes": "it has more elements than the limit, so its end is missing. In Python, give scythe.extract larger Limits.",
    "depth": "it nests deeper than the limit, so the structure of its deepest parts is lost; no text is.",
}


def print_message(line: str) -> None:
    """Write one line to standard error, whatever stands in it."""
    sys.stderr.write(one_line(line) + "\n")
    sys.stderr.flush()


def one_line(text: str) -> str:
    """Text in which nothing breaks the line or steers the terminal."""
    return (
        CONTROL.sub("\ufffd", " ".join(text.split()))
        .encode("utf-8", "replace")
        .decode("utf-8")
    )


def about(name: str, message: str) -> str:
    """A message that names its source, once."""
    return message if name in message else f"{name}: {message}"


def warnings(document: Document) -> Iterator[str]:
    """What a user should know about a result that is not simply good, and what to do."""
    if document.status in _ADVICE:
        yield _ADVICE[document.status]
    for limit in document.cut:
        yield _CUT_ADVICE.get(limit, f"it was cut by the limit on {limit}.")


def unexpected(error: Exception) -> str:
    """One line for an error that is a fault of ours, or the whole traceback where
    SCYTHE_DEBUG asks for it.
    """
    if isinstance(error, MemoryError):
        return "there is not enough memory. Give a smaller --max-bytes or fewer --jobs."
    if isinstance(error, OSError):
        return f"{error}. Check the path, its permissions and the free space."
    if os.environ.get("SCYTHE_DEBUG", "0") not in ("", "0"):
        traceback.print_exception(error)
    what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    return f"unexpected {what}. This is a fault of Scythe: please report it with the input and the output under SCYTHE_DEBUG=1."


@contextmanager
def progress(total: Callable[[], int] | None) -> Iterator[Callable[[], None]]:
    """A progress bar on standard error, as a function to call after each input; `total`
    None shows none.
    """
    if total is None:
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("extracting"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    with Progress(
        *columns, console=Console(stderr=True), transient=True, redirect_stdout=False
    ) as bar:
        task = bar.add_task("", total=total())
        yield lambda: bar.advance(task)
