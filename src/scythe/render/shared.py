"""One browser for all of a process, and the tree of a page as the finders of records
need it: rendered where there is a browser, else parsed.
"""

from __future__ import annotations

import logging
from dataclasses import replace
from functools import cache

from scythe.errors import ScytheError
from scythe.render.browser import Browser
from scythe.render.chromium import browser_available
from scythe.render.options import RenderOptions, Typing
from scythe.tree import Limits, Tree, parse
from scythe.tree.parse import DEFAULT_LIMITS
from scythe.urls import is_own_network

SETTLE_SECONDS = 6.0
"""Seconds that a page is given to stop growing: a bound on waiting, not tuned."""
_log = logging.getLogger(__name__)


def load_tree(
    html: bytes | str,
    url: str | None = None,
    *,
    render: bool | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> Tree:
    """Return the tree of a page, rendered or parsed.

    `render=None` renders where the machine has a browser, `True` insists on it, `False`
    does without. A page that the browser fails on is parsed, unless rendering was
    insisted on.
    """
    if render is False:
        return parse(html, limits)
    if render is None and not browser_available():
        _warn_once(
            "No browser was found, so records are found by tags alone. "
            "Install Chromium and webscythe[browser] for more."
        )
        return parse(html, limits)
    try:
        options = RenderOptions(limits=limits)
        return _shared_browser().render(html, url=url, options=options)
    except ScytheError as error:
        if render:
            raise
        _log.warning("The page is read by its tags alone: %s", error)
        return parse(html, limits)


def run_scripts(
    html: bytes | str,
    url: str | None = None,
    *,
    limits: Limits = DEFAULT_LIMITS,
    charset: str | None = None,
) -> Tree:
    """Return the tree of a page after its scripts have run.

    They reach the network where the page's address is known, as if it had come from
    there; those of a public page reach no private machine.
    """
    options = RenderOptions(scripts=True, limits=limits)
    if url is not None:
        options = replace(online_options(url), limits=limits)
    return _shared_browser().render(html, url=url, charset=charset, options=options)


def open_page(url: str) -> Tree:
    """Return the tree of the page that a browser finds at an address, after its scripts
    have run and the page has stopped growing.
    """
    return _shared_browser().open(url, options=_settling_options(url))


def type_query(url: str, field: str, query: str) -> Tree:
    """Return the tree of the page at an address after a query was typed into a field,
    which a CSS selector names, and the page has stopped growing.
    """
    options = _settling_options(url)
    return _shared_browser().type_into(url, Typing(field, query), options=options)


def _settling_options(url: str) -> RenderOptions:
    return replace(online_options(url), settle_timeout=SETTLE_SECONDS)


def submit_query(url: str, field: int, query: str) -> str:
    """Return the address that the page at an address leads to when a query is typed into
    one of its fields; see `Browser.submit`.
    """
    options = online_options(url)
    return _shared_browser().submit(url, field, query, options=options)


def online_options(url: str) -> RenderOptions:
    """Return the options for the page at an address: it may do all that pages do, but a
    public one reaches no private machine.
    """
    return RenderOptions(
        scripts=True, network=True, public_only=not is_own_network(url)
    )


@cache
def _shared_browser() -> Browser:
    """Return the browser for all pages of this process; it ends with it."""
    return Browser()


@cache
def _warn_once(message: str) -> None:
    _log.warning(message)
