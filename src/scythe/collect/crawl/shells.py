"""Pages that are empty shells until their scripts have run: only these are opened in a
browser, and what is stored says so.

What the browser made of a page is written down without scripts. Its entity tag is not
kept: that of a shell stays the same while what its scripts fetch changes.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace

from scythe.closing import Closing
from scythe.collect.crawl.hosts import AllowedHosts
from scythe.content.status import SHELL_TEXT
from scythe.errors import ScytheError
from scythe.render import Browser, RenderOptions, browser_available
from scythe.store.collections.pages import FetchResult
from scythe.store.states import FetchOutcome
from scythe.tree.static_page import static_page
from scythe.urls import is_own_network

MAX_BYTES = 300_000
"""Bytes of a page beyond which it is taken for no shell: a bound on work, not tuned."""
_MAX_NOTE = 300
"""Characters of a note on a failure: an arbitrary cap."""

_SCRIPT = re.compile(rb"<script", re.IGNORECASE)
_HIDDEN = rb"(script|style|noscript|template|svg|head)"
_OPENING_TAG = re.compile(rb"<" + _HIDDEN + rb"\b", re.IGNORECASE)
_CLOSING_TAG = re.compile(rb"</" + _HIDDEN + rb"\s*+>", re.IGNORECASE)

_Spans = list[tuple[int, int]]


def is_shell(body: bytes) -> bool:
    """Return whether a page has scripts and hardly any text: a guess from its bytes, which
    costs far less than parsing.
    """
    if len(body) > MAX_BYTES or not _SCRIPT.search(body):
        return False
    visible = 0
    last = 0
    for start, end in _hidden_spans(body):
        visible += _text_length(body[last:start])
        last = end
        if visible >= SHELL_TEXT:
            return False
    return visible + _text_length(body[last:]) < SHELL_TEXT


def _text_length(text: bytes) -> int:
    """Return the length of a text with its white space collapsed."""
    return len(b" ".join(text.split()))


def _hidden_spans(body: bytes) -> Iterator[tuple[int, int]]:
    """Yield where tags, comments, and elements that show no text begin and end.

    Ends are looked up or searched for once, so that a page of beginnings without ends
    costs no more than another one.
    """
    closings: dict[bytes, _Spans] = defaultdict(list)
    for closing in _CLOSING_TAG.finditer(body):
        tag = closing[1].lower()
        closings[tag].append(closing.span())

    last_comment_end = body.rfind(b"-->")
    start = body.find(b"<")
    while start >= 0:
        end = _end_of_element(body, start, closings)
        has_end = start + 4 <= last_comment_end
        if not end and has_end and body.startswith(b"<!--", start):
            end = body.index(b"-->", start + 4) + 3
        if not end:
            end = body.find(b">", start) + 1
        if not end:
            return

        yield start, end
        start = body.find(b"<", end)


def _end_of_element(body: bytes, start: int, closings: Mapping[bytes, _Spans]) -> int:
    """Return where the element at `start` ends that shows no text, 0 where there is
    none.
    """
    opening = _OPENING_TAG.match(body, start)
    if opening is None:
        return 0
    ends = closings.get(opening[1].lower(), [])
    index = bisect_left(ends, (opening.end(), 0))
    if index == len(ends):
        return 0
    _, end = ends[index]
    return end


class ShellRenderer(Closing):
    """Opens shells in one browser, started for the first and closed at the end. Without
    a browser they stay as they are.
    """

    def __init__(
        self, hosts: AllowedHosts, *, render: bool = True, timeout: float = 30.0
    ) -> None:
        self._hosts = hosts
        self._can_render = render
        self._options = RenderOptions(scripts=True, network=True, timeout=timeout)
        self._browser: Browser | None = None

    def rendered(self, result: FetchResult) -> FetchResult:
        """Return the result, with what a browser makes of the page where that is a
        shell.
        """
        if result.outcome != FetchOutcome.OK or not self._can_render:
            return result
        url, body = result.final_url, result.body
        if url is None or body is None or not is_shell(body):
            return result

        if self._browser is None:
            self._can_render = browser_available()
            if not self._can_render:
                return result
            self._browser = Browser()
        try:
            options = replace(self._options, public_only=not self._is_own(url))
            tree = self._browser.open(url, options=options)
        except ScytheError as error:
            note = f"it is a shell, and the browser failed: {error}"
            return replace(result, note=note[:_MAX_NOTE])

        html = "<!DOCTYPE html>" + static_page(tree, {}, "", "")
        return replace(
            result,
            body=html.encode("utf-8"),
            charset="utf-8",
            rendered=True,
            etag=None,
            last_modified=None,
        )

    def _is_own(self, url: str) -> bool:
        """Return whether a page may reach private machines: one of a private machine
        that the collection may ask. Where its name leads now does not make it one.
        """
        allowed = self._hosts.include_private and self._hosts.allows(url)
        return allowed and is_own_network(url)

    def close(self) -> None:
        """Close the browser, if there is one."""
        if self._browser is not None:
            self._browser.close()
            self._browser = None
