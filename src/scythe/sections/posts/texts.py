"""The texts of a page as threads read them, by the compiled core where it is at work."""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scythe.tree.compiled import texts as compiled
from scythe.tree.compiled.signs import SignGroups
from scythe.tree.tree import Bools, Tree


class ThreadTexts(NamedTuple):
    """Texts of a page that are not blank, as threads read them."""

    nodes: NDArray[np.int32]
    words: NDArray[np.int32]
    may_be_dates: NDArray[np.bool_]
    """Which are as short as a date, and may have what dates have."""


MAX_DATE = 80
"""Characters of a text that is a date and little else; a bound, not tuned."""
DATE_SIGNS = (
    *("today", "yesterday", "heute", "gestern", "aujourd", "hier", "hoy", "ayer"),
    *("oggi", "ieri", "hoje", "ontem", "vandaag", "gisteren", "dzisiaj", "wczoraj"),
    *("dnes", "v\u010dera", "\u0441\u0435\u0433\u043e\u0434\u043d\u044f"),
    *(
        "\u0432\u0447\u0435\u0440\u0430",
        "今天",
        "昨天",
        "今日",
        "昨日",
        "ago",
        "vor ein",
    ),
    *("il y a un", "hace un", "h\u00e1 um", "\u017f", "\u0131", "i\u0307"),
    *map(chr, range(0x1C80, 0x1C89)),
)
"""One of which every word for a day has, in lower case; at last the letters beyond ASCII
that a regular expression takes for s, i and some of Cyrillic.
"""
_GROUPS = SignGroups(folds=True)
_WIDE = re.compile("[\u2e80-\uffef]")


def thread_texts(tree: Tree, is_read: Bools) -> ThreadTexts:
    """Return the texts that may be read and are not blank."""
    found = compiled.thread_texts(tree, is_read, MAX_DATE, _GROUPS, DATE_SIGNS)
    if found is not None:
        return ThreadTexts(*found)
    return reference_texts(tree, is_read)


def reference_texts(tree: Tree, is_read: Bools) -> ThreadTexts:
    """Return the texts without the compiled core, which gives the same."""
    nodes = np.flatnonzero(tree.is_text & is_read)
    texts = list(map(str.strip, tree.texts(nodes)))
    nodes = nodes[np.array(texts, dtype=bool)]
    texts = list(filter(None, texts))
    words = list(map(_word_count, texts))
    text_lengths = list(map(len, texts))
    lengths = np.array(text_lengths, dtype=np.int64)
    return ThreadTexts(
        nodes.astype(np.int32),
        np.array(words, dtype=np.int32),
        lengths <= MAX_DATE,
    )


def _word_count(text: str) -> int:
    """Return the words of a text; languages without spaces have a word in two
    characters or so.
    """
    words = len(text.split())
    if text.isascii():
        return words
    wide_letters = len(_WIDE.findall(text))
    return max(words, wide_letters // 2)


def class_numbers(tree: Tree) -> NDArray[np.int64]:
    """Return a number for the first class of every node, digits at its end aside; 0
    where it has none.
    """
    known = compiled.class_numbers(tree)
    if known is not None:
        return known
    numbers: dict[str, int] = {"": 0}
    number_of: dict[str, int] = {}
    class_of = np.zeros(len(tree), dtype=np.int64)
    for node, value in tree.with_attribute("class").items():
        if value not in number_of:
            first = next(iter(value.split()), "")
            name = first.rstrip("0123456789-_")
            number_of[value] = numbers.setdefault(name, len(numbers))
        class_of[node] = number_of[value]
    return class_of
