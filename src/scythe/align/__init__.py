"""Tree matching and partial tree alignment, for wrappers and templates alike."""

from scythe.align.forest import Forest, ForestVocabulary
from scythe.align.matching import Matching, forest_similarity, match
from scythe.align.partial import Alignment, align

__all__ = [
    "Alignment",
    "Forest",
    "ForestVocabulary",
    "Matching",
    "align",
    "forest_similarity",
    "match",
]
