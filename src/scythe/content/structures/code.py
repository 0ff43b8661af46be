"""Preformatted text: its exact lines, and the programming language it declares."""

from __future__ import annotations

import re

from scythe.content.structures.outline import Leaf
from scythe.tree.tags import code
from scythe.tree.tree import Tree

_LANGUAGE = re.compile(
    r"""
    (?: ^|[\s-] ) (?: lang(?:uage)?- | (?:highlight-)?source- | brush:\s* ) ([A-Za-z0-9][\w+\#.-]*)
    | (?: ^|\s ) highlight-(?!default|none) ([A-Za-z0-9][\w+\#.-]*) \snotranslate\b
    """,
    re.VERBOSE,
)
"""As highlight.js, Prism, GitHub and SyntaxHighlighter name it, then as Sphinx does."""

_NAME = re.compile(r"[A-Za-z0-9][\w+#.-]*")
_CODE = code("code")


def declared_language(tree: Tree, node: int) -> str:
    """The language named by a `<pre>`, by the `<code>` in it or by one of the two
    elements around it, as highlighters do.
    """
    inner = next(
        (child for child in tree.children(node) if tree.tag[child] == _CODE), None
    )
    around = [node, int(tree.parent[node])]
    around.append(int(tree.parent[around[-1]]) if around[-1] >= 0 else -1)
    for place in [inner, *around] if inner is not None else around:
        if place < 0:
            continue
        attributes = tree.attributes(place)
        if found := _LANGUAGE.search(attributes.get("class") or ""):
            return found.group(1) or found.group(2)
        for name in ("data-lang", "data-language"):
            if _NAME.fullmatch(value := attributes.get(name) or ""):
                return value
    return ""


def code_text(leaf: Leaf) -> str:
    """The text of a `pre` leaf, character for character but for blank lines around it
    and the system's line ends.
    """
    parts: list[str] = []
    at_line_start = True
    for _, content in leaf.content:
        if content is None:
            if not at_line_start:
                parts.append("\n")
                at_line_start = True
        elif isinstance(content, str) and content:
            parts.append(content)
            at_line_start = content.endswith("\n")
    text = "".join(parts).replace("\r\n", "\n").replace("\r", "\n")
    lines = text.split("\n")
    while lines and (not lines[-1] or lines[-1].isspace()):
        lines.pop()
    first = next(
        (index for index, line in enumerate(lines) if line and not line.isspace()), 0
    )
    return "\n".join(lines[first:])
