"""Preformatted text: its exact lines, and the programming language it declares."""

from __future__ import annotations

import re

from scythe.content.structures.outline import Leaf
from scythe.tree.tags import code
from scythe.tree.tree import Tree

_LANGUAGE_CLASS = re.compile(
    r"""
    (?: ^|[\s-] ) (?: lang(?:uage)?- | (?:highlight-)?source- | brush:\s* )
        ([A-Za-z0-9][\w+\#.-]*)
    | (?: ^|\s ) highlight-(?!default|none) ([A-Za-z0-9][\w+\#.-]*) \snotranslate\b
    """,
    re.VERBOSE,
)
"""As highlight.js, Prism, GitHub and SyntaxHighlighter name it, then as Sphinx does."""

_LANGUAGE_NAME = re.compile(r"[A-Za-z0-9][\w+#.-]*")
_CODE = code("code")


def declared_language(tree: Tree, node: int) -> str:
    """Return the language named by a `<pre>`, by the `<code>` in it or by one of the
    two elements around it, as highlighters do; empty if none is.
    """
    for element in _language_elements(tree, node):
        attributes = tree.attributes(element)
        match = _LANGUAGE_CLASS.search(attributes.get("class") or "")
        if match:
            return match.group(1) or match.group(2)
        for name in ("data-lang", "data-language"):
            value = attributes.get(name) or ""
            if _LANGUAGE_NAME.fullmatch(value):
                return value
    return ""


def _language_elements(tree: Tree, node: int) -> list[int]:
    """Return the `<code>` in a `<pre>`, itself, its parent and the parent of that."""
    elements = []
    for child in tree.children(node):
        if tree.tag[child] == _CODE:
            elements.append(child)
            break
    elements.append(node)
    parent = int(tree.parent[node])
    if parent >= 0:
        elements.append(parent)
        grandparent = int(tree.parent[parent])
        if grandparent >= 0:
            elements.append(grandparent)
    return elements


def code_text(leaf: Leaf) -> str:
    """Return the text of a `pre` leaf, character for character but for blank lines
    around it and the system's line ends.
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
    first, last = 0, len(lines)
    while last and not lines[last - 1].strip():
        last -= 1
    while first < last and not lines[first].strip():
        first += 1
    return "\n".join(lines[first:last])
