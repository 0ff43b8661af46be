"""A snapshot of a page for a sandboxed frame: written anew from its tree, so that it shows what
it showed and does nothing.

Nothing of the page's own markup is copied. Elements and attributes are taken from short
lists of harmless ones, texts and values are escaped, and all style stands in the head:
whatever a parser makes of the nesting, every tag in it is one that was written here.
The answer's policy forbids scripts and every request besides.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html import escape
from itertools import islice
from urllib.parse import quote

import numpy as np
from starlette.responses import HTMLResponse

from scythe.tree.tags import TEXT, VOID, TagSet
from scythe.tree.tree import Tree
from scythe.web.snapshots.css import LINK, for_media, harmless_css

POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; "
    "frame-ancestors 'self'; base-uri 'none'; form-action 'none'; sandbox allow-same-origin"
)
"""What the browser lets a saved page do: show style and the pictures that are in it.
`<iframe sandbox="allow-same-origin">` says the same a second time; scripts run under
neither, so only the app's own script, outside, can look in.
"""

Marks = Mapping[int, Mapping[str, str]]
"""Attributes to add by node: `class` to the page's own, others in their place. A marked
text gets an element around it.
"""

OWN = "scythe-"
"""What classes and, behind `data-`, attributes of the marks begin with; of the page's
own none does.
"""

_KEPT = TagSet(
    """
    a abbr acronym address article aside b bdi bdo big blockquote br button caption
    center cite code col colgroup data dd del details dfn dialog dir div dl dt em
    fieldset figcaption figure font footer form h1 h2 h3 h4 h5 h6 header hgroup hr i
    img input ins kbd label legend li main mark menu meter nav nobr ol optgroup
    option output p picture pre progress q rb rp rt rtc ruby s samp search section
    select small span strike strong sub summary sup table tbody td textarea tfoot th
    thead time tr tt u ul var wbr
    """
)
_AS = {
    "plaintext": "pre",
    "xmp": "pre",
    "listing": "pre",
    "marquee": "div",
    "blink": "span",
    "slot": "span",
}
_MEDIA = TagSet("video audio iframe object embed canvas")
_PARTS = TagSet("html body frameset")
_STYLE = TagSet("style")
_NO_TEXT_BOX = TagSet(
    "table thead tbody tfoot tr colgroup select optgroup option textarea datalist"
)
_CUSTOM_ELEMENT = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)+")
_ATTRIBUTES = frozenset(
    """
    align alt bgcolor border cellpadding cellspacing checked class clear cols
    colspan color datetime dir face headers height hidden id itemprop itemtype lang
    low high label max min noshade nowrap open optimum placeholder reversed role
    rows rowspan rules scope selected size span start title type valign value width
    """.split()
)
_MORE_ATTRIBUTES = re.compile(r"(?:aria|data)-[a-z0-9_.-]{1,60}")
_MAX_ATTRIBUTES, _MAX_VALUE = 100, 2_000
"""Attributes of an element, and characters of a value: arbitrary caps; what is beyond is
data of scripts, or an attack.
"""
_INPUTS = frozenset(
    {
        "button",
        "checkbox",
        "radio",
        "reset",
        "search",
        "submit",
        "text",
        "number",
        "range",
    }
)
_WEB = re.compile(r"https?://\S+|[^\s:]*", re.IGNORECASE)
_PICTURE = re.compile(
    r"data:image/(?:png|jpeg|gif|webp|avif);base64,[A-Za-z0-9+/=\s]+", re.IGNORECASE
)
_MAX_PICTURE = 400_000
"""Characters of a picture that stands in the page itself: an arbitrary cap."""
_WIDTH, _RATIO = 320, 0.5625
"""Width of a picture without one, and height by width (16 to 9): usual, not tuned."""
_MAX_SIDE = 2_000
"""Pixels of a drawn picture: an arbitrary cap against hostile pages."""
_MIN_SIDE_WITH_WORDS = 60
"""Pixels from which on a drawn picture has room for words; not tuned."""
_SIDE = re.compile(r"\s*+(\d{1,5})(?:\.\d*+)?\s*+(?:px)?+\s*+")

_BASE = """
:where(html) { background: #fff; color: #1a1a1a; color-scheme: light; }
:where(body) { font-family: system-ui, sans-serif; line-height: 1.45; overflow-wrap: anywhere; }
:where(a[data-scythe-href]) { color: #0b57d0; text-decoration: underline; }
:where(img[data-scythe-picture]) { max-width: 100%; height: auto; }
"""


@dataclass(frozen=True)
class SnapshotStyle:
    """Style of a snapshot besides what its page has in itself."""

    styles: Mapping[int, str] = field(default_factory=dict)
    """The stylesheets that were saved with it, by the node of the `<link>`."""
    marks: str = ""
    """Style of the marks, which is the app's own and comes last."""


NO_STYLE = SnapshotStyle()


def render_snapshot(
    tree: Tree, marks: Marks | None = None, style: SnapshotStyle = NO_STYLE
) -> str:
    """Return the page as markup for a frame, with attributes added to the nodes in
    `marks`.
    """
    html, body = _root_nodes(tree)
    sheets = [_BASE, *_stylesheets(tree, style.styles), style.marks]
    head = "".join(f"<style>{css}</style>" for css in sheets if css.strip())
    markup = [
        "<!DOCTYPE html>",
        _start_tag(tree, "html", html, {}),
        '<head><meta charset="utf-8"><title>Snapshot</title>',
        head,
        "</head>",
        _start_tag(tree, "body", body, {}),
        *_Writer(tree, marks or {}).content(),
        "</body></html>\n",
    ]
    return "".join(markup)


def frame_response(markup: str) -> HTMLResponse:
    """Return the answer that a frame shows: under the policy for snapshots, and cached by
    nobody.
    """
    headers = {
        "Content-Security-Policy": POLICY,
        "X-Frame-Options": "SAMEORIGIN",
        "Referrer-Policy": "no-referrer",
        "X-Content-Type-Options": "nosniff",
        "Cache-Control": "private, no-store",
    }
    return HTMLResponse(markup.encode("utf-8", "replace"), headers=headers)


def _root_nodes(tree: Tree) -> tuple[int | None, int | None]:
    """Return the nodes of `<html>` and of `<body>`, None for one that is missing."""
    body = next(
        (node for node in tree.children(0) if tree.name(node) in ("body", "frameset")),
        None,
    )
    return (0 if tree.name(0) == "html" else None), body


def _stylesheets(tree: Tree, saved: Mapping[int, str]) -> Iterator[str]:
    """Yield the style of the page in its order: what stands in it, and what was saved
    with it.
    """
    style_nodes = np.flatnonzero(tree.has_tag(_STYLE)).tolist()
    for node in sorted({*style_nodes, *saved}):
        css = saved.get(node)
        if css is None:
            texts = tree.text[node : tree.end[node]]
            css = "".join(map(str, texts))
        attributes = tree.attributes(node)
        # With `onload` a sheet is loaded for print, and a script switches it to all.
        is_late = "onload" in attributes
        media = "" if is_late else attributes.get("media") or ""
        yield for_media(harmless_css(css), media)


class _Writer:
    """Writes the elements of a page from the lists of harmless ones."""

    def __init__(self, tree: Tree, marks: Marks) -> None:
        self.tree = tree
        self.marks = marks
        self._above_marks: set[int] = set()
        """The ancestors of marked nodes: a `<noscript>` among them is shown."""
        for node in marks:
            self._above_marks.update(tree.ancestors(node))

    def content(self) -> Iterator[str]:
        """Yield the markup of everything in the body."""
        tree = self.tree
        ends = tree.end.tolist()
        open_elements: list[tuple[int, str]] = []
        node, size = 0, len(tree)
        while node < size:
            while open_elements and node >= open_elements[-1][0]:
                yield open_elements.pop()[1]
            if tree.tag[node] == TEXT:
                yield self._text(node)
            elif (name := tree.name(node)) not in _PARTS:
                written = self._written_name(name, node)
                if written is None:
                    yield self._replacement(name, node)
                    node = ends[node]
                    continue
                yield _start_tag(tree, written, node, self.marks.get(node, {}))
                if written not in VOID:
                    open_elements.append((ends[node], f"</{written}>"))
            node += 1
        for _, end_tag in reversed(open_elements):
            yield end_tag

    def _written_name(self, name: str, node: int) -> str | None:
        """Return what an element is written as; None for one that is left out with
        everything in it.
        """
        if name in _KEPT:
            return name
        if name in _AS:
            return _AS[name]
        if name == "noscript":
            return "div" if node in self._above_marks else None
        is_custom = _CUSTOM_ELEMENT.fullmatch(name) and not name.startswith(OWN)
        return name if is_custom else None

    def _replacement(self, name: str, node: int) -> str:
        """Return what is shown instead of an element that is left out."""
        if name not in _MEDIA:
            return ""
        mark = _attributes_text(self.marks.get(node, {}))
        source = _placeholder(self.tree.attributes(node), name)
        return f'<img{mark} data-scythe-picture="" alt="{name}" src="{source}">'

    def _text(self, node: int) -> str:
        text = escape(str(self.tree.text[node]), quote=False)
        mark = self.marks.get(node)
        parent = int(self.tree.parent[node])
        if mark and parent >= 0 and self.tree.name(parent) not in _NO_TEXT_BOX:
            return f"<scythe-text{_attributes_text(mark)}>{text}</scythe-text>"
        return text


def _start_tag(tree: Tree, name: str, node: int | None, mark: Mapping[str, str]) -> str:
    """Return the start tag of an element with its harmless attributes and those of its
    mark.
    """
    given = {} if node is None else tree.attributes(node)
    kept = _harmless_attributes(given)
    kept.update(_replaced_attributes(name, given))
    for attribute, value in mark.items():
        if attribute == "class" and kept.get("class"):
            kept["class"] = f"{kept['class']} {value}"
        else:
            kept[attribute] = value
    line_break = "\n" if name in ("pre", "textarea") else ""
    return f"<{name}{_attributes_text(kept)}>{line_break}"


def _harmless_attributes(given: Mapping[str, str]) -> dict[str, str]:
    """Return the attributes of an element that are kept."""
    kept: dict[str, str] = {}
    for attribute in islice(given, _MAX_ATTRIBUTES):
        value = given[attribute]
        if _is_harmless(attribute) and len(value) <= _MAX_VALUE:
            kept[attribute] = value
    if "class" in kept:
        classes = kept["class"].split()
        foreign = [name for name in classes if not name.lower().startswith(OWN)]
        kept["class"] = " ".join(foreign)
    if style := given.get("style"):
        kept["style"] = harmless_css(style[: 10 * _MAX_VALUE])
    return kept


def _is_harmless(attribute: str) -> bool:
    if attribute in _ATTRIBUTES:
        return True
    if attribute.startswith(f"data-{OWN}"):
        return False
    return _MORE_ATTRIBUTES.fullmatch(attribute) is not None


def _replaced_attributes(name: str, given: Mapping[str, str]) -> dict[str, str]:
    """Return the attributes that some elements get instead of their own."""
    if name == "a" and (address := given.get("href")) is not None:
        is_web = _WEB.fullmatch(address.strip())
        return {LINK: address[:_MAX_VALUE] if is_web else ""}
    if name == "img":
        source = (given.get("src") or "").strip()
        if len(source) <= _MAX_PICTURE and _PICTURE.fullmatch(source):
            return {"src": source}
        placeholder = _placeholder(given, given.get("alt") or "")
        return {"src": placeholder, "data-scythe-picture": ""}
    if name == "input":
        kind = (given.get("type") or "text").lower()
        hidden = {"hidden": ""} if kind == "hidden" else {}
        type_ = kind if kind in _INPUTS else "text"
        return {"tabindex": "-1", "type": type_, **hidden}
    if name in ("button", "select", "textarea", "summary"):
        return {"tabindex": "-1"}
    return {}


def _attributes_text(attributes: Mapping[str, str]) -> str:
    pairs = [f' {name}="{escape(value)}"' for name, value in attributes.items()]
    return "".join(pairs)


def _placeholder(given: Mapping[str, str], words: str) -> str:
    """Return a drawn picture in the size of one that is not loaded, with its words."""
    width = _side(given.get("width"))
    height = _side(given.get("height"))
    if not width:
        width = round(height / _RATIO) if height else _WIDTH
    height = height or max(round(width * _RATIO), 1)

    text = ""
    if min(width, height) >= _MIN_SIDE_WITH_WORDS:
        style = (
            "x='50%' y='52%' text-anchor='middle' font-family='sans-serif' "
            "font-size='13' fill='#5b6470'"
        )
        shown = " ".join(words.split())[:80]
        text = f"<text {style}>{escape(shown)}</text>"
    picture = (
        f"<svg xmlns='http://www.w3.org/2000/svg' width='{width}' height='{height}' "
        f"viewBox='0 0 {width} {height}'>"
        f"<rect width='100%' height='100%' fill='#e4e8ee'/>{text}</svg>"
    )
    return f"data:image/svg+xml,{quote(picture.encode('utf-8', 'replace'))}"


def _side(given: str | None) -> int:
    """Return the length that an attribute gives, 0 where it gives none in pixels."""
    found = _SIDE.fullmatch(given or "")
    return min(int(found[1]), _MAX_SIDE) if found else 0
