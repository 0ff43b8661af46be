"""The lines of a page: blocks of text as a browser sets them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import islice, pairwise

import numpy as np
from numpy.typing import NDArray

from scythe.content.methods.learned.blocks import Blocks, find_blocks
from scythe.templates.clusters.sketch import position_hashes
from scythe.templates.lines.words import RecipePart, part_of_heading
from scythe.tree.tags import TagSet
from scythe.tree.tree import Ints, Tree

MAX_LINES = 6_000
"""Lines read of a page; the recipe page with the most has 3,100, most of them comments."""

SHORT_HEADING = 25
"""Characters up to which a line that names a part is its heading, whatever its mark-up."""

HEADING_TAGS = TagSet("h1 h2 h3 h4 h5 h6 legend summary caption dt")
BOLD_TAGS = TagSet("b strong")
_BOXED_TAGS = TagSet("span label time data button")
_COLONS = (":", "\uff1a")


@dataclass(frozen=True, eq=False)
class PageLines:
    """The lines of a page in document order."""

    tree: Tree
    blocks: Blocks

    @classmethod
    def from_tree(cls, tree: Tree) -> PageLines:
        """Return the lines of a page; what it hides is kept, since recipe cards open on
        a click.
        """
        return cls(tree, find_blocks(tree))

    def __len__(self) -> int:
        return min(len(self.blocks), MAX_LINES)

    @cached_property
    def texts(self) -> list[str]:
        """The text of each line, white space collapsed."""
        pieces = self.tree.text[self.blocks.nodes].tolist()
        stands_apart = _stands_apart(self.tree, self.blocks)
        for index in np.flatnonzero(stands_apart).tolist():
            pieces[index] = f" {pieces[index]}"
        texts: list[str] = []
        for start, stop in self.piece_bounds:
            joined = "".join(pieces[start:stop])
            texts.append(" ".join(joined.split()))
        return texts

    @cached_property
    def piece_bounds(self) -> list[tuple[int, int]]:
        """Where the text nodes of each line begin and end in `blocks.nodes`."""
        blocks = self.blocks
        bounds = [*blocks.first.tolist(), len(blocks.nodes)]
        return list(islice(pairwise(bounds), len(self)))

    def nodes_of(self, line: int) -> list[int]:
        """Return the text nodes of a line."""
        start, stop = self.piece_bounds[line]
        nodes: list[int] = self.blocks.nodes[start:stop].tolist()
        return nodes

    @cached_property
    def first(self) -> Ints:
        """The first text node of each line."""
        first_nodes = self.blocks.nodes[self.blocks.first]
        return first_nodes[: len(self)]

    @cached_property
    def line_of(self) -> NDArray[np.int64]:
        """For every node of the tree the line that it is a text of, -1 for none."""
        line_of = np.full(len(self.tree), -1, dtype=np.int64)
        block_of = self.blocks.block_of
        is_line = block_of < len(self)
        own_lines = np.where(is_line, block_of, -1)
        line_of[self.blocks.nodes] = own_lines
        return line_of

    @cached_property
    def container(self) -> Ints:
        """The nearest block-level element around each line."""
        return self.blocks.container[: len(self)]

    @cached_property
    def position(self) -> NDArray[np.uint64]:
        """A number for the position of each line's container: equal for lines in the
        same position of a page, or of pages of one template.
        """
        return position_hashes(self.tree, self.container)

    @cached_property
    def has_both_headings(self) -> bool:
        """Whether short lines name the ingredients and the instructions."""
        short = [text for text in self.texts if len(text) <= SHORT_HEADING]
        parts = {part_of_heading(text) for text in short}
        return {RecipePart.INGREDIENTS, RecipePart.INSTRUCTIONS} <= parts

    @cached_property
    def is_heading(self) -> NDArray[np.bool_]:
        """Which lines are headings by their tag or by the colon at their end."""
        ends_with_colon = [text.endswith(_COLONS) for text in self.texts]
        is_marked = self.in_tags(HEADING_TAGS | BOLD_TAGS)
        return is_marked | np.array(ends_with_colon, dtype=bool)

    def in_tags(self, tags: TagSet) -> NDArray[np.bool_]:
        """Return which lines stand in an element of one of the tags."""
        tree = self.tree
        is_inside = tree.below(tree.has_tag(tags))
        return is_inside[self.first]


def _stands_apart(tree: Tree, blocks: Blocks) -> NDArray[np.bool_]:
    """Return which text nodes stand apart from the one before though no white space is
    between them.

    Style sheets set quantities, units and names apart that are spans without white
    space. Two texts that each have such an element of their own are apart; a text that
    goes on around an element (a drop cap, a word in bold) is not.
    """
    parent = tree.parent[blocks.nodes]
    is_boxed = tree.has_tag(_BOXED_TAGS)[parent]
    apart = np.zeros(len(parent), dtype=bool)
    one = parent[:-1]
    other = parent[1:]
    has_box = is_boxed[1:] | is_boxed[:-1]
    is_beside = (tree.end[one] <= other) & has_box
    apart[1:] = is_beside & (one != other)
    return apart
