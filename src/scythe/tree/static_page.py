"""A page written down again as one that does nothing: it shows, and runs no script,
sends no form, leads no browser away. `marked_page` draws over it what was understood:
boxes with marks, and a legend, for records and templates alike.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping
from html import escape
from itertools import islice

from scythe.tree.tags import TEXT, VOID, TagSet
from scythe.tree.tree import Tree

POLICY = (
    "default-src 'none'; img-src * data:; style-src * 'unsafe-inline'; "
    "font-src * data:; media-src 'none'; form-action 'none'; base-uri *; frame-src 'none'"
)
"""What the browser may load for the page: pictures and style. Scripts it may not run,
wherever they stand.
"""

COLOURS = ("#d81b60", "#1e88e5", "#00897b", "#f4511e", "#8e24aa", "#6d8b00")
"""One after the other, so that boxes side by side differ."""

_DROPPED = TagSet(
    "script noscript template iframe frame object embed applet base meta noembed noframes "
    "param track audio video"
)
_RENAMED = {"plaintext": "pre", "xmp": "pre", "listing": "pre", "frameset": "div"}
"""Elements whose content a parser would read in another way than it stood, written as
what shows it.
"""
_ROWS = TagSet("table thead tbody tfoot tr")
"""Elements that take no box of another kind inside: their mark is shown in their first
cell.
"""

_ATTRIBUTE_NAME = re.compile(r"[^\s\"'<>/=\x00]+")
_DOCTYPE = re.compile(r"(?is)\s*+(?:<!--(?>.*?-->)\s*+)*+(<!doctype[^>]{0,300}+>)")
_DOCTYPE_WITHIN = 4096
"""Characters at the beginning of a page in which its doctype is looked for; a bound on
work.
"""
_EXAMPLE_LENGTH = 80
"""Characters of a value that the legend shows; a matter of its width."""

_STYLE = """
[data-scythe-box] { outline: 3px solid var(--scythe) !important;
  outline-offset: -2px !important;
  box-shadow: inset 0 0 0 9999px
    color-mix(in srgb, var(--scythe) 14%, transparent) !important; }
tr[data-scythe-box] > * { box-shadow: inset 0 0 0 9999px
    color-mix(in srgb, var(--scythe) 14%, transparent) !important; }
[data-scythe-number]::before { content: attr(data-scythe-number) !important;
  display: block !important; position: absolute !important; inset: auto !important;
  width: auto !important; height: auto !important; margin: 0 !important;
  padding: 1px 6px !important; background: var(--scythe) !important;
  color: #fff !important; border: 0 !important; border-radius: 6px !important;
  opacity: 1 !important; visibility: visible !important;
  transform: translate(-3px, -60%) !important; z-index: 2147483646 !important;
  font: bold 12px/1.3 sans-serif !important; text-indent: 0 !important;
  text-transform: none !important; }
#scythe-legend { all: initial; position: fixed; top: 8px; right: 8px; z-index: 2147483647;
  max-width: 320px; max-height: 90vh; overflow: auto; padding: 8px 12px;
  background: #fffffff0; color: #222; border: 1px solid #888; border-radius: 8px;
  font: 12px/1.4 sans-serif; box-shadow: 0 2px 12px #0005; }
#scythe-legend * { all: revert; font: inherit; color: inherit; }
#scythe-legend summary { font-weight: bold; cursor: pointer; }
#scythe-legend div { overflow-wrap: anywhere; }
#scythe-legend dt { font-weight: bold; }
#scythe-legend dd { margin: 0 0 4px 12px; color: #555; overflow-wrap: anywhere; }
"""

MAX_ATTRIBUTES = 1_000
"""Attributes of an element that are written: a bound against hostile pages. Those of the
web have some dozens.
"""

Marks = dict[int, dict[str, str]]
"""Attributes to add, by node."""


def static_page(tree: Tree, marks: Marks, head: str, end: str) -> str:
    """Return the page as markup, with attributes added to the nodes in `marks`, `head`
    before all else and `end` behind all else.

    Neither of these is escaped.
    """
    written: list[str] = []
    open_elements: list[tuple[int, str]] = []
    shown_noscript = _marked_noscript(tree, marks)
    node, size = 0, len(tree)
    while node < size:
        while open_elements and node >= open_elements[-1][0]:
            written.append(open_elements.pop()[1])
        if tree.tag[node] == TEXT:
            written.append(_escaped_text(tree, node))
            node += 1
            continue

        name = tree.name(node)
        stop = int(tree.end[node])
        if node in shown_noscript:
            name = "div"
        elif name in _DROPPED or _is_dropped_link(tree, node):
            node = stop
            continue
        name = _RENAMED.get(name, name)
        attributes = {**tree.attributes(node), **marks.get(node, {})}
        written.append(_start_tag(name, attributes))
        if name == "head":
            written.append(head)
        if name not in VOID:
            end_tag = f"{end}</body>" if name == "body" else f"</{name}>"
            open_elements.append((stop, end_tag))
        node += 1
    for _, end_tag in reversed(open_elements):
        written.append(end_tag)
    return "".join(written)


def doctype(html: str) -> str:
    """Return the doctype of a page as it stands there: without one, browsers lay it out
    in another way.
    """
    found = _DOCTYPE.match(html[:_DOCTYPE_WITHIN])
    return found.group(1) if found else ""


def _marked_noscript(tree: Tree, marks: Marks) -> set[int]:
    """Return the `<noscript>` elements that hold something marked, which are shown for
    it.
    """
    elements: set[int] = set()
    marked = sorted(marks)
    for element in tree.elements("noscript"):
        following = bisect_right(marked, element)
        if following < len(marked) and marked[following] < tree.end[element]:
            elements.add(element)
    return elements


def _is_dropped_link(tree: Tree, node: int) -> bool:
    """Return whether a node is a `<link>` to something else than a style sheet."""
    if tree.name(node) != "link":
        return False
    relations = tree.attributes(node).get("rel") or ""
    return "stylesheet" not in relations.lower().split()


def _start_tag(name: str, attributes: Mapping[str, str]) -> str:
    parts = [name]
    for attribute, value in islice(attributes.items(), MAX_ATTRIBUTES):
        if not _ATTRIBUTE_NAME.fullmatch(attribute):
            continue
        is_handler = attribute.lower().startswith("on")
        if not is_handler and not _is_script(value):
            parts.append(f'{attribute}="{escape(value)}"')
    # A line end behind these tags is not part of their text.
    line_end = "\n" if name in ("pre", "textarea") else ""
    return f"<{' '.join(parts)}>{line_end}"


def _is_script(value: str) -> bool:
    address = "".join(value.split()).lower()
    return address.startswith(("javascript:", "vbscript:"))


def _escaped_text(tree: Tree, node: int) -> str:
    text = str(tree.text[node])
    parent = int(tree.parent[node])
    if tree.name(parent) == "style":
        return text.replace("</", "<\\/")
    return escape(text, quote=False)


# Marks and legend


def marked_page(
    html: str, tree: Tree, marks: Marks, legend: str, url: str | None = None
) -> str:
    """Return the page with its marks, as a page of its own that runs nothing.

    `html` is the page that `tree` was made from; `url` lets the pictures and the style
    of the page be found.
    """
    base = f'<base href="{escape(url)}">' if url else ""
    head = (
        '<meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        f'<meta name="referrer" content="no-referrer">{base}<style>{_STYLE}</style>'
    )
    page = static_page(tree, marks, head, legend)
    return f"{doctype(html)}{page}\n"


def add_mark(
    tree: Tree, nodes: list[int], number: int, name: str, marks: Marks
) -> None:
    """Add a box to every element that has none yet, and a name to the first that can
    show it; `number` chooses the colour.
    """
    colour = COLOURS[number % len(COLOURS)]
    unmarked = [node for node in nodes if node not in marks]
    elements = [node for node in unmarked if tree.tag[node] != TEXT]

    for node in elements:
        style = tree.attributes(node).get("style")
        coloured = _with_colour(style, colour)
        marks[node] = {"data-scythe-box": "", "style": coloured}

    for element in elements:
        labelled = _label_element(tree, element)
        if labelled is None:
            continue
        mark = marks.setdefault(labelled, {})
        own_style = tree.attributes(labelled).get("style")
        style = mark.get("style") or own_style
        mark["data-scythe-number"] = name
        mark["style"] = _with_colour(style, colour)
        return


def _with_colour(style: str | None, colour: str) -> str:
    """Return an inline style that sets the colour of boxes, once."""
    setting = f"--scythe: {colour}"
    if not style:
        return setting
    if setting in style:
        return style
    return f"{style.rstrip('; ')}; {setting}"


def _label_element(tree: Tree, node: int) -> int | None:
    """Return the element that can show a name: itself, or the first cell of a row; None
    where it can show nothing.
    """
    while tree.name(node) in _ROWS:
        elements = [child for child in tree.children(node) if tree.tag[child] != TEXT]
        if not elements:
            return None
        node = elements[0]
    return None if tree.name(node) in VOID else node


def legend(title: str, about: list[str], fields: list[tuple[str, str]]) -> str:
    """Return a box of its own with what there is to know: lines, and names with what
    stands for them.
    """
    lines = [f"<div>{escape(line)}</div>" for line in about]
    names = []
    for name, value in fields:
        term = f"<dt>{escape(name)}</dt>"
        names.append(f"{term}<dd>{escape(value)}</dd>")

    summary = f"<summary>{escape(title)}</summary>"
    content = f"{summary}{''.join(lines)}<dl>{''.join(names)}</dl>"
    return f'<aside id="scythe-legend"><details open>{content}</details></aside>'


def shortened(text: str) -> str:
    """Return as much of a value as a legend shows."""
    if len(text) <= _EXAMPLE_LENGTH:
        return text
    return f"{text[:_EXAMPLE_LENGTH]}..."
