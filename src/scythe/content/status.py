"""Why a result is what it is: empty, an unbuilt shell, a bot check, cut, or fine."""

from __future__ import annotations

import re
from enum import StrEnum

import numpy as np

from scythe.content.selection import Selection
from scythe.tree.tags import code
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
    """The page is a bot check or an access wall, not the content asked for."""
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

SHORT_PAGE = 1_500
"""Characters of selected text below which a page is checked for being a shell or a bot
check. Such pages have a sentence or two; an article of this length that merely
mentions them is still recognised by the phrases below.
"""

SHELL_TEXT = 300
"""Characters of visible text below which a page with scripts is taken for a shell. A
plain bound, not tuned.
"""

_BLOCKED_PHRASES = re.compile(
    r"checking (?:if the site connection is secure|your browser)|just a moment"
    r"|attention required|access denied|verify(?:ing)? (?:that )?you are (?:a )?human"
    r"|are you a robot|unusual traffic|enable cookies and reload"
    r"|request (?:blocked|unsuccessful)|complete the (?:security check|captcha)"
    r"|pardon our interruption|you have been blocked|403 forbidden"
    r"|429 too many requests",
    re.IGNORECASE,
)


def find_status(tree: Tree, selection: Selection) -> Status:
    """Return the status of a selection. Only pages with little selected text are
    examined for why that is so.
    """
    selected_texts = tree.text[selection.nodes & tree.is_text].tolist()
    length = sum(map(len, selected_texts))
    if length < SHORT_PAGE:
        visible_text = _visible_text(tree)
        if _has_blocked_phrase(tree, visible_text):
            return Status.BLOCKED

        has_script = bool(np.any(tree.tag == code("script")))
        if has_script and len(visible_text) < SHELL_TEXT:
            return Status.SHELL
        if not length:
            return Status.EMPTY

    if tree.cut:
        return Status.TRUNCATED
    if selection.page_type in LIST_TYPES:
        return Status.LIST
    return Status.OK


def is_blocked(tree: Tree) -> bool:
    """Return whether a page is a bot check or an access wall."""
    return _has_blocked_phrase(tree, _visible_text(tree))


def _has_blocked_phrase(tree: Tree, visible_text: str) -> bool:
    if len(visible_text) >= SHORT_PAGE:
        return False
    return _BLOCKED_PHRASES.search(f"{_title(tree)}\n{visible_text}") is not None


def _visible_text(tree: Tree) -> str:
    texts = tree.text[~skipped(tree)].tolist()
    return " ".join("".join(texts).split())


def _title(tree: Tree) -> str:
    title = tree.first_element("title")
    if title is None:
        return ""
    texts = tree.text[title : tree.end[title]].tolist()
    return "".join(texts)
