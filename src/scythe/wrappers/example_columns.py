"""The columns that example values are of.

A person gives a value as they see it, which need not be cut as the columns of a list are:
a title with its subtitle in brackets, a name without the "by" that stands before it. So
every position in the records is a column that an example can mean, and of those whose
text is the example the outermost is taken: what it has besides in other records belongs
to the value there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from scythe.errors import UsageError
from scythe.sections.fields import Fields
from scythe.sections.fields.position import ColumnPosition, prune
from scythe.sections.span import Span
from scythe.tree.tree import Tree
from scythe.wrappers.examples import Example, ExamplePage, squeezed

Texts = dict[int, list[str]]
"""The texts of a record by the number of their position, as examples are compared."""
PageRecords = tuple[Tree, Sequence[Span]]


def named_fields(
    fields: Fields,
    pages: Sequence[tuple[ExamplePage, Sequence[Span]]],
    records: Sequence[PageRecords],
) -> Fields:
    """Return the columns that the examples are values of, under their names, and the
    link of the records.
    """
    positions = TextPositions(fields, records)
    rows = list(_rows_with_examples(positions, pages))
    examples: dict[Example, list[Texts]] = {}
    for row, held in rows:
        for example in held:
            own_rows = examples.setdefault(example, [])
            own_rows.append(row)

    chosen: dict[int, str] = {}
    for example, own_rows in examples.items():
        number = positions.of_example(example, own_rows)
        if number is None:
            raise UsageError(
                f"{example.value!r} is in the records, but in no column of its own. "
                "Give a whole value, as the page shows it."
            )
        name = example.name or positions.name(number)
        if chosen.setdefault(number, name) != name:
            raise UsageError(
                f"{chosen[number]!r} and {name!r} are the same column. "
                "Give values of different columns."
            )
    names = dict(chosen)
    for number, name in chosen.items():
        for other in positions.alternatives(number):
            names.setdefault(other, name)
    return positions.named(names)


@dataclass(frozen=True, eq=False)
class TextPositions:
    """All positions of the records of some pages, each as a column of texts."""

    fields: Fields
    records: Sequence[PageRecords] = ()

    @cached_property
    def paths(self) -> list[tuple[ColumnPosition, ...]]:
        """The way to each position, in reading order."""
        paths = []
        stack: list[tuple[ColumnPosition, ...]] = [(self.fields.root,)]
        while stack:
            path = stack.pop()
            paths.append(path)
            position = path[-1]
            stack.extend((*path, child) for child in reversed(position.children))
        return paths

    @cached_property
    def _reader(self) -> Fields:
        """The fields with a column for the text of every position but the record."""
        copy = TextPositions(_copied(self.fields))
        names = []
        for number, path in enumerate(copy.paths):
            position = path[-1]
            position.link = position.image = position.date = None
            is_value = position.text is not None or number >= self._first
            position.text = str(number) if is_value else None
            names.append(str(number))
        return Fields(copy.fields.root, tuple(names))

    @property
    def _first(self) -> int:
        """The number of the first position inside a record."""
        return 2 if self.fields.starts_at_one_element else 1

    def read(self, tree: Tree, span: Span) -> Texts:
        """Return the texts of a record at all positions."""
        texts = {}
        for name, value in self._reader.read(tree, span).items():
            items = [value] if isinstance(value, str) else value
            texts[int(name)] = [squeezed(item) for item in items]
        return texts

    def of_example(self, example: Example, rows: Sequence[Texts]) -> int | None:
        """Return the position whose text is the example in most of the rows: of several
        the one that most records have, then the outermost. Where there is none, that of
        the shortest text with the example in it.
        """
        equal: Counter[int] = Counter()
        around: dict[int, int] = {}
        for row in rows:
            for number, texts in row.items():
                for text in texts:
                    if text == example.key:
                        equal[number] += 1
                    elif example.key in text:
                        shortest = around.get(number, len(text))
                        around[number] = min(shortest, len(text))
        if equal:
            most = max(equal.values())
            best = [number for number in sorted(equal) if equal[number] == most]
            return max(best, key=self._records_with)
        if not around:
            return None
        return min(around, key=lambda number: (around[number], number))

    def name(self, number: int) -> str:
        """Return what the column of a position is called where nobody gave a name: as
        the first column in it or around it.
        """
        path = self.paths[number]
        length = len(path)
        inside = [one[-1].text for one in self.paths if one[:length] == path]
        around = [position.text for position in reversed(path)]
        named = filter(None, [*inside, *around])
        return next(named, f"column_{number}")

    @cached_property
    def _filled(self) -> dict[int, set[int]]:
        """Which records have a text at each position."""
        filled: dict[int, set[int]] = {}
        index = 0
        for tree, spans in self.records:
            for span in spans:
                for number, texts in self.read(tree, span).items():
                    if any(texts):
                        filled.setdefault(number, set()).add(index)
                index += 1
        return filled

    def _records_with(self, number: int) -> int:
        """Return how many records have a position or an alternative to it."""
        records = 0
        for one in (number, *self.alternatives(number)):
            records += len(self._filled.get(one, ()))
        return records

    def alternatives(self, number: int) -> list[int]:
        """Return where records have the same that do not have it at a position: like
        elements in boxes of another class.
        """
        found = []
        own = set(self._filled.get(number, ()))
        others = sorted(self._filled, key=lambda one: (-len(self._filled[one]), one))
        for other in others:
            is_elsewhere = own.isdisjoint(self._filled[other])
            if is_elsewhere and self._are_alike(number, other):
                found.append(other)
                own |= self._filled[other]
        return found

    def _are_alike(self, one: int, other: int) -> bool:
        """Return whether two positions are the same element in different surroundings:
        by the way to it, on which one class may differ, or by its own class.
        """
        path = self.paths[one]
        other_path = self.paths[other]
        tags = [step.tag for step in path]
        if tags == [step.tag for step in other_path]:
            different = 0
            for step, other_step in zip(path, other_path, strict=True):
                different += step.classes != other_step.classes
            if different <= 1:
                return True
        kind = _kind(path[-1])
        is_same_kind = kind == _kind(other_path[-1])
        return is_same_kind and kind in self._distinctive

    @cached_property
    def _distinctive(self) -> set[tuple[str, ...]]:
        """The tags with classes that a record has but once."""
        records: dict[tuple[str, ...], Counter[int]] = {}
        for number, path in enumerate(self.paths):
            if path[-1].classes:
                counts = records.setdefault(_kind(path[-1]), Counter())
                counts.update(self._filled.get(number, ()))

        distinctive = set()
        for kind, counts in records.items():
            most = max(counts.values(), default=0)
            if most == 1:
                distinctive.add(kind)
        return distinctive

    def named(self, names: dict[int, str]) -> Fields:
        """Return the fields with the texts of some positions alone, and the link of the
        records.
        """
        copy = TextPositions(_copied(self.fields))
        columns: dict[str, None] = {}
        has_link = "link" not in names.values()
        for number, path in enumerate(copy.paths):
            position = path[-1]
            position.text = names.get(number)
            position.image = position.date = None
            if position.link != "link" or not has_link:
                position.link = None
            read = filter(None, (position.text, position.link))
            columns.update(dict.fromkeys(read))
        prune(copy.fields.root)
        return Fields(copy.fields.root, tuple(columns))


def _kind(position: ColumnPosition) -> tuple[str, ...]:
    return position.tag, *position.classes


def _copied(fields: Fields) -> Fields:
    return Fields.from_json(fields.as_json())


def _rows_with_examples(
    positions: TextPositions, pages: Sequence[tuple[ExamplePage, Sequence[Span]]]
) -> Iterator[tuple[Texts, list[Example]]]:
    """Yield the texts of the records that hold most examples, with those."""
    for page, spans in pages:
        holders = page.holders(spans)
        examples_in: dict[int, list[Example]] = {}
        for example, numbers in holders.items():
            for number in numbers:
                held = examples_in.setdefault(number, [])
                held.append(example)

        most = max(map(len, examples_in.values()), default=0)
        for number in sorted(examples_in):
            held = examples_in[number]
            has_lone = any(len(holders[example]) == 1 for example in held)
            if has_lone or len(held) == most:
                yield positions.read(page.tree, spans[number]), held
