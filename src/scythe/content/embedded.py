"""Content that stands in the page's structured data and nowhere in its visible text.

Pages that are built by script often carry their text in JSON-LD, for search engines. It is read only where the visible tree
holds no content, and the status says so.
"""

from __future__ import annotations

import html
import re

import numpy as np

from scythe.content.metadata.jsonld import nested, read_jsonld
from scythe.content.selection import Selection
from scythe.tree.parse import parse
from scythe.tree.tree import Tree

_TEXTS = ("articleBody", "text", "recipeInstructions", "reviewBody", "description")
LEAST_LENGTH = 200
"""Characters below which a text is a teaser for search results, not the content."""


def embedded_content(tree: Tree) -> Selection | None:
    """The longest text of the structured data as a selection of its own small tree; None where there is none of length."""
    texts = [item[name] for item in nested(read_jsonld(tree)) for name in _TEXTS if isinstance(item.get(name), str)]
    longest = max(texts, key=len, default="")
    if len(longest) < LEAST_LENGTH:
        return None
    content = parse(_as_markup(longest))
    return Selection(np.ones(len(content), dtype=bool), confidence=0.5, tree=content)


def _as_markup(text: str) -> str:
    """The text as HTML: some sites put markup there, escaped or not, most put plain paragraphs."""
    if "&lt;" in text:
        text = html.unescape(text)
    if re.search(r"</?(?:p|br|div|li|h[1-6])\b", text, re.IGNORECASE):
        return text
    paragraphs = filter(None, map(str.strip, text.split("\n")))
    return "".join(f"<p>{html.escape(paragraph, quote=False)}</p>" for paragraph in paragraphs)
