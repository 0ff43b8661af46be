"""Groups of nearly equal pages, from which clusters are put together.

A page joins a group at once; whether two groups are one template is asked again
whenever more is known of both. So what a page does to the result depends little on when
it came, and no page is looked at twice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

import numpy as np

from scythe.templates.clusters.index_pages import IndexEvidence
from scythe.templates.clusters.sketch import Hashes
from scythe.templates.clusters.urls import Address, Words, address

MAX_PATHS = 4_000
"""Paths that a group remembers; beyond it those of the fewest pages are forgotten."""
SAMPLES = 8
"""Addresses that a group remembers: those with the smallest hashes, so that their order
of arrival does not matter.
"""

STRANGE, KIN = 0.85, 0.45
"""What Jaccard index two groups must have to be one: where their addresses have nothing
in common, and where these have one pattern. Between the two it falls evenly.
"""
UNLIKE = 0.2
"""How much more it must be where one is surely a list and the other surely not. Pages
of few tags are alike in most of their paths: without this, a third of based.cooking's
stage 2 (recipes and lists of a bare generator) is in the wrong cluster.
"""
UNKNOWN_KINSHIP = 0.5
"""What is taken where pages have no addresses."""
KNOWN_SHARE = 0.05
"""On what share of the pages a path must be to count as known."""
WITNESS_PAGES, WITNESS_SHARE = 3, 0.05
"""Pages, and share of all pages of a cluster, from which on one of its groups may speak
for the whole: the pages without any optional part, which are contained in pages with
this part as in pages with that one.
"""
CONTAINED, CONTAINED_KINSHIP = 0.8, 0.7
"""A template with optional parts makes large pages and small ones; the small are nearly
contained in the large. That is enough where the addresses are of one pattern and both
are lists or neither is.
"""


@dataclass(slots=True)
class Group:
    """What is known of pages that are nearly equal."""

    pages: int = 0
    paths: Counter[int] = field(default_factory=Counter)
    listings: list[float] = field(
        default_factory=lambda: [0.0] * len(IndexEvidence.NAMES)
    )
    """Sums of what its pages show of being lists."""
    signatures: list[list[int]] = field(default_factory=list)
    """Those it is found by: of its first page, and of its core each time it has
    doubled.
    """
    samples: list[tuple[int, Address, str]] = field(default_factory=list)

    def add(
        self, hashes: Hashes, shown: IndexEvidence, url: str, where: Address
    ) -> None:
        """Count a page."""
        self.pages += 1
        self.listings = [
            total + value
            for total, value in zip(self.listings, shown.values, strict=True)
        ]
        self.paths.update(hashes.tolist())
        if len(self.paths) > MAX_PATHS:
            kept = sorted(self.paths.items(), key=lambda item: (-item[1], item[0]))[
                : MAX_PATHS * 3 // 4
            ]
            self.paths = Counter(dict(kept))
        if where.site and all(url != known for _, _, known in self.samples):
            self.samples = sorted([*self.samples, (_order(url), where, url)])[:SAMPLES]

    @property
    def core(self) -> set[int]:
        """The paths that at least half of the pages have."""
        least = (self.pages + 1) // 2
        return {path for path, count in self.paths.items() if count >= least}

    @property
    def shown(self) -> IndexEvidence:
        """The mean of what its pages show of being lists."""
        return IndexEvidence.mean([self.listings], self.pages)

    @property
    def core_hashes(self) -> Hashes:
        """The core as the numbers that signatures are made of."""
        return np.array(sorted(self.core), dtype=np.uint32)

    def as_json(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "pages": self.pages,
            "listings": self.listings,
            "urls": [url for _, _, url in self.samples],
            "signatures": self.signatures,
            "paths": sorted(map(list, self.paths.items())),
        }

    @classmethod
    def from_json(cls, stored: dict[str, Any]) -> Group:
        """What `as_json` gave."""
        samples = sorted((_order(url), address(url), url) for url in stored["urls"])
        paths = Counter({int(path): int(count) for path, count in stored["paths"]})
        return cls(
            int(stored["pages"]),
            paths,
            list(stored["listings"]),
            list(stored["signatures"]),
            samples,
        )


def _order(url: str) -> int:
    return int.from_bytes(
        blake2b(url.encode(errors="replace"), digest_size=6).digest(), "little"
    )


@dataclass(frozen=True)
class Union:
    """Several groups looked at as one."""

    members: tuple[int, ...]
    pages: int
    core: frozenset[int]
    """The paths that at least half of its pages have."""
    known: frozenset[int]
    """The paths that some of its pages have: optional parts too, accidents not."""
    shown: IndexEvidence
    """The mean of what its pages show of being lists."""
    samples: Sequence[Address]

    @classmethod
    def of(cls, groups: Sequence[Group], members: Iterable[int]) -> Union:
        """Put groups together."""
        members = tuple(sorted(members))
        parts = [groups[member] for member in members]
        pages = sum(part.pages for part in parts)
        paths = parts[0].paths
        for part in parts[1:]:
            paths = paths + part.paths
        core = frozenset(path for path, count in paths.items() if 2 * count >= pages)
        known = frozenset(
            path for path, count in paths.items() if count >= KNOWN_SHARE * pages
        )
        shown = IndexEvidence.mean([part.listings for part in parts], pages)
        samples = sorted({sample for part in parts for sample in part.samples})[
            :SAMPLES
        ]
        return cls(
            members, pages, core, known, shown, [where for _, where, _ in samples]
        )


def kinship(one: Sequence[Address], other: Sequence[Address], words: Words) -> float:
    """How much the addresses of two groups look like one pattern: each finds its best
    partner.
    """
    if not one or not other:
        return UNKNOWN_KINSHIP
    table = [[words.likeness(left, right) for right in other] for left in one]
    rows, columns = (
        [max(row) for row in table],
        [max(column) for column in zip(*table, strict=True)],
    )
    return (sum(rows) + sum(columns)) / (len(rows) + len(columns))


def affinity(one: Union, other: Union, words: Words) -> float:
    """By how much two sets of pages exceed what makes them one template; below 0 they
    are two.
    """
    common, total = len(one.core & other.core), len(one.core) + len(other.core)
    if not total:
        return 0.0
    small, large = sorted((one, other), key=lambda union: len(union.core))
    kin = kinship(one.samples, other.samples, words)
    unlike = UNLIKE * abs(one.shown.score - other.shown.score)
    by_likeness = common / (total - common) - (STRANGE - (STRANGE - KIN) * kin) - unlike
    if (
        kin < CONTAINED_KINSHIP
        or one.shown.is_index != other.shown.is_index
        or not small.core
    ):
        return by_likeness
    return max(by_likeness, len(small.core & large.known) / len(small.core) - CONTAINED)


def belonging(
    group: Union, cluster: Union, groups: Sequence[Group], words: Words
) -> float:
    """By how much a group exceeds what makes it part of a cluster, of the whole or of a
    group that may speak for it.
    """
    bar = max(WITNESS_PAGES, WITNESS_SHARE * (cluster.pages + group.pages))
    witnesses = (
        [member for member in cluster.members if groups[member].pages >= bar]
        if len(cluster.members) > 1
        else []
    )
    return max(
        affinity(group, each, words)
        for each in [cluster, *(Union.of(groups, [member]) for member in witnesses)]
    )
