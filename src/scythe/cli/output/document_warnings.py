"""What is said of a result that is not simply good, and what to do about it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from scythe.content.document import Document
from scythe.content.status import Status

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
