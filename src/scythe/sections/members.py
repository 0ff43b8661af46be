"""The members of all candidates of a page, one after the other: what is counted of them
is counted for all at once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from scythe.sections.candidates import CandidateSection
from scythe.sections.page_statistics import PageStatistics
from scythe.tree.tree import Bools

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Number = TypeVar("Number", bound=np.generic)


def mean(values: Floats) -> float:
    """Return what `values.mean()` does, in half of the time."""
    total = float(np.add.reduce(values))
    return total / len(values)


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
    def starts(self) -> Ints:
        """Where the members begin on the page."""
        return np.concatenate([candidate.starts for candidate in self.candidates])

    @cached_property
    def stops(self) -> Ints:
        """Where the members end on the page."""
        return np.concatenate([candidate.stops for candidate in self.candidates])

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
        """Return the sums over each candidate: of whole numbers, which are exact."""
        numbers = values.astype(np.float64)
        return np.asarray(np.add.reduceat(numbers, self.begins))

    def means(self, values: Floats | Bools) -> Floats:
        """Return the means over each candidate, of whole numbers."""
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
        squares = deviations * deviations
        sums = self.measured(_total, squares)
        variances = sums / self.sizes
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

    def measured(self, measure: Callable[[Floats], float], values: Floats) -> Floats:
        """Return a measure of the values of each candidate."""
        begins = self.begins.tolist()
        ends = self.ends.tolist()
        measures = []
        for begin, end in zip(begins, ends, strict=True):
            part = values[begin:end]
            measures.append(measure(part))
        return np.array(measures)


def _total(values: Floats) -> float:
    return float(np.add.reduce(values))
