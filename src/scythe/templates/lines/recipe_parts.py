"""Ingredients and instructions of a recipe page from its lines, where the page declares
none.

A trained model gives every line a probability of being an ingredient, an instruction or
neither; `training/recipes.py` makes it. Lines at the same place of a page, or of
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

import numpy as np
from numpy.typing import NDArray

from scythe.boosting import TreeEnsemble, load_arrays, softmax
from scythe.content.methods.learned.decision import select_blocks
from scythe.templates.lines.lines import Lines
from scythe.tree.tags import TagSet
from scythe.tree.text import letters_and_digits
from scythe.tree.tree import Bools, Tree

MODEL = Path(__file__).with_name("recipe.npz")
PARTS = ("ingredients", "instructions")
"""What lines can be; in the model's output they follow on "neither"."""
TOGETHER = 0.3
"""How much the mean of all lines at a place counts beside the line itself.
Cross-validated on the recipe pages, from 0 to
0.7: with it instructions gain 0.006 where a site has several pages; more loses
ingredients.
"""
LEAST = 1e-4
BETWEEN = 0.03
"""Probability from which on a line between two ingredients is one too. Cross-validated,
from 0.01 to 0.04: ingredients gain 0.05 where pages declare none, and lose 0.003 on
pages that declare them; instructions gain nothing.
"""
TWICE = 0.65
"""Share of different lines up to which a page shows its recipe twice; salt may well
come twice in one recipe.
"""
MOST_TOGETHER = 6
"""Lines that one item can have: amount, unit, name, a note, each in an element of its
own.
"""
NO_RECIPE, NAMED_RECIPE = 0.12, 0.02
"""Expected F1 of the ingredients below which a page is no recipe: by itself, and where
short lines name both parts ("Ingredients", "Method"). Of 400 pages of wcxb, a recipe
and two others are above. Lists without amounts are below the first; on based.cooking,
of which the model has seen no page, the second brings instructions of single pages from
0.87 to 0.99.
"""

_ROW = TagSet("tr")
_STEP_NUMBER = re.compile(r"\W*(?:[^\W\d]{0,10}\W{0,2})?\d{1,2}\W*")


@dataclass(frozen=True, slots=True)
class Part:
    """Lines of one part of a page."""

    texts: list[str] = field(default_factory=list)
    nodes: list[int] = field(default_factory=list)
    """The first text node of each line."""
    confidence: float = 0.0
    """The F1 to be expected, if the page is a recipe."""


@cache
def load_model(path: Path = MODEL) -> TreeEnsemble:
    """The ensemble that judges lines."""
    return TreeEnsemble.from_arrays(load_arrays(path), "lines")


def recipe_parts(
    trees: Sequence[Tree], model: TreeEnsemble | None = None
) -> list[dict[str, Part]]:
    """The parts of each page. Pages given together are of one template and help each
    other.
    """
    pages = [Lines.of(tree) for tree in trees]
    return parts_of_lines(pages, line_probabilities(pages, model))


def parts_of_lines(
    pages: Sequence[Lines], judged: Sequence[NDArray[np.float64]]
) -> list[dict[str, Part]]:
    """The parts of each page, none of a page that is no recipe."""
    found = []
    for lines, probabilities in zip(pages, judged, strict=True):
        chosen = chosen_lines(lines, probabilities)
        found.append({part: _part(lines, *choice) for part, choice in chosen.items()})
    return found


def chosen_lines(
    lines: Lines, probabilities: NDArray[np.float64]
) -> dict[str, tuple[Bools, float]]:
    """Which lines of a page are of each part, and the F1 to be expected; nothing of a
    page that is no recipe.
    """
    if not len(lines):
        return {}
    words = np.array([text.count(" ") + 1 for text in lines.texts], dtype=np.int64)
    found = {}
    for part, probability in zip(PARTS, probabilities[1:], strict=True):
        chosen = select_blocks(probability, words)
        right, picked, all_ = (
            (words * probability)[chosen].sum(),
            words[chosen].sum(),
            (words * probability).sum(),
        )
        if part == "ingredients":
            chosen = _with_gaps(chosen, probability, lines)
        found[part] = chosen, float(2 * right / (picked + all_ + 1e-9))
    return (
        found
        if found["ingredients"][1]
        >= (NAMED_RECIPE if lines.name_both_parts else NO_RECIPE)
        else {}
    )


def line_probabilities(
    pages: Sequence[Lines], model: TreeEnsemble | None = None
) -> list[NDArray[np.float64]]:
    """For each page the probabilities of its lines: a row for "neither" and one for
    each of PARTS.
    """
    scorer = model or load_model()
    empty = np.zeros((len(PARTS) + 1, 0))
    scores = [
        np.log(softmax(scorer.scores(lines.features)) + LEAST) if len(lines) else empty
        for lines in pages
    ]
    together = np.concatenate([empty, *scores], axis=1)
    if not together.shape[1]:
        return scores
    _, group = np.unique(
        np.concatenate([lines.place for lines in pages if len(lines)]),
        return_inverse=True,
    )
    count = np.bincount(group)
    means = np.array([np.bincount(group, row) / count for row in together])[:, group]
    mixed = softmax((1 - TOGETHER) * together + TOGETHER * means)
    bounds = np.cumsum([lines_scores.shape[1] for lines_scores in scores])[:-1]
    return np.split(mixed, bounds, axis=1)


def _part(lines: Lines, chosen: Bools, confidence: float) -> Part:
    """The chosen lines, those of one item put together, and none twice where the page
    shows all of them twice.
    """
    numbers = np.flatnonzero(chosen).tolist()
    texts: list[str] = []
    nodes: list[int] = []
    last = -1
    for line, item in zip(numbers, _items(lines, numbers), strict=True):
        text = lines.texts[line]
        if item >= 0 and item == last:
            texts[-1] += f" {text}"
        elif not _STEP_NUMBER.fullmatch(text) or item >= 0:
            texts.append(text)
            nodes.append(int(lines.first[line]))
            last = item
    first = {
        letters_and_digits(text): place
        for place, text in reversed(list(enumerate(texts)))
    }
    kept = (
        sorted(first.values())
        if len(first) <= TWICE * len(texts)
        else range(len(texts))
    )
    return Part(
        [texts[place] for place in kept], [nodes[place] for place in kept], confidence
    )


def _with_gaps(chosen: Bools, probability: NDArray[np.float64], lines: Lines) -> Bools:
    """With the lines between chosen ones: amounts look like amounts, but names alone
    look like anything.

    A line is between if both its neighbours are chosen, it is no heading and not
    altogether unlikely; where that is so for most lines of a place, the others of the
    place count too that have one chosen neighbour.
    """
    before, after = np.zeros_like(chosen), np.zeros_like(chosen)
    before[1:], after[:-1] = chosen[:-1], chosen[1:]
    open_ = ~chosen & (probability >= BETWEEN) & ~lines.is_heading
    between = open_ & before & after
    _, group = np.unique(lines.place, return_inverse=True)
    beside = open_ & (before | after)
    mostly = 2 * np.bincount(group, between) >= np.maximum(
        np.bincount(group, beside), 1
    )
    return chosen | between | (beside & mostly[group])


def _items(lines: Lines, chosen: Sequence[int]) -> list[int]:
    """For each chosen line the element that holds its item if the item has several
    lines, otherwise -1.

    Amount and name in two cells are one ingredient. An item is the largest element
    around a line that holds no other line of the same place: the next one is of the
    next item. Cells of a row are all of one place.
    """
    tree, is_row = lines.tree, lines.tree.has_tag(_ROW)
    places: dict[int, list[int]] = {}
    for line in chosen:
        places.setdefault(int(lines.place[line]), []).append(int(lines.first[line]))
    found = []
    for line in chosen:
        alike, item = places[int(lines.place[line])], int(lines.container[line])
        if is_row[tree.parent[item]]:
            found.append(int(tree.parent[item]))
            continue
        alone = len(alike) > 1 and _count(alike, item, int(tree.end[item])) == 1
        while (
            alone
            and (above := int(tree.parent[item])) >= 0
            and _count(alike, above, int(tree.end[above])) == 1
        ):
            item = above
        found.append(item if alone else -1)
    together = Counter(found)
    return [item if 1 < together[item] <= MOST_TOGETHER else -1 for item in found]


def _count(nodes: Sequence[int], start: int, stop: int) -> int:
    return bisect_left(nodes, stop) - bisect_left(nodes, start)
