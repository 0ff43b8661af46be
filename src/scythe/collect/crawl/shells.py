"""Pages that are empty shells until their scripts have run: only these are opened in a
browser, and what is stored says so.

What the browser made of a page is written down without scripts. Its entity tag is not
kept: that of a shell stays the same while what its scripts fetch changes.
"""

from __future__ import annotations

import re
from dataclasses import replace
from types import TracebackType
from typing import Self

from scythe.content.status import SHELL_TEXT
from scythe.errors import ScytheError
from scythe.render import Browser, RenderOptions, browser_available
from scythe.store.collections.pages import OK, Fetched
from scythe.tree.static_page import static_page

MOST_BYTES = 300_000
"""Bytes of a page beyond which it is not looked at for being a shell."""

_SCRIPT = re.compile(rb"<script", re.IGNORECASE)
_UNSEEN = re.compile(
    rb"<(script|style|noscript|template|svg|head)\b.*?</\1\s*>|<!--.*?-->|<[^>]*>",
    re.IGNORECASE | re.DOTALL,
)


def is_shell(body: bytes) -> bool:
    """Whether a page has scripts and hardly any text: a guess from its bytes, which
    costs far less than parsing.
    """
    if len(body) > MOST_BYTES or not _SCRIPT.search(body):
        return False
    seen, last = 0, 0
    for unseen in _UNSEEN.finditer(body):
        seen += len(b" ".join(body[last : unseen.start()].split()))
        last = unseen.end()
        if seen >= SHELL_TEXT:
            return False
    return seen + len(b" ".join(body[last:].split())) < SHELL_TEXT


class Shells:
    """Opens shells in one browser, started for the first and closed at the end. Without
    a browser they stay as they are.
    """

    def __init__(self, *, render: bool = True, timeout: float = 30.0) -> None:
        self._able = render
        self._options = RenderOptions(scripts=True, network=True, timeout=timeout)
        self._browser: Browser | None = None

    def filled(self, answer: Fetched) -> Fetched:
        """The answer, with what a browser makes of the page where that is a shell."""
        url = answer.final_url
        if (
            not self._able
            or answer.fate != OK
            or answer.body is None
            or url is None
            or not is_shell(answer.body)
        ):
            return answer
        if self._browser is None:
            self._able = browser_available()
            if not self._able:
                return answer
            self._browser = Browser()
        try:
            tree = self._browser.open(url, options=self._options)
        except ScytheError as error:
            return replace(
                answer, note=f"it is a shell, and the browser failed: {error}"[:300]
            )
        made = "<!DOCTYPE html>" + static_page(tree, {}, "", "")
        return replace(
            answer,
            body=made.encode("utf-8"),
            charset="utf-8",
            rendered=True,
            etag=None,
            last_modified=None,
        )

    def close(self) -> None:
        """Close the browser, if there is one."""
        if self._browser is not None:
            self._browser.close()
            self._browser = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
