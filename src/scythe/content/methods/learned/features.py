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
from scythe.content.methods.learned.blocks import Blocks
from scythe.content.methods.learned.spans import ElementSpans
from scythe.content.methods.learned.text_features import COLON, Floats
from scythe.content.methods.learned.units import find_units
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

_ENDING, _HEADING = NAMES.index("ending"), NAMES.index("heading")
_FROM_TITLE = NAMES.index("from title")


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

    @property
    def is_headline(self) -> NDArray[np.bool_]:
        """Which block is the heading that has most of the page's title, if any."""
        is_heading = self.rows[_HEADING] > 0
        return np.asarray(is_heading & (self.rows[_FROM_TITLE] == 0))

    @property
    def ends_with_colon(self) -> NDArray[np.bool_]:
        """Which blocks announce what follows them."""
        return np.asarray(self.rows[_ENDING] == COLON)


def compute_features(tree: Tree, blocks: Blocks) -> Features:
    """Return all features of a page that has at least one block."""
    spans = ElementSpans(tree, blocks)
    lines = [text.strip() for text in blocks.texts(tree)]
    facts = declared.read_declared(tree)
    counts = text_features.count_blocks(spans, lines)
    sums = counts.running_sums()
    role_rows, page_roles = structure_features.role_rows(spans, counts)
    page_values = structure_features.page_values(spans, counts, sums)
    page_rows = np.broadcast_to(page_values[:, None], (len(page_values), len(blocks)))

    groups: list[NDArray[np.generic]] = [
        text_features.text_rows(spans, lines, facts, counts),
        *position_features.position_rows(spans, lines, facts, counts, sums),
        structure_features.level_rows(spans, sums),
        structure_features.upper_rows(spans, sums),
        position_features.section_rows(counts),
        structure_features.holder_rows(spans, counts),
        structure_features.signature_rows(spans, counts),
        role_rows,
        page_rows,
    ]
    rows = np.concatenate(groups, axis=0, dtype=np.float32)
    page = np.concatenate([page_roles, facts.values], dtype=np.float32)
    unit_of = find_units(tree, spans.first_nodes, counts.words)
    return Features(rows, page, counts.words, unit_of)
