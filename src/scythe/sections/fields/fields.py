"""The fields of a record, read by known positions, without aligning anything again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from scythe.errors import ScytheError, UsageError
from scythe.sections.fields.position import ANY_TAG, ColumnPosition, prune
from scythe.sections.fields.reader import FieldValues, ReadStep, Value, position_reader
from scythe.sections.fields.record_tree import RecordTree
from scythe.sections.span import Span
from scythe.tree.tree import Tree
from scythe.tree.visibility import hidden


@dataclass(frozen=True, eq=False)
class Fields:
    """Where the fields of records are. `columns` are their names, in reading order.

    A field that a record does not have is absent from what `read` gives; one that can
    repeat is always a list.
    """

    root: ColumnPosition
    columns: tuple[str, ...]

    @cached_property
    def _first_step(self) -> ReadStep:
        """Where reading begins: at the one element that a record is, or at the list of
        its elements.
        """
        reader = position_reader(self.root)
        if self.starts_at_one_element:
            return ReadStep(reader.children[0], 0, "")
        return ReadStep(reader, -1, "")

    @property
    def starts_at_one_element(self) -> bool:
        """Whether a record is one element, from which its fields are read; else they
        are read from the list of its elements.
        """
        children = self.root.children
        return len(children) == 1 and children[0].tag == ANY_TAG

    @cached_property
    def address_columns(self) -> frozenset[str]:
        """The columns of links and images, whose values are addresses."""
        names: set[str | None] = set()
        for position in self.positions():
            names.update((position.link, position.image))
        return frozenset(name for name in names if name)

    def read(self, tree: Tree, span: Span) -> dict[str, Value]:
        """Return the fields of one record."""
        record = RecordTree(tree, span, hidden(tree))
        if not record.tags:
            return {}
        values: FieldValues = {}
        stack = [(record, self._first_step)]
        while stack:
            part, (reader, node, text_before) = stack.pop()
            if reader.has_column:
                reader.read_node(part, node, text_before, values)
            if reader.children:
                steps = reader.read_children(part, node, values)
                stack.extend((part, step) for step in reversed(steps))
            if reader.by_cell:
                stack.extend(reader.cells_above(part, node))
        return {name: values[name] for name in self.columns if name in values}

    def rename(self, column: str, name: str) -> Fields:
        """Return the fields with another name for a column."""
        if column not in self.columns:
            known = ", ".join(self.columns)
            raise UsageError(f"There is no column {column!r}. There are: {known}.")
        if name in self.columns:
            raise UsageError(f"There is a column {name!r} already. Rename it first.")
        if not name or name != " ".join(name.split()):
            raise UsageError("A name has letters and single spaces, and is not empty.")
        names = {one: one for one in self.columns}
        return self.only(names | {column: name})

    def only(self, names: Mapping[str, str]) -> Fields:
        """Return some of the columns, each under a new name."""
        kept = [column for column in self.columns if column in names]
        columns = [names[column] for column in kept]
        chosen = Fields.from_json({**self.as_json(), "columns": columns})
        for position in chosen.positions():
            for kind in ("text", "link", "image", "date"):
                old_name = getattr(position, kind)
                setattr(position, kind, names.get(old_name))
        prune(chosen.root)
        return chosen

    def positions(self) -> Iterator[ColumnPosition]:
        """Yield all positions, the root first."""
        stack = [self.root]
        while stack:
            position = stack.pop()
            yield position
            stack.extend(position.children)

    def as_json(self) -> dict[str, Any]:
        """Return columns and positions as plain data, for a person to read."""
        root_values = self.root.as_json()
        stack = [(self.root, root_values)]
        while stack:
            position, values = stack.pop()
            if position.children:
                inside = [child.as_json() for child in position.children]
                values["inside"] = inside
                stack.extend(zip(position.children, inside, strict=True))
        return {"columns": list(self.columns), "record": root_values}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Fields:
        """Return what `as_json` gave."""
        try:
            columns = tuple(map(str, data["columns"]))
            root_values = data["record"]
            root = ColumnPosition.from_json(root_values)
            stack = [(root, root_values)]
            while stack:
                position, values = stack.pop()
                inside = values.get("inside", [])
                position.children = [
                    ColumnPosition.from_json(child) for child in inside
                ]
                stack.extend(zip(position.children, inside, strict=True))
        except (KeyError, TypeError, AttributeError) as error:
            raise ScytheError(
                f"Field rules are not as scythe writes them ({error!r}). "
                "Learn the wrapper again."
            ) from None
        return cls(root, columns)
