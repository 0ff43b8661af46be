"""Documents of inputs that are no pages: plain text as it is, anything else with a status
and a note that says what it is.
"""

from __future__ import annotations

import html
import re
from dataclasses import replace

import numpy as np

from scythe.content.document import Document
from scythe.content.selection import Selection
from scythe.content.status import Status
from scythe.media import Media, MediaKind, recognize
from scythe.tree import Limits, Tree, parse
from scythe.tree.encoding import page_text
from scythe.tree.parse import DEFAULT_LIMITS

_PARAGRAPH_END = re.compile(r"\n[^\S\n]*+\n\s*+")


def read_non_page(
    data: bytes | str,
    url: str | None,
    limits: Limits = DEFAULT_LIMITS,
    charset: str | None = None,
) -> Document | None:
    """Return the document of an input that is no page, None for a page."""
    media = recognize(data)
    if media.kind is MediaKind.PAGE:
        return None
    if media.kind is MediaKind.TEXT:
        return text_document(data, url, limits, charset)
    return non_page_document(media, url)


def text_document(
    data: bytes | str,
    url: str | None,
    limits: Limits = DEFAULT_LIMITS,
    charset: str | None = None,
) -> Document:
    """Return plain text as a document: all of it, line by line. Nothing stands around
    the content of such a file that could be left out.
    """
    page = page_text(data, limits.max_bytes, charset)
    tree = parse(as_paragraphs(page.text), limits)
    tree = replace(tree, encoding=page.encoding, cut=page.cut + tree.cut)
    selection = Selection(np.ones(len(tree), dtype=bool), confidence=1.0)
    return _document(Status.TEXT, "", url, tree, selection)


def non_page_document(media: Media, url: str | None) -> Document:
    """Return a document without content that says what the input is instead."""
    tree = parse("")
    selection = Selection(np.zeros(len(tree), dtype=bool), confidence=0.0)
    return _document(status_of(media.kind), f"it {media.reason}", url, tree, selection)


def status_of(kind: str) -> Status:
    """Return the status of an input of a `MediaKind` that is no page."""
    if kind == MediaKind.FEED:
        return Status.FEED
    if kind == MediaKind.SITEMAP:
        return Status.SITEMAP
    return Status.NOT_HTML


def _document(
    status: Status, note: str, url: str | None, tree: Tree, selection: Selection
) -> Document:
    return Document(
        method="none",
        status=status,
        confidence=selection.confidence,
        page_type=None,
        url=url,
        cut=tree.cut,
        tree=tree,
        selection=selection,
        note=note,
    )


def as_paragraphs(text: str) -> str:
    """Return text as HTML: paragraphs where blank lines end them, and its lines."""
    lines = "\n".join(text.splitlines())
    paragraphs = []
    for paragraph in _PARAGRAPH_END.split(lines.strip("\n")):
        escaped = html.escape(paragraph, quote=False).replace("\n", "<br>")
        paragraphs.append(f"<p>{escaped}</p>")
    return "".join(paragraphs)
