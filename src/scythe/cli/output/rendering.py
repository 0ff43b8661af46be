"""A document as text in a format."""

from __future__ import annotations

import html
import json
from typing import Literal

from scythe.content.document import Document
from scythe.content.formats.escaping import escape, escape_heading_end

Format = Literal["md", "text", "html", "xml", "tei", "json"]
EXTENSIONS: dict[Format, str] = {
    "md": ".md",
    "text": ".txt",
    "html": ".html",
    "xml": ".xml",
    "tei": ".tei.xml",
    "json": ".json",
}
_TOP_CHARACTERS = 1_000
"""Characters at the beginning of the content in which a title counts as being there
already; not tuned.
"""


def render_document(
    document: Document, format_: Format, source: str, *, on_one_line: bool = False
) -> str:
    """Return the document in a format, ending with a newline. `on_one_line` is for JSON
    Lines, and for JSON only.
    """
    if format_ == "md":
        return _titled_markdown(document)
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


def _titled_markdown(document: Document) -> str:
    """Return Markdown under the page's title. Headlines often stand apart from the
    content, and a file should say what it is.
    """
    title = document.title
    front = f"{document.front_matter}\n" if document.options.front_matter else ""
    body = _with_newline(document.markdown.removeprefix(front))
    if not title or not body or title in document.text[:_TOP_CHARACTERS]:
        return front + body
    heading = escape_heading_end(escape(" ".join(title.split())))
    return f"{front}# {heading}\n\n{body}"


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
