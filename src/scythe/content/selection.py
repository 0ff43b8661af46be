"""What a method chose: nodes, and nothing about how they will be written."""

from __future__ import annotations

from dataclasses import dataclass

from scythe.tree.tree import Bools


@dataclass(frozen=True, eq=False, slots=True)
class Selection:
    """The nodes that are main content.

    `nodes` marks text nodes and elements without text (images, rules, breaks). Which elements stand around them is read
    from the tree by the renderers, so that every rendering shows the same selection.
    """

    nodes: Bools
    confidence: float
    """How sure the method is, from 0 to 1: the F1 it expects, calibrated only where the method says so."""
    page_type: str | None = None
