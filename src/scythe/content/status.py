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
    """What kind of answer a document is; the value is what JSON output and the command
    line show.
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
    """A limit cut the page, so the end of the content may be missing; `cut` says which
    limit.
    """


LIST_TYPES = frozenset({"listing", "collection"})

SHORT_PAGE = 1_500
"""Characters of selected text below which a page is looked at for being a shell or a
bot check. Such pages have a sentence or two; an article of this length that merely
speaks of them is still told apart by the phrases below.
"""

SHELL_TEXT = 300
"""Characters of visible text below which a page with scripts is taken for a shell."""

_BLOCKED = re.compile(
    r"checking (?:if the site connection is secure|your browser)|just a moment|attention required|access denied|"
    r"verify(?:ing)? (?:that )?you are (?:a )?human|are you a robot|unusual traffic|enable cookies and reload|"
    r"request (?:blocked|unsuccessful)|complete the (?:security check|captcha)|pardon our interruption|"
    r"you have been blocked|403 forbidden|429 too many requests",
    re.IGNORECASE,
)


def judge(tree: Tree, selection: Selection) -> Status:
    """The status of a selection. Pages with enough selected text are never looked at
    twice.
    """
    length = sum(map(len, tree.text[selection.nodes & tree.is_text].tolist()))
    if length < SHORT_PAGE:
        seen = _seen(tree)
        if _is_blocked(tree, seen):
            return Status.BLOCKED
        if len(seen) < SHELL_TEXT and np.count_nonzero(tree.tag == code("script")):
            return Status.SHELL
        if not length:
            return Status.EMPTY
    if tree.cut:
        return Status.TRUNCATED
    return Status.LIST if selection.page_type in LIST_TYPES else Status.OK


def is_blocked(tree: Tree) -> bool:
    """Whether a page is a bot check or an access wall."""
    return _is_blocked(tree, _seen(tree))


def _is_blocked(tree: Tree, seen: str) -> bool:
    return (
        len(seen) < SHORT_PAGE
        and _BLOCKED.search(_title(tree) + "\n" + seen) is not None
    )


def _seen(tree: Tree) -> str:
    return " ".join("".join(tree.text[~skipped(tree)].tolist()).split())


def _title(tree: Tree) -> str:
    title = tree.first_element("title")
    return (
        "".join(tree.text[title : tree.end[title]].tolist())
        if title is not None
        else ""
    )
