"""A document as the text that a format asks for."""

from __future__ import annotations

import html
import json
from typing import Literal

from scythe.content.document import Document

Format = Literal["md", "text", "html", "json"]
ENDINGS: dict[Format, str] = {"md": ".md", "text": ".txt", "html": ".html", "json": ".json"}


def render(document: Document, wanted: Format, source: str, *, on_one_line: bool = False) -> str:
    """The document in a format, ending with a newline. `on_one_line` is for JSON Lines, and for JSON only."""
    if wanted == "md":
        return _ended(document.markdown)
    if wanted == "text":
        return _ended(document.text)
    if wanted == "html":
        return _whole_page(document)
    values = {"source": source, **document.to_dict()}
    return json.dumps(values, ensure_ascii=False, indent=None if on_one_line else 2) + "\n"


def _ended(text: str) -> str:
    return text.rstrip("\n") + "\n" if text else ""


def _whole_page(document: Document) -> str:
    """A page that a browser shows right when it is opened from disk, where no server tells the charset."""
    language = f' lang="{html.escape(document.language)}"' if document.language else ""
    title = html.escape(document.title or "", quote=False)
    body = _ended(document.html)
    return f'<!DOCTYPE html>\n<html{language}>\n<meta charset="utf-8">\n<title>{title}</title>\n<body>\n{body}</body>\n</html>\n'
