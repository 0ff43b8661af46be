"""Columns before they have names: what stands at a position in all records, and whether
it says anything.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from scythe.kinds import is_rating
from scythe.sections.fields.fields import Fields
from scythe.sections.fields.position import ColumnPosition
from scythe.sections.fields.value_parts import is_informative
from scythe.sections.span import Span
from scythe.tree.tree import Tree

_ADDRESS_PROPERTIES = frozenset({"url", "image", "logo", "same_as", "thumbnail_url"})
"""Properties of schema.org whose values are addresses: a text in them is something else."""
_NO_ADDRESS = ("#", "javascript:", "data:", "about:")


class ColumnKind(StrEnum):
    """What is read from a position; the attribute of `ColumnPosition` that names the column."""

    TEXT = "text"
    LINK = "link"
    IMAGE = "image"


@dataclass(eq=False)
class UnnamedColumn:
    """A column before it has a name: where it is, and what the records have there."""

    path: tuple[ColumnPosition, ...]
    kind: ColumnKind
    values: list[str] = field(default_factory=list)
    rows: list[int] = field(default_factory=list)
    """The number of the record of each value."""
    records: int = 0

    @property
    def position(self) -> ColumnPosition:
        """Where its values are read."""
        return self.path[-1]

    @property
    def is_text(self) -> bool:
        """Whether its values are texts, not addresses."""
        return self.kind is ColumnKind.TEXT

    @property
    def repeats(self) -> bool:
        """Whether a record can have several of it."""
        return any(position.repeats for position in self.path)

    @property
    def variety(self) -> float:
        """The share of values that are different: 1 for titles, little for labels."""
        if not self.values:
            return 0.0
        different = set(self.values)
        return len(different) / len(self.values)

    @property
    def mean_length(self) -> float:
        """Characters of a value on average."""
        if not self.values:
            return 0.0
        total = sum(map(len, self.values))
        return total / len(self.values)

    @property
    def main_share(self) -> float:
        """The share of its commonest value: 1 for labels and buttons."""
        counts = Counter(self.values)
        commonest = max(counts.values(), default=0)
        return commonest / max(len(self.values), 1)

    @property
    def header(self) -> str | None:
        """The header of its column, the nearest first."""
        headers = [position.header for position in reversed(self.path)]
        return next(filter(None, headers), None)

    @property
    def declared(self) -> str | None:
        """The property of schema.org that its values are. The name of a thing is what
        the thing is to the record: `author`, where the author has a `name`.
        """
        found: str | None = None
        for position in reversed(self.path):
            own = position.declared
            if own in _ADDRESS_PROPERTIES and self.is_text:
                own = None
            if position.is_item:
                is_whole = found == "name" or position is self.position
                return own if is_whole and own else found
            found = found or own
            if found and found != "name":
                return found
        return found

    @property
    def class_names(self) -> str:
        """The class names on the way, from the last three steps."""
        names: list[str] = []
        for position in self.path[-3:]:
            names.extend(position.classes)
        return " ".join(names)

    def tags(self) -> set[str]:
        """Return the tags on the way down to it."""
        return {position.tag for position in self.path}

    def name(self, name: str | None) -> None:
        """Set the name under which the column is read; None to read it no more."""
        setattr(self.position, self.kind.value, name)

    def belongs_to(self, other: UnnamedColumn) -> bool:
        """Return whether a link or image is that of a text: at the same position, or
        one inside the other.
        """
        shorter = min(len(self.path), len(other.path))
        return self.path[:shorter] == other.path[:shorter]


def columns_below(root: ColumnPosition) -> list[UnnamedColumn]:
    """Return all columns in reading order."""
    columns: list[UnnamedColumn] = []
    stack: list[tuple[ColumnPosition, ...]] = [(root,)]
    while stack:
        path = stack.pop()
        position = path[-1]
        read_kinds = [kind for kind in ColumnKind if getattr(position, kind.value)]
        columns.extend(UnnamedColumn(path, kind) for kind in read_kinds)
        children = reversed(position.children)
        stack.extend((*path, child) for child in children)
    return columns


def read_values(
    root: ColumnPosition,
    columns: list[UnnamedColumn],
    records: Sequence[tuple[Tree, Span]],
) -> None:
    """Add what the records have to their columns, which are named by number for it."""
    for number, column in enumerate(columns):
        column.name(str(number))
    numbers = range(len(columns))
    fields = Fields(root, tuple(map(str, numbers)))
    for row, (tree, span) in enumerate(records):
        for name, value in fields.read(tree, span).items():
            column = columns[int(name)]
            added = value if isinstance(value, list) else [value]
            column.values.extend(added)
            column.rows.extend([row] * len(added))
            column.records += 1


def is_useful(column: UnnamedColumn) -> bool:
    """Return whether a column says anything: not the signs between values, nor an
    address that is the same in all records.
    """
    if not column.values:
        return False
    if column.is_text:
        return any(_is_useful_text(value) for value in column.values)
    if all(value.startswith(_NO_ADDRESS) for value in column.values):
        return False
    if column.variety > 0.5 or column.records == 1:
        return True
    different = set(column.values)
    return len(different) > 2


def _is_useful_text(value: str) -> bool:
    return is_informative(value) or is_rating([value], "")


def without_duplicates(columns: list[UnnamedColumn]) -> list[UnnamedColumn]:
    """Return the columns without links and images that only repeat another one, as the
    image of a card links where its title does.

    Of the same links that at a text is kept, or else the first.
    """
    texts = [column for column in columns if column.is_text]
    kept: dict[tuple[str, ...], UnnamedColumn] = {}
    for column in columns:
        if column.is_text:
            continue
        key = (column.kind, *column.values)
        if key in kept:
            known_has_text = _has_text(kept[key], texts)
            if known_has_text or not _has_text(column, texts):
                continue
        kept[key] = column
    chosen = set(kept.values())
    return [column for column in columns if column.is_text or column in chosen]


def _has_text(link: UnnamedColumn, texts: list[UnnamedColumn]) -> bool:
    return any(link.belongs_to(text) for text in texts)
