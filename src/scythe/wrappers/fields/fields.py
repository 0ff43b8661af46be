"""The fields of a record, read by known places, without aligning anything again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from scythe.errors import ScytheError
from scythe.tree.tree import Tree
from scythe.wrappers.fields.place import ANY, Place
from scythe.wrappers.fields.reading import Found, Step, Value, plan_of
from scythe.wrappers.fields.region import Region
from scythe.wrappers.span import Span


@dataclass(frozen=True, eq=False)
class Fields:
    """Where the fields of records are. `columns` are their names, in reading order.

    A field that a record does not have is absent from what `read` gives; one that can
    repeat is always a list.
    """

    root: Place
    columns: tuple[str, ...]

    @cached_property
    def _first(self) -> Step:
        """Where reading begins: at the one element that a record is, or at the list of
        its elements.
        """
        plan = plan_of(self.root)
        single = len(plan.children) == 1 and plan.children[0].place.tag == ANY
        return Step(plan.children[0], 0, "") if single else Step(plan, -1, "")

    def read(self, tree: Tree, span: Span) -> dict[str, Value]:
        """The fields of one record."""
        region = Region(tree, span)
        if not region.tags:
            return {}
        found: Found = {}
        waiting = [self._first]
        while waiting:
            plan, node, before = waiting.pop()
            if plan.takes:
                plan.take(region, node, before, found)
            if plan.children:
                waiting.extend(reversed(plan.walk(region, node, found)))
        return {name: found[name] for name in self.columns if name in found}

    def as_json(self) -> dict[str, Any]:
        """Columns and places as plain data, for a person to read."""
        record = self.root.as_json()
        waiting = [(self.root, record)]
        while waiting:
            place, written = waiting.pop()
            if place.children:
                written["inside"] = [child.as_json() for child in place.children]
                waiting.extend(zip(place.children, written["inside"], strict=True))
        return {"columns": list(self.columns), "record": record}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Fields:
        """What `as_json` gave."""
        try:
            columns, record = tuple(map(str, data["columns"])), data["record"]
            root = Place.from_json(record)
            waiting = [(root, record)]
            while waiting:
                place, written = waiting.pop()
                inside = written.get("inside", [])
                place.children = [Place.from_json(child) for child in inside]
                waiting.extend(zip(place.children, inside, strict=True))
        except (KeyError, TypeError, AttributeError) as error:
            raise ScytheError(
                f"Field rules are not as scythe writes them ({error!r}). Learn the wrapper again."
            ) from None
        return cls(root, columns)
