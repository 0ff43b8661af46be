"""Why a result is what it is: empty, an unbuilt shell, a wall, cut, or fine."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

import numpy as np

from scythe.content.selection import Selection
from scythe.content.walls import (
    LITTLE_TEXT,
    SHORT_TEXT,
    PageWords,
    find_account_form,
    find_wall,
    has_bot_check,
)
from scythe.tree.tags import code
from scythe.tree.text import one_line
from scythe.tree.tree import Tree
from scythe.tree.visibility import skipped


class Status(StrEnum):
    """What kind of result a document is; JSON output and the command line show the
    value.
    """

    OK = "ok"
    EMPTY = "empty"
    """The page holds no text that could be content."""
    SHELL = "shell"
    """The page builds its content by script: render it in a browser and extract again."""
    EMBEDDED = "embedded"
    """The visible text holds no content; it was taken from the page's structured data
    (JSON-LD).
    """
    BLOCKED = "blocked"
    """The page is a bot check, a login, a paywall, a request for consent or an error
    page, not the content asked for; the note says which.
    """
    LIST = "list"
    """The page is a list of records: their text is here, `scythe.records` gives them
    one by one.
    """
    TRUNCATED = "truncated"
    """A limit cut the page, so the end of the content may be missing; `cut` names the
    limit.
    """
    TEXT = "text"
    """The input is plain text: all of it is here, as it is."""
    FEED = "feed"
    """The input is a feed, which `scythe collect` follows; there is no content."""
    SITEMAP = "sitemap"
    """The input is a sitemap, which `scythe collect` follows; there is no content."""
    OTHER_LANGUAGE = "other-language"
    """The page is in another language than was asked for; there is no content, and the
    note says which.
    """
    NOT_HTML = "not-html"
    """The input is JSON, a table, a PDF, a picture, ...; there is no content, and the
    note says what it is.
    """


WITHOUT_PAGE = frozenset({Status.FEED, Status.SITEMAP, Status.NOT_HTML})
"""Statuses of inputs from which nothing can be extracted."""

LIST_TYPES = frozenset({"listing", "collection"})

SHORT_PAGE = SHORT_TEXT
"""Characters of selected text below which a page is checked for being a shell or a
wall.
"""

SHELL_TEXT = 300
"""Characters of visible text below which a page with scripts is taken for a shell. A
plain bound, not tuned.
"""
MIN_LISTED = 3
"""Links of a short selection that make it a list. Contact forms, products and empty shops
look like lists to the model: 18 of the 22 pages of wcxb and of the pages with forms that
are called lists with less than this, and the other 4 come out without their items.
"""


class Finding(NamedTuple):
    """The status of a result, and what it leaves open in words."""

    status: Status
    note: str = ""


def find_status(tree: Tree, selection: Selection, url: str | None = None) -> Finding:
    """Return the status of a selection. Only pages with little selected text are
    examined for why that is so.
    """
    length = tree.text_length(selection.with_same_text.nodes)
    if length < SHORT_PAGE:
        words = PageWords.of(tree, _visible_text(tree))
        if wall := find_wall(tree, words, length, url):
            return Finding(Status.BLOCKED, wall)

        has_script = bool(np.any(tree.tag == code("script")))
        if has_script and len(words.visible_text) < SHELL_TEXT:
            return Finding(Status.SHELL)
        if not length:
            return Finding(Status.EMPTY)

    if tree.cut:
        return Finding(Status.TRUNCATED)
    if selection.page_type in LIST_TYPES:
        if account_form := find_account_form(tree, PageWords.of(tree, ""), url):
            return Finding(Status.BLOCKED, account_form)
        if length >= LITTLE_TEXT or _has_links(tree, selection):
            return Finding(Status.LIST)
    return Finding(Status.OK)


def _has_links(tree: Tree, selection: Selection) -> bool:
    """Return whether selected text links to as many pages as make a list."""
    is_selected = selection.with_same_text.nodes & tree.is_text
    selected_before = np.append(0, np.cumsum(is_selected))
    links = tree.elements("a")
    ends = tree.end[links]
    has_text = selected_before[ends] > selected_before[links]
    links = links[has_text]
    targets = set(tree.attribute_values("href", links.tolist()))
    targets.discard(None)
    return len(targets) >= MIN_LISTED


def is_blocked(tree: Tree) -> bool:
    """Return whether a page is a bot check or refuses access."""
    return has_bot_check(PageWords.of(tree, _visible_text(tree)))


def _visible_text(tree: Tree) -> str:
    return one_line(tree, ~skipped(tree))
