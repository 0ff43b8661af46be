"""From the scores of blocks to the decision about a page: its type, which blocks are
content, and what is known of that.
"""

from scythe.content.methods.learned.decision.choice import (
    Decided,
    choose_blocks,
    decide,
    pool_columns,
    select_blocks,
    with_declared,
    with_section_headings,
    without_headline,
)
from scythe.content.methods.learned.decision.facts import FACTS, page_facts
from scythe.content.methods.learned.decision.page_types import (
    PAGE_TYPES,
    TYPE_NAMES,
    calibrate,
    score_blocks,
    type_probabilities,
    type_rows,
)
from scythe.content.methods.learned.decision.units import complete_units

__all__ = [
    "FACTS",
    "PAGE_TYPES",
    "TYPE_NAMES",
    "Decided",
    "calibrate",
    "choose_blocks",
    "complete_units",
    "decide",
    "page_facts",
    "pool_columns",
    "score_blocks",
    "select_blocks",
    "type_probabilities",
    "type_rows",
    "with_declared",
    "with_section_headings",
    "without_headline",
]
