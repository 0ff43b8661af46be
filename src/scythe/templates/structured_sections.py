"""Ingredients and instructions of a recipe page from its lines, where the page declares none.

A trained model gives every line a probability of being an ingredient, an instruction or neither; `training/recipes.py` makes it.
Lines at the same place of a page, or of several pages of one site, vote together. Of all sets of lines that with the greatest
expected F1 is taken. What a page shows twice (for readers and for printers) is taken once.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from scythe.boosting import Trees, load_arrays, softmax
from scythe.content.learned.decision import choose
from scythe.templates.structured_lines import Lines
from scythe.tree.tags import TagSet
from scythe.tree.tree import Tree

MODEL = Path(__file__).with_name("structured_recipe.npz")
PARTS = ("ingredients", "instructions")
"""What lines can be; in the model's output they follow on "neither"."""
TOGETHER = 0.3
"""How much the mean of all lines at a place counts beside the line itself. Cross-validated on the recipe pages, from 0 to
0.7: with it instructions gain 0.006 where a site has several pages; more loses ingredients."""
LEAST = 1e-4
DOUBTFUL = 0.35
"""Expected F1 below which there is no such part: the pages whose truth is nowhere in their text are below, all others above."""

_ITEM = TagSet("li tr")
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
def load_model(path: Path = MODEL) -> Trees:
    """The ensemble that judges lines."""
    return Trees.read(load_arrays(path), "lines")


def recipe_parts(trees: Sequence[Tree], model: Trees | None = None) -> list[dict[str, Part]]:
    """The parts of each page; pages given together are of one template and help each other."""
    pages = [Lines.of(tree) for tree in trees]
    judged = line_probabilities(pages, model)
    return [
        {part: _chosen(lines, probabilities[number]) for number, part in enumerate(PARTS, 1)} if len(lines) else {}
        for lines, probabilities in zip(pages, judged, strict=True)
    ]


def line_probabilities(pages: Sequence[Lines], model: Trees | None = None) -> list[NDArray[np.float64]]:
    """For each page the probabilities of its lines: a row for "neither" and one for each of PARTS."""
    scorer = model or load_model()
    empty = np.zeros((len(PARTS) + 1, 0))
    scores = [np.log(softmax(scorer.scores(lines.features)) + LEAST) if len(lines) else empty for lines in pages]
    together = np.concatenate([empty, *scores], axis=1)
    if not together.shape[1]:
        return scores
    _, group = np.unique(np.concatenate([lines.place for lines in pages if len(lines)]), return_inverse=True)
    count = np.bincount(group)
    means = np.array([np.bincount(group, row) / count for row in together])[:, group]
    mixed = softmax((1 - TOGETHER) * together + TOGETHER * means)
    bounds = np.cumsum([lines_scores.shape[1] for lines_scores in scores])[:-1]
    return np.split(mixed, bounds, axis=1)


def _chosen(lines: Lines, probability: NDArray[np.float64]) -> Part:
    words = np.array([text.count(" ") + 1 for text in lines.texts], dtype=np.int64)
    chosen = choose(probability, words)
    right, picked = float((words * probability)[chosen].sum()), int(words[chosen].sum())
    confidence = 2 * right / (picked + float((words * probability).sum()) + 1e-9)
    if confidence < DOUBTFUL:
        return Part(confidence=confidence)
    texts: list[str] = []
    nodes: list[int] = []
    items = _items(lines)
    last = -1
    for line in np.flatnonzero(chosen).tolist():
        text = lines.texts[line]
        if _STEP_NUMBER.fullmatch(text) and items[line] < 0:
            continue
        if items[line] >= 0 and items[line] == last:
            texts[-1] += f" {text}"
        else:
            texts.append(text)
            nodes.append(int(lines.first[line]))
        last = items[line]
    first = {_letters(text): place for place, text in reversed(list(enumerate(texts)))}
    kept = sorted(first.values())
    return Part([texts[place] for place in kept], [nodes[place] for place in kept], confidence)


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))


def _items(lines: Lines) -> list[int]:
    """The list item or table row that each line is in, -1 for none: amount and name in two cells are one ingredient."""
    tree = lines.tree
    is_item = tree.having(_ITEM)
    nearest = np.full(len(tree), -1, dtype=np.int64)
    for node in np.flatnonzero(is_item).tolist():  # in document order, so the innermost is the last to write
        nearest[node : tree.end[node]] = node
    return nearest[lines.container].tolist()
