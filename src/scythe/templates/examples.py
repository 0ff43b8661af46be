"""Slots named by example: a person gives values that they see on a page, by the names
that their slots are to have.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from scythe.errors import UsageError

Values = Mapping[str, Sequence[str]]
"""The values of a page by slot."""


def example_slots(
    pages: Sequence[Values], examples: Mapping[str, str]
) -> dict[str, str]:
    """Return the slot of each example by its name: where most pages have the value, or
    the shortest value that holds it.
    """
    slots: dict[str, str] = {}
    for name, example in examples.items():
        slot = _slot_of(pages, _squeezed(example), set(slots.values()))
        if slot is None:
            raise UsageError(
                f"No slot has the value {example!r}. Copy a value as a page shows it, "
                "one that differs from page to page."
            )
        slots[name] = slot
    return slots


def _slot_of(pages: Sequence[Values], example: str, taken: set[str]) -> str | None:
    equal: Counter[str] = Counter()
    around: dict[str, int] = {}
    for page in pages:
        for slot, values in page.items():
            if slot in taken or not example:
                continue
            keys = [_squeezed(value) for value in values]
            holding = [len(key) for key in keys if example in key]
            if example in keys:
                equal[slot] += 1
            elif holding:
                around[slot] = min(holding)
    if equal:
        return equal.most_common(1)[0][0]
    return min(around, key=around.__getitem__, default=None)


def _squeezed(text: str) -> str:
    return "".join(text.split()).casefold()
