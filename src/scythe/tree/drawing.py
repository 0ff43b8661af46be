"""What was understood of a page, drawn over it: boxes with marks, and a legend. For
records and templates alike.
"""

from __future__ import annotations

from html import escape

from scythe.tree.static_page import POLICY, doctype, static_page
from scythe.tree.tags import TEXT, VOID, TagSet
from scythe.tree.tree import Tree

COLOURS = ("#d81b60", "#1e88e5", "#00897b", "#f4511e", "#8e24aa", "#6d8b00")
"""One after the other, so that boxes side by side differ."""

_ROWS = TagSet("table thead tbody tfoot tr")
"""Elements that take no box of another kind inside: their mark is shown in their first
cell.
"""

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

Marks = dict[int, dict[str, str]]


def drawn_page(
    html: str, tree: Tree, marks: Marks, legend: str, url: str | None = None
) -> str:
    """The page with its marks, as a page of its own that runs nothing.

    `html` is the page that `tree` was made from; `url` lets the pictures and the style
    of the page be found.
    """
    base = f'<base href="{escape(url)}">' if url else ""
    head = (
        f'<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        f'<meta name="referrer" content="no-referrer">{base}<style>{_STYLE}</style>'
    )
    return doctype(html) + static_page(tree, marks, head, legend) + "\n"


def add_mark(
    tree: Tree, nodes: list[int], number: int, name: str, marks: Marks
) -> None:
    """A box on every element that has none yet, and a name on the first that can show
    it; `number` chooses the colour.
    """
    colour = f"--scythe: {COLOURS[number % len(COLOURS)]}"
    parts = [node for node in nodes if node not in marks and tree.tag[node] != TEXT]
    for node in parts:
        style = tree.attributes(node).get("style")
        marks[node] = {
            "data-scythe-box": "",
            "style": f"{style.rstrip('; ')}; {colour}" if style else colour,
        }
    place = next(
        (
            place
            for place in (_for_name(tree, node) for node in parts)
            if place is not None
        ),
        None,
    )
    if place is not None:
        style = marks.get(place, {}).get("style") or tree.attributes(place).get("style")
        whole = (
            style
            if style and colour in style
            else f"{style.rstrip('; ')}; {colour}"
            if style
            else colour
        )
        marks[place] = {
            **marks.get(place, {}),
            "data-scythe-number": name,
            "style": whole,
        }


def _for_name(tree: Tree, node: int) -> int | None:
    """The element that can show a name: itself, or the first cell of a row; None where
    it can show nothing.
    """
    while tree.name(node) in _ROWS:
        inner = next(
            (child for child in tree.children(node) if tree.tag[child] != TEXT), None
        )
        if inner is None:
            return None
        node = inner
    return None if tree.name(node) in VOID else node


def legend(title: str, about: list[str], fields: list[tuple[str, str]]) -> str:
    """A box of its own with what there is to know: lines, and names with what stands
    for them.
    """
    lines = "".join(f"<div>{escape(line)}</div>" for line in about)
    named = "".join(
        f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>" for name, value in fields
    )
    summary = f"<summary>{escape(title)}</summary>"
    return f'<aside id="scythe-legend"><details open>{summary}{lines}<dl>{named}</dl></details></aside>'


def shortened(text: str) -> str:
    """As much of a value as a legend shows."""
    return text if len(text) <= _EXAMPLE else f"{text[:_EXAMPLE]}..."
