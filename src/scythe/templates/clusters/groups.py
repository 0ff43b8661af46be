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
from typing import Any, NamedTuple

import numpy as np

from scythe.templates.clusters.index_pages import IndexEvidence
from scythe.templates.clusters.sketch import Hashes
from scythe.templates.clusters.url_patterns import UrlParts, UrlWords, split_url

MAX_PATHS = 4_000
"""Paths that a group remembers; beyond it those of the fewest pages are forgotten. A
bound on memory.
"""
SAMPLES = 8
"""Addresses that a group remembers: those with the smallest hashes, so that their order
of arrival does not matter.
"""

MIN_LIKENESS_OF_STRANGERS = 0.85
MIN_LIKENESS_OF_KIN = 0.45
"""What Jaccard index two groups must have to be one: where their addresses have nothing
in common, and where these have one pattern. Between the two it falls evenly.
"""
INDEX_PENALTY = 0.2
"""How much more it must be where one is surely a list and the other surely not. Pages
of few tags are alike in most of their paths: without this, a third of based.cooking's
stage 2 (recipes and lists of a bare generator) is in the wrong cluster.
"""
UNKNOWN_URL_LIKENESS = 0.5
"""What is taken where pages have no addresses."""
KNOWN_SHARE = 0.05
"""On what share of the pages a path must be to count as known."""
WITNESS_PAGES = 3
WITNESS_SHARE = 0.05
"""Pages, and share of all pages of a cluster, from which on one of its groups may speak
for the whole: the pages without any optional part, which are contained in pages with
this part as in pages with that one.
"""
MIN_CONTAINED = 0.8
MIN_CONTAINED_URL_LIKENESS = 0.7
"""A template with optional parts makes large pages and small ones; the small are nearly
contained in the large. That is enough where the addresses are of one pattern and both
are lists or neither is.
"""


class UrlSample(NamedTuple):
    """An address that a group remembers, in the order of its hash."""

    order: int
    parts: UrlParts
    url: str


@dataclass(slots=True)
class PageGroup:
    """What is known of pages that are nearly equal."""

    pages: int = 0
    paths: Counter[int] = field(default_factory=Counter)
    """On how many pages each path is."""
    index_sums: list[float] = field(
        default_factory=lambda: [0.0] * len(IndexEvidence.NAMES)
    )
    """Sums of the index evidence of its pages."""
    signatures: list[list[int]] = field(default_factory=list)
    """Those it is found by: of its first page, and of its core each time it has
    doubled.
    """
    samples: list[UrlSample] = field(default_factory=list)

    def add(
        self, hashes: Hashes, evidence: IndexEvidence, url: str, parts: UrlParts
    ) -> None:
        """Count a page."""
        self.pages += 1
        pairs = zip(self.index_sums, evidence.values, strict=True)
        self.index_sums = [total + value for total, value in pairs]
        self.paths.update(hashes.tolist())
        if len(self.paths) > MAX_PATHS:
            self._forget_rare_paths()

        known_urls = [sample.url for sample in self.samples]
        if parts.site and url not in known_urls:
            sample = UrlSample(_url_order(url), parts, url)
            samples = sorted([*self.samples, sample])
            self.samples = samples[:SAMPLES]

    def _forget_rare_paths(self) -> None:
        by_count = sorted(self.paths.items(), key=lambda item: (-item[1], item[0]))
        kept = by_count[: MAX_PATHS * 3 // 4]
        self.paths = Counter(dict(kept))

    @property
    def core(self) -> set[int]:
        """The paths that at least half of the pages have."""
        least = (self.pages + 1) // 2
        return {path for path, count in self.paths.items() if count >= least}

    @property
    def core_hashes(self) -> Hashes:
        """The core as the numbers that signatures are made of."""
        return np.array(sorted(self.core), dtype=np.uint32)

    @property
    def index_evidence(self) -> IndexEvidence:
        """The mean of the evidence of its pages."""
        return IndexEvidence.mean([self.index_sums], self.pages)

    def as_json(self) -> dict[str, Any]:
        """Return the group as plain values."""
        return {
            "pages": self.pages,
            "listings": self.index_sums,
            "urls": [sample.url for sample in self.samples],
            "signatures": self.signatures,
            "paths": sorted(map(list, self.paths.items())),
        }

    @classmethod
    def from_json(cls, stored: dict[str, Any]) -> PageGroup:
        """Return the group that `as_json` gave."""
        samples = []
        for url in stored["urls"]:
            sample = UrlSample(_url_order(url), split_url(url), url)
            samples.append(sample)

        paths = {}
        for path, count in stored["paths"]:
            number = int(path)
            paths[number] = int(count)
        return cls(
            int(stored["pages"]),
            Counter(paths),
            list(stored["listings"]),
            list(stored["signatures"]),
            sorted(samples),
        )


def _url_order(url: str) -> int:
    encoded = url.encode(errors="replace")
    digest = blake2b(encoded, digest_size=6).digest()
    return int.from_bytes(digest, "little")


@dataclass(frozen=True)
class GroupUnion:
    """Several groups taken as one."""

    members: tuple[int, ...]
    """Their numbers, sorted."""
    pages: int
    core: frozenset[int]
    """The paths that at least half of its pages have."""
    known: frozenset[int]
    """The paths that some of its pages have: optional parts too, accidents not."""
    index_evidence: IndexEvidence
    """The mean of the evidence of its pages."""
    samples: Sequence[UrlParts]

    @classmethod
    def of_members(
        cls, groups: Sequence[PageGroup], members: Iterable[int]
    ) -> GroupUnion:
        """Return the union of some of the groups."""
        members = tuple(sorted(members))
        parts = [groups[member] for member in members]
        pages = sum(part.pages for part in parts)
        paths = parts[0].paths
        for part in parts[1:]:
            paths = paths + part.paths

        core: set[int] = set()
        known: set[int] = set()
        for path, count in paths.items():
            if 2 * count >= pages:
                core.add(path)
            if count >= KNOWN_SHARE * pages:
                known.add(path)

        index_sums = [part.index_sums for part in parts]
        evidence = IndexEvidence.mean(index_sums, pages)
        samples: set[UrlSample] = set()
        for part in parts:
            samples.update(part.samples)
        first = sorted(samples)[:SAMPLES]
        urls = [sample.parts for sample in first]
        return cls(members, pages, frozenset(core), frozenset(known), evidence, urls)


def url_likeness(
    one: Sequence[UrlParts], other: Sequence[UrlParts], words: UrlWords
) -> float:
    """Return how much the addresses of two groups look like one pattern: each finds its
    best partner.
    """
    if not one or not other:
        return UNKNOWN_URL_LIKENESS
    best_of_one: list[float] = []
    best_of_other = [0.0] * len(other)
    for left in one:
        row = [words.likeness(left, right) for right in other]
        best_of_one.append(max(row))
        best_of_other = list(map(max, best_of_other, row))
    total = sum(best_of_one) + sum(best_of_other)
    return total / (len(one) + len(other))


def affinity(one: GroupUnion, other: GroupUnion, words: UrlWords) -> float:
    """Return by how much two sets of pages exceed what makes them one template; below 0
    they are two.
    """
    common = len(one.core & other.core)
    total = len(one.core) + len(other.core)
    if not total:
        return 0.0

    kinship = url_likeness(one.samples, other.samples, words)
    index_difference = one.index_evidence.score - other.index_evidence.score
    penalty = INDEX_PENALTY * abs(index_difference)
    falls_by = MIN_LIKENESS_OF_STRANGERS - MIN_LIKENESS_OF_KIN
    required = MIN_LIKENESS_OF_STRANGERS - falls_by * kinship
    likeness = common / (total - common)
    by_likeness = likeness - required - penalty

    small, large = sorted((one, other), key=lambda union: len(union.core))
    if kinship < MIN_CONTAINED_URL_LIKENESS or not small.core:
        return by_likeness
    if one.index_evidence.is_index != other.index_evidence.is_index:
        return by_likeness
    common_with_large = len(small.core & large.known)
    contained = common_with_large / len(small.core)
    return max(by_likeness, contained - MIN_CONTAINED)


def belonging(
    group: GroupUnion,
    cluster: GroupUnion,
    groups: Sequence[PageGroup],
    words: UrlWords,
) -> float:
    """Return by how much a group exceeds what makes it part of a cluster, of the whole
    or of a group that may speak for it.
    """
    best = affinity(group, cluster, words)
    if len(cluster.members) == 1:
        return best
    all_pages = cluster.pages + group.pages
    required = max(WITNESS_PAGES, WITNESS_SHARE * all_pages)
    for member in cluster.members:
        if groups[member].pages < required:
            continue
        witness = GroupUnion.of_members(groups, [member])
        best = max(best, affinity(group, witness, words))
    return best
