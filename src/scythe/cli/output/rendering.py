"""A document as the text that a format asks for."""

from __future__ import annotations

import html
import json
from typing import Literal

from scythe.content.document import Document
from scythe.content.formats.escaping import escape, escape_heading_end

Format = Literal["md", "text", "html", "json"]
_NEAR_TOP = 1_000
"""Characters at the beginning of the content in which a title counts as being there
already.
"""
ENDINGS: dict[Format, str] = {
    "md": ".md",
    "text": ".txt",
    "html": ".html",
    "json": ".json",
}


def render(
    document: Document, wanted: Format, source: str, *, on_one_line: bool = False
) -> str:
    """The document in a format, ending with a newline. `on_one_line` is for JSON Lines,
    and for JSON only.
    """
    if wanted == "md":
        return _titled(document)
    if wanted == "text":
        return _ended(document.text)
    if wanted == "html":
        return _whole_page(document)
    values = {"source": source, **document.to_dict()}
    return (
        json.dumps(values, ensure_ascii=False, indent=None if on_one_line else 2) + "\n"
    )


def _titled(document: Document) -> str:
    """Markdown under the page's title. Headlines often stand apart from the content,
    and a file should say what it is.
    """
    title, body = document.title, _ended(document.markdown)
    if not title or not body or title in document.text[:_NEAR_TOP]:
        return body
    return f"# {escape_heading_end(escape(' '.join(title.split())))}\n\n{body}"


def _ended(text: str) -> str:
    return text.rstrip("\n") + "\n" if text else ""


def _whole_page(document: Document) -> str:
    """A page that a browser shows right when it is opened from disk, where no server
    tells the charset.
    """
    language = f' lang="{html.escape(document.language)}"' if document.language else ""
    title = html.escape(document.title or "", quote=False)
    body = _ended(document.html)
    return f'<!DOCTYPE html>\n<html{language}>\n<meta charset="utf-8">\n<title>{title}</title>\n<body>\n{body}</body>\n</html>\n'
