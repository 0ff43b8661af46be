"""The templates of whole sites: pages are put into clusters as they come, and each
cluster grows its own template.

Clusters merge and split as more is known, and templates follow without any earlier page
being read again. Where two clusters prove to be one, it has both templates: a page goes
to the one it fits better, and when both have read some pages in a row equally well the
lesser is given up, unless an operator named slots in it that the other has no name for.
Where one cluster proves to be two, the new one begins with a copy of the template, so
that names stay, and grows by its own pages from there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from scythe.errors import UsageError
from scythe.serialization import Serializable
from scythe.templates.clusters.clusters import Change, Clusters
from scythe.templates.matching.page_view import PageView
from scythe.templates.slot import Example
from scythe.templates.template.extracted import Extracted
from scythe.templates.template.notices import Notice, NoticeKind, Update
from scythe.templates.template.template import Template
from scythe.tree.parse import parse
from scythe.tree.tree import Tree

FORMAT = 1
AS_WELL = 0.02
"""How much worse a template may fit and still read a page as well as the other."""
IN_A_ROW = 5
"""Pages in a row that two templates of a cluster must read equally well for one of them
to be given up.
"""
FITS_NOTHING = 0.3
"""The share of a page's texts below which it fits no template of its cluster, once
these have some pages.
"""
SOME_PAGES = 3


@dataclass(frozen=True, slots=True)
class Placed:
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
    spare: int = 0


class SiteTemplates(Serializable):
    """Clusters of pages with their templates, growing page by page."""

    LABEL: ClassVar[str] = "set of templates"
    INDENT: ClassVar[int | None] = None

    def __init__(self, clusters: Clusters | None = None) -> None:
        self.clusters = clusters or Clusters()
        self._variants: dict[int, list[_Variant]] = {}
        self._heard = len(self.clusters.changes)

    def add(self, page: Tree | bytes | str, url: str | None = None) -> Placed:
        """Put a page into its cluster and grow the cluster's template by it."""
        tree = page if isinstance(page, Tree) else parse(page)
        cluster = self.clusters.add(tree, url)
        example = (Example(url or "", url or ""),)
        notices = [
            notice
            for change in self._new_changes()
            for notice in self._follow(change, example)
        ]
        variants = self._variants.setdefault(cluster, [])
        view = PageView(tree)
        fits = [variant.template.read(view).fit for variant in variants]
        if not variants:
            variants.append(_Variant(Template()))
            fits = [1.0]
        best = max(range(len(variants)), key=lambda place: (fits[place], -place))
        if fits[best] < FITS_NOTHING and variants[best].template.pages >= SOME_PAGES:
            message = f"a page fits none of the templates of cluster {cluster}: {fits[best]:.0%} of its texts have a place"
            notices.append(Notice(NoticeKind.UNFIT, None, message, example))
        update = variants[best].template.grow(view, url)
        self._give_up(variants, fits, best)
        return Placed(cluster, update, [*notices, *update.notices])

    def templates(self, cluster: int) -> list[Template]:
        """The templates of a cluster; more than one only where clusters merged not long
        ago.
        """
        return [variant.template for variant in self._variants.get(cluster, [])]

    def extract(self, page: Tree | bytes | str, cluster: int) -> Extracted | None:
        """Read a page by the template of a cluster that it fits best; None if the
        cluster has none.
        """
        view = PageView(page if isinstance(page, Tree) else parse(page))
        read = [template.read(view) for template in self.templates(cluster)]
        return max(read, key=lambda found: found.fit, default=None)

    def _new_changes(self) -> list[Change]:
        new = self.clusters.changes[self._heard :]
        self._heard = len(self.clusters.changes)
        return new

    def _follow(self, change: Change, example: Sequence[Example]) -> list[Notice]:
        """Let the templates follow what happened to their clusters."""
        if change.kind == "merged":
            gone = self._variants.pop(change.cluster, [])
            self._variants.setdefault(change.into, []).extend(gone)
            message = f"clusters {change.into} and {change.cluster} are of one template ({change.pages} pages)"
            return [Notice(NoticeKind.MERGED, None, message, example)]
        copies = [
            Template.from_json(template.as_json())
            for template in self.templates(change.cluster)
        ]
        known = self._variants.setdefault(change.into, [])
        if not known:
            known.extend(map(_Variant, copies))
        message = f"cluster {change.into} has left cluster {change.cluster} ({change.pages} pages)"
        return [Notice(NoticeKind.SPLIT, None, message, example)]

    def _give_up(
        self, variants: list[_Variant], fits: Sequence[float], used: int
    ) -> None:
        """Give up a template that has proved to be one with that which was used."""
        for place in range(len(variants) - 1, -1, -1):
            variant = variants[place]
            variant.spare = (
                variant.spare + 1
                if place != used and fits[place] >= fits[used] - AS_WELL
                else 0
            )
            if variant.spare >= IN_A_ROW:
                kept, gone = sorted(
                    (used, place), key=lambda each: -variants[each].template.pages
                )
                if _names(variants[gone].template) <= _names(variants[kept].template):
                    variants[kept].spare = 0
                    del variants[gone]
                    return

    def as_json(self) -> dict[str, Any]:
        """Plain data for JSON."""
        templates = {
            str(cluster): [
                {"spare": variant.spare, "template": variant.template.as_json()}
                for variant in variants
            ]
            for cluster, variants in self._variants.items()
        }
        return {
            "scythe_sites": FORMAT,
            "clusters": self.clusters.as_json(),
            "heard": self._heard,
            "templates": templates,
        }

    @classmethod
    def from_json(cls, values: Any) -> Self:
        """What `as_json` gave."""
        if values.get("scythe_sites") != FORMAT:
            raise UsageError(
                "These are no templates of sites, or those of another version of Scythe."
            )
        sites = cls(Clusters.from_json(values["clusters"]))
        sites._heard = int(values["heard"])
        for cluster, variants in values["templates"].items():
            read = [
                _Variant(Template.from_json(each["template"]), int(each["spare"]))
                for each in variants
            ]
            sites._variants[int(cluster)] = read
        return sites


def _names(template: Template) -> set[str]:
    return {said.name for said in template.annotations.values() if said.name}
