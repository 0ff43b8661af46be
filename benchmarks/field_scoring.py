"""The measures of record fields: true values that stand alone in a column, and columns
that hold one true field only.

Values are compared with their white space collapsed. A column whose values are no true
values (the address of a link, a label that the truth leaves out) says nothing of either
kind and is not counted.
"""

from __future__ import annotations

import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

Row = Sequence[str]
"""The true values of a record, one a field, empty where the record has no such field."""

Values = Mapping[str, str | list[str]]
"""The extracted values of a record by the name of their column."""

_REST = 0.2
"""A column value is several true values glued together if they leave at most this share
of it.
"""


@dataclass
class FieldScore:
    """Counts over the records of the pages that were read with the same columns."""

    true: int = 0
    alone: int = 0
    alike: int = 0
    """True values that are alone up to how signs are typed: people's tables have one
    sign for three dots.
    """
    shown: int = 0
    """True values that are alone or stand in the text of the record at all."""
    held: dict[str, list[frozenset[int]]] = field(
        default_factory=lambda: defaultdict(list)
    )
    """For each column, which true fields each of its values may be: several where they
    say the same.
    """
    glued: Counter[str] = field(default_factory=Counter)
    """For each column, how many of its values are several true values in one."""

    def add(self, row: Row, values: Values, record: str) -> None:
        """Count one record, with all its text."""
        true = [collapsed(value) for value in row]
        true_values = Counter(value for value in true if value)
        found = Counter(
            value for values_of in values.values() for value in _items(values_of)
        )
        self.true += true_values.total()
        alone = true_values & found
        self.alone += alone.total()
        self.alike += (_folded(true_values) & _folded(found)).total()
        text = "".join(record.split())
        others = (true_values - alone).elements()
        in_text = ["".join(value.split()) in text for value in others]
        self.shown += alone.total() + sum(in_text)
        for name, values_of in values.items():
            for value in _items(values_of):
                fields = frozenset(
                    index for index, text in enumerate(true) if text == value
                )
                if fields:
                    self.held[name].append(fields)
                elif _is_glued(value, true_values):
                    self.glued[name] += 1

    @property
    def columns(self) -> int:
        """Columns with true values in them."""
        return len(self.held.keys() | self.glued.keys())

    @property
    def pure_columns(self) -> int:
        """Columns that hold one true field only, over all records."""
        return sum(
            not self.glued[name] and bool(frozenset.intersection(*fields))
            for name, fields in self.held.items()
        )

    @property
    def column_values(self) -> int:
        """Values of the columns that hold true values, alone or glued."""
        return sum(map(len, self.held.values())) + self.glued.total()

    @property
    def values_of_main_field(self) -> int:
        """Those of them that are of the field their column holds most often."""
        return sum(
            max(Counter(index for fields in of_column for index in fields).values())
            for of_column in self.held.values()
        )


def collapsed(text: str) -> str:
    """Return the text with one space wherever it has white space."""
    return " ".join(text.split())


def _folded(values: Counter[str]) -> Counter[str]:
    folded: Counter[str] = Counter()
    for value, count in values.items():
        folded[collapsed(unicodedata.normalize("NFKC", value))] += count
    return folded


def _items(value: str | list[str]) -> Iterable[str]:
    return filter(None, map(collapsed, [value] if isinstance(value, str) else value))


def _is_glued(value: str, true_values: Mapping[str, int]) -> bool:
    rest, pieces = value, 0
    for text in sorted(true_values, key=lambda text: (-len(text), text)):
        if text in rest:
            rest = rest.replace(text, "", true_values[text])
            pieces += 1
    return pieces > 1 and len(rest) <= _REST * len(value)
