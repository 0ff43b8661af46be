"""How much of a page is read, as one value."""

from __future__ import annotations

from dataclasses import dataclass

from scythe.errors import UsageError

_DEEPEST = 512
"""Levels at which HTML parsers and browsers stop nesting."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds that keep any input within a few seconds and a gigabyte; what exceeds them
    is cut, and the tree says so.

    The largest pages seen in use (whole books, generated API references) are under 10
    MB and 300,000 nodes, so the defaults cut only what no person wrote. Depth: browsers
    and the parser stop nesting at 512; here the text of deeper elements is kept as
    children of the last allowed level.
    """

    max_bytes: int = 16_000_000
    max_nodes: int = 300_000
    max_depth: int = 500

    def __post_init__(self) -> None:
        for name in ("max_bytes", "max_nodes", "max_depth"):
            value = getattr(self, name)
            if value < 1:
                raise UsageError(
                    f"Limits: {name} must be at least 1, not {value}. "
                    "Leave it out for the default."
                )
        if self.max_depth > _DEEPEST:
            raise UsageError(
                f"Limits: max_depth can be at most {_DEEPEST}, where HTML parsers and "
                "browsers stop nesting."
            )
