"""What the model sees of every block: one row of `NAMES` for each feature, one column
for each block.

Everything is a pass over arrays: totals of any element are differences of running sums
over the blocks. No feature reads words of the text, so none depends on the language.
The order of the rows is that of the trained model.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scythe.content.methods.learned import (
    declared,
    position_features,
    roles,
    structure_features,
    text_features,
)
from scythe.content.methods.learned.compiled import compiled_rows
from scythe.content.methods.learned.declared_lists import declared_blocks
from scythe.content.methods.learned.outline import Blocks
from scythe.content.methods.learned.spans import ElementSpans
from scythe.content.methods.learned.text_features import COLON, Floats
from scythe.content.methods.learned.units import find_units
from scythe.core.learned import BlockRows
from scythe.tree.tree import Tree

NAMES: tuple[str, ...] = (
    *text_features.NAMES,
    *position_features.NAMES,
    *structure_features.level_names(),
    *(f"section {name}" for name in position_features.SECTION_NAMES),
    *structure_features.holder_names(),
    *(f"S {name}" for name in structure_features.SIGNATURE_NAMES),
    *structure_features.role_names(),
    *(f"page {name}" for name in structure_features.PAGE_NAMES),
)
PAGE_NAMES: tuple[str, ...] = (*roles.NAMES, *declared.NAMES)
"""What is known of the page and not of its blocks: the share of words under each role,
and what the head declares.
"""

ENDING_ROW, HEADING_ROW = NAMES.index("ending"), NAMES.index("heading")
FROM_TITLE_ROW, LINKED_ROW = NAMES.index("from title"), NAMES.index("linked")
FIRST_ALIKE_ROW = NAMES.index("S first")
_FIRST_ALIKE = NAMES.index("L0 alike")


MAX_BLOCKS = 30_000
"""Pages with more blocks are beyond anything the model was trained on, and their
features would fill a gigabyte: LBDA, which grows with the page alone, takes them.
"""


@dataclass(frozen=True, eq=False)
class Features:
    """The features of a page: `rows` has a row for each of `NAMES` and a column for
    each block.
    """

    rows: Floats
    page: Floats
    """One number for each of `PAGE_NAMES`."""
    words: NDArray[np.int64]
    unit_of: NDArray[np.int64]
    """The unit (a table, a list, a quote) of each block, -1 for none."""
    is_declared: NDArray[np.bool_]
    """Which blocks the structured data of the page declares as its content."""

    @property
    def is_headline(self) -> NDArray[np.bool_]:
        """Which block is the heading that has most of the page's title, if any."""
        is_heading = self.rows[HEADING_ROW] > 0
        return np.asarray(is_heading & (self.rows[FROM_TITLE_ROW] == 0))

    @property
    def ends_with_colon(self) -> NDArray[np.bool_]:
        """Which blocks announce what follows them."""
        return np.asarray(self.rows[ENDING_ROW] == COLON)

    @property
    def linked(self) -> NDArray[np.float32]:
        """The share of each block's text that is links."""
        return np.asarray(self.rows[LINKED_ROW])

    @property
    def is_heading(self) -> NDArray[np.bool_]:
        """Whether each block is a heading."""
        return np.asarray(self.rows[HEADING_ROW] > 0)

    @property
    def column_of(self) -> NDArray[np.int64]:
        """The first block with the same tags and classes above it, for each block: they
        are the same field of other records, or paragraphs of one text.
        """
        count = len(self.words)
        first_alike = self.rows[FIRST_ALIKE_ROW] * count
        return np.rint(first_alike).astype(np.int64)


def compute_features(tree: Tree, blocks: Blocks) -> Features:
    """Return all features of a page that has at least one block."""
    facts = declared.read_declared(tree)
    found = compiled_rows(tree, blocks, facts, len(NAMES))
    if found is None:
        found = reference_rows(tree, blocks, facts)
    return Features(
        rows=found.rows,
        page=found.page,
        words=found.words,
        unit_of=found.unit_of,
        is_declared=declared_blocks(tree, blocks, facts.text),
    )


def reference_rows(
    tree: Tree, blocks: Blocks, facts: declared.DeclaredFacts
) -> BlockRows:
    """Return the features of blocks without the compiled core, which gives the same."""
    spans = ElementSpans(tree, blocks)
    lines = [text.strip() for text in blocks.texts(tree)]
    counts = text_features.count_blocks(spans, lines)
    sums = counts.running_sums()
    role_rows, under_role = structure_features.role_rows(spans, counts)
    groups: list[NDArray[np.generic]] = [
        text_features.text_rows(spans, lines, facts, counts),
        *position_features.position_rows(spans, lines, facts, counts, sums),
        structure_features.level_rows(spans, sums),
        structure_features.upper_rows(spans, sums),
        position_features.section_rows(counts),
        structure_features.holder_rows(spans, counts),
        structure_features.signature_rows(spans, counts),
        role_rows,
        np.zeros((len(structure_features.PAGE_NAMES), len(blocks))),
    ]
    rows = np.concatenate(groups, axis=0, dtype=np.float32)
    alike = rows[_FIRST_ALIKE : _FIRST_ALIKE + structure_features.ALIKE_LEVELS]
    values = structure_features.page_values(counts, alike)
    rows[-len(values) :] = values[:, None]
    shares = structure_features.role_shares(under_role, counts.words)
    return BlockRows(
        rows=rows,
        words=counts.words,
        unit_of=find_units(tree, spans.first_nodes, counts.words),
        page=np.concatenate([shares, facts.values], dtype=np.float32),
    )
