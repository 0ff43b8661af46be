"""The classifier: fetched pages go into clusters of one template, and each is found to
be a record, an index page or another page.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scythe.collect.context import RunContext, StateKey
from scythe.collect.pages.page_reading import PageReading
from scythe.collect.steps.other_pages import RecordEvidence
from scythe.content.status import is_blocked
from scythe.store.collections.pages import PageRow
from scythe.store.states import PageKind
from scythe.templates.clusters.clusters import Clusters

SHORT_PAGE = 1_000
"""Nodes below which a page may be a bot check: these have a sentence or two."""


def page_kind(page: PageReading, *, is_index: bool) -> PageKind:
    """Return what a page is, where it looks like an index page or does not."""
    if len(page.tree) < SHORT_PAGE and is_blocked(page.tree):
        return PageKind.BLOCKED
    is_record = page.is_record()
    if is_record:
        return PageKind.RECORD
    if is_index:
        return PageKind.INDEX
    return PageKind.RECORD if is_record is None else PageKind.OTHER


class Classifier:
    """Classifies pages, a batch at a time; what became of them and the clusters are
    stored together.
    """

    def __init__(self, context: RunContext) -> None:
        self._context = context
        stored = context.load_state(StateKey.CLUSTERS)
        self._clusters = Clusters.from_json(stored) if stored else Clusters()
        self._evidence = RecordEvidence(context)
        self._start_batch()

    def _start_batch(self) -> None:
        self._classified: dict[int, tuple[int, PageKind]] = {}
        self._changes_before = len(self._clusters.changes)

    def classify(self, page: PageRow, reading: PageReading) -> tuple[int, PageKind]:
        """Return the cluster and the kind of a page, which is added to the clusters."""
        cluster = self._clusters.add(reading.tree, page.url, reading.index_evidence)
        is_index = self._clusters.looks_like_index(page.url, reading.index_evidence)
        kind = page_kind(reading, is_index=is_index)
        if kind is PageKind.RECORD and self._evidence.is_doubtful(page, reading):
            kind = PageKind.OTHER
        self._classified[page.id] = (cluster, kind)
        return self._classified[page.id]

    def reassign(self, pages: Sequence[PageRow]) -> set[int]:
        """Put pages of this batch into the clusters they are in by now, and return
        those that are in another one: clusters merge and split as they grow.
        """
        if len(self._clusters.changes) == self._changes_before:
            return set()
        moved = set()
        for page in pages:
            current = self._clusters.cluster_of(page.url)
            cluster, kind = self._classified[page.id]
            if current is not None and current != cluster:
                self._classified[page.id] = (current, kind)
                moved.add(page.id)
        return moved

    def store(self, pages: Sequence[PageRow]) -> None:
        """Store what became of the pages of this batch. Earlier ones that are in
        another cluster now are extracted anew there.
        """
        context = self._context
        moved = self._moved_earlier_pages()
        kinds: dict[str, str] = {}
        for page in pages:
            _, kind = self._classified[page.id]
            kinds[page.url] = kind
        with context.store.writing():
            context.pages.reassign(moved)
            context.pages.classify(
                self._classified,
                StateKey.CLUSTERS,
                self._clusters.as_json(),
            )
            context.links.store_outcomes(kinds)
        self._start_batch()

    def _moved_earlier_pages(self) -> Mapping[int, int]:
        """Return the new clusters of pages of earlier batches, by page."""
        new_changes = self._clusters.changes[self._changes_before :]
        changed = {change.cluster for change in new_changes}
        moved: dict[int, int] = {}
        for page, url, cluster in self._context.pages.in_clusters(changed):
            current = self._clusters.cluster_of(url)
            if current is None or current == cluster:
                continue
            if page not in self._classified:
                moved[page] = current
        return moved
