"""The trained model and the constants of the method, as the compiled core reads them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scythe.boosting import TreeEnsemble
from scythe.content.methods.learned.decision import (
    choice,
    facts,
    page_types,
    units,
)
from scythe.content.methods.learned.decision.page_types import PAGE_TYPES
from scythe.content.methods.learned.features import (
    ENDING_ROW,
    FIRST_ALIKE_ROW,
    FROM_TITLE_ROW,
    HEADING_ROW,
    LINKED_ROW,
    MAX_BLOCKS,
)
from scythe.content.methods.learned.structure_features import BLOCK_WEIGHT
from scythe.content.methods.learned.text_features import COLON
from scythe.content.methods.learned.units import (
    ENCLOSED,
    MAX_LIST,
    MAX_SELECTED,
    MIN_PARAGRAPH,
    PARAGRAPH,
)
from scythe.content.selection import TEXTLESS
from scythe.core.learned import CompiledModel
from scythe.tree.tags import tag_bits

_DECISION = (
    *(HEADING_ROW, ENDING_ROW, FROM_TITLE_ROW, LINKED_ROW, FIRST_ALIKE_ROW),
    COLON,
    choice.MIN_COLUMN,
    page_types.NEGLIGIBLE_SHARE,
    choice.DECLARED,
    BLOCK_WEIGHT,
    units.UNIT_LINKS,
    units.UNIT_REACH,
    units.UNIT_BETWEEN,
    units.UNIT_BESIDE,
    units.UNIT_SHARE,
    units.UNIT_ALIKE,
    choice.HEADING_OVER_TEXT,
    choice.HEADING_OVER_UNIT,
)
"""In the order of core/src/learned/decision.rs."""


def compiled_model(
    ensembles: Sequence[TreeEnsemble], beta: float
) -> CompiledModel | None:
    """Return a model for which recall counts `beta` times as much as precision, given
    its ensembles for types, prose, mixed pages and the confidence; None where the core
    cannot score one of them.
    """
    compiled = []
    for ensemble in ensembles:
        if ensemble.compiled is None:
            return None
        compiled.append(ensemble.compiled)
    of_prediction = (
        facts.UNDECIDED,
        page_types.ARTICLE_SLOPE,
        page_types.ARTICLE_SHIFT,
        PAGE_TYPES.index("article"),
        beta,
        MAX_BLOCKS,
        *page_types.SHARES_OF_PROSE,
        *page_types.ARE_RECORD_TYPES,
        *page_types.BETAS_OF_TYPES,
    )
    constants = (
        np.array(_DECISION, dtype=np.float64),
        np.array(of_prediction, dtype=np.float64),
        tag_bits(TEXTLESS),
        tag_bits(ENCLOSED, PARAGRAPH),
        np.array((MAX_SELECTED, MIN_PARAGRAPH, MAX_LIST), dtype=np.float64),
    )
    biases = np.concatenate([ensemble.bias for ensemble in ensembles])
    return CompiledModel.of(compiled, biases, constants, len(PAGE_TYPES))
