"""A document as text in a format."""

from __future__ import annotations

import html
import json
from typing import Literal

from scythe.content.document import Document

Format = Literal["md", "text", "html", "xml", "tei", "json"]
EXTENSIONS: dict[Format, str] = {
    "md": ".md",
    "text": ".txt",
    "html": ".html",
    "xml": ".xml",
    "tei": ".tei.xml",
    "json": ".json",
}


def render_document(
    document: Document, format_: Format, source: str, *, on_one_line: bool = False
) -> str:
    """Return the document in a format, ending with a newline. `on_one_line` is for JSON
    Lines, and for JSON only.
    """
    if format_ == "md":
        return _with_newline(document.markdown)
    if format_ == "text":
        return _with_newline(document.text)
    if format_ == "html":
        return _html_page(document)
    if format_ == "xml":
        return document.xml
    if format_ == "tei":
        return document.tei
    values = {"source": source, **document.to_dict()}
    indent = None if on_one_line else 2
    return json.dumps(values, ensure_ascii=False, indent=indent) + "\n"


def _with_newline(text: str) -> str:
    return text.rstrip("\n") + "\n" if text else ""


def _html_page(document: Document) -> str:
    """Return a page that a browser shows right when it is opened from disk, where no
    server declares the charset.
    """
    language = ""
    if document.language:
        language = f' lang="{html.escape(document.language)}"'
    title = html.escape(document.title or "", quote=False)
    body = _with_newline(document.html)
    return (
        f'<!DOCTYPE html>\n<html{language}>\n<meta charset="utf-8">\n'
        f"<title>{title}</title>\n<body>\n{body}</body>\n</html>\n"
    )
