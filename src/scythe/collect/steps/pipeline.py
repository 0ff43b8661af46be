"""The pipeline: fetched pages are classified, and records among them extracted. Each
page is parsed once, and each batch is one transaction.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime

from scythe.collect.context import RunContext, StateKey
from scythe.collect.pages.page_reading import PageReading
from scythe.collect.steps.classifier import Classifier
from scythe.collect.steps.extractor import Extractor
from scythe.collect.steps.importer import record_url
from scythe.collect.steps.other_pages import RecordEvidence
from scythe.collect.steps.record_links import RecordLinks
from scythe.store.collections.pages import GIVEN, PageRow
from scythe.store.collections.templates import ExtractedRow
from scythe.store.states import (
    LinkDecision,
    PageKind,
    PageStage,
    RecordState,
    RuleAction,
)
from scythe.urls import url_key
from scythe.version import installed_version

BATCH_SIZE = 250
"""Pages of one batch: the state of all clusters, and every template that grew, are
stored with each. Not tuned.
"""


def process_fetched(context: RunContext) -> int:
    """Classify all fetched pages, in the order in which they were enqueued, and extract
    what is known to be a record; return how many.
    """
    done = 0
    while batch := context.pages.in_stage(PageStage.FETCHED, BATCH_SIZE):
        if not done:
            read_alike_since(context)
            classifier = Classifier(context)
            extractor = Extractor(context, rereads=True)
            record_pages = _RecordPages(context)
            record_links = RecordLinks(context)
        for page, reading in _read_pages(context, batch):
            cluster, kind = classifier.classify(page, reading)
            if kind is PageKind.RECORD and page in record_pages:
                extractor.add(page, cluster, reading)
                record_links.add(reading.tree, page.final_url or page.url)
        moved = classifier.reassign(batch)
        with context.store.writing():
            classifier.store(batch)
            extractor.store(without=moved)
            record_links.store()
        done += len(batch)
        context.tracker.add("read", read=len(batch))
        context.progress("read", done, 0)
    return done


def process_classified(context: RunContext) -> int:
    """Extract pages that were classified before it was known that they are records, or
    that have come to another cluster; all others are done with. Return how many were
    extracted.
    """
    done = 0
    extractor, record_pages = Extractor(context), _RecordPages(context)
    alike_since = read_alike_since(context)
    while batch := context.pages.in_stage(PageStage.CLASSIFIED, BATCH_SIZE):
        likely: list[PageRow] = []
        others: set[int] = set()
        for page in batch:
            if page in record_pages and record_pages.confirms(page):
                likely.append(page)
            else:
                others.add(page.id)
        refused: list[PageRow] = []
        read_before = _read_before(context, likely, alike_since)
        for page, reading in _read_pages(context, likely):
            if page.id in read_before:
                reading.take_from(read_before[page.id])
            if record_pages.is_other(page, reading):
                refused.append(page)
                others.add(page.id)
            else:
                extractor.add(page, page.cluster or 0, reading)
        with context.store.writing():
            extractor.store()
            record_pages.refuse(refused)
            context.pages.set_stage(others, PageStage.DONE)
        done += len(likely) - len(refused)
        context.progress("read", done, 0)
    return done


def queue_unread_records(context: RunContext) -> int:
    """Queue pages that were looked at in an earlier run, and proved to be records only
    now: the server may not send them again. Return how many.
    """
    record_pages = _RecordPages(context)
    current_urls = context.links.current_urls()
    current = set(map(url_key, current_urls))
    read = set(context.extractions.ids())
    queued = 0
    for batch in context.pages.batches_in_stage(PageStage.DONE):
        unread = []
        for page in batch:
            key = url_key(page.url)
            if page.cluster is None or page.gone_at is not None:
                continue
            if page.id in read or key not in current:
                continue
            if page in record_pages and record_pages.confirms(page):
                unread.append(page.id)
        context.pages.set_stage(unread, PageStage.CLASSIFIED)
        queued += len(unread)
    return queued


class _RecordPages:
    """The pages that are to be records: those that links to records lead to or another
    program gave, and that do not lead to an index page themselves.

    A page that does not look like a record is one all the same where an operator says
    so, where it was one before, and where most pages that are built like it are.
    """

    def __init__(self, context: RunContext) -> None:
        self._index_keys = context.index_keys
        given = context.rules.given(RuleAction.RECORD)
        self._given = set(map(url_key, given))
        urls = context.links.urls(LinkDecision.RECORD)
        self._keys = set(map(url_key, urls))
        self._keys |= self._given
        self._keys -= self._index_keys
        self._known = set(context.records.keys(*RecordState))
        self._kinds: dict[int, Counter[str]] | None = None
        self._evidence = RecordEvidence(context)
        self._context = context

    def __contains__(self, page: PageRow) -> bool:
        is_followed = url_key(page.url) in self._keys
        if page.reason != GIVEN and not is_followed:
            return False
        return url_key(record_url(page)) not in self._index_keys

    def confirms(self, page: PageRow) -> bool:
        """Return whether a classified page is a record after all."""
        key = url_key(page.url)
        if page.kind == PageKind.BLOCKED:
            return False
        if page.kind == PageKind.RECORD or page.reason == GIVEN:
            return True
        if key in self._given or key in self._known:
            return True
        if self._evidence.has_facts and page.kind == PageKind.OTHER:
            return True
        if self._kinds is None:
            self._kinds = self._context.pages.count_kinds()
        kinds = self._kinds.get(page.cluster or 0, Counter())
        return kinds[PageKind.RECORD] * 2 >= kinds.total()

    def is_other(self, page: PageRow, reading: PageReading) -> bool:
        """Return whether a page is none after all, because it lacks what records have."""
        is_given = url_key(page.url) in self._given
        if is_given or page.reason == GIVEN:
            return False
        return not self._evidence.confirms(page, reading)

    def refuse(self, pages: Sequence[PageRow]) -> None:
        """Skip the links to other pages, with the reason."""
        self._evidence.refuse(pages)


def read_alike_since(context: RunContext) -> datetime:
    """Return since when pages have been read as they would be now: by this version, for
    this kind of records, with media or without. What they are read by is stored.
    """
    kind = hashlib.sha256(repr(context.kind).encode())
    reader = [installed_version(), kind.hexdigest(), context.has_media]
    return context.state_since(StateKey.READER, reader)


def _read_before(
    context: RunContext, pages: Sequence[PageRow], since: datetime
) -> dict[int, ExtractedRow]:
    """Return what was read of pages since some time, from the same bytes."""
    hashes = {page.id: page.body_hash for page in pages}
    rows = context.templates.extracted_from(hashes, since)
    return {page: row for page, row in rows.items() if row.body_hash == hashes[page]}


def _read_pages(
    context: RunContext, pages: Sequence[PageRow]
) -> Iterator[tuple[PageRow, PageReading]]:
    """Yield pages with what is read of their stored bytes."""
    bodies = context.pages.bodies(page.body_hash or "" for page in pages)
    for page, body in zip(pages, bodies, strict=True):
        url = page.final_url or page.url
        has_media = context.has_media
        reading = PageReading(body, url, page.charset, context.kind, media=has_media)
        yield page, reading
