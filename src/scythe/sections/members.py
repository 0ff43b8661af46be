"""The members of all candidates of a page, one after the other: what is counted of them
is counted for all at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from scythe.sections.candidates import CandidateSection
from scythe.sections.page_statistics import PageStatistics
from scythe.tree.tree import Bools

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Number = TypeVar("Number", bound=np.generic)


@dataclass(frozen=True, eq=False)
class Members:
    """The members of some candidates. Arrays have an entry for each member, or for each
    candidate where that is said.
    """

    statistics: PageStatistics
    candidates: Sequence[CandidateSection]

    @cached_property
    def sizes(self) -> Ints:
        """How many members each candidate has."""
        return np.array([len(candidate.spans) for candidate in self.candidates])

    @cached_property
    def ends(self) -> Ints:
        """Where the members of each candidate end."""
        return np.cumsum(self.sizes)

    @cached_property
    def begins(self) -> Ints:
        """Where the members of each candidate begin."""
        return self.ends - self.sizes

    @cached_property
    def _spans(self) -> Ints:
        spans = chain.from_iterable(candidate.spans for candidate in self.candidates)
        nodes = np.fromiter(chain.from_iterable(spans), dtype=np.int64)
        return np.ascontiguousarray(nodes.reshape(-1, 2).T)

    @cached_property
    def starts(self) -> Ints:
        """Where the members begin on the page."""
        return self._spans[0]

    @cached_property
    def stops(self) -> Ints:
        """Where the members end on the page."""
        return self._spans[1]

    @cached_property
    def candidate_numbers(self) -> Ints:
        """The number of the candidate that each member belongs to."""
        return np.repeat(np.arange(len(self.candidates)), self.sizes)

    @cached_property
    def counts(self) -> dict[str, Floats]:
        """All that is counted of the members."""
        counts = {}
        for name, sums in self.statistics.sums.items():
            before = sums[self.starts]
            behind = sums[self.stops]
            counts[name] = (behind - before).astype(np.float64)
        return counts

    def repeated(self, per_candidate: NDArray[Number]) -> NDArray[Number]:
        """Return for every member what its candidate has."""
        return np.repeat(per_candidate, self.sizes)

    def totals(self, values: Floats | Bools) -> Floats:
        """Return the sums over each candidate, added from the first to the last."""
        totals = np.bincount(self.candidate_numbers, values, len(self.candidates))
        return np.asarray(totals, dtype=np.float64)

    def means(self, values: Floats | Bools) -> Floats:
        """Return the means over each candidate."""
        totals = self.totals(values)
        return np.asarray(totals / self.sizes)

    def shares(self, name: str) -> Floats:
        """Return for each candidate the share of members that have any of a count."""
        has_any = self.counts[name] > 0
        return self.means(has_any)

    def spreads(self, values: Floats) -> Floats:
        """Return the standard deviation over each candidate."""
        means = self.repeated(self.means(values))
        deviations = values - means
        variances = self.means(deviations * deviations)
        return np.asarray(np.sqrt(variances))

    def ordered(self, values: Floats) -> Floats:
        """Return the values of each candidate from the least to the greatest."""
        order = np.lexsort((values, self.candidate_numbers))
        return np.asarray(values[order])

    def medians(self, values: Floats) -> Floats:
        """Return the median over each candidate, of whole numbers."""
        ordered = self.ordered(values)
        lower_middle = self.begins + (self.sizes - 1) // 2
        upper_middle = self.begins + self.sizes // 2
        lower = ordered[lower_middle]
        upper = ordered[upper_middle]
        return np.asarray((lower + upper) / 2)

    def lower_quartiles(self, ordered: Floats) -> Floats:
        """Return what `np.quantile` does of the values of each candidate, in order."""
        positions = (self.sizes - 1) * 0.25
        indices = positions.astype(np.int64)
        shares = positions - indices
        low = ordered[self.begins + indices]
        high = ordered[self.begins + np.minimum(indices + 1, self.sizes - 1)]
        from_high = high - (high - low) * (1 - shares)
        from_low = low + (high - low) * shares
        return np.where(shares >= 0.5, from_high, from_low)
