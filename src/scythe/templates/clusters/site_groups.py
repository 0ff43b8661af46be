"""The groups of one site: how a page finds the group that it belongs to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from scythe.templates.clusters.groups import (
    INDEX_PENALTY,
    PageGroup,
    UrlSample,
    url_likeness,
)
from scythe.templates.clusters.index_pages import IndexEvidence
from scythe.templates.clusters.sketch import Hashes, bands, signature
from scythe.templates.clusters.url_patterns import UrlParts, UrlWords

MAX_GROUPS = 128
"""Groups of a site; where there are so many, a page joins the one most like it. swde
needs 1 to 6 a site.
"""
CANDIDATES = 4
"""Groups of a site that a page is compared with, of those that share most bands with
it.
"""
MIN_LIKENESS_ALONE = 0.8
MIN_LIKENESS_TOGETHER = 0.55
"""What Jaccard index a page and the core of a group must have: where their addresses
have nothing in common, and where they have one pattern. Stricter than between groups: a
group stays what it is, while clusters are put together again.
"""


@dataclass
class SiteGroups:
    """The groups of one site, and which cluster each is part of."""

    words: UrlWords = field(default_factory=UrlWords)
    groups: list[PageGroup] = field(default_factory=list)
    cluster_of: list[int] = field(default_factory=list)
    """The cluster of each group, -1 while it has none."""
    groups_of_band: dict[bytes, list[int]] = field(default_factory=dict)
    pages: int = 0
    clustered_at: int = 0
    """How many pages there were when the clusters were last put together."""

    def add_group(self, hashes: Hashes) -> int:
        """Add a group for a page, and return its number."""
        number = len(self.groups)
        self.groups.append(PageGroup())
        self.cluster_of.append(-1)
        self.remember(number, hashes)
        return number

    def remember(self, number: int, hashes: Hashes) -> None:
        """Let a group be found by the paths it has now."""
        numbers = signature(hashes)
        self.groups[number].signatures.append(numbers.tolist())
        self._index(number, numbers)

    def _index(self, number: int, numbers: Hashes) -> None:
        """Let a group be found by the bands of a signature."""
        for band in bands(numbers):
            known = self.groups_of_band.setdefault(band, [])
            if number not in known:
                known.append(number)

    def order_of(self, number: int) -> tuple[int, list[UrlSample], int]:
        """Return where a group stands when all are put in order: the largest first, and
        the order of arrival counts only where nothing else tells.
        """
        group = self.groups[number]
        first_sample = sorted(group.samples)[:1]
        return -group.pages, first_sample, number

    def _nearest(self, hashes: Hashes) -> list[int]:
        """Return the groups that share most bands with a page."""
        shared: Counter[int] = Counter()
        for band in bands(signature(hashes)):
            shared.update(self.groups_of_band.get(band, ()))
        by_count = sorted(shared.items(), key=lambda item: (-item[1], item[0]))
        return [number for number, _ in by_count[:CANDIDATES]]

    def find_group(
        self, hashes: Hashes, evidence: IndexEvidence, parts: UrlParts
    ) -> int | None:
        """Return the group that a page belongs to, None if it belongs to none."""
        paths = set(hashes.tolist())
        is_full = len(self.groups) >= MAX_GROUPS
        candidates: Iterable[int] = self._nearest(hashes)
        if not candidates and is_full:
            candidates = range(len(self.groups))

        best = None
        best_margin = 0.0
        for number in candidates:
            group = self.groups[number]
            core = group.core
            common = len(paths & core)
            total = len(paths) + len(core) - common
            likeness = common / max(total, 1)
            margin = likeness - self._required_likeness(group, evidence, parts)
            if best is None or margin > best_margin:
                best = number
                best_margin = margin
        if is_full or best_margin >= 0:
            return best
        return None

    def _required_likeness(
        self, group: PageGroup, evidence: IndexEvidence, parts: UrlParts
    ) -> float:
        own = [parts] if parts.site else []
        others = [sample.parts for sample in group.samples]
        kinship = url_likeness(own, others, self.words)
        falls_by = MIN_LIKENESS_ALONE - MIN_LIKENESS_TOGETHER
        index_difference = evidence.score - group.index_evidence.score
        penalty = INDEX_PENALTY * abs(index_difference)
        return MIN_LIKENESS_ALONE - falls_by * kinship + penalty

    def as_json(self) -> dict[str, Any]:
        """Return the groups as plain values."""
        return {
            "words": self.words.as_json(),
            "groups": [group.as_json() for group in self.groups],
            "cluster_of": self.cluster_of,
            "settled_at": self.clustered_at,
        }

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> SiteGroups:
        """Return the groups that `as_json` gave."""
        site = cls(
            UrlWords.from_json(stored["words"]),
            cluster_of=list(stored["cluster_of"]),
            clustered_at=stored["settled_at"],
        )
        for number, group in enumerate(stored["groups"]):
            site.groups.append(PageGroup.from_json(group))
            site.pages += group["pages"]
            for numbers in group["signatures"]:
                hashes = np.array(numbers, dtype=np.uint32)
                site._index(number, hashes)
        return site
