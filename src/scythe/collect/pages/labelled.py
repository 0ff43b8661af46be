"""What stands beside labels on a page: in rows of two cells, in definition lists, on
lines such as "Battery: 3000 mAh", and in the list after a line "Tags:".

A label is a name that the site itself gave, as a heading is (see `sections`), and it
mostly survives a redesign. So what it labels is a slot of its own, the same in all
clusters of a collection, beside the slots of templates.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from scythe.collect.pages.sections import VisibleLines, heading_name
from scythe.templates.visible.grids import labelled_elements
from scythe.tree.tags import TagSet
from scythe.tree.tree import Bools, Tree

MAX_LABEL = 40
MAX_VALUE = 400
"""Characters of a label and of its value on a line; longer ones are prose. Not tuned."""
MAX_LABEL_WORDS = 5
"""Words of a label: more are a sentence. Not tuned."""
MAX_LABELS = 120
"""Labels read of a page: an arbitrary cap against hostile pages."""

_LIST = TagSet("ul ol")
_ITEM = TagSet("li")
_LABELLED_LINE = re.compile(r"\W{0,4}([^\W\d_][^:\uff1a]{0,39})[:\uff1a](?!//)\s*(.*)")


class LabelledValue(NamedTuple):
    """A label with the slice of the page that holds its values."""

    name: str
    start: int
    stop: int
    lines: list[str]


def labelled_lines(
    tree: Tree, page: VisibleLines | None = None
) -> dict[str, list[str]]:
    """Return the lines that labels of a page label, by the words of the label in small
    letters; of labels that are there twice, the lines of both.

    `page` is the lines that a reader sees of the page, where these are known.
    """
    found: dict[str, list[str]] = {}
    for labelled in labelled_values(tree, page):
        found.setdefault(labelled.name, []).extend(labelled.lines)
    return found


def labelled_values(
    tree: Tree, page: VisibleLines | None = None
) -> list[LabelledValue]:
    """Return the labels of a page with their values, at most `MAX_LABELS`."""
    page = page or VisibleLines(tree)
    found: list[LabelledValue] = []
    in_grid = np.zeros(len(tree), dtype=bool)
    for label, values in labelled_elements(tree):
        label_end = int(tree.end[label])
        last_value = values[-1]
        end = int(tree.end[last_value])
        in_grid[label:end] = True

        label_text = page.text(label, label_end)
        words = label_text.split()
        name = _label_name(" ".join(words))
        lines: list[str] = []
        for value in values:
            value_end = int(tree.end[value])
            lines.extend(page.lines(value, value_end))
        if name and lines:
            labelled = LabelledValue(name, values[0], end, lines)
            found.append(labelled)
        if len(found) >= MAX_LABELS:
            return found
    for labelled in _lines(page, in_grid):
        found.append(labelled)
        if len(found) >= MAX_LABELS:
            break
    return found


def _lines(page: VisibleLines, in_grid: Bools) -> Iterator[LabelledValue]:
    """Yield labels that begin a line, with the rest of it, or, where a label stands
    alone, with the list that follows it or the next line.
    """
    waiting = ""
    label_end, list_end = 0, 0
    for start, stop, text in page.line_slices():
        if start < list_end:
            continue
        if in_grid[start]:
            waiting = ""
            continue
        has_colon = ":" in text or "\uff1a" in text
        may_have_label = has_colon and len(text) <= MAX_VALUE
        match = _LABELLED_LINE.fullmatch(text) if may_have_label else None
        name = _label_name(match[1]) if match else ""
        if match and name:
            waiting = "" if match[2] else name
            label_end = stop
            if match[2]:
                yield LabelledValue(name, start, stop, [match[2]])
        elif waiting:
            following = _list_of(page.tree, start)
            if following is None or following < label_end:
                yield LabelledValue(waiting, start, stop, [text])
            else:
                list_end = int(page.tree.end[following])
                lines = list(page.lines(following, list_end))
                yield LabelledValue(waiting, following, list_end, lines)
            waiting = ""


def _list_of(tree: Tree, node: int) -> int | None:
    """Return the list that a node is in an item of, if there is one."""
    is_item = tree.has_tag(_ITEM)
    is_list = tree.has_tag(_LIST)
    for ancestor in tree.ancestors(node):
        if is_item[ancestor]:
            parent = int(tree.parent[ancestor])
            return parent if is_list[parent] else None
    return None


def _label_name(text: str) -> str:
    """Return the name of a label, empty where it is a sentence or no words."""
    if len(text) > MAX_LABEL:
        return ""
    if len(text.split()) > MAX_LABEL_WORDS:
        return ""
    name = heading_name(text)
    return name if any(map(str.isalpha, name)) else ""
