"""HTML to `Tree` by the compiled core, where there is one.

`scythe.tree.parse` is the reference: the same tree, node for node.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scythe.core.block import Block
from scythe.core.library import parse_page
from scythe.tree.compiled.attributes import BlockAttributes
from scythe.tree.construction.structure import flatten_below
from scythe.tree.encoding import PageText
from scythe.tree.limits import Limits
from scythe.tree.tags import TEXT
from scythe.tree.tree import Tree


def compiled_tree(page: PageText, limits: Limits) -> Tree | None:
    """Return the tree of a page; None where there is no core, or it leaves the page to
    the reference.
    """
    data = parse_page(page.utf8(), limits.max_nodes)
    if data is None:
        return None
    block = Block(data)
    cut = list(page.cut)
    if block.is_cut:
        cut.append("nodes")
    parent, end, depth = block.parent, block.end, block.depth
    if block.max_depth > limits.max_depth:
        parent, end, depth = parent.copy(), end.copy(), depth.copy()
        flatten_below(limits.max_depth, parent, end, depth)
        cut.append("depth")
    text = _text_column(block)
    return Tree(
        tag=block.tag,
        parent=parent,
        end=end,
        depth=depth,
        text=text,
        source=BlockAttributes(block, text),
        extra_names=block.extra_names,
        encoding=page.encoding,
        cut=tuple(cut),
    )


def block_of(tree: Tree) -> Block | None:
    """Return the arrays that the core made a tree of; None where another made it, or it
    was changed since.
    """
    source = tree.source
    if not isinstance(source, BlockAttributes):
        return None
    is_same = tree.parent is source.block.parent and tree.text is source.text
    return source.block if is_same else None


def _text_column(block: Block) -> NDArray[np.object_]:
    """Return the text of every node, empty for what is no text."""
    texts = block.texts
    column = np.full(len(block.tag), "", dtype=object)
    column[block.tag == TEXT] = np.fromiter(texts, dtype=object, count=len(texts))
    return column
