"""How the pages of a site become rows when they are seen together: content without what
repeats, or a template for each cluster of pages.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Protocol, runtime_checkable

from scythe.bulk.output.tables import Table
from scythe.bulk.page import CrawlPage
from scythe.bulk.workers.extraction import (
    Documents,
    PageExtraction,
    Row,
    template_row,
)
from scythe.content.extract import build_document, resolve_method
from scythe.content.many import without_shared_text
from scythe.content.methods.site_tree import SiteTree
from scythe.tree import Limits, Tree, parse
from scythe.tree.parse import DEFAULT_LIMITS

if TYPE_CHECKING:
    from scythe.templates.clusters.clusters import Clusters
    from scythe.templates.template.template import Template

PagesOfGroup = Callable[[], Iterator[tuple[str | None, Tree]]]
"""Returns the pages of a group with their addresses, as often as it is called."""

TEMPLATE_PAGES = 20
"""Pages that a template is grown from; docs/benchmarks.md shows that it hardly learns
from more.
"""
MIN_TEMPLATE_PAGES = 2
"""A template of one page shows nothing of what varies."""


@runtime_checkable
class SiteExtraction(Protocol):
    """How pages of one site become rows."""

    @property
    def table(self) -> Table:
        """The table of its rows."""

    @property
    def description(self) -> str:
        """All that its rows depend on besides the pages."""

    @property
    def limits(self) -> Limits:
        """How much of a page is parsed."""

    def for_group(self, pages: PagesOfGroup, count: int) -> PageExtraction:
        """Return how a page of this group of so many becomes rows."""


@dataclass(frozen=True)
class SiteDocuments:
    """The content of pages, without what repeats on their site, as
    `scythe.extract_many` returns it.
    """

    table: ClassVar[Table] = "documents"

    documents: Documents

    @property
    def description(self) -> str:
        """As that of pages alone."""
        return f"by site: {self.documents.description}"

    @property
    def limits(self) -> Limits:
        """As of pages alone."""
        return self.documents.limits

    def for_group(self, pages: PagesOfGroup, count: int) -> PageExtraction:
        """Return an extraction that knows what the pages have in common."""
        others = pages() if count > 1 else ()
        site = SiteTree.merge(tree for _, tree in others)
        return OwnContent(self.documents, site)


@dataclass(frozen=True)
class OwnContent:
    """The content of a page without what other pages of its site have."""

    table: ClassVar[Table] = "documents"

    documents: Documents
    site: SiteTree

    @property
    def description(self) -> str:
        """As that of pages alone."""
        return self.documents.description

    def rows(self, page: CrawlPage) -> list[Row]:
        """Return one row."""
        options = self.documents.options
        name, extractor = resolve_method(self.documents.method, options.focus)
        tree = parse(page.html, self.documents.limits, page.charset)
        selection = without_shared_text(tree, extractor(tree), self.site)
        document = build_document(tree, selection, name, page.url, options)
        return [self.documents.document_row(document)]


@dataclass(frozen=True)
class SiteTemplates:
    """What templates read that are grown from the pages: those of a site are clustered,
    and each cluster has its own template.
    """

    table: ClassVar[Table] = "records"

    limits: Limits = DEFAULT_LIMITS

    @property
    def description(self) -> str:
        """The limits alone."""
        return f"templates by site {self.limits}"

    def for_group(self, pages: PagesOfGroup, count: int) -> PageExtraction:
        """Cluster the pages, and return the templates grown from them."""
        from scythe.templates.clusters.clusters import Clusters
        from scythe.templates.template.template import Template

        clusters = Clusters()
        for url, tree in pages():
            if url:
                clusters.add(tree, url)
        clusters.recluster()

        templates: dict[int, Template] = {}
        page_counts: Counter[int] = Counter()
        for url, tree in pages():
            cluster = clusters.cluster_of(url) if url else None
            if cluster is not None and page_counts[cluster] < TEMPLATE_PAGES:
                template = templates.setdefault(cluster, Template())
                template.update((tree, url))
                page_counts[cluster] += 1

        for cluster, pages_seen in page_counts.items():
            if pages_seen < MIN_TEMPLATE_PAGES:
                del templates[cluster]
        return ClusterTemplates(clusters, templates, self.limits)


@dataclass(frozen=True)
class ClusterTemplates:
    """What the template of a page's cluster reads from it."""

    table: ClassVar[Table] = "records"

    clusters: Clusters
    templates: Mapping[int, Template]
    limits: Limits

    @property
    def description(self) -> str:
        """Nothing of its own."""
        return ""

    def rows(self, page: CrawlPage) -> list[Row]:
        """Return one row; `method` says by which of the site's templates."""
        cluster = self.clusters.cluster_of(page.url) if page.url else None
        template = self.templates.get(cluster) if cluster is not None else None
        if template is None:
            reason = "no other page of its site is of its kind"
            return [{"status": "empty", "reason": reason, "method": "template"}]
        tree = parse(page.html, self.limits, page.charset)
        row = template_row(template, tree)
        return [{**row, "method": f"template {cluster}"}]
