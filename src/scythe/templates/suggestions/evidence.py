"""Pieces of evidence for the names of slots, and how they add up to suggestions.

Pieces of different kinds add up, like independent witnesses; of one kind only the
strongest counts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

import numpy as np

from scythe.templates.slot import FieldName, Slot, Suggestion

MIN_CONFIDENCE = 0.5
"""Confidence from which on a name is suggested: likelier than not."""
SINGLE_VALUE_TYPES = frozenset(
    {"duration", "number", "price", "date", "image", "person"}
)
"""Types of which a record has one value: authors of comments are no authors of the page."""


class EvidenceKind(StrEnum):
    """Where evidence comes from."""

    DECLARED = "declared"
    """The page declares the same value in schema.org's words."""
    HEAD = "head"
    """The head of the page has the same value."""
    LABEL = "label"
    """A label beside the values names the field."""
    MARKUP = "mark-up"
    """Property, class or tag names do."""
    LOOKS = "looks"
    """The values look like it."""
    MEMORY = "memory"
    """Operators gave such slots that name on other sites."""


class Evidence(NamedTuple):
    """One piece of evidence for a name of a slot."""

    kind: EvidenceKind
    weight: float
    """From 0 to 1, how much it is worth."""
    reason: str


class _RankedName(NamedTuple):
    """A name of a slot with its rank: the most confident first, then in document order."""

    minus_confidence: float
    order: int
    name: FieldName
    reasons: str
    slot: str


class EvidenceTable:
    """The strongest evidence of each kind for each name of each slot."""

    def __init__(self) -> None:
        self._by_slot: dict[str, dict[FieldName, dict[EvidenceKind, Evidence]]] = {}

    def add(self, slot: str, name: FieldName, evidence: Evidence) -> None:
        """Add a piece of evidence."""
        by_kind = self._by_slot.setdefault(slot, {}).setdefault(name, {})
        known = by_kind.get(evidence.kind)
        if known is None or evidence.weight > known.weight:
            by_kind[evidence.kind] = evidence

    def refute(self, slot: str, name: FieldName) -> None:
        """Forget the evidence for a name of a slot, unless the page declares it."""
        names = self._by_slot.get(slot, {})
        if name in names and EvidenceKind.DECLARED not in names[name]:
            del names[name]

    def suggestions(
        self, slots: Sequence[Slot], types: Mapping[FieldName, str]
    ) -> list[Suggestion]:
        """Return the best name of each slot, the most confident first; a name that has
        one value goes to the best slot only.
        """
        repeatable = {slot.id for slot in slots if slot.repeatable}
        suggestions: list[Suggestion] = []
        slots_done: set[str] = set()
        names_done: set[FieldName] = set()
        for ranked in sorted(self._ranked_names(slots)):
            kind = types.get(ranked.name, "text")
            if ranked.slot in repeatable and kind in SINGLE_VALUE_TYPES:
                continue
            if ranked.slot in slots_done:
                continue
            if ranked.name in names_done and kind != "lines":
                continue
            confidence = round(-ranked.minus_confidence, 3)
            suggestions.append(
                Suggestion(ranked.slot, ranked.name, kind, confidence, ranked.reasons)
            )
            slots_done.add(ranked.slot)
            names_done.add(ranked.name)

        order = {slot.id: index for index, slot in enumerate(slots)}
        suggestions.sort(key=lambda found: (-found.confidence, order[found.slot]))
        return suggestions

    def _ranked_names(self, slots: Sequence[Slot]) -> list[_RankedName]:
        order = {slot.id: index for index, slot in enumerate(slots)}
        ranked: list[_RankedName] = []
        for slot, names in self._by_slot.items():
            for name, by_kind in names.items():
                pieces = list(by_kind.values())
                doubts = [1 - piece.weight for piece in pieces]
                confidence = 1 - float(np.prod(doubts))
                if confidence < MIN_CONFIDENCE:
                    continue
                pieces.sort(key=lambda piece: -piece.weight)
                reasons = "; ".join(piece.reason for piece in pieces)
                ranked.append(
                    _RankedName(-confidence, order[slot], name, reasons, slot)
                )
        return ranked
