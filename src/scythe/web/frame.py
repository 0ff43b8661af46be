"""A saved page for a sandboxed frame: written anew from its tree, so that it shows what it showed and does nothing.

Nothing of the page's own markup is copied. Elements and attributes are taken from short lists of harmless ones, texts and values
are escaped, and all style stands in the head: whatever a parser makes of the nesting, every tag in it is one that was written
here. The answer's policy forbids scripts and every request besides.
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
from scythe.web.frame_css import LINK, for_media, harmless_css

POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; frame-ancestors 'self'; "
    "base-uri 'none'; form-action 'none'; sandbox allow-same-origin"
)
"""What the browser lets a saved page do: show style and the pictures that are in it. `<iframe sandbox="allow-same-origin">`
says the same a second time; scripts run under neither, so only the app's own script, outside, can look in.
"""

Marks = Mapping[int, Mapping[str, str]]
"""Attributes to add by node: `class` to the page's own, others in their place. A marked text gets an element around it."""

OWN = "scythe-"
"""What classes and, behind `data-`, attributes of the marks begin with; of the page's own none does."""

_KEPT = TagSet(
    """
    a abbr acronym address article aside b bdi bdo big blockquote br button caption center cite code col colgroup data dd del
    details dfn dialog dir div dl dt em fieldset figcaption figure font footer form h1 h2 h3 h4 h5 h6 header hgroup hr i img
    input ins kbd label legend li main mark menu meter nav nobr ol optgroup option output p picture pre progress q rb rp rt rtc
    ruby s samp search section select small span strike strong sub summary sup table tbody td textarea tfoot th thead time tr tt
    u ul var wbr
    """
)
_AS = {"plaintext": "pre", "xmp": "pre", "listing": "pre", "marquee": "div", "blink": "span", "slot": "span"}
_MEDIA = TagSet("video audio iframe object embed canvas")
_PARTS = TagSet("html body frameset")
_STYLE = TagSet("style")
_NO_TEXT_BOX = TagSet("table thead tbody tfoot tr colgroup select optgroup option textarea datalist")
_OF_ITS_OWN = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)+")
_ATTRIBUTES = frozenset(
    """
    align alt bgcolor border cellpadding cellspacing checked class clear cols colspan color datetime dir face headers height
    hidden id itemprop itemtype lang low high label max min noshade nowrap open optimum placeholder reversed role rows rowspan
    rules scope selected size span start title type valign value width
    """.split()
)
_MORE_ATTRIBUTES = re.compile(r"(?:aria|data)-[a-z0-9_.-]{1,60}")
_MOST_ATTRIBUTES, _LONGEST = 100, 2_000
"""Attributes of an element, and characters of a value, that are looked at; what is beyond is data of scripts, or an attack."""
_INPUTS = frozenset({"button", "checkbox", "radio", "reset", "search", "submit", "text", "number", "range"})
_WEB = re.compile(r"https?://\S+|[^\s:]*", re.IGNORECASE)
_PICTURE = re.compile(r"data:image/(?:png|jpeg|gif|webp|avif);base64,[A-Za-z0-9+/=\s]+", re.IGNORECASE)
_LARGEST_PICTURE = 400_000
_WIDE, _RATIO, _LARGEST_SIDE, _WITH_WORDS = 320, 0.5625, 2_000, 60
_SIDE = re.compile(r"\s*+(\d{1,5})(?:\.\d*+)?\s*+(?:px)?+\s*+")

_BASE = """
:where(html) { background: #fff; color: #1a1a1a; color-scheme: light; }
:where(body) { font-family: system-ui, sans-serif; line-height: 1.45; overflow-wrap: anywhere; }
:where(a[data-scythe-href]) { color: #0b57d0; text-decoration: underline; }
:where(img[data-scythe-picture]) { max-width: 100%; height: auto; }
"""


@dataclass(frozen=True)
class Look:
    """How a page is to look besides what it says itself."""

    styles: Mapping[int, str] = field(default_factory=dict)
    """The stylesheets that were saved with it, by the node of the `<link>`."""
    marks: str = ""
    """Style of the marks, which is the app's own and comes last."""


PLAIN = Look()


def framed(tree: Tree, marks: Marks | None = None, look: Look = PLAIN) -> str:
    """The page as markup for a frame, with attributes added to the nodes in `marks`."""
    html, body = _parts(tree)
    styles = [_BASE, *_styles(tree, look.styles), look.marks]
    head = "".join(f"<style>{css}</style>" for css in styles if css.strip())
    written = ["<!DOCTYPE html>", _start(tree, "html", html, {}), '<head><meta charset="utf-8"><title>Saved page</title>', head]
    written += ["</head>", _start(tree, "body", body, {})]
    written.extend(_Writer(tree, marks or {}).content())
    return "".join([*written, "</body></html>\n"])


def frame_response(markup: str) -> HTMLResponse:
    """The answer that a frame shows: under the policy for saved pages, and kept by nobody."""
    headers = {
        "Content-Security-Policy": POLICY,
        "X-Frame-Options": "SAMEORIGIN",
        "Referrer-Policy": "no-referrer",
        "X-Content-Type-Options": "nosniff",
        "Cache-Control": "private, no-store",
    }
    return HTMLResponse(markup.encode("utf-8", "replace"), headers=headers)


def _parts(tree: Tree) -> tuple[int | None, int | None]:
    """The nodes of the page itself and of its body, where they are what they should be."""
    body = next((node for node in tree.children(0) if tree.name(node) in ("body", "frameset")), None)
    return (0 if tree.name(0) == "html" else None), body


def _styles(tree: Tree, saved: Mapping[int, str]) -> Iterator[str]:
    """The style of the page in its order: what stands in it, and what was saved with it."""
    for node in sorted({*np.flatnonzero(tree.having(_STYLE)).tolist(), *saved}):
        css = saved[node] if node in saved else "".join(map(str, tree.text[node : tree.end[node]]))
        given = tree.attributes(node)
        late = "onload" in given  # loaded for print, and switched to all by a script when it is there
        yield for_media(harmless_css(css), "" if late else given.get("media") or "")


class _Writer:
    """Writes the elements of a page from the lists of harmless ones."""

    def __init__(self, tree: Tree, marks: Marks) -> None:
        self.tree, self.marks = tree, marks
        self._shown = {above for node in marks for above in tree.ancestors(node)}
        """What holds something marked: `<noscript>` is shown for it."""

    def content(self) -> Iterator[str]:
        """The markup of all that is in the body."""
        tree, ends, open_elements = self.tree, self.tree.end.tolist(), list[tuple[int, str]]()
        node, size = 0, len(tree)
        while node < size:
            while open_elements and node >= open_elements[-1][0]:
                yield open_elements.pop()[1]
            if tree.tag[node] == TEXT:
                yield self._text(node)
            elif (name := tree.name(node)) not in _PARTS:
                written = self._name(name, node)
                if written is None:
                    yield self._in_place(name, node)
                    node = ends[node]
                    continue
                yield _start(tree, written, node, self.marks.get(node, {}))
                if written not in VOID:
                    open_elements.append((ends[node], f"</{written}>"))
            node += 1
        yield from (closing for _, closing in reversed(open_elements))

    def _name(self, name: str, node: int) -> str | None:
        """What an element is written as; None for those that are left out with all that is in them."""
        if name in _KEPT:
            return name
        if name in _AS:
            return _AS[name]
        if name == "noscript":
            return "div" if node in self._shown else None
        return name if _OF_ITS_OWN.fullmatch(name) and not name.startswith(OWN) else None

    def _in_place(self, name: str, node: int) -> str:
        """What is shown in place of an element that is left out."""
        if name not in _MEDIA:
            return ""
        given = self.tree.attributes(node)
        mark = _written(self.marks.get(node, {}))
        return f'<img{mark} data-scythe-picture="" alt="{name}" src="{_placeholder(given, name)}">'

    def _text(self, node: int) -> str:
        text = escape(str(self.tree.text[node]), quote=False)
        mark = self.marks.get(node)
        parent = int(self.tree.parent[node])
        if mark and parent >= 0 and self.tree.name(parent) not in _NO_TEXT_BOX:
            return f"<scythe-text{_written(mark)}>{text}</scythe-text>"
        return text


def _start(tree: Tree, name: str, node: int | None, mark: Mapping[str, str]) -> str:
    """The start tag of an element with its harmless attributes and those of its mark."""
    given = {} if node is None else tree.attributes(node)
    kept: dict[str, str] = {}
    for attribute in islice(given, _MOST_ATTRIBUTES):
        if attribute in _ATTRIBUTES or (_MORE_ATTRIBUTES.fullmatch(attribute) and not attribute.startswith(f"data-{OWN}")):
            value = given[attribute]
            if len(value) <= _LONGEST:
                kept[attribute] = value
    if "class" in kept:
        kept["class"] = " ".join(each for each in kept["class"].split() if not each.lower().startswith(OWN))
    if style := given.get("style"):
        kept["style"] = harmless_css(style[: 10 * _LONGEST])
    kept.update(_special(name, given))
    for attribute, value in mark.items():
        kept[attribute] = f"{kept['class']} {value}" if attribute == "class" and kept.get("class") else value
    return f"<{name}{_written(kept)}>" + ("\n" if name in ("pre", "textarea") else "")


def _special(name: str, given: Mapping[str, str]) -> dict[str, str]:
    """What some elements get in place of what they had."""
    if name == "a" and (address := given.get("href")) is not None:
        return {LINK: address[:_LONGEST] if _WEB.fullmatch(address.strip()) else ""}
    if name == "img":
        source = (given.get("src") or "").strip()
        if len(source) <= _LARGEST_PICTURE and _PICTURE.fullmatch(source):
            return {"src": source}
        return {"src": _placeholder(given, given.get("alt") or ""), "data-scythe-picture": ""}
    if name in ("input", "button", "select", "textarea", "summary"):
        kind = (given.get("type") or "text").lower()
        if name == "input":
            unseen = {"hidden": ""} if kind == "hidden" else {}
            return {"tabindex": "-1", "type": kind if kind in _INPUTS else "text", **unseen}
        return {"tabindex": "-1"}
    return {}


def _written(attributes: Mapping[str, str]) -> str:
    return "".join(f' {name}="{escape(value)}"' for name, value in attributes.items())


def _placeholder(given: Mapping[str, str], words: str) -> str:
    """A picture drawn here in the size of one that is not loaded, with its words in it."""
    width, height = _side(given.get("width")), _side(given.get("height"))
    width = width or (round(height / _RATIO) if height else _WIDE)
    height = height or max(round(width * _RATIO), 1)
    place = "x='50%' y='52%' text-anchor='middle' font-family='sans-serif' font-size='13' fill='#5b6470'"
    shown = f"<text {place}>{escape(' '.join(words.split())[:80])}</text>"
    picture = (
        f"<svg xmlns='http://www.w3.org/2000/svg' width='{width}' height='{height}' viewBox='0 0 {width} {height}'>"
        f"<rect width='100%' height='100%' fill='#e4e8ee'/>{shown if min(width, height) >= _WITH_WORDS else ''}</svg>"
    )
    return f"data:image/svg+xml,{quote(picture.encode('utf-8', 'replace'))}"


def _side(given: str | None) -> int:
    """The length that an attribute gives, 0 where it gives none in pixels."""
    found = _SIDE.fullmatch(given or "")
    return min(int(found[1]), _LARGEST_SIDE) if found else 0
