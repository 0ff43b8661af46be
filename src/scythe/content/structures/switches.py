"""The outline as a caller wants it: links as footnotes or without addresses, no
pictures, tables as rows.

Only what stands around the words changes. Every renderer reads the result, so that a
switch means the same in all formats.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import NamedTuple

from scythe.content.options import ExtractOptions
from scythe.content.structures.builder import build_outline
from scythe.content.structures.headings import with_headline
from scythe.content.structures.outline import (
    Block,
    Cell,
    Container,
    Image,
    InlinePiece,
    Leaf,
    Mark,
    Marks,
    Table,
)
from scythe.tree.tree import Bools, Tree

CELL_SEPARATOR = " | "
"""What stands between the cells of a row that is written as a line."""
NOTE = "note"
"""The tag of a mark whose text has a footnote; its attribute is the number."""


class SwitchedOutline(NamedTuple):
    """The blocks to write, and the addresses of footnotes in the order of their
    numbers, which begin at 1.
    """

    blocks: list[Block]
    notes: tuple[str, ...]


def read_outline(
    tree: Tree,
    nodes: Bools,
    url: str | None,
    options: ExtractOptions,
    title: str | None = None,
) -> SwitchedOutline:
    """Return the outline of the selected nodes, as the options say.

    `title` is that of the page, empty where it has none. Without one, the nodes are
    read as a fragment, whose headings stay as they are.
    """
    blocks = build_outline(tree, nodes, url).children
    if title is not None:
        blocks = with_headline(blocks, title)
    switcher = _Switcher(options)
    if switcher.changes_nothing:
        return SwitchedOutline(blocks, ())
    switched = switcher.blocks(blocks)
    return SwitchedOutline(switched, tuple(switcher.note_numbers))


@dataclass
class _Switcher:
    options: ExtractOptions
    note_numbers: dict[str, int] = field(default_factory=dict)
    """The number of each address that has a footnote."""

    @property
    def changes_nothing(self) -> bool:
        """Whether the outline is wanted as the page has it."""
        options = self.options
        keeps_marks = options.links == "inline" and options.images
        return keeps_marks and options.tables == "grid"

    def blocks(self, children: list[Block]) -> list[Block]:
        """Return blocks as the options say."""
        switched: list[Block] = []
        for block in children:
            if isinstance(block, Leaf):
                switched.append(self._leaf(block))
            elif isinstance(block, Container):
                children = self.blocks(block.children)
                switched.append(replace(block, children=children))
            elif self.options.tables == "rows":
                switched += self._row_leaves(block)
            else:
                switched.append(self._table(block))
        return switched

    def _leaf(self, leaf: Leaf) -> Leaf:
        pieces: list[InlinePiece] = []
        for marks, content in leaf.content:
            if isinstance(content, Image) and not self.options.images:
                continue
            pieces.append((self._marks(marks), content))
        return replace(leaf, content=pieces)

    def _marks(self, marks: Marks) -> Marks:
        if self.options.links == "inline":
            return marks
        switched = []
        for mark in marks:
            if mark.tag != "a":
                switched.append(mark)
            elif self.options.links == "footnotes":
                number = self._note_number(mark)
                attributes = (("number", str(number)),)
                switched.append(Mark(NOTE, attributes))
        return tuple(switched)

    def _note_number(self, link: Mark) -> int:
        """Return the number of a link's footnote; one address has one."""
        address = link.attributes[0][1]
        return self.note_numbers.setdefault(address, len(self.note_numbers) + 1)

    def _table(self, table: Table) -> Table:
        caption = self._leaf(table.caption)
        rows = list(map(self._cells, table.rows))
        return replace(table, rows=rows, caption=caption)

    def _cells(self, row: list[Cell]) -> list[Cell]:
        return [replace(cell, text=self._leaf(cell.text)) for cell in row]

    def _row_leaves(self, table: Table) -> list[Block]:
        """Return a table as a paragraph for its caption and one for each row."""
        caption = self._leaf(table.caption)
        leaves: list[Block] = [replace(caption, kind="p")]
        leaves += [self._row_leaf(row) for row in table.rows]
        return leaves

    def _row_leaf(self, row: list[Cell]) -> Leaf:
        pieces: list[InlinePiece] = []
        for cell in row:
            cell_pieces = self._leaf(cell.text).content
            if not cell_pieces:
                continue
            if pieces:
                pieces.append(((), CELL_SEPARATOR))
            for marks, content in cell_pieces:
                pieces.append((marks, " " if content is None else content))
        return Leaf("p", pieces)
