"""Words that only a style sheet holds apart: `<span>2026</span><span>1h 54m</span>`.

Where two inline elements follow each other without a space, they are two things in 316 of
318 cases of 300 pages of wcxb whose truth has both. The other two are words of which a
part is formatted, and go on in small letters, so those stay as they are. The labels of a
form stand apart by the fields between them: `<label>Name<input></label><label>Town`.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from scythe.content.junk.selected import SelectedTexts
from scythe.content.junk.sought import CODE, FIELDS, INLINE
from scythe.tree.text import line_breaks

_MIN_LENGTH = 2
"""Characters of the first of the two: single letters are initials, or those of a word
that a page moves one by one.
"""


def separated_texts(page: SelectedTexts) -> list[str] | None:
    """Return the selected texts with a space where two of them would be glued together;
    None where none would.
    """
    neighbours = page.known_neighbours
    if neighbours is None:
        neighbours = _neighbours(page)
    labels = page.known_labels
    if labels is None:
        labels = _labels(page)
    glued = _where(page, neighbours, _is_glued) | _where(page, labels, _touch)
    if not glued:
        return None
    texts = list(page.texts)
    for left in glued:
        texts[left] += " "
    return texts


def _neighbours(page: SelectedTexts) -> NDArray[np.integer]:
    """Return the texts, by their number, that end an inline element with the next text
    at the beginning of another one on the same line.
    """
    tree, nodes = page.tree, page.nodes
    parent = tree.parent[nodes]
    is_inline = tree.has_tag(INLINE)[parent]
    is_last = is_inline & (tree.end[parent] == nodes + 1)
    is_first = is_inline & (parent == nodes - 1)
    pairs = is_last[:-1] & is_first[1:]
    if not pairs.any():
        return np.zeros(0, dtype=np.int64)
    texts_before = np.cumsum(tree.is_text)[nodes]
    pairs &= np.diff(texts_before) == 1
    pairs &= ~line_breaks(tree, nodes)[1:]
    in_code = tree.below(tree.has_tag(CODE))[nodes]
    pairs &= ~in_code[:-1]
    return np.flatnonzero(pairs)


def _where(
    page: SelectedTexts,
    lefts: NDArray[np.integer],
    test: Callable[[str, str], bool],
) -> set[int]:
    """Return which of some texts, by their number, pass a test with the next one."""
    if not len(lefts):
        return set()
    before = page.tree.texts(page.nodes[lefts])
    after = page.tree.texts(page.nodes[lefts + 1])
    passes = list(map(test, before, after))
    return set(lefts[passes].tolist())


def _labels(page: SelectedTexts) -> NDArray[np.int64]:
    """Return the texts, by their number, that have the field of a form between them and
    the next text on the same line.
    """
    tree, nodes = page.tree, page.nodes
    if not tree.has_any(FIELDS):
        return np.zeros(0, dtype=np.int64)
    fields = np.flatnonzero(tree.has_tag(FIELDS))
    texts_before = np.searchsorted(nodes, fields)
    is_between = (texts_before > 0) & (texts_before < len(nodes))
    if not is_between.any():
        return np.zeros(0, dtype=np.int64)
    is_apart = np.zeros(len(nodes) - 1, dtype=bool)
    is_apart[texts_before[is_between] - 1] = True
    is_apart &= ~line_breaks(tree, nodes)[1:]
    return np.flatnonzero(is_apart)


def _touch(before: str, after: str) -> bool:
    return before[-1:].isalnum() and after[:1].isalnum()


def _is_glued(before: str, after: str) -> bool:
    if len(before) < _MIN_LENGTH or not after:
        return False
    end, start = before[-1], after[0]
    ends_word = end.islower() or end.isupper() or end.isdigit()
    return ends_word and (start.isupper() or start.isdigit())
