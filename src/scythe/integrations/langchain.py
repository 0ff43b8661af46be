"""LangChain: a loader of pages, and a transformer of HTML that others have loaded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from langchain_core.document_loaders import BaseLoader
from langchain_core.documents import BaseDocumentTransformer, Document

from scythe.content.extract import extract
from scythe.integrations.passages import (
    Passage,
    PassageOptions,
    document_passages,
    load_passages,
)


class ScytheLoader(BaseLoader):
    """Loads web addresses, files and folders as Markdown with metadata."""

    def __init__(
        self, sources: Sequence[str], options: PassageOptions | None = None
    ) -> None:
        self._sources = sources
        self._options = options or PassageOptions()

    def lazy_load(self) -> Iterator[Document]:
        """Yield a document for each page, or for each chunk of it."""
        yield from map(_document, load_passages(self._sources, self._options))


class ScytheTransformer(BaseDocumentTransformer):
    """Turns documents that hold HTML into documents that hold its content."""

    def __init__(self, options: PassageOptions | None = None) -> None:
        self._options = options or PassageOptions()

    def transform_documents(
        self, documents: Sequence[Document], **kwargs: Any
    ) -> list[Document]:
        """Return the content of each document, or its chunks, with the metadata that it
        had and those of the page.
        """
        transformed = []
        for given in documents:
            source = str(given.metadata.get("source", ""))
            url = source if source.startswith(("http://", "https://")) else None
            page = extract(given.page_content, url, options=self._options.content)
            for passage in document_passages(page, source, self._options):
                metadata = {**given.metadata, **passage.metadata}
                transformed.append(_document(Passage(passage.text, metadata)))
        return transformed


def _document(passage: Passage) -> Document:
    return Document(page_content=passage.text, metadata=passage.metadata)
