"""What was understood of a page, drawn over it: a numbered box on every record, and a legend of the fields."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from scythe.tree.tags import TEXT, VOID, TagSet
from scythe.tree.tree import Tree
from scythe.wrappers.fields import Value
from scythe.wrappers.record import Record, Records
from scythe.wrappers.static_page import POLICY, doctype, static_page

COLOURS = ("#d81b60", "#1e88e5", "#00897b", "#f4511e", "#8e24aa", "#6d8b00")
"""One after the other, so that records side by side differ."""

_ROWS = TagSet("table thead tbody tfoot tr")
"""Elements that take no box of another kind inside: their number is shown in their first cell."""

_EXAMPLE = 80
"""Characters of a value that the legend shows."""

_STYLE = """
[data-scythe-box] { outline: 3px solid var(--scythe) !important; outline-offset: -2px !important;
  box-shadow: inset 0 0 0 9999px color-mix(in srgb, var(--scythe) 14%, transparent) !important; }
tr[data-scythe-box] > * { box-shadow: inset 0 0 0 9999px color-mix(in srgb, var(--scythe) 14%, transparent) !important; }
[data-scythe-number]::before { content: attr(data-scythe-number) !important; display: block !important;
  position: absolute !important;
  inset: auto !important; width: auto !important; height: auto !important; margin: 0 !important; padding: 1px 6px !important;
  background: var(--scythe) !important; color: #fff !important; border: 0 !important; border-radius: 6px !important;
  opacity: 1 !important; visibility: visible !important; transform: translate(-3px, -60%) !important;
  z-index: 2147483646 !important;
  font: bold 12px/1.3 sans-serif !important; text-indent: 0 !important; text-transform: none !important; }
#scythe-legend { all: initial; position: fixed; top: 8px; right: 8px; z-index: 2147483647; max-width: 320px; max-height: 90vh;
  overflow: auto; padding: 8px 12px; background: #fffffff0; color: #222; border: 1px solid #888; border-radius: 8px;
  font: 12px/1.4 sans-serif; box-shadow: 0 2px 12px #0005; }
#scythe-legend * { all: revert; font: inherit; color: inherit; }
#scythe-legend summary { font-weight: bold; cursor: pointer; }
#scythe-legend div { overflow-wrap: anywhere; }
#scythe-legend dt { font-weight: bold; }
#scythe-legend dd { margin: 0 0 4px 12px; color: #555; overflow-wrap: anywhere; }
"""


def show_html(html: str, tree: Tree, records: Records, url: str | None = None) -> str:
    """The page with its records drawn over it, as a page of its own that runs nothing.

    `html` is the page that `tree` was made from; `url` lets the pictures and the style of the page be found.
    """
    marks: dict[int, dict[str, str]] = {}
    for number, row in enumerate(records, 1):
        _mark(tree, row, number, marks)
    base = f'<base href="{escape(url)}">' if url else ""
    head = (
        f'<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        f'<meta name="referrer" content="no-referrer">{base}<style>{_STYLE}</style>'
    )
    return doctype(html) + static_page(tree, marks, head, _legend(records)) + "\n"


def _mark(tree: Tree, row: Record, number: int, marks: dict[int, dict[str, str]]) -> None:
    """A box on every element of a record, and its number on the first."""
    colour = f"--scythe: {COLOURS[number % len(COLOURS)]}"
    parts = [node for node in _elements(tree, row) if node not in marks]
    for node in parts:
        style = tree.attributes(node).get("style")
        marks[node] = {"data-scythe-box": "", "style": f"{style.rstrip('; ')}; {colour}" if style else colour}
    place = next((place for place in (_for_number(tree, node) for node in parts) if place is not None), None)
    if place is not None:
        style = marks.get(place, {}).get("style") or tree.attributes(place).get("style")
        whole = style if style and colour in style else f"{style.rstrip('; ')}; {colour}" if style else colour
        marks[place] = {**marks.get(place, {}), "data-scythe-number": str(number), "style": whole}


def _elements(tree: Tree, row: Record) -> Iterator[int]:
    node = row.span.start
    while node < row.span.stop:
        if tree.tag[node] != TEXT:
            yield node
        node = int(tree.end[node])


def _for_number(tree: Tree, node: int) -> int | None:
    """The element that can show a number: itself, or the first cell of a row; None where it can show nothing."""
    while tree.name(node) in _ROWS:
        inner = next((child for child in tree.children(node) if tree.tag[child] != TEXT), None)
        if inner is None:
            return None
        node = inner
    return None if tree.name(node) in VOID else node


def _legend(records: Records) -> str:
    named = (f"<dt>{escape(name)}</dt><dd>{escape(_example(records, name))}</dd>" for name in records.columns)
    count = f"{len(records)} record{'' if len(records) == 1 else 's'}"
    about = [f"found by {records.method}, confidence {records.confidence:.2f}"]
    about += [f"status {records.status}: {records.note}"] if records.note else []
    about += [f"next page: {records.next_page}"] if records.next_page else []
    lines = "".join(f"<div>{escape(line)}</div>" for line in about)
    return f'<aside id="scythe-legend"><details open><summary>{count}</summary>{lines}<dl>{"".join(named)}</dl></details></aside>'


def _example(records: Records, name: str) -> str:
    value: Value = next(row.fields[name] for row in records if name in row.fields)
    text = value if isinstance(value, str) else " | ".join(value)
    filled = sum(name in row.fields for row in records)
    short = text if len(text) <= _EXAMPLE else f"{text[:_EXAMPLE]}..."
    return short if filled == len(records) else f"{short} (in {filled} of {len(records)})"
