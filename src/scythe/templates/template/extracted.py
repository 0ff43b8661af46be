"""What a template reads from a page."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property


@dataclass(frozen=True)
class Extracted(Mapping[str, list[str]]):
    """The values of each slot by its id, in page order; slots without a value are left
    out.
    """

    by_slot: Mapping[str, list[str]]
    nodes: Mapping[str, list[int]]
    """For each slot the tree nodes that its values come from, one for each value."""
    names: Mapping[str, str] = field(default_factory=dict)
    """The names that an operator gave to slots, by slot id."""
    find_unmatched: Callable[[], tuple[dict[int, str], int]] = field(
        default=lambda: ({}, 0), repr=False, compare=False
    )
    """Finds the texts without a slot, and the number of all texts; called when they are
    asked for.
    """

    @cached_property
    def _unmatched_of_total(self) -> tuple[dict[int, str], int]:
        return self.find_unmatched()

    @property
    def unmatched(self) -> Mapping[int, str]:
        """Texts by tree node that the template has no slot for: nothing of a page is
        lost.
        """
        return self._unmatched_of_total[0]

    @property
    def fit(self) -> float:
        """The share of the page's texts for which the template has a slot."""
        unmatched, total = self._unmatched_of_total
        if total:
            return 1 - len(unmatched) / total
        return 1.0

    def __getitem__(self, slot: str) -> list[str]:
        return self.by_slot[slot]

    def __iter__(self) -> Iterator[str]:
        return iter(self.by_slot)

    def __len__(self) -> int:
        return len(self.by_slot)

    @property
    def record(self) -> dict[str, list[str]]:
        """The values by name, of the slots that an operator named; slots of one name
        are put together.
        """
        record: dict[str, list[str]] = {}
        for slot, name in self.names.items():
            if slot in self.by_slot:
                record.setdefault(name, []).extend(self.by_slot[slot])
        return record
