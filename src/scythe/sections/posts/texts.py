"""The texts of a page as threads read them, by the compiled core where it is at work."""

from __future__ import annotations

import re

import numpy as np

from scythe.core.texts import ThreadTexts, read_thread_texts
from scythe.tree.compiled.texts import text_tables
from scythe.tree.compiled.trees import block_of
from scythe.tree.tree import Bools, Tree

MAX_DATE = 80
"""Characters of a text that is a date and little else; a bound, not tuned."""
_WIDE = re.compile("[\u2e80-\uffef]")


def thread_texts(tree: Tree, is_read: Bools) -> ThreadTexts:
    """Return the texts that may be read and are not blank."""
    block = block_of(tree)
    tables = None if block is None else text_tables()
    if block is not None and tables is not None:
        found = read_thread_texts(tables, block, is_read, MAX_DATE)
        if found is not None:
            return found
    return reference_texts(tree, is_read)


def reference_texts(tree: Tree, is_read: Bools) -> ThreadTexts:
    """Return the texts without the compiled core, which gives the same."""
    nodes = np.flatnonzero(tree.is_text & is_read)
    texts = list(map(str.strip, tree.texts(nodes)))
    nodes = nodes[np.array(texts, dtype=bool)]
    texts = list(filter(None, texts))
    words = list(map(_word_count, texts))
    may_be_dates = list(map(_may_be_date, texts))
    return ThreadTexts(
        nodes.astype(np.int32),
        np.array(words, dtype=np.int32),
        np.array(may_be_dates, dtype=bool),
    )


def _word_count(text: str) -> int:
    """Return the words of a text; languages without spaces have a word in two
    characters or so.
    """
    words = len(text.split())
    return words if text.isascii() else max(words, len(_WIDE.findall(text)) // 2)


_DIGIT = re.compile(r"[0-9]|[^\x00-\x7f]")


def _may_be_date(text: str) -> bool:
    return len(text) <= MAX_DATE and _DIGIT.search(text) is not None
