"""One walk down a record by known positions.

Most elements are assigned by their tag alone, so that their class is not even read; a
walk of twenty records takes less time than parsing their page did. Everything that
costs more is done only where positions of one tag have to be told apart.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from scythe.align.forest import class_key
from scythe.kinds import date_in
from scythe.sections.fields.grid import ROW, row_grid
from scythe.sections.fields.position import TEXT_RUN, ColumnPosition
from scythe.sections.fields.record_tree import BR, FORMATTING, RecordTree
from scythe.sections.fields.value_parts import is_informative, leading_label
from scythe.sections.span import Span
from scythe.tree.images import image_source
from scythe.tree.tags import CODES, KNOWN, TEXT

Value = str | list[str]
FieldValues = dict[str, Value]
ClassKeys = tuple[str, ...]

_MAX_KNOWN_CLASSES = 1000
"""Class attributes whose position is remembered: a bound on memory, not tuned."""


class ReadStep(NamedTuple):
    """An element that stands at a position, with the text that belongs to it but stands
    before it.
    """

    reader: PositionReader
    node: int
    text_before: str


class PositionReader:
    """A position made ready for reading: its children by tag."""

    def __init__(
        self,
        position: ColumnPosition,
        *,
        is_listed: bool,
        children: Sequence[PositionReader],
    ) -> None:
        self.position = position
        self.is_listed = is_listed
        self.children = children
        self.has_column = position.tag != TEXT_RUN and position.has_column

        by_tag: dict[int | str, list[PositionReader]] = {}
        self.by_cell: dict[int, PositionReader] = {}
        """Positions that are columns of a table."""
        for child in children:
            if child.position.cell is not None:
                self.by_cell[child.position.cell] = child
                continue
            tag = child.position.tag
            tag_key = CODES.get(tag, tag)
            by_tag.setdefault(tag_key, []).append(child)
        runs = by_tag.pop(TEXT, None)
        self.runs: SimilarPositions | None = None
        if runs is not None:
            self.runs = SimilarPositions(runs)
        self.by_tag_alone: dict[int | str, PositionReader] = {}
        """Where a tag has but one position."""
        self.by_class: dict[int | str, PositionsByClass] = {}
        for tag_code, readers in by_tag.items():
            first = readers[0]
            if len(readers) == 1 and first.is_known_by_tag:
                self.by_tag_alone[tag_code] = first
            else:
                self.by_class[tag_code] = PositionsByClass(readers)
        has_glued = any(child.position.glued for child in children)
        self.has_text = runs is not None or has_glued

    @property
    def is_known_by_tag(self) -> bool:
        """Whether the tag alone says that an element belongs here."""
        position = self.position
        needs_class = position.optional and bool(position.classes)
        return position.is_plain and not needs_class

    def read_node(
        self, record: RecordTree, node: int, text_before: str, values: FieldValues
    ) -> None:
        """Add the values of the position itself."""
        position = self.position
        tree_node = record.start + node
        if position.text or position.date:
            text = record.whole_text(node)
            if text_before and text:
                text = " ".join(f"{text_before}{text}".split())
            self.add_text(text, values)
        if position.link:
            href = record.tree.with_attribute("href").get(tree_node)
            self.add_value(position.link, href, values)
        if position.image:
            attributes = record.tree.attributes(tree_node)
            source = image_source(attributes)
            self.add_value(position.image, source, values)

    def add_text(self, text: str, values: FieldValues) -> None:
        """Add a text, and the date in it where that is a column of its own."""
        position = self.position
        if position.text:
            self.add_value(position.text, text, values)
        if position.date:
            self.add_value(position.date, date_in(text), values)

    def add_value(self, name: str, value: str | None, values: FieldValues) -> None:
        """Add a value to a list, or set it if it is the first."""
        if not value:
            return
        if not self.is_listed:
            values.setdefault(name, value)
            return
        listed = values.setdefault(name, [])
        if isinstance(listed, list):
            listed.append(value)

    def read_children(
        self, record: RecordTree, node: int, values: FieldValues
    ) -> list[ReadStep]:
        """Return the children of a node that stand at positions, each with the text
        before it; add the values of runs of text.
        """
        tags = record.tags
        ends = record.ends
        by_tag_alone = self.by_tag_alone
        text = _TextRuns() if self.has_text else None
        steps: list[ReadStep] = []
        step_index: dict[PositionReader, int] = {}
        columns = self._columns(record, node)
        counts: dict[SimilarPositions, int] = {}
        child = node + 1
        stop = len(tags) if node < 0 else ends[node]
        while child < stop:
            tag = tags[child]
            if tag == TEXT:
                if text is not None:
                    text.pending.append(record.texts[child])
                child += 1
                continue

            reader = by_tag_alone.get(tag)
            if columns:
                reader = self.by_cell.get(columns.get(record.start + child, -1))
            elif reader is None and (tag in self.by_class or tag >= len(KNOWN)):
                reader = self._choose(record, child, counts, text)
            text_before = ""
            if text is not None:
                text_before = text.claim(record, child, reader)
            if reader is not None:
                step = ReadStep(reader, child, text_before)
                if reader not in step_index or reader.position.repeats:
                    step_index[reader] = len(steps)
                    steps.append(step)
                else:
                    index = step_index[reader]
                    earlier = steps[index].node
                    if _fits_better(reader.position, record, child, earlier):
                        steps[index] = step
            child = ends[child]

        if self.runs is not None and text is not None:
            text.end_run()
            _read_runs(self.runs, text.runs, values)
        return steps

    def _columns(self, record: RecordTree, node: int) -> Mapping[int, int]:
        """Return the column of each cell of a row, if columns tell its positions apart."""
        if not self.by_cell or node < 0 or record.tags[node] != ROW:
            return {}
        return row_grid(record.tree, record.start + node).own

    def cells_above(
        self, record: RecordTree, node: int
    ) -> Iterator[tuple[RecordTree, ReadStep]]:
        """Yield the cells of earlier rows that reach into a row, each as a record of its
        own.
        """
        if node < 0 or record.tags[node] != ROW:
            return
        tree = record.tree
        for column, cell in row_grid(tree, record.start + node).above.items():
            reader = self.by_cell.get(column)
            if reader is not None:
                part = RecordTree(tree, Span(cell, int(tree.end[cell])))
                yield part, ReadStep(reader, 0, "")

    def _choose(
        self,
        record: RecordTree,
        child: int,
        counts: dict[SimilarPositions, int],
        text: _TextRuns | None,
    ) -> PositionReader | None:
        """Return the position of an element whose tag alone does not say it."""
        tag_code = record.tags[child]
        tag: int | str = tag_code
        if tag_code >= len(KNOWN):
            tag = record.tree.name(record.start + child)
            if tag not in self.by_class:
                return self.by_tag_alone.get(tag)
        similar = self.by_class[tag].for_element(record, child)
        if similar is None:
            return None
        if similar.only is not None:
            return similar.only

        number = counts.get(similar, 0) + 1
        counts[similar] = number
        content = ""
        if similar.by_content:
            content = record.first_inside(child)
        words = ""
        if similar.by_label:
            pending = text.pending if text is not None else []
            all_text = "".join([*pending, record.text(child)])
            words = " ".join(all_text.split())
        return similar.find(content, words, number)


def _read_runs(
    positions: SimilarPositions, runs: list[str], values: FieldValues
) -> None:
    """Add the values of runs of text."""
    for number, text in enumerate(runs, 1):
        reader = positions.only or positions.find("", text, number)
        if reader is not None:
            reader.add_text(text, values)


class _TextRuns:
    """The text between the elements of a list of children."""

    def __init__(self) -> None:
        self.pending: list[str] = []
        """Text that the next element may claim."""
        self.runs: list[str] = []

    def end_run(self) -> None:
        """Add the pending text as a run of its own."""
        if not self.pending:
            return
        pending = "".join(self.pending)
        self.pending.clear()
        text = " ".join(pending.split())
        if is_informative(text):
            self.runs.append(text)

    def claim(
        self, record: RecordTree, child: int, reader: PositionReader | None
    ) -> str:
        """Return what stands before an element, if that belongs to it; otherwise the
        element ends the run or is part of it.
        """
        tag = record.tags[child]
        if reader is None and tag in FORMATTING:
            self.pending.append(record.text(child))
        elif tag == BR:
            self.end_run()
        elif self.pending and record.text(child):
            if reader is not None and reader.position.glued:
                text_before = "".join(self.pending)
                self.pending.clear()
                return text_before
            self.end_run()
        return ""


class SimilarPositions:
    """Positions of one tag and class under one parent, told apart by label, content or
    number.
    """

    def __init__(self, readers: Sequence[PositionReader]) -> None:
        first = readers[0]
        is_alone = len(readers) == 1 and first.position.is_plain
        self.only = first if is_alone else None
        self.by_label: dict[str, PositionReader] = {}
        self.by_content: dict[str, PositionReader] = {}
        self.by_number: dict[int, PositionReader] = {}
        self.rest: PositionReader | None = None
        for reader in readers:
            position = reader.position
            if position.label is not None:
                self.by_label[position.label] = reader
            if position.content is not None:
                self.by_content[position.content] = reader
            if position.number is not None:
                self.by_number[position.number] = reader
            if position.is_plain and self.rest is None:
                self.rest = reader

    def find(self, content: str, text: str, number: int) -> PositionReader | None:
        """Return the position of the n-th of the elements, which has this content and
        text.
        """
        reader = self.by_content.get(content) or self.by_number.get(number)
        if reader is None and self.by_label:
            label = leading_label(text) or ""
            reader = self.by_label.get(label)
        return reader or self.rest


class PositionsByClass:
    """The positions of one tag under one parent by class."""

    def __init__(self, readers: Sequence[PositionReader]) -> None:
        by_classes: dict[ClassKeys, list[PositionReader]] = {}
        for reader in readers:
            classes = reader.position.classes or ("",)
            by_classes.setdefault(classes, []).append(reader)
        self.similar: dict[ClassKeys, SimilarPositions] = {}
        for classes, alike in by_classes.items():
            self.similar[classes] = SimilarPositions(alike)

        self.known: dict[str | None, SimilarPositions | None] = {}
        self.always: SimilarPositions | None = None
        no_classes = ("",)
        if list(self.similar) == [no_classes]:
            self.always = self.similar[no_classes]

    def for_element(self, record: RecordTree, node: int) -> SimilarPositions | None:
        """Return the positions for the class of an element."""
        if self.always is not None:
            return self.always
        classes = record.classes(node)
        if classes not in self.known:
            if len(self.known) > _MAX_KNOWN_CLASSES:
                self.known.clear()
            key = class_key(classes)
            self.known[classes] = self._most_similar(key)
        return self.known[classes]

    def _most_similar(self, key: str) -> SimilarPositions | None:
        for classes, positions in self.similar.items():
            if key in classes:
                return positions
        names = set(key.split())
        best = max(self.similar, key=lambda classes: _overlap(names, classes))
        if not _overlap(names, best):
            return None
        return self.similar[best]


def _overlap(names: set[str], classes: ClassKeys) -> float:
    """Return the share of the class names that is common, at best."""
    shares = []
    for other in classes:
        other_names = set(other.split())
        common = len(names & other_names)
        either = len(names | other_names)
        shares.append(common / max(either, 1))
    return max(shares)


def _fits_better(
    position: ColumnPosition, record: RecordTree, child: int, earlier: int
) -> bool:
    """Return whether of two elements for one position the later has the class it should
    have, and the earlier has not.
    """
    classes = position.classes or ("",)
    earlier_key = class_key(record.classes(earlier))
    if earlier_key in classes:
        return False
    child_key = class_key(record.classes(child))
    return child_key in classes


def position_reader(root: ColumnPosition) -> PositionReader:
    """Return the reader of a position and all below it, made from the bottom."""
    order: list[tuple[ColumnPosition, bool]] = []
    stack = [(root, False)]
    while stack:
        position, is_listed = stack.pop()
        is_listed = is_listed or position.repeats
        order.append((position, is_listed))
        stack.extend((child, is_listed) for child in position.children)

    readers: dict[int, PositionReader] = {}
    for position, is_listed in reversed(order):
        children = [readers[id(child)] for child in position.children]
        readers[id(position)] = PositionReader(
            position, is_listed=is_listed, children=children
        )
    return readers[id(root)]
