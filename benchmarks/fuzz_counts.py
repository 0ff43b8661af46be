"""The counts of fuzzing: kept by seed, a minute of CPU at a time, so that a run that is
interrupted counts as far as it came.
"""

from __future__ import annotations

import fcntl
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from benchmarks.common import RESULTS, last_figures, report, table

KEPT_EVERY = 60
"""CPU seconds after which the counts of a run are written."""
TIME = "CPU seconds"


@dataclass(frozen=True)
class Kind:
    """A kind of fuzzing, whose seeds are summed up in a table."""

    name: str
    """The name of its results."""
    title: str
    columns: tuple[str, ...]
    """What is counted, beside the time."""

    def keep(self, seed: int, counts: Mapping[str, int]) -> None:
        """Write what a seed has counted so far beside the counts of other seeds, which
        may be running too.
        """
        RESULTS.mkdir(exist_ok=True)
        with (RESULTS / f"{self.name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            seeds = last_figures(self.name) | {str(seed): dict(counts)}
            report(self.name, [self._table(seeds)], seeds)

    def _table(self, seeds: Mapping[str, Mapping[str, int]]) -> str:
        total: Counter[str] = Counter()
        for counts in seeds.values():
            total.update(counts)
        row = [f"{total[name]:,}" for name in self.columns]
        header = ["seeds", *self.columns, "CPU hours"]
        return table(
            self.title, header, [[len(seeds), *row, f"{total[TIME] / 3600:.2f}"]]
        )


class Run:
    """What one seed counts in so many CPU seconds of this process."""

    def __init__(self, kind: Kind, seed: int, seconds: float) -> None:
        self.counts = Counter(dict.fromkeys(kind.columns, 0))
        self._kind = kind
        self._seed = seed
        self._seconds = seconds
        self._start = time.process_time()

    def goes_on(self) -> bool:
        """Return whether there is time left; keep the counts when they are due."""
        spent = time.process_time() - self._start
        is_over = spent >= self._seconds
        if is_over or spent >= self.counts[TIME] + KEPT_EVERY:
            self.counts[TIME] = round(spent)
            self._kind.keep(self._seed, self.counts)
        return not is_over


def shown(counts: Mapping[str, int]) -> str:
    """Return counts in one line."""
    return ", ".join(f"{count:,} {name}" for name, count in counts.items())
