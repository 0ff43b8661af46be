"""Pages that are empty shells until their scripts have run: only these are opened in a browser, and what is stored says so.

What the browser made of a page is written down without scripts. Its entity tag is not kept: that of a shell stays the same while
what its scripts fetch changes.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace
from types import TracebackType
from typing import Self

from scythe.content.status import SHELL_TEXT
from scythe.errors import ScytheError
from scythe.store.pages import OK, Fetched
from scythe.tree.render import Browser, RenderOptions, browser_available
from scythe.tree.static_page import static_page

MOST_BYTES = 300_000
"""Bytes of a page beyond which it is not looked at for being a shell."""

_SCRIPT = re.compile(rb"<script", re.IGNORECASE)
_UNSEEN = rb"(script|style|noscript|template|svg|head)"
_OPENING = re.compile(rb"<" + _UNSEEN + rb"\b", re.IGNORECASE)
_CLOSING = re.compile(rb"</" + _UNSEEN + rb"\s*+>", re.IGNORECASE)

_Spans = list[tuple[int, int]]


def is_shell(body: bytes) -> bool:
    """Whether a page has scripts and hardly any text: a guess from its bytes, which costs far less than parsing."""
    if len(body) > MOST_BYTES or not _SCRIPT.search(body):
        return False
    seen, last = 0, 0
    for start, end in _unseen(body):
        seen += len(b" ".join(body[last:start].split()))
        last = end
        if seen >= SHELL_TEXT:
            return False
    return seen + len(b" ".join(body[last:].split())) < SHELL_TEXT


def _unseen(body: bytes) -> Iterator[tuple[int, int]]:
    """Yield where tags, comments, and elements that show no text begin and end.

    Ends are looked up or searched for once, so that a page of beginnings without ends costs no
    more than another one.
    """
    closings: dict[bytes, _Spans] = defaultdict(list)
    for closing in _CLOSING.finditer(body):
        closings[closing[1].lower()].append(closing.span())

    last_comment_end = body.rfind(b"-->")
    start = body.find(b"<")
    while start >= 0:
        end = _end_of_element(body, start, closings)
        if not end and body.startswith(b"<!--", start) and start + 4 <= last_comment_end:
            end = body.index(b"-->", start + 4) + 3
        if not end:
            end = body.find(b">", start) + 1
        if not end:
            return

        yield start, end
        start = body.find(b"<", end)


def _end_of_element(body: bytes, start: int, closings: Mapping[bytes, _Spans]) -> int:
    """Return where the element at `start` ends that shows no text, 0 where there is none."""
    opening = _OPENING.match(body, start)
    if opening is None:
        return 0
    ends = closings.get(opening[1].lower(), [])
    index = bisect_left(ends, (opening.end(), 0))
    return ends[index][1] if index < len(ends) else 0


class Shells:
    """Opens shells in one browser, started for the first and closed at the end. Without a browser they stay as they are."""

    def __init__(self, *, render: bool = True, timeout: float = 30.0) -> None:
        self._able = render
        self._options = RenderOptions(scripts=True, network=True, timeout=timeout)
        self._browser: Browser | None = None

    def filled(self, answer: Fetched) -> Fetched:
        """The answer, with what a browser makes of the page where that is a shell."""
        url = answer.final_url
        if not self._able or answer.fate != OK or answer.body is None or url is None or not is_shell(answer.body):
            return answer
        if self._browser is None:
            self._able = browser_available()
            if not self._able:
                return answer
            self._browser = Browser()
        try:
            tree = self._browser.open(url, options=self._options)
        except ScytheError as error:
            return replace(answer, note=f"it is a shell, and the browser failed: {error}"[:300])
        made = "<!DOCTYPE html>" + static_page(tree, {}, "", "")
        return replace(answer, body=made.encode("utf-8"), charset="utf-8", rendered=True, etag=None, last_modified=None)

    def close(self) -> None:
        """Close the browser, if there is one."""
        if self._browser is not None:
            self._browser.close()
            self._browser = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()
