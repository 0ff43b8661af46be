"""Haystack: a converter of pages."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from haystack import Document, component
from haystack.dataclasses import ByteStream

from scythe.integrations.passages import (
    Passage,
    PassageOptions,
    load_passages,
    page_passages,
)
from scythe.sources import RawPage


@component
class ScytheConverter:
    """Converts pages to Markdown with metadata: web addresses, files, folders, and what
    a fetcher of Haystack has fetched.
    """

    def __init__(self, options: PassageOptions | None = None) -> None:
        self._options = options or PassageOptions()

    @component.output_types(documents=list[Document])
    def run(self, sources: list[str | Path | ByteStream]) -> dict[str, Any]:
        """Return a document for each page, or for each chunk of it."""
        documents = []
        for source in sources:
            for passage in self._passages(source):
                document = Document(content=passage.text, meta=passage.metadata)
                documents.append(document)
        return {"documents": documents}

    def _passages(self, source: str | Path | ByteStream) -> Iterator[Passage]:
        if not isinstance(source, ByteStream):
            yield from load_passages([str(source)], self._options)
            return
        url = source.meta.get("url")
        name = str(url or source.meta.get("file_path", "stream"))
        page = RawPage.checked(source.data, name, url=url)
        for passage in page_passages(page, name, self._options):
            yield Passage(passage.text, {**source.meta, **passage.metadata})
