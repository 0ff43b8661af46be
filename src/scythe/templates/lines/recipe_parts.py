"""Ingredients and instructions of a recipe page from its lines, where the page declares
none.

A trained model gives every line a probability of being an ingredient, an instruction or
neither; `training/recipes.py` makes it. Lines in the same position of a page, or of
several pages of one site, vote together. Of all sets of lines that with the greatest
expected F1 is taken. What a page shows twice (for readers and for printers) is taken
once.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scythe.boosting import TreeEnsemble, load_arrays, softmax
from scythe.content.methods.learned.decision import select_blocks
from scythe.templates.lines.features import line_features
from scythe.templates.lines.lines import PageLines
from scythe.tree.tags import TagSet
from scythe.tree.text import letters_and_digits
from scythe.tree.tree import Bools, Tree

MODEL = Path(__file__).with_name("recipe.npz")
PARTS = ("ingredients", "instructions")
"""What lines can be; in the model's output they follow on "neither"."""
POSITION_WEIGHT = 0.3
"""How much the mean of all lines in a position counts beside the line itself.
Cross-validated on the recipe pages, from 0 to 0.7: with it instructions gain 0.006 where
a site has several pages; more loses ingredients.
"""
MIN_PROBABILITY = 1e-4
"""Added to probabilities before their logarithm is taken."""
MIN_BETWEEN = 0.03
"""Probability from which on a line between two ingredients is one too. Cross-validated,
from 0.01 to 0.04: ingredients gain 0.05 where pages declare none, and lose 0.003 on
pages that declare them; instructions gain nothing.
"""
MAX_SHARE_SHOWN_TWICE = 0.65
"""Share of different lines up to which a page shows its recipe twice; salt may well
come twice in one recipe.
"""
MAX_LINES_OF_ITEM = 6
"""Lines that one item can have: amount, unit, name, a note, each in an element of its
own.
"""
MIN_F1 = 0.12
MIN_F1_WITH_HEADINGS = 0.02
"""Expected F1 of the ingredients below which a page is no recipe: by itself, and where
short lines name both parts ("Ingredients", "Method"). Of 400 pages of wcxb, a recipe
and two others are above. Lists without amounts are below the first; on based.cooking,
of which the model has seen no page, the second brings instructions of single pages from
0.87 to 0.99.
"""

_ROW = TagSet("tr")
_STEP_NUMBER = re.compile(r"\W*(?:[^\W\d]{0,10}\W{0,2})?\d{1,2}\W*")

Probabilities = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class RecipeLines:
    """The lines of one part of a recipe."""

    texts: list[str] = field(default_factory=list)
    nodes: list[int] = field(default_factory=list)
    """The first text node of each line."""
    confidence: float = 0.0
    """The F1 to be expected, if the page is a recipe."""


class SelectedLines(NamedTuple):
    """Which lines of a page are of a part."""

    selected: Bools
    confidence: float
    """The F1 to be expected, if the page is a recipe."""


@cache
def load_model(path: Path = MODEL) -> TreeEnsemble:
    """Return the ensemble that judges lines."""
    return TreeEnsemble.from_arrays(load_arrays(path), "lines")


def recipe_parts(
    trees: Sequence[Tree], model: TreeEnsemble | None = None
) -> list[dict[str, RecipeLines]]:
    """Return the parts of each page, none of a page that is no recipe. Pages given
    together are of one template and help each other.
    """
    pages = [PageLines.from_tree(tree) for tree in trees]
    found: list[dict[str, RecipeLines]] = []
    all_probabilities = line_probabilities(pages, model)
    for lines, probabilities in zip(pages, all_probabilities, strict=True):
        parts: dict[str, RecipeLines] = {}
        for part, choice in select_lines(lines, probabilities).items():
            parts[part] = _joined_lines(lines, choice)
        found.append(parts)
    return found


def select_lines(
    lines: PageLines, probabilities: Probabilities
) -> dict[str, SelectedLines]:
    """Return which lines of a page are of each part; nothing of a page that is no
    recipe.
    """
    if not len(lines):
        return {}
    word_counts = [text.count(" ") + 1 for text in lines.texts]
    words = np.array(word_counts, dtype=np.int64)
    parts: dict[str, SelectedLines] = {}
    for part, probability in zip(PARTS, probabilities[1:], strict=True):
        selected = select_blocks(probability, words)
        expected_words = words * probability
        right = expected_words[selected].sum()
        selected_words = words[selected].sum()
        all_words = selected_words + expected_words.sum()
        f1 = 2 * right / (all_words + 1e-9)
        if part == "ingredients":
            selected = _with_gaps(selected, probability, lines)
        parts[part] = SelectedLines(selected, float(f1))

    required = MIN_F1_WITH_HEADINGS if lines.has_both_headings else MIN_F1
    if parts["ingredients"].confidence >= required:
        return parts
    return {}


def line_probabilities(
    pages: Sequence[PageLines], model: TreeEnsemble | None = None
) -> list[Probabilities]:
    """Return for each page the probabilities of its lines: a row for "neither" and one
    for each of PARTS.
    """
    model = model or load_model()
    empty = np.zeros((len(PARTS) + 1, 0))
    scores = [_log_probabilities(lines, model) for lines in pages]
    all_scores = np.concatenate([empty, *scores], axis=1)
    if not all_scores.shape[1]:
        return scores

    positions = [lines.position for lines in pages if len(lines)]
    all_positions = np.concatenate(positions)
    _, group = np.unique(all_positions, return_inverse=True)
    counts = np.bincount(group)
    means = [np.bincount(group, row) / counts for row in all_scores]
    position_scores = np.array(means)[:, group]
    own_part = (1 - POSITION_WEIGHT) * all_scores
    position_part = POSITION_WEIGHT * position_scores
    mixed = softmax(own_part + position_part)

    line_counts = [page_scores.shape[1] for page_scores in scores]
    bounds = np.cumsum(line_counts)[:-1]
    return np.split(mixed, bounds, axis=1)


def _log_probabilities(lines: PageLines, model: TreeEnsemble) -> Probabilities:
    if not len(lines):
        return np.zeros((len(PARTS) + 1, 0))
    features = line_features(lines)
    probabilities = softmax(model.scores(features))
    found: Probabilities = np.log(probabilities + MIN_PROBABILITY)
    return found


def _joined_lines(lines: PageLines, choice: SelectedLines) -> RecipeLines:
    """Return the selected lines, those of one item put together, and none twice where
    the page shows all of them twice.
    """
    numbers = np.flatnonzero(choice.selected).tolist()
    texts: list[str] = []
    nodes: list[int] = []
    last_item = -1
    items = _items(lines, numbers)
    for line, item in zip(numbers, items, strict=True):
        text = lines.texts[line]
        if item >= 0 and item == last_item:
            texts[-1] += f" {text}"
        elif item >= 0 or not _STEP_NUMBER.fullmatch(text):
            texts.append(text)
            nodes.append(int(lines.first[line]))
            last_item = item

    first: dict[str, int] = {}
    for index, text in enumerate(texts):
        key = letters_and_digits(text)
        first.setdefault(key, index)
    if len(first) > MAX_SHARE_SHOWN_TWICE * len(texts):
        return RecipeLines(texts, nodes, choice.confidence)
    kept = sorted(first.values())
    kept_texts = [texts[index] for index in kept]
    kept_nodes = [nodes[index] for index in kept]
    return RecipeLines(kept_texts, kept_nodes, choice.confidence)


def _with_gaps(selected: Bools, probability: Probabilities, lines: PageLines) -> Bools:
    """Return the selected lines with those between them: amounts look like amounts, but
    names alone look like anything.

    A line is between if both its neighbours are selected, it is no heading and not
    altogether unlikely; where that is so for most lines of a position, the others of the
    position count too that have one selected neighbour.
    """
    before = np.zeros_like(selected)
    after = np.zeros_like(selected)
    before[1:] = selected[:-1]
    after[:-1] = selected[1:]
    is_likely = probability >= MIN_BETWEEN
    is_open = ~selected & is_likely & ~lines.is_heading
    between = is_open & before & after
    beside = is_open & (before | after)

    _, group = np.unique(lines.position, return_inverse=True)
    between_counts = np.bincount(group, between)
    beside_counts = np.bincount(group, beside)
    are_mostly_between = 2 * between_counts >= np.maximum(beside_counts, 1)
    others = beside & are_mostly_between[group]
    return selected | between | others


def _items(lines: PageLines, selected: Sequence[int]) -> list[int]:
    """Return for each selected line the element that holds its item if the item has
    several lines, otherwise -1.

    Amount and name in two cells are one ingredient. An item is the largest element
    around a line that holds no other line of the same position: the next one is of the
    next item. Cells of a row are all of one position.
    """
    tree = lines.tree
    is_row = tree.has_tag(_ROW)
    positions = [int(lines.position[line]) for line in selected]
    nodes_of_position: dict[int, list[int]] = {}
    for line, position in zip(selected, positions, strict=True):
        nodes = nodes_of_position.setdefault(position, [])
        nodes.append(int(lines.first[line]))

    items: list[int] = []
    for line, position in zip(selected, positions, strict=True):
        container = int(lines.container[line])
        parent = int(tree.parent[container])
        if is_row[parent]:
            item = parent
        else:
            nodes = nodes_of_position[position]
            item = _largest_alone(tree, container, nodes)
        items.append(item)

    counts = Counter(items)
    for index, item in enumerate(items):
        has_several_lines = 1 < counts[item] <= MAX_LINES_OF_ITEM
        if not has_several_lines:
            items[index] = -1
    return items


def _largest_alone(tree: Tree, element: int, nodes: Sequence[int]) -> int:
    """Return the largest element around one that holds one of several nodes, -1 if the
    element itself holds more or there is only one.
    """
    if len(nodes) == 1:
        return -1
    if _count_inside(tree, element, nodes) != 1:
        return -1
    above = int(tree.parent[element])
    while above >= 0 and _count_inside(tree, above, nodes) == 1:
        element = above
        above = int(tree.parent[element])
    return element


def _count_inside(tree: Tree, element: int, nodes: Sequence[int]) -> int:
    first = bisect_left(nodes, element)
    stop = bisect_left(nodes, int(tree.end[element]))
    return stop - first
