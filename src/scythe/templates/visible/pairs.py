"""Labels with the values beside them, as a page lays them out: rows of tables,
definition lists, "Label: value" on a line, a label on a line of its own.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from dataclasses import dataclass
from itertools import pairwise

from scythe.templates.visible.grids import labelled_elements
from scythe.templates.visible.page import VisiblePage
from scythe.templates.visible.words import folded
from scythe.tree.tags import TagSet
from scythe.tree.tree import Tree

MAX_LABEL = 45
MAX_VALUE = 200
"""Characters of a label and of a value; longer ones are prose. Not tuned."""
MAX_PAIRS = 500
"""Pairs read of a page: a bound on work."""
MAX_VALUE_LINES = 6
"""Lines of one value, such as the places of a job."""
MAX_GROUP_LINES = 4
"""Lines of an element that holds a label and its value; a larger one is a list of other
things, in which the next line is not the label's. Not tuned.
"""

_LINK = TagSet("a button label")
_LABELLED_LINE = re.compile(
    r"([^:\uff1a]{2,45})[:\uff1a]\s+(\S.*)|([^:\uff1a]{2,20})\uff1a(\S.*)"
)
_CLAUSE_END = re.compile(r"[.;,|•·]\s+")


@dataclass(frozen=True, slots=True)
class Pair:
    """A label and its value."""

    label: str
    value: str
    line: int
    """The line of the value."""
    in_grid: bool
    """Whether a table or a definition list sets it out."""


def find_pairs(page: VisiblePage, labels: Container[str]) -> list[Pair]:
    """Return the pairs of a page in document order: of tables and definition lists all,
    of lines those whose label is known.
    """
    pairs: list[Pair] = []
    for label, values in labelled_elements(page.tree):
        pairs.extend(_pair(page, label, values))
    in_grid = {pair.line for pair in pairs}
    pairs.extend(pair for pair in _lines(page, labels) if pair.line not in in_grid)
    pairs.sort(key=lambda pair: pair.line)
    return pairs[:MAX_PAIRS]


def _pair(page: VisiblePage, label: int, values: list[int]) -> Iterator[Pair]:
    label_text = " ".join(_texts_under(page, label))
    lines = [text for value in values for text in _texts_under(page, value)]
    value_text = ", ".join(lines[:MAX_VALUE_LINES])
    if label_text and value_text and len(label_text) <= MAX_LABEL:
        line = page.line_at(values[0])
        yield Pair(label_text, value_text[:MAX_VALUE], line, in_grid=True)


def _texts_under(page: VisiblePage, element: int) -> list[str]:
    """Return the lines under an element."""
    first = page.line_at(element)
    end = int(page.tree.end[element])
    stop = page.line_at(end)
    return page.texts[first:stop]


def _lines(page: VisiblePage, labels: Container[str]) -> Iterator[Pair]:
    is_linked = page.lines.in_tags(_LINK)
    for line, text in enumerate(page.texts):
        if len(text) > MAX_LABEL + MAX_VALUE:
            continue
        found = _inline_pairs(page, line, labels)
        for label, value in found:
            yield Pair(label, value, line, in_grid=False)
        if found:
            continue
        is_label = len(text) <= MAX_LABEL and folded(text) in labels
        if not is_label or is_linked[line]:
            continue
        if _stands_as_label(page, line):
            value = page.texts[line + 1]
            if len(value) <= MAX_VALUE:
                yield Pair(text, value, line + 1, in_grid=False)


def _stands_as_label(page: VisiblePage, line: int) -> bool:
    """Return whether a line is the label of the next one: it ends with a colon, or both
    stand in an element that holds little more.
    """
    texts = page.texts
    if line + 1 >= len(texts):
        return False
    if texts[line].rstrip().endswith((":", "\uff1a")):
        return True
    first_nodes = page.lines.first[line : line + 2]
    first, second = first_nodes.tolist()
    group = _common_ancestor(page.tree, first, second)
    end = int(page.tree.end[group])
    size = page.line_at(end) - page.line_at(group)
    if size > MAX_GROUP_LINES:
        return False
    label = folded(texts[line])
    return label != folded(texts[line + 1])


def _common_ancestor(tree: Tree, node: int, other: int) -> int:
    for above in tree.ancestors(node):
        if tree.contains(above, other):
            return above
    return 0


def _inline_pairs(
    page: VisiblePage, line: int, labels: Container[str]
) -> list[tuple[str, str]]:
    """Return the labels of a line with the values after them: "Contract:
    <b>permanent</b>. Location: <b>Dublin</b>", or one label for the whole line.
    """
    first, last = page.lines.piece_bounds[line]
    if last - first > 1:
        nodes = page.lines.nodes_of(line)
        texts = [str(page.tree.text[node]) for node in nodes]
        pieces = [" ".join(text.split()) for text in texts]
        found = [_piece_label(piece, labels) for piece in pieces]
        if any(found):
            return _pairs_of_pieces(page.tree, nodes, pieces, found)
    labelled = _labelled_line(page.texts[line], labels)
    return [] if labelled is None else [labelled]


def _pairs_of_pieces(
    tree: Tree,
    nodes: list[int],
    pieces: list[str],
    found: list[tuple[str, str] | None],
) -> list[tuple[str, str]]:
    """Return the labels that pieces of a line have, each with the value after it."""
    pairs: list[tuple[str, str]] = []
    starts = [index for index, label in enumerate(found) if label]
    for start, stop in pairwise([*starts, len(pieces)]):
        label, rest = found[start] or ("", "")
        value = rest or _value_text(tree, nodes, pieces, start, stop)
        if value:
            pairs.append((label, value))
    return pairs


def _value_text(
    tree: Tree, nodes: list[int], pieces: list[str], start: int, stop: int
) -> str:
    """Return the text after a label up to where the label's own text goes on: "by
    <b>Hay Ltd</b> on <b>Monday</b>".
    """
    text = ""
    for index in range(start + 1, stop):
        is_word = any(map(str.isalnum, pieces[index]))
        parent = tree.parent[nodes[index]]
        goes_on = parent == tree.parent[nodes[start]]
        if text and goes_on and is_word:
            break
        separator = " " if is_word and text else ""
        text += f"{separator}{pieces[index]}"
    return text.strip(" .,;|")


def _piece_label(piece: str, labels: Container[str]) -> tuple[str, str] | None:
    """Return the label that a text node ends with or begins with, and what follows on
    it; None where it holds none.
    """
    if len(piece) > MAX_LABEL + MAX_VALUE:
        return None
    if folded(piece) in labels:
        return piece, ""
    labelled = _labelled_line(piece, labels)
    if labelled is not None:
        return labelled
    ending = _CLAUSE_END.split(piece)[-1]
    has_colon = ending.endswith((":", "\uff1a"))
    return (ending, "") if has_colon and folded(ending) in labels else None


def _labelled_line(text: str, labels: Container[str]) -> tuple[str, str] | None:
    """Return the known label that a text begins with, and what follows on it."""
    has_colon = ":" in text or "\uff1a" in text
    match = _LABELLED_LINE.fullmatch(text) if has_colon else None
    if match is None:
        return None
    label = match[1] or match[3]
    value = match[2] or match[4]
    return (label, value) if folded(label) in labels else None
