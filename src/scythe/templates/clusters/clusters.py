"""The pages of a site put together by template, one page after another.

Addresses first, then structure: a page meets only groups of its own site that share a
band of its MinHash signature (LSH), is compared with the few most alike, and joins one
or begins a new one. Clusters are unions of groups. They are put together anew from what
is known of the groups, whenever a site has grown by a quarter: clusters merge that
prove to be one and split that prove to be two. Nothing is read again, and a page costs
the same whether it is the hundredth or the hundred thousandth.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, ClassVar, Self

from scythe.errors import UsageError
from scythe.serialization import Serializable
from scythe.templates.clusters.groups import GroupUnion, UrlSample, belonging
from scythe.templates.clusters.index_pages import IndexEvidence, index_evidence
from scythe.templates.clusters.site_groups import SiteGroups
from scythe.templates.clusters.sketch import path_hashes
from scythe.templates.clusters.url_patterns import split_url
from scythe.tree.parse import parse
from scythe.tree.tree import Tree

FORMAT = 1
GROWTH = 1.25
"""How many times larger a site must be than when its clusters were last put together,
for that to be done again. So it is done a logarithmic number of times.
"""
MIN_INDEX_SCORE = 0.5
SHOWN_URLS = 5


class ChangeKind(StrEnum):
    """What happened to a cluster."""

    MERGED = "merged"
    SPLIT = "split"


@dataclass(frozen=True, slots=True)
class ClusterChange:
    """Clusters that proved to be one (`into` took up `cluster`), or one that proved to
    be two (`into` left `cluster`).
    """

    kind: ChangeKind
    cluster: int
    into: int
    pages: int


@dataclass(frozen=True, slots=True)
class Cluster:
    """Pages of one template."""

    id: int
    site: str
    pages: int
    index_score: float
    """From 0 to 1, how likely these pages are lists of others; 0.5 and above is an
    index.
    """
    reason: str
    urls: tuple[str, ...]
    """A few of its pages."""

    @property
    def is_index(self) -> bool:
        """Whether these are index, category or result pages rather than records."""
        return self.index_score >= MIN_INDEX_SCORE


class Clusters(Serializable):
    """Clusters of pages, growing page by page."""

    LABEL: ClassVar[str] = "set of clusters"
    INDENT: ClassVar[int | None] = None

    def __init__(self) -> None:
        self.changes: list[ClusterChange] = []
        """What merged and split, in order; whoever keeps pages by cluster follows them."""
        self._sites: dict[str, SiteGroups] = {}
        self._group_of_url: dict[str, int] = {}
        """The group of each address, within its site."""
        self._next_id = 0

    def add(
        self,
        page: Tree | bytes | str,
        url: str | None = None,
        evidence: IndexEvidence | None = None,
    ) -> int:
        """Put a page into a cluster, and return which. A page that was there before
        counts again only if it has changed.

        `evidence` is what speaks for it being an index page, where that is known.
        """
        tree = page if isinstance(page, Tree) else parse(page)
        hashes = path_hashes(tree)
        evidence = evidence or index_evidence(tree)
        parts = split_url(url)
        site = self._sites.setdefault(parts.site, SiteGroups())
        site.words.add(parts)

        number = site.find_group(hashes, evidence, parts)
        if number is None:
            number = site.add_group(hashes)
        known_group = None if url is None else self._group_of_url.get(url)
        is_new = known_group != number
        if is_new:
            group = site.groups[number]
            group.add(hashes, evidence, url or "", parts)
            site.pages += 1
            if url is not None:
                self._group_of_url[url] = number
            has_doubled = group.pages & (group.pages - 1) == 0
            if has_doubled:
                site.remember(number, group.core_hashes)

        if site.cluster_of[number] < 0:
            self._assign_cluster(site, number)
        if site.pages >= GROWTH * site.clustered_at:
            self._recluster_site(site)
        return site.cluster_of[number]

    def cluster_of(self, url: str) -> int | None:
        """Return the cluster of a page that was added, as of now."""
        number = self._group_of_url.get(url)
        if number is None:
            return None
        parts = split_url(url)
        site = self._sites[parts.site]
        return site.cluster_of[number]

    def looks_like_index(self, url: str, evidence: IndexEvidence) -> bool:
        """Return whether a page that was added is an index page, by its own evidence
        and by that of the pages that are built like it: now and then a record has more
        links than text, and a list a single entry.
        """
        number = self._group_of_url.get(url)
        if number is None:
            return evidence.is_index
        parts = split_url(url)
        site = self._sites[parts.site]
        group = site.groups[number]
        return evidence.odds + group.index_evidence.odds > 0

    def recluster(self) -> None:
        """Put all clusters together anew, without waiting for more pages."""
        for site in self._sites.values():
            self._recluster_site(site)

    @property
    def clusters(self) -> list[Cluster]:
        """All clusters, the largest first."""
        found: list[Cluster] = []
        for name, site in self._sites.items():
            members: dict[int, list[int]] = {}
            for number, cluster in enumerate(site.cluster_of):
                members.setdefault(cluster, []).append(number)
            for cluster, numbers in members.items():
                description = _describe(cluster, name, numbers, site)
                found.append(description)
        return sorted(found, key=lambda cluster: (-cluster.pages, cluster.id))

    def _assign_cluster(self, site: SiteGroups, number: int) -> None:
        """Put a new group into the cluster that it exceeds the bar most with, or into a
        new one.
        """
        alone = GroupUnion.of_members(site.groups, [number])
        best = -1
        best_affinity = 0.0
        members_of: dict[int, list[int]] = {}
        for other, known in enumerate(site.cluster_of):
            if known >= 0:
                members_of.setdefault(known, []).append(other)
        for cluster, members in sorted(members_of.items()):
            union = GroupUnion.of_members(site.groups, members)
            affinity = belonging(alone, union, site.groups, site.words)
            if affinity > best_affinity:
                best = cluster
                best_affinity = affinity
        if best < 0:
            best = self._new_id()
        site.cluster_of[number] = best

    def _recluster_site(self, site: SiteGroups) -> None:
        """Put the clusters of a site together anew, from the largest groups down; they
        keep the ids of most of their pages.
        """
        site.clustered_at = site.pages
        unions: list[GroupUnion] = []
        numbers = range(len(site.groups))
        largest_first = sorted(numbers, key=site.order_of)
        for number in largest_first:
            alone = GroupUnion.of_members(site.groups, [number])
            best = -1
            best_affinity = 0.0
            for index, union in enumerate(unions):
                affinity = belonging(alone, union, site.groups, site.words)
                if affinity > best_affinity:
                    best = index
                    best_affinity = affinity
            if best < 0:
                unions.append(alone)
            else:
                members = (*unions[best].members, number)
                unions[best] = GroupUnion.of_members(site.groups, members)
        self._assign_ids(site, unions)

    def _assign_ids(self, site: SiteGroups, unions: list[GroupUnion]) -> None:
        """Give unions, the largest first, the ids that most of their pages had."""
        before = list(site.cluster_of)
        taken: set[int] = set()
        by_pages = sorted(unions, key=lambda union: (-union.pages, union.members))
        for union in by_pages:
            votes: Counter[int] = Counter()
            for member in union.members:
                old_cluster = before[member]
                votes[old_cluster] += site.groups[member].pages
            free = [
                (-pages, cluster)
                for cluster, pages in votes.items()
                if cluster not in taken
            ]
            chosen = min(free)[1] if free else self._new_id()
            taken.add(chosen)
            for member in union.members:
                site.cluster_of[member] = chosen
        self._add_changes(site, before, taken)

    def _add_changes(self, site: SiteGroups, before: list[int], left: set[int]) -> None:
        moved: Counter[tuple[int, int]] = Counter()
        pairs = zip(before, site.cluster_of, strict=True)
        for member, (old, new) in enumerate(pairs):
            if old != new:
                pages = site.groups[member].pages
                moved[old, new] += pages
        for (old, new), pages in moved.items():
            kind = ChangeKind.SPLIT if old in left else ChangeKind.MERGED
            change = ClusterChange(kind, old, new, pages)
            self.changes.append(change)

    def _new_id(self) -> int:
        self._next_id += 1
        return self._next_id - 1

    def as_json(self) -> dict[str, Any]:
        """Return the clusters as plain values."""
        changes = []
        for change in self.changes:
            kind = str(change.kind)
            values = [kind, change.cluster, change.into, change.pages]
            changes.append(values)
        sites = {name: site.as_json() for name, site in self._sites.items()}
        return {
            "scythe_clusters": FORMAT,
            "next": self._next_id,
            "changes": changes,
            "sites": sites,
            "pages": self._group_of_url,
        }

    @classmethod
    def from_json(cls, values: Any) -> Self:
        """Return the clusters that `as_json` gave."""
        if values.get("scythe_clusters") != FORMAT:
            raise UsageError(
                "These are no clusters of pages, or clusters of another version of Scythe."
            )
        clusters = cls()
        clusters._next_id = values["next"]
        clusters._group_of_url = dict(values["pages"])
        for kind, cluster, into, pages in values["changes"]:
            change = ClusterChange(ChangeKind(kind), cluster, into, pages)
            clusters.changes.append(change)
        for name, stored in values["sites"].items():
            clusters._sites[name] = SiteGroups.from_json(stored)
        return clusters


def _describe(
    cluster: int, site_name: str, members: list[int], site: SiteGroups
) -> Cluster:
    union = GroupUnion.of_members(site.groups, members)
    samples: set[UrlSample] = set()
    for member in members:
        samples.update(site.groups[member].samples)
    urls = [sample.url for sample in sorted(samples)]
    evidence = union.index_evidence
    return Cluster(
        id=cluster,
        site=site_name,
        pages=union.pages,
        index_score=evidence.score,
        reason=evidence.reason,
        urls=tuple(urls[:SHOWN_URLS]),
    )
