"""What changed in a record, field by field, without noise: lists are compared without
regard to their order.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

_MAX_SHOWN = 160
"""Characters of a value that a sentence about it shows: a bound on what is shown, not
tuned.
"""


@dataclass(frozen=True)
class FieldChange:
    """A field that is not as it was; what a list has lost and gained stands line by
    line.
    """

    field: str
    before: tuple[str, ...]
    after: tuple[str, ...]

    def __str__(self) -> str:
        before = _shorten(self.before)
        after = _shorten(self.after)
        if not self.before:
            return f"{self.field}: added {after}"
        if not self.after:
            return f"{self.field}: removed {before}"
        return f"{self.field}: {before} → {after}"


def field_changes(
    before: Mapping[str, Any] | None, after: Mapping[str, Any] | None
) -> list[FieldChange]:
    """Return the fields in which two states of a record differ, in their order."""
    before, after = before or {}, after or {}
    changes = []
    for name in dict.fromkeys([*after, *before]):
        if name.endswith("_parsed"):
            continue
        old = _lines(before.get(name))
        new = _lines(after.get(name))
        old_counts, new_counts = Counter(old), Counter(new)
        lost = _select(old, old_counts - new_counts)
        gained = _select(new, new_counts - old_counts)
        if lost or gained:
            changes.append(FieldChange(name, tuple(lost), tuple(gained)))
    return changes


def _select(lines: list[str], counts: Counter[str]) -> list[str]:
    """Return lines in their order, each as often as it is counted."""
    left = Counter(counts)
    selected = []
    for line in lines:
        if left[line] > 0:
            left[line] -= 1
            selected.append(line)
    return selected


def _lines(value: Any) -> list[str]:
    if value is None:
        return []
    values = value if isinstance(value, list) else [value]
    return list(map(as_text, values))


def as_text(value: Any) -> str:
    """Return a value for people to read: numbers and what is within lists as JSON
    writes them.
    """
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _shorten(lines: tuple[str, ...]) -> str:
    text = "; ".join(lines)
    if len(text) > _MAX_SHOWN:
        text = text[: _MAX_SHOWN - 1] + "…"
    return text
