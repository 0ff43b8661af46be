"""Pages whose content somebody looks at. Each is kept for a while, so that its views
have addresses.
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
from scythe.content.extract import (
    DEFAULT_METHOD,
    METHODS,
    build_document,
    resolve_method,
)
from scythe.content.status import LIST_TYPES
from scythe.errors import NotStored, UsageError
from scythe.logins import without_logins
from scythe.render import Browser, RenderOptions
from scythe.sources.fetching import fetch
from scythe.sources.options import ReadOptions
from scythe.sources.page import RawPage, require_page
from scythe.tree import Tree, parse
from scythe.tree.parse import DEFAULT_LIMITS
from scythe.urls import completed_url, require_public
from scythe.web.snapshots.styles import fetched_styles
from scythe.wrappers.find import records_on
from scythe.wrappers.record import Records

MAX_PAGES, MAX_CACHE = 20, 40_000_000
"""Pages that are kept, and bytes of all of them; the oldest go first. Not tuned."""
MAX_PASTED = 10_000_000
"""Bytes of a page that was pasted: an arbitrary cap."""
MIN_RECORDS, MIN_CONFIDENCE = 3, 0.5
"""Records, and confidence in them, from which on a list page opens as records: bounds
on a choice that a click reverts, not tuned.
"""
SECONDS = 20.0
"""How long a page may take to come: a bound on the wait, not tuned."""


@dataclass(frozen=True)
class TimedDocument:
    """The content of a page by one method, and how long that took."""

    document: Document
    seconds: float


@dataclass
class Extraction:
    """A page, and what was extracted from it so far."""

    page: RawPage
    rendered: Tree | None = None
    """What a browser made of the page, where somebody asked for that."""
    styles: Mapping[int, str] = field(default_factory=dict, repr=False)
    """The stylesheets of the page, by the node of the link."""
    _lock: threading.RLock = field(default_factory=threading.RLock, repr=False)
    _documents: dict[str, TimedDocument] = field(default_factory=dict, repr=False)

    @property
    def url(self) -> str | None:
        """Where the page came from."""
        return self.page.url

    @cached_property
    def tree(self) -> Tree:
        """The page as a tree."""
        if self.rendered is not None:
            return self.rendered
        return parse(self.page.data, DEFAULT_LIMITS, self.page.charset)

    @cached_property
    def _records(self) -> Records:
        return records_on(self.tree, self.url)

    @property
    def has_records(self) -> bool:
        """Whether the page has a list, be it its content or not."""
        records = self.records
        return records.confidence >= MIN_CONFIDENCE and len(records) >= MIN_RECORDS

    @property
    def is_list(self) -> bool:
        """Whether the page is a list, and so its records say more than its text."""
        document = self.document(DEFAULT_METHOD)
        return self.has_records and document.page_type in LIST_TYPES

    @property
    def records(self) -> Records:
        """The records of the page's main section, if it has one."""
        with self._lock:
            return self._records

    def timed_document(self, method: str) -> TimedDocument:
        """Return the content by a method, and how long it took."""
        name, extractor = resolve_method(method)
        with self._lock:
            if name not in self._documents:
                tree, started = self.tree, time.perf_counter()
                document = build_document(tree, extractor(tree), name, self.url)
                seconds = time.perf_counter() - started
                self._documents[name] = TimedDocument(document, seconds)
            return self._documents[name]

    def document(self, method: str) -> Document:
        """Return the content by a method."""
        return self.timed_document(method).document

    def all_methods(self) -> list[TimedDocument]:
        """Return the content by each method."""
        return [self.timed_document(method) for method in METHODS]


def load_page(
    url: str, html: str, *, allow_private: bool, render: bool = False
) -> Extraction:
    """Return a page to extract from: what was pasted, with the address it came from,
    else the page at an address, with `render` after its scripts have run in a browser.
    """
    url = completed_url(url)
    if html.strip():
        return Extraction(_pasted_page(url, html))
    if not url:
        raise UsageError(
            "There is nothing to read. Give the address of a page, or paste its HTML."
        )
    options = ReadOptions(timeout=SECONDS, public_only=not allow_private)
    if render:
        return _rendered_page(url, options)
    return Extraction(fetch(url, options))


def _rendered_page(url: str, options: ReadOptions) -> Extraction:
    """Return a page as a browser shows it."""
    if options.public_only:
        require_public(url)
    in_browser = RenderOptions(
        scripts=True,
        network=True,
        public_only=options.public_only,
        timeout=SECONDS,
    )
    with Browser() as browser:
        tree = browser.open(url, options=in_browser)
    return Extraction(RawPage(b"", url=url), tree)


def _pasted_page(url: str, html: str) -> RawPage:
    data = html.encode("utf-8", "replace")
    if len(data) > MAX_PASTED:
        raise UsageError(
            f"The page is larger than {MAX_PASTED // 1_000_000} MB. "
            "Paste a part of it, or use `scythe extract`."
        )
    page = require_page(data, "What was pasted")
    return RawPage(page, url=without_logins(url) or None, charset="utf-8")


def fetch_stylesheets(extraction: Extraction, *, allow_private: bool) -> None:
    """Fetch the stylesheets of a page, so that it can be shown as it looks."""
    extraction.styles = fetched_styles(
        extraction.tree, extraction.url, allow_private=allow_private
    )


class Extractions:
    """The pages that are kept, by keys that nobody can guess. Threads may share it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._pages: OrderedDict[str, Extraction] = OrderedDict()

    def add(self, extraction: Extraction) -> str:
        """Keep a page for a while, and return its key."""
        key = secrets.token_urlsafe(12)
        with self._lock:
            self._pages[key] = extraction
            while self._is_full():
                self._pages.popitem(last=False)
        return key

    def _is_full(self) -> bool:
        sizes = [len(kept.page.data) for kept in self._pages.values()]
        return len(sizes) > MAX_PAGES or sum(sizes) > MAX_CACHE

    def get(self, key: str) -> Extraction:
        """Return the page of a key."""
        with self._lock:
            extraction = self._pages.get(key)
        if extraction is None:
            raise NotStored(
                "This page is no longer kept. Extract it again: pages are kept for a "
                "while only."
            )
        return extraction
