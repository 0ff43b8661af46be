"""A page written down again as one that does nothing: it shows, and runs no script, sends no form, leads no browser away."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import escape

from scythe.tree.tags import TEXT, VOID, TagSet
from scythe.tree.tree import Tree

POLICY = (
    "default-src 'none'; img-src * data:; style-src * 'unsafe-inline'; font-src * data:; media-src 'none'; "
    "form-action 'none'; base-uri *; frame-src 'none'"
)
"""What the browser may load for the page: pictures and style. Scripts it may not run, wherever they stand."""

_DROPPED = TagSet("script noscript template iframe frame object embed applet base meta noembed noframes param track audio video")
_AS_TEXT = {"plaintext": "pre", "xmp": "pre", "listing": "pre", "frameset": "div"}
"""Elements whose content a parser would read in another way than it stood, written as what shows it."""

_LINKS = frozenset({"stylesheet"})
_ATTRIBUTE = re.compile(r"[^\s\"'<>/=\x00]+")
_DOCTYPE = re.compile(r"(?is)\s*+(?:<!--(?>.*?-->)\s*+)*+(<!doctype[^>]{0,300}+>)")
_STARTS = 4096
"""Characters at the beginning of a page in which its doctype stands."""

Marks = Mapping[int, Mapping[str, str]]


def static_page(tree: Tree, marks: Marks, head: str, end: str) -> str:
    """The page as markup, with attributes added to the nodes in `marks`, `head` before all else and `end` behind all else.

    Neither of these is escaped.
    """
    written: list[str] = []
    open_elements: list[tuple[int, str]] = []
    kept = _kept_in_noscript(tree, marks)
    node, size = 0, len(tree)
    while node < size:
        while open_elements and node >= open_elements[-1][0]:
            written.append(open_elements.pop()[1])
        name, stop = tree.name(node), int(tree.end[node])
        if tree.tag[node] == TEXT:
            written.append(_text(tree, node))
        elif (name in _DROPPED and node not in kept) or (name == "link" and not _is_style(tree, node)):
            node = stop
            continue
        else:
            name = "div" if node in kept else _AS_TEXT.get(name, name)
            written.append(_start(name, {**tree.attributes(node), **marks.get(node, {})}))
            if name == "head":
                written.append(head)
            if name not in VOID:
                open_elements.append((stop, f"{end}</body>" if name == "body" else f"</{name}>"))
        node += 1
    written.extend(closing for _, closing in reversed(open_elements))
    return "".join(written)


def doctype(html: str) -> str:
    """The doctype of a page as it stands there: without one, browsers lay it out in another way."""
    found = _DOCTYPE.match(html[:_STARTS])
    return found.group(1) if found else ""


def _kept_in_noscript(tree: Tree, marks: Marks) -> set[int]:
    """The `<noscript>` elements that hold something marked, which are shown for it."""
    return {above for node in marks for above in tree.ancestors(node) if tree.name(above) == "noscript"}


def _is_style(tree: Tree, node: int) -> bool:
    return bool(_LINKS.intersection((tree.attributes(node).get("rel") or "").lower().split()))


def _start(name: str, attributes: Mapping[str, str]) -> str:
    kept = [
        f'{attribute}="{escape(value)}"'
        for attribute, value in attributes.items()
        if _ATTRIBUTE.fullmatch(attribute) and not attribute.lower().startswith("on") and not _is_script(value)
    ]
    return f"<{' '.join([name, *kept])}>" + ("\n" if name in ("pre", "textarea") else "")


def _is_script(value: str) -> bool:
    return "".join(value.split()).lower().startswith(("javascript:", "vbscript:"))


def _text(tree: Tree, node: int) -> str:
    text = str(tree.text[node])
    if tree.name(int(tree.parent[node])) == "style":
        return text.replace("</", "<\\/")
    return escape(text, quote=False)
