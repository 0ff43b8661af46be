"""What kind of page it is, read from the page as a whole and from its blocks on
average.
"""

from __future__ import annotations

import numpy as np

from scythe.content.methods.learned.features import NAMES as BLOCK_NAMES
from scythe.content.methods.learned.features import PAGE_NAMES, Features, Floats

PAGE_TYPES = (
    "article",
    "documentation",
    "service",
    "forum",
    "collection",
    "listing",
    "product",
)
"""The page types of WCXB."""

NAMES = (*PAGE_NAMES, *(f"mean {name}" for name in BLOCK_NAMES))


def type_rows(features: Features) -> Floats:
    """One column for the page, a row for each of `NAMES`: its own features, and those
    of its blocks weighted by words.
    """
    weight = (features.words + 0.3).astype(np.float32)
    return np.concatenate([features.page, features.rows @ (weight / weight.sum())])[
        :, None
    ]
