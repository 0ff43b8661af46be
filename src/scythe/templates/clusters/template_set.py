"""The templates of whole sites: pages are put into clusters as they come, and each
cluster grows its own template.

Clusters merge and split as more is known, and templates follow without any earlier page
being read again. Where two clusters prove to be one, it has both templates: a page goes
to the one it fits better, and when both have read some pages in a row equally well the
lesser is dropped, unless an operator named slots in it that the other has no name for.
Where one cluster proves to be two, the new one begins with a copy of the template, so
that names stay, and grows by its own pages from there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from scythe.errors import UsageError
from scythe.serialization import Serializable
from scythe.templates.clusters.clusters import ChangeKind, ClusterChange, Clusters
from scythe.templates.matching.page_view import PageView
from scythe.templates.slot import Example, FieldName
from scythe.templates.template.extracted import Extracted
from scythe.templates.template.notices import Notice, NoticeKind, Update
from scythe.templates.template.template import Template
from scythe.tree.parse import parse
from scythe.tree.tree import Tree

FORMAT = 1
EQUAL_FIT = 0.02
"""How much worse a template may fit and still read a page as well as the other. Not
tuned.
"""
EQUAL_PAGES = 5
"""Pages in a row that two templates of a cluster must read equally well for one of them
to be dropped. Not tuned.
"""
MIN_FIT = 0.3
MIN_FIT_PAGES = 3
"""The share of a page's texts below which it fits no template of its cluster, and the
pages that a template must have for that to mean something. Not tuned.
"""


@dataclass(frozen=True, slots=True)
class AddedPage:
    """What a page did: where it belongs, how its template grew, and what an operator
    should know.
    """

    cluster: int
    update: Update
    notices: Sequence[Notice]


@dataclass(slots=True)
class _Variant:
    """One template of a cluster, and how many pages in a row it read as well as the one
    that fitted best.
    """

    template: Template
    equal_pages: int = 0


class TemplateSet(Serializable):
    """Clusters of pages with their templates, growing page by page."""

    LABEL: ClassVar[str] = "set of templates"
    INDENT: ClassVar[int | None] = None

    def __init__(self, clusters: Clusters | None = None) -> None:
        self.clusters = clusters or Clusters()
        self._variants: dict[int, list[_Variant]] = {}
        self._followed = len(self.clusters.changes)
        """How many of the clusters' changes the templates have followed."""

    def add(self, page: Tree | bytes | str, url: str | None = None) -> AddedPage:
        """Put a page into its cluster and grow the cluster's template by it."""
        tree = page if isinstance(page, Tree) else parse(page)
        cluster = self.clusters.add(tree, url)
        address = url or ""
        example = (Example(address, address),)
        changes = self._new_changes()
        notices = [self._follow(change, example) for change in changes]

        view = PageView(tree)
        variants = self._variants.setdefault(cluster, [])
        fits = [variant.template.read(view).fit for variant in variants]
        if not variants:
            variants.append(_Variant(Template()))
            fits = [1.0]
        best = fits.index(max(fits))
        template = variants[best].template
        has_settled = template.pages >= MIN_FIT_PAGES
        if has_settled and fits[best] < MIN_FIT:
            message = (
                f"a page fits none of the templates of cluster {cluster}: "
                f"{fits[best]:.0%} of its texts have a place"
            )
            notices.append(Notice(NoticeKind.UNFIT, None, message, example))

        update = template.grow(view, url)
        self._drop_equal(variants, fits, best)
        notices.extend(update.notices)
        return AddedPage(cluster, update, notices)

    def templates(self, cluster: int) -> list[Template]:
        """Return the templates of a cluster; more than one only where clusters merged
        not long ago.
        """
        variants = self._variants.get(cluster, [])
        return [variant.template for variant in variants]

    def extract(self, page: Tree | bytes | str, cluster: int) -> Extracted | None:
        """Return what the template of a cluster reads that a page fits best; None if
        the cluster has none.
        """
        tree = page if isinstance(page, Tree) else parse(page)
        view = PageView(tree)
        candidates = [template.read(view) for template in self.templates(cluster)]
        return max(candidates, key=lambda extracted: extracted.fit, default=None)

    def _new_changes(self) -> list[ClusterChange]:
        new = self.clusters.changes[self._followed :]
        self._followed = len(self.clusters.changes)
        return new

    def _follow(self, change: ClusterChange, example: Sequence[Example]) -> Notice:
        """Let the templates follow what happened to their clusters."""
        if change.kind is ChangeKind.MERGED:
            merged = self._variants.pop(change.cluster, [])
            self._variants.setdefault(change.into, []).extend(merged)
            message = (
                f"clusters {change.into} and {change.cluster} are of one template "
                f"({change.pages} pages)"
            )
            return Notice(NoticeKind.MERGED, None, message, example)

        known = self._variants.setdefault(change.into, [])
        if not known:
            for template in self.templates(change.cluster):
                copy = Template.from_json(template.as_json())
                known.append(_Variant(copy))
        message = (
            f"cluster {change.into} has left cluster {change.cluster} "
            f"({change.pages} pages)"
        )
        return Notice(NoticeKind.SPLIT, None, message, example)

    def _drop_equal(
        self, variants: list[_Variant], fits: Sequence[float], used: int
    ) -> None:
        """Drop a template that has proved to be one with that which was used."""
        for index in range(len(variants) - 1, -1, -1):
            variant = variants[index]
            is_equal = fits[index] >= fits[used] - EQUAL_FIT
            if index != used and is_equal:
                variant.equal_pages += 1
            else:
                variant.equal_pages = 0
            if variant.equal_pages < EQUAL_PAGES:
                continue

            by_pages = sorted(
                (used, index), key=lambda number: -variants[number].template.pages
            )
            kept, dropped = by_pages
            kept_names = _names(variants[kept].template)
            dropped_names = _names(variants[dropped].template)
            if dropped_names <= kept_names:
                variants[kept].equal_pages = 0
                del variants[dropped]
                return

    def as_json(self) -> dict[str, Any]:
        """Return clusters and templates as plain values."""
        templates = {}
        for cluster, variants in self._variants.items():
            templates[str(cluster)] = [
                {"spare": variant.equal_pages, "template": variant.template.as_json()}
                for variant in variants
            ]
        return {
            "scythe_sites": FORMAT,
            "clusters": self.clusters.as_json(),
            "heard": self._followed,
            "templates": templates,
        }

    @classmethod
    def from_json(cls, values: Any) -> Self:
        """Return the templates that `as_json` gave."""
        if values.get("scythe_sites") != FORMAT:
            raise UsageError(
                "These are no templates of sites, or those of another version of Scythe."
            )
        sites = cls(Clusters.from_json(values["clusters"]))
        sites._followed = int(values["heard"])
        for cluster, stored in values["templates"].items():
            sites._variants[int(cluster)] = [
                _Variant(Template.from_json(variant["template"]), int(variant["spare"]))
                for variant in stored
            ]
        return sites


def _names(template: Template) -> set[FieldName]:
    annotations = template.annotations.values()
    return {annotation.name for annotation in annotations if annotation.name}
