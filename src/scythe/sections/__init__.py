"""The record sections of a page, found by what repeats and ranked by what was learned
from labelled pages.

ViNTs builds candidates from content lines and weighs four properties of a group. Here
candidates come from the tree itself (like siblings, like paths, like classes, runs of
siblings), some fifty properties are weighed, and each record is then asked whether it
belongs. The same steps run on rendered pages, where boxes are weighed as well.
"""

from scythe.sections.section import (
    Section,
    find_sections,
    main_section,
    rank_sections,
)

__all__ = ["Section", "find_sections", "main_section", "rank_sections"]
