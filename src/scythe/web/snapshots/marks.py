"""What was found on a page, marked in it for a frame: records as numbered boxes,
content as with a highlighter.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from scythe.content.selection import Selection
from scythe.tree.tags import TEXT, VOID, TagSet
from scythe.tree.tree import Tree
from scythe.web.snapshots.frame import Marks
from scythe.wrappers.span import Span

FIRST = "scythe-first"
"""The id of the first thing that is marked: a frame begins there."""
COLOURS = 6
"""Boxes side by side differ: their colours come in turn."""

_ROWS = TagSet("table thead tbody tfoot tr")
_BEGIN = "html { scroll-padding-top: 3rem; } #scythe-first { scroll-initial-target: nearest; }"
_BOX = "outline: 3px solid var(--scythe) !important; outline-offset: -2px !important;"
_WASH = "box-shadow: inset 0 0 0 9999px color-mix(in srgb, var(--scythe) 12%, transparent) !important;"
_TINTS = "#d81b60 #1e88e5 #00897b #f4511e #8e24aa #6d8b00".split()

RECORD_STYLE = (
    f"{_BEGIN} .scythe-box {{ {_BOX} {_WASH} }} tr.scythe-box > * {{ {_WASH} }}"
    ".scythe-numbered::before { content: attr(data-scythe-number) !important; display: block !important;"
    " position: absolute !important; inset: auto !important; width: auto !important; height: auto !important;"
    " margin: 0 !important; padding: 1px 6px !important; background: var(--scythe) !important; color: #fff !important;"
    " border: 0 !important; border-radius: 6px !important; opacity: 1 !important; visibility: visible !important;"
    " transform: translate(-3px, -60%) !important; z-index: 2147483646 !important;"
    " font: bold 12px/1.3 sans-serif !important; text-indent: 0 !important; }"
    + "".join(
        f".scythe-c{number} {{ --scythe: {tint}; }}"
        for number, tint in enumerate(_TINTS)
    )
)
CONTENT_STYLE = (
    ".scythe-chosen { background: #ffe9a8 !important; color: #1d2320 !important; box-shadow: 0 0 0 2px #ffe9a8 !important;"
    " border-radius: 2px !important; } img.scythe-chosen { outline: 4px solid #e0a800 !important; }"
    + _BEGIN
)


def record_marks(tree: Tree, spans: Sequence[Span]) -> Marks:
    """A box around every record, with its number."""
    marks: dict[int, dict[str, str]] = {}
    for number, span in enumerate(spans, 1):
        colour = f"scythe-c{number % COLOURS}"
        parts = [node for node in _parts(tree, span) if node not in marks]
        for node in parts:
            marks[node] = {"class": f"scythe-box {colour}"}
        place = next(
            (
                place
                for place in (_for_number(tree, node) for node in parts)
                if place is not None
            ),
            None,
        )
        if place is not None:
            box = "scythe-box " if place in marks else ""
            marks[place] = {
                "class": f"{box}{colour} scythe-numbered",
                "data-scythe-number": str(number),
            }
    return _begun(marks)


def content_marks(tree: Tree, selection: Selection) -> Marks:
    """The chosen texts and pictures, each marked by itself."""
    if selection.tree is not None:
        return {}
    chosen: Iterable[int] = selection.nodes.nonzero()[0].tolist()
    return _begun(
        {
            node: {"class": "scythe-chosen"}
            for node in chosen
            if tree.tag[node] != TEXT or str(tree.text[node]).strip()
        }
    )


def _begun(marks: dict[int, dict[str, str]]) -> Marks:
    """The same marks, the first of them with an id."""
    if marks:
        marks[min(marks)]["id"] = FIRST
    return marks


def _parts(tree: Tree, span: Span) -> list[int]:
    parts, node = [], span.start
    while node < span.stop:
        if tree.tag[node] != TEXT or str(tree.text[node]).strip():
            parts.append(node)
        node = int(tree.end[node])
    return parts


def _for_number(tree: Tree, node: int) -> int | None:
    """What can show a number: itself, or the first cell of a row; None where it can
    show nothing.
    """
    while tree.tag[node] != TEXT and tree.name(node) in _ROWS:
        inner = next(
            (child for child in tree.children(node) if tree.tag[child] != TEXT), None
        )
        if inner is None:
            return None
        node = inner
    return None if tree.tag[node] != TEXT and tree.name(node) in VOID else node
