"""Markdown of a selection."""

from __future__ import annotations

from scythe.tree.tree import Bools, Tree


def to_markdown(tree: Tree, nodes: Bools, base_url: str | None = None) -> str:
    """To be written."""
    return ""
