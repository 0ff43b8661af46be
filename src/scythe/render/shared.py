"""A page as the finders of records see it: as a browser shows it where there is one,
else by its tags alone.
"""

from __future__ import annotations

import logging
from functools import cache
from typing import TYPE_CHECKING

from scythe.errors import ScytheError
from scythe.tree import Limits, Tree, parse
from scythe.tree.parse import DEFAULT_LIMITS

if TYPE_CHECKING:
    from scythe.render import Browser

_log = logging.getLogger(__name__)


def load_tree(
    html: bytes | str,
    url: str | None = None,
    *,
    render: bool | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> Tree:
    """The tree of a page, rendered or parsed.

    `render=None` renders where the machine has a browser, `True` insists on it, `False`
    does without. A page that the browser fails on is parsed, unless rendering was
    insisted on.
    """
    if render is False:
        return parse(html, limits)
    from scythe.render import browser_available

    if render is None and not browser_available():
        _say_once(
            "No browser was found, so records are found by tags alone. Install Chromium and scythe[browser] for more."
        )
        return parse(html, limits)
    try:
        return _rendered(html, url, limits)
    except ScytheError as error:
        if render:
            raise
        _log.warning("The page is read by its tags alone: %s", error)
        return parse(html, limits)


def open_page(url: str) -> Tree:
    """The tree of the page that a browser finds at an address, after its scripts have
    run.
    """
    return _browser().open(url)


def submit_query(url: str, box: int, words: str) -> str:
    """The address that the page at an address leads to when words are typed into one of
    its fields; see `Browser.submit`.
    """
    return _browser().submit(url, box, words)


def _rendered(html: bytes | str, url: str | None, limits: Limits) -> Tree:
    from scythe.render import RenderOptions

    return _browser().render(html, url=url, options=RenderOptions(limits=limits))


@cache
def _browser() -> Browser:
    """One browser for all pages of this process; it ends with it."""
    from scythe.render import Browser

    return Browser()


@cache
def _say_once(message: str) -> None:
    _log.warning(message)
