"""What was found on a page, marked in it for a frame: records as numbered boxes,
content as with a highlighter.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files

from scythe.content.selection import Selection
from scythe.sections.span import Span
from scythe.tree.tags import TEXT, VOID, TagSet
from scythe.tree.tree import Tree
from scythe.web.snapshots.frame import Marks

FIRST = "scythe-first"
"""The id of the first node that is marked: a frame begins there."""
COLOURS = 6
"""Boxes side by side differ: their colours, those of `records.css`, come in turn."""

_ROWS = TagSet("table thead tbody tfoot tr")


def read_stylesheet(name: str) -> str:
    """Return a stylesheet of ours for marks."""
    return (files("scythe.web.snapshots") / name).read_text(encoding="utf-8")


RECORD_STYLE = read_stylesheet("records.css")
CONTENT_STYLE = read_stylesheet("content.css")
READING_STYLE = read_stylesheet("reading.css")


def record_marks(tree: Tree, spans: Sequence[Span]) -> Marks:
    """Return a box around every record, with its number."""
    marks: dict[int, dict[str, str]] = {}
    for number, span in enumerate(spans, 1):
        colour = f"scythe-c{number % COLOURS}"
        nodes = [node for node in _top_nodes(tree, span) if node not in marks]
        for node in nodes:
            marks[node] = {"class": f"scythe-box {colour}"}

        numbered = _first_numbered_node(tree, nodes)
        if numbered is not None:
            box = "scythe-box " if numbered in marks else ""
            marks[numbered] = {
                "class": f"{box}{colour} scythe-numbered",
                "data-scythe-number": str(number),
            }
    return _with_first(marks)


def content_marks(tree: Tree, selection: Selection) -> Marks:
    """Return a mark for every selected text and picture."""
    if selection.tree is not None:
        return {}
    marks = {}
    for node in selection.nodes.nonzero()[0].tolist():
        if not _is_blank_text(tree, node):
            marks[node] = {"class": "scythe-chosen"}
    return _with_first(marks)


def _with_first(marks: dict[int, dict[str, str]]) -> Marks:
    """Return the marks, the first of them with an id."""
    if marks:
        marks[min(marks)]["id"] = FIRST
    return marks


def _top_nodes(tree: Tree, span: Span) -> list[int]:
    """Return the topmost nodes of a span, without blank texts."""
    nodes = []
    node = span.start
    while node < span.stop:
        if not _is_blank_text(tree, node):
            nodes.append(node)
        node = int(tree.end[node])
    return nodes


def _is_blank_text(tree: Tree, node: int) -> bool:
    return tree.tag[node] == TEXT and not str(tree.text[node]).strip()


def _first_numbered_node(tree: Tree, nodes: Sequence[int]) -> int | None:
    """Return the node of a record that shows its number, None where none can."""
    for node in nodes:
        numbered = _numbered_node(tree, node)
        if numbered is not None:
            return numbered
    return None


def _numbered_node(tree: Tree, node: int) -> int | None:
    """Return the node that can show a number: this one, or the first cell of a row;
    None where it can show nothing.
    """
    while tree.tag[node] != TEXT and tree.name(node) in _ROWS:
        elements = [child for child in tree.children(node) if tree.tag[child] != TEXT]
        if not elements:
            return None
        node = elements[0]
    is_void = tree.tag[node] != TEXT and tree.name(node) in VOID
    return None if is_void else node
