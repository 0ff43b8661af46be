"""Fetched pages classified, and records among them read: each page is parsed once, and
each batch is one step.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scythe.collect.context import Work
from scythe.collect.pages.classifier import Classifier
from scythe.collect.pages.extraction import Extractor
from scythe.collect.pages.reading import PageReading
from scythe.collect.records.imports import record_url
from scythe.store.collections.pages import PageRow
from scythe.store.collections.states import LinkDecision, PageKind, PageStage
from scythe.urls import url_key

BATCH = 250
"""Pages of one step: the state of all clusters, and every template that grew, are
stored with each.
"""


def process(work: Work) -> int:
    """Classify all pages that wait for it, in the order in which they were wanted, and
    read what is known to be a record; gives how many.
    """
    done = 0
    while batch := work.pages.in_stage(PageStage.FETCHED, BATCH):
        if not done:
            classifier, extractor, records = (
                Classifier(work),
                Extractor(work),
                _Records(work),
            )
        for page, reading in _read(work, batch):
            cluster, kind = classifier.place(page, reading)
            if kind != PageKind.BLOCKED and page in records:
                extractor.add(page, cluster, reading)
        moved = classifier.moved(batch)
        with work.store.writing():
            classifier.store(batch)
            extractor.store(without=moved)
        done += len(batch)
        work.report("read", done, 0)
    return done


def process_rest(work: Work) -> int:
    """Read pages that were classified before it was known that they are records, or
    that have come to another cluster; all others are done with. Gives how many were
    read.
    """
    done = 0
    extractor, records = Extractor(work), _Records(work)
    while batch := work.pages.in_stage(PageStage.CLASSIFIED, BATCH):
        chosen = [
            page for page in batch if page.kind != PageKind.BLOCKED and page in records
        ]
        for page, reading in _read(work, chosen):
            extractor.add(page, page.cluster or 0, reading)
        with work.store.writing():
            extractor.store()
            work.pages.set_stage(
                {page.id for page in batch} - {page.id for page in chosen},
                PageStage.DONE,
            )
        done += len(chosen)
        work.report("read", done, 0)
    return done


class _Records:
    """Which pages are to be records: those that links to records lead to, and that do
    not lead to an index page themselves.
    """

    def __init__(self, work: Work) -> None:
        self._index = work.index_keys
        self._wanted = {
            url_key(url) for url in work.links.urls(LinkDecision.RECORD)
        } - self._index

    def __contains__(self, page: PageRow) -> bool:
        return (
            url_key(page.url) in self._wanted
            and url_key(record_url(page)) not in self._index
        )


def _read(
    work: Work, pages: Sequence[PageRow]
) -> Iterator[tuple[PageRow, PageReading]]:
    bodies = work.pages.bodies(page.body_hash or "" for page in pages)
    for page, body in zip(pages, bodies, strict=True):
        yield (
            page,
            PageReading(body, page.final_url or page.url, page.charset, work.kind),
        )
