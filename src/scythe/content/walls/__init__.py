"""Pages that stand in the way of the content asked for."""

from scythe.content.walls.finder import (
    LITTLE_TEXT,
    find_account_form,
    find_wall,
    has_bot_check,
)
from scythe.content.walls.page_words import SHORT_TEXT, PageWords

__all__ = [
    "LITTLE_TEXT",
    "SHORT_TEXT",
    "PageWords",
    "find_account_form",
    "find_wall",
    "has_bot_check",
]
