"""Content that stands in the page's structured data and nowhere in its visible text.

Pages that are built by script often carry their text in JSON-LD, for search engines. It
is read only where the visible tree holds no content, and the status records that.
"""

from __future__ import annotations

import html
import re

import numpy as np

from scythe.content.metadata.jsonld import read_jsonld, walk_items
from scythe.content.selection import Selection
from scythe.tree.parse import parse
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
    """Return the longest text of the structured data as a selection of a small tree of
    its own; None where none is long enough.
    """
    longest = ""
    for item in walk_items(read_jsonld(tree)):
        for name in _TEXT_PROPERTIES:
            text = item.get(name)
            if isinstance(text, str) and len(text) > len(longest):
                longest = text

    if len(longest) < MIN_LENGTH:
        return None
    content = parse(_as_markup(longest))
    nodes = np.ones(len(content), dtype=bool)
    return Selection(nodes, CONFIDENCE, tree=content)


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
