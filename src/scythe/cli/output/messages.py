"""Messages on standard error: one line each, which says what to do."""

from __future__ import annotations

import os
import re
import sys
import traceback
from collections.abc import Iterator, Mapping

from scythe.content.document import Document
from scythe.content.status import Status

CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
"""Characters by which text from a page could steer a terminal."""
REPLACEMENT = "\ufffd"

_STATUS_MESSAGES: Mapping[Status, tuple[str, str]] = {
    Status.EMPTY: (
        "it holds no text that could be content.",
        "Check that it is the page you meant.",
    ),
    Status.SHELL: (
        "it builds its content by script.",
        "Give --render, or save it from a browser once it is shown, and give that file.",
    ),
    Status.EMBEDDED: (
        "no content is visible in it, so this is from the data it carries.",
        "Open it in a browser to compare.",
    ),
    Status.BLOCKED: (
        "it is a bot check, a login, a paywall or an error page.",
        "Open it in a browser, save the page, and give that file.",
    ),
    Status.LIST: (
        "it is a list of links rather than one text.",
        "For whole texts, give the pages that it links to.",
    ),
    Status.OTHER_LANGUAGE: (
        "it is in another language.",
        "Its content is left out. To have it, give another --language, or none.",
    ),
    Status.TEXT: (
        "it is plain text, not a web page, and is given as it is.",
        "Give a web page to have content chosen.",
    ),
    Status.FEED: ("it is a feed, not a web page.", "Give it to `scythe collect add`."),
    Status.SITEMAP: (
        "it is a sitemap, not a web page.",
        "Give it to `scythe collect add`.",
    ),
    Status.NOT_HTML: ("it is not a web page.", "Give a web page."),
}
"""What is the case, where the document has no note of its own, and what to do."""
_CUT_ADVICE = {
    "bytes": "it is longer than --max-bytes, so its end is missing. "
    "Give a larger --max-bytes.",
    "nodes": "it has more elements than the limit, so its end is missing. "
    "In Python, give scythe.extract larger Limits.",
    "depth": "it nests deeper than the limit, so the structure of its deepest parts is "
    "lost; no text is.",
}


def print_message(line: str) -> None:
    """Write one line to standard error, whatever characters it has."""
    sys.stderr.write(one_line(line) + "\n")
    sys.stderr.flush()


def print_warning(message: str, source: str = "") -> None:
    """Write a warning to standard error, which names the source it is about, once."""
    print_message(f"warning: {_with_source(message, source)}")


def print_error(message: str, source: str = "") -> None:
    """Write an error to standard error, which names the source it is about, once."""
    print_message(f"error: {_with_source(message, source)}")


def _with_source(message: str, source: str) -> str:
    return message if source in message else f"{source}: {message}"


def one_line(text: str) -> str:
    """Return text in which nothing breaks the line or steers the terminal."""
    line = replace_controls(" ".join(text.split()))
    return line.encode("utf-8", "replace").decode("utf-8")


def replace_controls(text: str) -> str:
    """Return text in which nothing steers the terminal."""
    return CONTROL.sub(REPLACEMENT, text)


def document_warnings(document: Document) -> Iterator[str]:
    """Yield what a user should know about a result that is not simply good, and what to
    do.
    """
    is_read_list = document.status is Status.LIST and document.records
    if document.status in _STATUS_MESSAGES and not is_read_list:
        general, advice = _STATUS_MESSAGES[document.status]
        yield f"{document.note or general} {advice}"
    for limit in document.cut:
        yield _CUT_ADVICE.get(limit, f"it was cut by the limit on {limit}.")


def describe_unexpected(error: Exception) -> str:
    """Return one line for an error that is a fault of ours; print the traceback where
    SCYTHE_DEBUG asks for it.
    """
    if isinstance(error, MemoryError):
        return "there is not enough memory. Give a smaller --max-bytes or fewer --jobs."
    if isinstance(error, OSError):
        return f"{error}. Check the path, its permissions and the free space."
    if os.environ.get("SCYTHE_DEBUG", "0") not in ("", "0"):
        traceback.print_exception(error)
    name = type(error).__name__
    description = f"{name}: {error}" if str(error) else name
    return (
        f"unexpected {description}. This is a fault of Scythe: "
        "please report it with the input and the output under SCYTHE_DEBUG=1."
    )
