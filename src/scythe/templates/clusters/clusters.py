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
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy as np

from scythe.errors import UsageError
from scythe.serialization import Serializable
from scythe.templates.clusters.groups import UNLIKE, Group, Union, belonging, kinship
from scythe.templates.clusters.index_pages import IndexEvidence, index_evidence
from scythe.templates.clusters.sketch import Hashes, bands, paths, signature
from scythe.templates.clusters.urls import Address, Words, address
from scythe.tree.parse import parse
from scythe.tree.tree import Tree

FORMAT = 1
MAX_GROUPS = 128
"""Groups of a site; where there are so many, a page joins the one most like it. swde
needs 1 to 6 a site.
"""
CANDIDATES = 4
"""Groups of a site that a page is compared with, of those that share most bands with
it.
"""
ALONE, TOGETHER = 0.8, 0.55
"""What Jaccard index a page and the core of a group must have: where their addresses
have nothing in common, and where they have one pattern. Stricter than between groups: a
group stays what it is, while clusters are put together again.
"""
GROWTH = 1.25


@dataclass(frozen=True, slots=True)
class Change:
    """Clusters that proved to be one (`into` took up `cluster`), or one that proved to
    be two (`into` left `cluster`).
    """

    kind: str
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
        return self.index_score >= 0.5


@dataclass
class _Site:
    """The groups of one site, and which cluster each is part of."""

    words: Words = field(default_factory=Words)
    groups: list[Group] = field(default_factory=list)
    cluster_of: list[int] = field(default_factory=list)
    bands: dict[bytes, list[int]] = field(default_factory=dict)
    pages: int = 0
    settled_at: int = 0

    def index(self, number: int, numbers: Hashes) -> None:
        """Let a group be found by the bands of a signature."""
        for band in bands(numbers):
            known = self.bands.setdefault(band, [])
            if number not in known:
                known.append(number)

    def remember(self, number: int, hashes: Hashes) -> None:
        """Let a group be found by the paths it has now."""
        numbers = signature(hashes)
        self.groups[number].signatures.append(numbers.tolist())
        self.index(number, numbers)

    def nearest(self, hashes: Hashes) -> list[int]:
        """The groups that share most bands with a page."""
        shared: Counter[int] = Counter()
        for band in bands(signature(hashes)):
            shared.update(self.bands.get(band, ()))
        return [
            number
            for number, _ in sorted(
                shared.items(), key=lambda item: (-item[1], item[0])
            )[:CANDIDATES]
        ]

    def place(self, hashes: Hashes, shown: IndexEvidence, where: Address) -> int | None:
        """The group a page belongs to, if there is one."""
        page = set(hashes.tolist())
        best, best_margin = None, 0.0
        full = len(self.groups) >= MAX_GROUPS
        for number in self.nearest(hashes) or (range(len(self.groups)) if full else ()):
            group = self.groups[number]
            core = group.core
            common = len(page & core)
            together = kinship(
                [where] if where.site else [],
                [each for _, each, _ in group.samples],
                self.words,
            )
            bar = (
                ALONE
                - (ALONE - TOGETHER) * together
                + UNLIKE * abs(shown.score - group.shown.score)
            )
            margin = common / max(len(page) + len(core) - common, 1) - bar
            if best is None or margin > best_margin:
                best, best_margin = number, margin
        return best if full or best_margin >= 0 else None


class Clusters(Serializable):
    """Clusters of pages, growing page by page."""

    LABEL: ClassVar[str] = "set of clusters"
    INDENT: ClassVar[int | None] = None

    def __init__(self) -> None:
        self.changes: list[Change] = []
        """What merged and split, in order; whoever keeps pages by cluster follows them."""
        self._sites: dict[str, _Site] = {}
        self._placed: dict[str, int] = {}
        """The group of each address, within its site."""
        self._next = 0

    def add(
        self,
        page: Tree | bytes | str,
        url: str | None = None,
        shown: IndexEvidence | None = None,
    ) -> int:
        """Put a page into a cluster, and tell which. A page that was there before
        counts again only if it has changed.

        `shown` is what it shows of being a list, where that is known.
        """
        tree = page if isinstance(page, Tree) else parse(page)
        hashes, shown, where = paths(tree), shown or index_evidence(tree), address(url)
        site = self._sites.setdefault(where.site, _Site())
        site.words.add(where)
        number = site.place(hashes, shown, where)
        if number is None:
            number = len(site.groups)
            site.groups.append(Group())
            site.cluster_of.append(-1)
            site.remember(number, hashes)
        if url is None or self._placed.get(url) != number:
            group = site.groups[number]
            group.add(hashes, shown, url or "", where)
            site.pages += 1
            if url is not None:
                self._placed[url] = number
            if group.pages & (group.pages - 1) == 0:
                site.remember(number, group.core_hashes)
        if site.cluster_of[number] < 0:
            self._settle_one(site, number)
        if site.pages >= GROWTH * site.settled_at:
            self._settle(site)
        return site.cluster_of[number]

    def cluster_of(self, url: str) -> int | None:
        """The cluster of a page that was added, as of now."""
        number = self._placed.get(url)
        return (
            None
            if number is None
            else self._sites[address(url).site].cluster_of[number]
        )

    def recluster(self) -> None:
        """Put all clusters together anew, without waiting for more pages."""
        for site in self._sites.values():
            self._settle(site)

    @property
    def clusters(self) -> list[Cluster]:
        """All clusters, the largest first."""
        found: list[Cluster] = []
        for name, site in self._sites.items():
            members: dict[int, list[int]] = {}
            for number, cluster in enumerate(site.cluster_of):
                members.setdefault(cluster, []).append(number)
            found.extend(
                _described(cluster, name, Union.of(site.groups, numbers), site)
                for cluster, numbers in members.items()
            )
        return sorted(found, key=lambda cluster: (-cluster.pages, cluster.id))

    def _settle_one(self, site: _Site, number: int) -> None:
        """A new group is part of the cluster that it exceeds the bar most with, or a
        new one.
        """
        alone = Union.of(site.groups, [number])
        best, best_affinity = -1, 0.0
        for cluster in sorted(set(site.cluster_of) - {-1}):
            members = [
                other for other, known in enumerate(site.cluster_of) if known == cluster
            ]
            found = belonging(
                alone, Union.of(site.groups, members), site.groups, site.words
            )
            if found > best_affinity:
                best, best_affinity = cluster, found
        site.cluster_of[number] = best if best >= 0 else self._new_id()

    def _settle(self, site: _Site) -> None:
        """Put the clusters of a site together anew, from the largest groups down; they
        keep the ids of most of their pages.
        """
        site.settled_at = site.pages
        order = sorted(
            range(len(site.groups)),
            key=lambda number: (
                -site.groups[number].pages,
                sorted(site.groups[number].samples)[:1],
                number,
            ),
        )
        unions: list[Union] = []
        for number in order:
            alone = Union.of(site.groups, [number])
            fits = [
                (belonging(alone, union, site.groups, site.words), -place)
                for place, union in enumerate(unions)
            ]
            best, place = max(fits, default=(-1.0, 0))
            if best > 0:
                unions[-place] = Union.of(
                    site.groups, (*unions[-place].members, number)
                )
            else:
                unions.append(alone)
        self._name(site, unions)

    def _name(self, site: _Site, unions: list[Union]) -> None:
        before = list(site.cluster_of)
        taken: set[int] = set()
        for union in sorted(unions, key=lambda union: (-union.pages, union.members)):
            votes: Counter[int] = Counter()
            for member in union.members:
                votes[before[member]] += site.groups[member].pages
            free = [
                (-pages, cluster)
                for cluster, pages in votes.items()
                if cluster not in taken
            ]
            chosen = min(free)[1] if free else self._new_id()
            taken.add(chosen)
            for member in union.members:
                site.cluster_of[member] = chosen
        self._note(site, before, taken)

    def _note(self, site: _Site, before: list[int], left: set[int]) -> None:
        moved: Counter[tuple[int, int]] = Counter()
        for member, (old, new) in enumerate(zip(before, site.cluster_of, strict=True)):
            if old != new:
                moved[old, new] += site.groups[member].pages
        for (old, new), pages in moved.items():
            self.changes.append(
                Change("split" if old in left else "merged", old, new, pages)
            )

    def _new_id(self) -> int:
        self._next += 1
        return self._next - 1

    def as_json(self) -> dict[str, Any]:
        """Plain data for JSON."""
        sites = {
            name: {
                "words": site.words.as_json(),
                "groups": [group.as_json() for group in site.groups],
                "cluster_of": site.cluster_of,
                "settled_at": site.settled_at,
            }
            for name, site in self._sites.items()
        }
        changes = [
            [change.kind, change.cluster, change.into, change.pages]
            for change in self.changes
        ]
        return {
            "scythe_clusters": FORMAT,
            "next": self._next,
            "changes": changes,
            "sites": sites,
            "pages": self._placed,
        }

    @classmethod
    def from_json(cls, values: Any) -> Self:
        """What `as_json` gave."""
        if values.get("scythe_clusters") != FORMAT:
            raise UsageError(
                "These are no clusters of pages, or clusters of another version of Scythe."
            )
        clusters = cls()
        clusters._next = values["next"]
        clusters._placed = dict(values["pages"])
        clusters.changes = [Change(*change) for change in values["changes"]]
        for name, kept in values["sites"].items():
            clusters._sites[name] = _restored(kept)
        return clusters


def _restored(kept: Mapping[str, Any]) -> _Site:
    site = _Site(
        Words.from_json(kept["words"]),
        cluster_of=list(kept["cluster_of"]),
        settled_at=kept["settled_at"],
    )
    for number, stored in enumerate(kept["groups"]):
        site.groups.append(Group.from_json(stored))
        site.pages += stored["pages"]
        for numbers in stored["signatures"]:
            site.index(number, np.array(numbers, dtype=np.uint32))
    return site


def _described(cluster: int, name: str, union: Union, site: _Site) -> Cluster:
    urls = sorted(
        {sample for member in union.members for sample in site.groups[member].samples}
    )
    return Cluster(
        cluster,
        name,
        union.pages,
        union.shown.score,
        union.shown.reason,
        tuple(url for _, _, url in urls[:5]),
    )
