"""Facts: labels whose values differ from page to page, such as "RAM" and "Released".

Pages of records are full of them; guides, how-tos and pages about the site are prose,
whose few labels ("Note:", "You'll need:") say the same on each. So facts tell pages of
records from others that are built of the same elements.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

MIN_FACTS = 4
"""Facts from which on records are told by them: prose has a note and a warning. Not
tuned.
"""
MIN_PAGES = 0.5
"""The share of pages that must have a label. Not tuned."""
MIN_SHARED = 0.25
"""The share of the facts of records that a page must have to be one. Not tuned."""
MIN_OWN = 2
"""Facts that it must have at least."""
MAX_VALUE = 100
"""Characters of a fact: what a label labels at length is prose. Not tuned."""
MAX_SHOWN = 3
"""Facts that a reason names: a bound on what is shown, not tuned."""

PageLabels = Mapping[str, Sequence[str]]
"""The lines that each label of a page labels."""


@dataclass(frozen=True)
class RecordFacts:
    """The facts that pages of records have, those of most pages first."""

    labels: tuple[str, ...]

    @classmethod
    def of_pages(cls, pages: Sequence[PageLabels]) -> RecordFacts:
        """Return the facts of pages of one kind."""
        counts: Counter[str] = Counter()
        values: dict[str, set[tuple[str, ...]]] = {}
        for page in pages:
            for label, lines in page.items():
                if min(map(len, lines), default=0) > MAX_VALUE:
                    continue
                counts[label] += 1
                seen = values.setdefault(label, set())
                seen.add(tuple(lines))
        labels = [
            label
            for label, count in counts.most_common()
            if count >= MIN_PAGES * len(pages) and len(values[label]) > 1
        ]
        return cls(tuple(labels))

    @property
    def are_enough(self) -> bool:
        """Whether there are enough of them to tell records by."""
        return len(self.labels) >= MIN_FACTS

    def fit(self, labels: Collection[str]) -> bool:
        """Return whether a page with such labels has the facts of a record."""
        own = set(labels)
        shared = own.intersection(self.labels)
        share = MIN_SHARED * len(self.labels)
        least = max(MIN_OWN, share)
        return len(shared) >= least

    @property
    def words(self) -> str:
        """Some of them, for a person."""
        return ", ".join(self.labels[:MAX_SHOWN])
