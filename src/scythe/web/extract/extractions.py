"""Pages that somebody wants to see the content of. Each is kept for a while, so that
its views are pages with an address.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from scythe.content.document import Document
from scythe.content.extract import METHODS, build_document, resolve_method
from scythe.errors import NotStored, UsageError
from scythe.sources.download import fetch
from scythe.sources.options import ReadOptions
from scythe.sources.page import RawPage, require_page
from scythe.tree import Tree, parse
from scythe.tree.parse import DEFAULT_LIMITS
from scythe.web.snapshots.styles import fetched_styles
from scythe.wrappers.find import records_on
from scythe.wrappers.record import Records

KEPT, KEPT_BYTES = 20, 40_000_000
"""Pages that are kept, and how much they may have together; the oldest go first."""
LARGEST = 10_000_000
"""Bytes of a page that was pasted."""
SECONDS = 20.0
"""How long a page may take to come."""


@dataclass(frozen=True)
class Found:
    """What a method made of a page, and how long it took."""

    document: Document
    seconds: float


@dataclass
class Extraction:
    """A page, and what was found on it so far."""

    page: RawPage
    styles: Mapping[int, str] = field(default_factory=dict, repr=False)
    """The stylesheets of the page, by the node of the link."""
    _lock: threading.RLock = field(default_factory=threading.RLock, repr=False)
    _found: dict[str, Found] = field(default_factory=dict, repr=False)

    @property
    def url(self) -> str | None:
        """Where the page came from."""
        return self.page.url

    @cached_property
    def tree(self) -> Tree:
        """The page as a tree."""
        return parse(self.page.data, DEFAULT_LIMITS, self.page.charset)

    @cached_property
    def _records(self) -> Records:
        return records_on(self.tree, self.url)

    @property
    def records(self) -> Records:
        """The rows of the page's main list, if it has one."""
        with self._lock:
            return self._records

    def found(self, method: str) -> Found:
        """What a method finds."""
        name, extractor = resolve_method(method)
        with self._lock:
            if name not in self._found:
                tree, began = self.tree, time.perf_counter()
                document = build_document(tree, extractor(tree), name, self.url)
                self._found[name] = Found(document, time.perf_counter() - began)
            return self._found[name]

    def document(self, method: str) -> Document:
        """The content by a method."""
        return self.found(method).document

    def every(self) -> list[Found]:
        """The content by each method."""
        return [self.found(method) for method in METHODS]


def read(url: str, html: str, *, allow_private: bool) -> Extraction:
    """A page to look at: what was pasted, from where it says; else what is at an
    address.
    """
    if html.strip():
        data = html.encode("utf-8", "replace")
        if len(data) > LARGEST:
            raise UsageError(
                f"The page is larger than {LARGEST // 1_000_000} MB. Paste a part of it, or use `scythe extract`."
            )
        return Extraction(
            RawPage(
                require_page(data, "What was pasted"), url=url or None, charset="utf-8"
            )
        )
    if not url:
        raise UsageError(
            "There is nothing to read. Give the address of a page, or paste its HTML."
        )
    return Extraction(
        fetch(url, ReadOptions(timeout=SECONDS, public_only=not allow_private))
    )


def with_styles(extraction: Extraction, *, allow_private: bool) -> Extraction:
    """The same page as it looks, with its stylesheets."""
    extraction.styles = fetched_styles(
        extraction.tree, extraction.url, allow_private=allow_private
    )
    return extraction


class Extractions:
    """The pages that are kept, by words that nobody can guess. Threads may share it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: OrderedDict[str, Extraction] = OrderedDict()

    def keep(self, extraction: Extraction) -> str:
        """Keep a page; gives the word for it."""
        word = secrets.token_urlsafe(12)
        with self._lock:
            self._kept[word] = extraction
            while (
                len(self._kept) > KEPT
                or sum(len(each.page.data) for each in self._kept.values()) > KEPT_BYTES
            ):
                self._kept.popitem(last=False)
        return word

    def get(self, word: str) -> Extraction:
        """The page of a word."""
        with self._lock:
            found = self._kept.get(word)
        if found is None:
            raise NotStored(
                "This page is no longer kept. Extract it again: pages are kept for a while only."
            )
        return found
