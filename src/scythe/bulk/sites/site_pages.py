"""What is made of the pages of a site when they are seen together: content without what
repeats, or a template of each kind.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, runtime_checkable

from scythe.bulk.output.tables import Table
from scythe.bulk.page import CrawlPage
from scythe.bulk.workers.extraction import Documents, PageWork, template_row
from scythe.content.extract import document_of, resolve
from scythe.content.many import own
from scythe.content.methods.site import SiteTree
from scythe.tree import Limits, Tree, parse
from scythe.tree.parse import DEFAULT_LIMITS

if TYPE_CHECKING:
    from scythe.templates.clusters.clusters import Clusters
    from scythe.templates.template.template import Template

Pages = Callable[[], Iterator[tuple[str | None, Tree]]]
"""The pages of a group with their addresses, as often as they are asked for."""

PAGES_OF_TEMPLATE = 20
"""Pages that a template is grown from; docs/benchmarks.md shows that it hardly learns
from more.
"""
LEAST_PAGES = 2


@runtime_checkable
class GroupWork(Protocol):
    """How pages of one site become rows."""

    @property
    def table(self) -> Table:
        """What rows it makes."""

    @property
    def description(self) -> str:
        """All that its rows depend on besides the pages."""

    @property
    def limits(self) -> Limits:
        """How much of a page is parsed."""

    def of_group(self, pages: Pages, number: int) -> PageWork:
        """How a page of this group of so many becomes rows."""


@dataclass(frozen=True)
class SiteDocuments:
    """The content of pages, without what repeats on their site, as
    `scythe.extract_many` gives it.
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

    def of_group(self, pages: Pages, number: int) -> PageWork:
        """Count what the pages have in common."""
        return OwnContent(
            self.documents,
            SiteTree.merge(tree for _, tree in (pages() if number > 1 else ())),
        )


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

    def rows(self, page: CrawlPage) -> list[dict[str, Any]]:
        """One row."""
        name, extractor = resolve(self.documents.method)
        tree = parse(page.html, self.documents.limits, page.charset)
        return [
            self.documents.row(
                document_of(tree, own(tree, extractor(tree), self.site), name, page.url)
            )
        ]


@dataclass(frozen=True)
class SiteTemplates:
    """What templates read that are grown from the pages: those of a site are put
    together by kind, each with its own template.
    """

    table: ClassVar[Table] = "records"

    limits: Limits = DEFAULT_LIMITS

    @property
    def description(self) -> str:
        """The limits alone."""
        return f"templates by site {self.limits}"

    def of_group(self, pages: Pages, number: int) -> PageWork:
        """Put the pages together by kind, and grow a template for each."""
        from scythe.templates.clusters.clusters import Clusters
        from scythe.templates.template.template import Template

        clusters = Clusters()
        for url, tree in pages():
            if url:
                clusters.add(tree, url)
        clusters.recluster()
        templates: dict[int, Template] = {}
        grown: Counter[int] = Counter()
        for url, tree in pages():
            cluster = clusters.cluster_of(url) if url else None
            if cluster is not None and grown[cluster] < PAGES_OF_TEMPLATE:
                templates.setdefault(cluster, Template()).update((tree, url))
                grown[cluster] += 1
        kept = {
            cluster: template
            for cluster, template in templates.items()
            if grown[cluster] >= LEAST_PAGES
        }
        return ByTemplate(clusters, kept, self.limits)


@dataclass(frozen=True)
class ByTemplate:
    """What the template of a page's kind reads from it."""

    table: ClassVar[Table] = "records"

    clusters: Clusters
    templates: Mapping[int, Template]
    limits: Limits

    @property
    def description(self) -> str:
        """Nothing of its own."""
        return ""

    def rows(self, page: CrawlPage) -> list[dict[str, Any]]:
        """One row; `method` says by which of the site's templates."""
        cluster = self.clusters.cluster_of(page.url) if page.url else None
        template = self.templates.get(cluster) if cluster is not None else None
        if template is None:
            return [
                {
                    "status": "empty",
                    "reason": "no other page of its site is of its kind",
                    "method": "template",
                }
            ]
        row = template_row(template, parse(page.html, self.limits, page.charset))
        return [{**row, "method": f"template {cluster}"}]
