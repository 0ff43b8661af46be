"""Tree matching and partial tree alignment, for wrappers and templates alike."""

from scythe.align.forest import Forest, Vocabulary
from scythe.align.matching import Matching, match, similarity
from scythe.align.partial import Alignment, align

__all__ = [
    "Alignment",
    "Forest",
    "Matching",
    "Vocabulary",
    "align",
    "match",
    "similarity",
]
