"""Text blocks: the units about which the learned method decides."""

from __future__ import annotations

from scythe.content.methods.learned.compiled import compiled_blocks
from scythe.content.methods.learned.outline import Blocks, reference_blocks
from scythe.tree.tree import Tree

__all__ = ["Blocks", "find_blocks"]


def find_blocks(tree: Tree) -> Blocks:
    """Return the readable text of a page, split into blocks."""
    return compiled_blocks(tree) or reference_blocks(tree)
