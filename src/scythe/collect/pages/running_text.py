"""The running text of a page, in parts: its paragraphs, the items of its lists and its
headings.

What people write of a thing (a job, a product, a package) is mostly one element with
paragraphs, lists and headings side by side, as Markdown and editors make it. Every page
has other ones, and so templates see a box of free text. Its parts are slots of their
own, the same in all clusters of a collection: what an advertisement asks for is its
list items.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

import numpy as np

from scythe.collect.pages.sections import VisibleLines
from scythe.tree.tags import TagSet
from scythe.tree.tree import Ints, Tree

MIN_LENGTH = 40
"""Characters outside of links that make a running text: less is a remark. Not tuned."""

_HEADINGS = TagSet("h1 h2 h3 h4 h5 h6")
_PARAGRAPH, _ITEM, _LINK = TagSet("p"), TagSet("li"), TagSet("a")
_LISTS = TagSet("ul ol")
_BLOCKS = TagSet("p ul ol pre blockquote dl table h1 h2 h3 h4 h5 h6")
_CHROME = TagSet("nav header footer aside form")


class RunningTextPart(StrEnum):
    """A part of running texts, as its slot and its field are called."""

    PARAGRAPHS = "paragraphs"
    LIST_ITEMS = "list_items"
    HEADINGS = "headings"


def running_text_lines(
    tree: Tree, page: VisibleLines | None = None
) -> dict[RunningTextPart, list[str]]:
    """Return the lines of each part of a page's running text that has any.

    `page` is the lines that a reader sees of the page, where these are known.
    """
    page = page or VisibleLines(tree)
    found: dict[RunningTextPart, list[str]] = {}
    for part, nodes in running_text_nodes(page).items():
        lines: list[str] = []
        for node, end in zip(nodes, _own_ends(tree, nodes), strict=True):
            own_lines = page.lines(node, end)
            words = " ".join(own_lines)
            if words:
                lines.append(words)
        if lines:
            found[part] = lines
    return found


def running_text_nodes(page: VisibleLines) -> dict[RunningTextPart, list[int]]:
    """Return the elements of each part of a page's running text."""
    tree = page.tree
    body = _text_body(tree, page.sizes)
    if body is None:
        return {}
    inside = np.zeros(len(tree), dtype=bool)
    end = int(tree.end[body])
    inside[body + 1 : end] = True
    is_item = tree.has_tag(_ITEM)
    in_item = tree.below(is_item)
    parts = {
        RunningTextPart.PARAGRAPHS: tree.has_tag(_PARAGRAPH) & ~in_item,
        RunningTextPart.LIST_ITEMS: is_item,
        RunningTextPart.HEADINGS: tree.has_tag(_HEADINGS),
    }
    found: dict[RunningTextPart, list[int]] = {}
    for part, is_part in parts.items():
        nodes = np.flatnonzero(is_part & inside)
        found[part] = nodes.tolist()
    return found


def _text_body(tree: Tree, chars: Ints) -> int | None:
    """Return the element whose own paragraphs, lists and headings hold most text outside
    of links and of the frame of the page; None where none holds any worth the name.
    """
    is_link = tree.has_tag(_LINK)
    in_link = tree.below(is_link)
    unlinked = np.where(in_link, 0, chars)
    sizes = tree.totals(unlinked)

    is_chrome = tree.has_tag(_CHROME)
    in_chrome = tree.below(is_chrome)
    is_block = tree.has_tag(_BLOCKS) & ~in_chrome
    blocks = np.flatnonzero(is_block)
    if not len(blocks):
        return None
    parents = tree.parent[blocks]
    lengths = np.bincount(parents, sizes[blocks])
    best = int(lengths.argmax())
    if lengths[best] < MIN_LENGTH:
        return None
    return best


def _own_ends(tree: Tree, nodes: Sequence[int]) -> list[int]:
    """Return where the text of each element ends that is its own: of an item with a
    list in it, before that list.
    """
    lists = np.flatnonzero(tree.has_tag(_LISTS))
    following = np.searchsorted(lists, nodes, side="right")
    next_lists = np.append(lists, len(tree))[following]
    own_ends: list[int] = np.minimum(tree.end[nodes], next_lists).tolist()
    return own_ends
