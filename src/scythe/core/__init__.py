"""The compiled core: the text of a page to the arrays of a tree, in one call.

Optional. Where the library was not built, or the environment variable `SCYTHE_CORE` is
0, everything runs without it, and gives the same answers.
"""

from scythe.core.block import Block
from scythe.core.library import at_work, parse_block

__all__ = ["Block", "at_work", "parse_block"]
