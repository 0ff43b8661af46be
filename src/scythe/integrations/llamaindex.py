"""LlamaIndex: a reader of pages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from llama_index.core.readers.base import BaseReader
from llama_index.core.schema import Document

from scythe.integrations.passages import PassageOptions, load_passages


class ScytheReader(BaseReader):
    """Reads web addresses, files and folders as Markdown with metadata."""

    def __init__(self, options: PassageOptions | None = None) -> None:
        self._options = options or PassageOptions()

    def lazy_load_data(
        self, sources: Sequence[str], *args: Any, **load_kwargs: Any
    ) -> Iterable[Document]:
        """Yield a document for each page, or for each chunk of it."""
        for passage in load_passages(sources, self._options):
            yield Document(text=passage.text, metadata=passage.metadata)
