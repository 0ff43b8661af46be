"""What is known of a decision as a whole: its confidence is read from it."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from scythe.content.methods.learned.decision.page_types import PAGE_TYPES
from scythe.content.methods.learned.elementary import ordered_sum
from scythe.content.methods.learned.features import Features
from scythe.tree.tree import Bools

FACTS = (
    "expected F1",
    "precision",
    "margin",
    "doubt",
    "chosen share",
    "words",
    "chosen words",
    "blocks",
    *(f"type {name}" for name in PAGE_TYPES),
    "type certainty",
    "words added in units",
    "words removed in units",
)
"""What the confidence of a page is read from."""

UNDECIDED = 0.3
"""How near to one half a probability is undecided. The model was trained with this."""


def page_facts(
    features: Features,
    probability: NDArray[np.float64],
    chosen: Bools,
    selected: Bools,
    types: NDArray[np.float64],
) -> NDArray[np.float32]:
    """Return one column with what is known of the decision as a whole, a row for each
    of `FACTS`. `chosen` are the blocks before units were completed.
    """
    words = features.words
    content_words = words * probability
    content_total = ordered_sum(content_words)
    selected_content = ordered_sum(content_words[selected])
    total = max(float(words.sum()), 1.0)
    selected_words = float(words[selected].sum())
    at_least_one = max(selected_words, 1.0)

    is_undecided = np.abs(probability - 0.5) < UNDECIDED
    undecided_words = float(words[is_undecided].sum())
    doubt = np.minimum(probability, 1 - probability)
    doubtful_words = ordered_sum(words * doubt)
    values = [
        2 * selected_content / (selected_words + content_total + 1e-9),
        selected_content / at_least_one,
        undecided_words / at_least_one,
        doubtful_words / at_least_one,
        selected_words / total,
        math.log1p(total),
        math.log1p(selected_words),
        math.log1p(len(words)),
        *types,
        types.max(),
        float(words[selected & ~chosen].sum()) / at_least_one,
        float(words[chosen & ~selected].sum()) / at_least_one,
    ]
    return np.array(values, dtype=np.float32)[:, None]
