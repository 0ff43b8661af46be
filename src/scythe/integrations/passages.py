"""Pages as passages with metadata, as search indexes and language models take them: what
the loaders of every framework share.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from scythe.content.document import Document
from scythe.content.extract import extract
from scythe.content.options import ExtractOptions
from scythe.sources import RawPage, ReadOptions, expand

_METADATA = ("title", "author", "date", "language", "page_type")


@dataclass(frozen=True)
class Passage:
    """A text with what is known of it. Absent values are left out: many stores take
    none.
    """

    text: str
    metadata: dict[str, Any]


@dataclass(frozen=True)
class PassageOptions:
    """How pages become passages."""

    max_tokens: int | None = None
    """The size of a passage; a whole page each where it is None."""
    content: ExtractOptions = field(default_factory=ExtractOptions)
    read: ReadOptions = field(default_factory=ReadOptions)


def load_passages(sources: Iterable[str], options: PassageOptions) -> Iterator[Passage]:
    """Yield the passages of web addresses, files and folders, in their order."""
    for source in expand(sources):
        page = source.read(options.read)
        yield from page_passages(page, source.name, options)


def page_passages(
    page: RawPage, name: str, options: PassageOptions
) -> Iterator[Passage]:
    """Yield the passages of one page; `name` is its source where it has no address."""
    document = extract(
        page.data, page.url, charset=page.charset, options=options.content
    )
    yield from document_passages(document, name, options)


def document_passages(
    document: Document, name: str, options: PassageOptions
) -> Iterator[Passage]:
    """Yield a document whole, or its chunks, each with the headings it stands under."""
    metadata: dict[str, Any] = {
        "source": document.url or name,
        "status": str(document.status),
    }
    for key in _METADATA:
        if value := getattr(document, key):
            metadata[key] = value
    if options.max_tokens is None:
        yield Passage(document.markdown, metadata)
        return
    for number, chunk in enumerate(document.chunks(options.max_tokens)):
        headings = " > ".join(chunk.headings)
        yield Passage(chunk.text, {**metadata, "headings": headings, "chunk": number})
