"""Pages of a collection: snapshots, clusters and their templates."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from scythe.collect.facade.base import CollectionPart
from scythe.collect.fields.surveys import Survey, SurveyCache
from scythe.collect.steps.stylesheets import stored_stylesheets
from scythe.store.collections.extractions import ClusterRow, ExtractedPage
from scythe.store.collections.pages import (
    GIVEN,
    FetchResult,
    PageRequest,
    PageRow,
)
from scythe.store.states import FetchOutcome
from scythe.templates.template.template import Template
from scythe.tree.tree import Tree

_SURVEYS = SurveyCache()


@dataclass(frozen=True)
class GivenPage:
    """A page of a record that another program has fetched."""

    url: str
    body: bytes
    charset: str | None = None
    """Of the answer's headers."""


class CollectionPages(CollectionPart):
    """The pages of a collection."""

    def add_pages(self, pages: Iterable[GivenPage]) -> None:
        """Add pages of records that another program has fetched, or newer versions of
        them; the next run reads them, and fetches none of them itself unless an index
        page lists it.
        """
        given = {page.url: page for page in pages}
        rows = self._context.pages
        with self.store.writing():  # so that no run fetches them in between
            requests = [PageRequest(url, GIVEN) for url in given]
            rows.enqueue(requests, run=0)
            results = []
            for url, page in given.items():
                row = rows.get(url)
                if row is None:
                    continue
                result = FetchResult(
                    row.id,
                    FetchOutcome.OK,
                    page.body,
                    charset=page.charset,
                    content_type="text/html",
                )
                results.append(result)
            rows.store_results(results)

    def clusters(self) -> list[ClusterRow]:
        """Return the clusters with extracted pages, the largest first."""
        return self._context.extractions.clusters()

    def survey(self, cluster: ClusterRow) -> Survey:
        """Return what the pages of a cluster have, as long as nothing changes from
        memory.
        """
        return _SURVEYS.get(self._context, cluster)

    def template(self, cluster: int) -> Template | None:
        """Return the template of a cluster, None where there is none yet."""
        stored = self._context.templates.latest(cluster)
        return Template.from_json(stored.definition) if stored else None

    def extracted_page_ids(self, cluster: int | None = None) -> list[int]:
        """Return the numbers of the extracted pages of a cluster, or of all."""
        return self._context.extractions.ids(cluster)

    def extracted_pages(self, pages: Sequence[int]) -> list[ExtractedPage]:
        """Return what was extracted from some pages, in their order."""
        return self._context.extractions.read(pages)

    def page(self, number: int) -> PageRow:
        """Return a page by its number."""
        return self._context.extractions.page(number)

    def snapshot(self, body_hash: str) -> bytes:
        """Return the bytes of a page as they came."""
        return self._context.pages.body(body_hash)

    def earlier_snapshot(self, page: PageRow) -> str | None:
        """Return the hash of the bytes that a page had before, as far as its record
        still has them.
        """
        return self._context.extractions.earlier_body(page)

    def stylesheets(self, tree: Tree, page: PageRow) -> dict[int, str]:
        """Return the stored stylesheets of a page, by the node of the link."""
        return stored_stylesheets(self._context, tree, page)
