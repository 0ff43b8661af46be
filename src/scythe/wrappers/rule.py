"""What every way of cutting a page into records has in common."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Protocol, Self

from scythe.tree.tree import Tree
from scythe.wrappers.span import Span


class Rule(Protocol):
    """Finds the records of any page of one kind, from its tags and attributes alone."""

    KIND: ClassVar[str]
    """The name by which a wrapper's file says which rule it holds."""

    def cut(self, tree: Tree) -> list[Span]:
        """The records of a page in page order, none where the rule does not fit."""

    def as_json(self) -> dict[str, Any]:
        """The rule as plain values, for a file a person can read."""

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """The rule that `as_json` wrote; a `UsageError` where it is damaged."""
