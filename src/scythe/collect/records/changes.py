"""What changed in a record, field by field, without noise: lists are compared without
regard to their order.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

_SHOWN = 160
"""Characters of a value that a sentence about it shows."""


@dataclass(frozen=True)
class FieldChange:
    """A field that is not as it was; what a list has lost and gained stands line by
    line.
    """

    field: str
    before: tuple[str, ...]
    after: tuple[str, ...]

    def __str__(self) -> str:
        if not self.before:
            return f"{self.field}: added {_shown(self.after)}"
        if not self.after:
            return f"{self.field}: removed {_shown(self.before)}"
        return f"{self.field}: {_shown(self.before)} → {_shown(self.after)}"


def difference(
    before: Mapping[str, Any] | None, after: Mapping[str, Any] | None
) -> list[FieldChange]:
    """The fields in which two states of a record differ, in their order."""
    before, after = before or {}, after or {}
    names = [
        name
        for name in dict.fromkeys([*after, *before])
        if not name.endswith("_parsed")
    ]
    found = [
        _field(name, _lines(before.get(name)), _lines(after.get(name)))
        for name in names
    ]
    return [change for change in found if change.before or change.after]


def _field(name: str, before: list[str], after: list[str]) -> FieldChange:
    lost, gained = Counter(before) - Counter(after), Counter(after) - Counter(before)
    return FieldChange(name, tuple(_taken(before, lost)), tuple(_taken(after, gained)))


def _taken(lines: list[str], wanted: Counter[str]) -> list[str]:
    """The wanted lines in their order."""
    left = Counter(wanted)
    taken = []
    for line in lines:
        if left[line] > 0:
            left[line] -= 1
            taken.append(line)
    return taken


def _lines(value: Any) -> list[str]:
    if value is None:
        return []
    return (
        [as_text(each) for each in value]
        if isinstance(value, list)
        else [as_text(value)]
    )


def as_text(value: Any) -> str:
    """A value for people to read: numbers and what is within lists as JSON writes them."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _shown(lines: tuple[str, ...]) -> str:
    text = "; ".join(lines)
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
