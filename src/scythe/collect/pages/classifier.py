"""The classifier: fetched pages into clusters of one template, and each told to be a
record, an index page or another page.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scythe.collect.context import CLUSTERS, Work
from scythe.collect.pages.reading import PageReading
from scythe.content.status import is_blocked
from scythe.store.collections.pages import PageRow
from scythe.store.collections.states import PageKind
from scythe.templates.clusters.clusters import Clusters

SHORT_PAGE = 1_000
"""Nodes below which a page may be a bot check: these have a sentence or two."""


def kind_of(page: PageReading) -> str:
    """What a page is."""
    if len(page.tree) < SHORT_PAGE and is_blocked(page.tree):
        return PageKind.BLOCKED
    shown = page.shows_kind()
    if shown:
        return PageKind.RECORD
    if page.index_evidence.is_index:
        return PageKind.INDEX
    return PageKind.RECORD if shown is None else PageKind.OTHER


class Classifier:
    """Places pages, some at a time; what became of them and the clusters are stored
    together.
    """

    def __init__(self, work: Work) -> None:
        self._work = work
        stored = work.remembered(CLUSTERS)
        self._clusters = Clusters.from_json(stored) if stored else Clusters()
        self._begin()

    def _begin(self) -> None:
        self._placed: dict[int, tuple[int, str]] = {}
        self._heard = len(self._clusters.changes)

    def place(self, page: PageRow, reading: PageReading) -> tuple[int, str]:
        """The cluster and the kind of a page."""
        cluster = self._clusters.add(reading.tree, page.url, reading.index_evidence)
        placed = self._placed[page.id] = cluster, kind_of(reading)
        return placed

    def moved(self, pages: Sequence[PageRow]) -> set[int]:
        """Those of the pages just placed that are in another cluster by now: clusters
        merge and split as they grow.
        """
        if len(self._clusters.changes) == self._heard:
            return set()
        now = {page.id: self._clusters.cluster_of(page.url) for page in pages}
        gone = {
            page
            for page, cluster in now.items()
            if cluster is not None and cluster != self._placed[page][0]
        }
        self._placed.update(
            {page: (now[page] or 0, self._placed[page][1]) for page in gone}
        )
        return gone

    def store(self, pages: Sequence[PageRow]) -> None:
        """Store what became of the pages just placed. Earlier ones that are in another
        cluster now are read anew there.
        """
        work = self._work
        elsewhere = self._moved_before()
        with work.store.writing():
            work.pages.reassign(elsewhere)
            work.pages.classify(self._placed, CLUSTERS, self._clusters.as_json())
            work.links.store_outcomes(
                {page.url: self._placed[page.id][1] for page in pages}
            )
        self._begin()

    def _moved_before(self) -> Mapping[int, int]:
        changed = {change.cluster for change in self._clusters.changes[self._heard :]}
        moved = {}
        for page, url, cluster in self._work.pages.in_clusters(changed):
            now = self._clusters.cluster_of(url)
            if now is not None and now != cluster and page not in self._placed:
                moved[page] = now
        return moved
