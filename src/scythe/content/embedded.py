"""Content that stands in the page's data and nowhere in its visible text.

Pages that are built by script often carry their text in JSON-LD, for search engines, or
in the state for their scripts. It is read only where the visible tree holds no content,
and the status records that.
"""

from __future__ import annotations

import html
import re

import numpy as np

from scythe.content.application_state import find_state_text
from scythe.content.metadata.jsonld import read_jsonld, walk_items
from scythe.content.selection import Selection
from scythe.tree.parse import parse
from scythe.tree.text import plain_text
from scythe.tree.tree import Tree

_TEXT_PROPERTIES = (
    "articleBody",
    "text",
    "recipeInstructions",
    "reviewBody",
    "description",
)
MIN_LENGTH = 200
"""Characters below which a text is a teaser for search results, not the content. A
plain bound, not tuned.
"""
CONFIDENCE = 0.5
"""A fixed value: how good such texts are has not been measured."""

_BLOCK_MARKUP = re.compile(r"</?(?:p|br|div|li|h[1-6])\b", re.IGNORECASE)


def select_embedded(tree: Tree) -> Selection | None:
    """Return the longest text of the structured data or of the application's state as a
    selection of a small tree of its own; None where none is long enough.
    """
    declared = _declared_text(tree)
    state = find_state_text(tree)
    if sum(map(len, state)) > len(declared):
        content = "".join(map(_as_markup, state))
    else:
        content = _as_markup(declared)

    small_tree = parse(content)
    nodes = np.ones(len(small_tree), dtype=bool)
    if len(plain_text(small_tree, nodes)) < MIN_LENGTH:
        return None
    return Selection(nodes, CONFIDENCE, tree=small_tree)


def _declared_text(tree: Tree) -> str:
    longest = ""
    for item in walk_items(read_jsonld(tree)):
        for name in _TEXT_PROPERTIES:
            text = item.get(name)
            if isinstance(text, str) and len(text) > len(longest):
                longest = text
    return longest


def _as_markup(text: str) -> str:
    """Return the text as HTML: some sites put markup there, escaped or not, most put
    plain paragraphs.
    """
    if "&lt;" in text:
        text = html.unescape(text)
    if _BLOCK_MARKUP.search(text):
        return text

    lines = filter(None, map(str.strip, text.split("\n")))
    return "".join(f"<p>{html.escape(line, quote=False)}</p>" for line in lines)
