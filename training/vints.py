"""Learn the factors of the four weights that choose a wrapper (ViNTs, section 5.6):
`python -m training.vints [DATA]`.

Every wrapper of every page is weighed and scored once. Then all factors on a grid are
tried, with and without boxes. The figures are of cross-validation over five folds of
the sites; the factors to write into the code are those of all pages.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from zlib import crc32

import numpy as np
from benchmarks.record_finders import Finder
from benchmarks.record_pages import Pages
from benchmarks.record_scoring import PageScore, correct_records, shares
from benchmarks.record_sets import RecordSet, record_sets, record_texts
from numpy.typing import NDArray

from scythe.tree import Tree
from scythe.wrappers.vints.blocks import Block
from scythe.wrappers.vints.generation import refined_wrappers
from scythe.wrappers.vints.page_lines import content_lines
from scythe.wrappers.vints.selection import GroupWeights, group_weights

FOLDS = 5
STEPS = (0.0, 0.1, 0.2, 0.5, 1.0, 1.5, 2.0)
"""Factors that are tried, beside that of the rendering area, which is 1: only their
ratios matter.
"""


RIGHT = 0.95
"""The F1 of its records from which a page counts as right."""


@dataclass(frozen=True)
class Choice:
    """The wrappers of one page to choose from: a row of weights, and the numbers of
    records, of each.
    """

    page_set: RecordSet
    true: int
    weights: NDArray[np.float64]
    extracted: NDArray[np.int64]
    correct: NDArray[np.int64]

    def score(self, factors: GroupWeights) -> PageScore:
        """Return what the factors choose on this page."""
        if not len(self.weights):
            return PageScore(self.page_set.name, self.true, 0, 0)
        best = int(np.argmax(self.weights @ np.array(factors)))
        return PageScore(
            self.page_set.name,
            self.true,
            int(self.extracted[best]),
            int(self.correct[best]),
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", nargs="?", type=Path, default=Path("../shared/data"))
    parser.add_argument(
        "--keep",
        type=Path,
        help="keep rendered pages in this folder, and take those that are in it already",
    )
    options = parser.parse_args()
    sets = record_sets(options.data)
    with Pages(options.keep) as pages:
        for visual in (False, True):
            choices = list(_choices(sets, pages, visual=visual))
            print("VW" if visual else "NV", learned(choices))
            print("   cross-validation", _figures(cross_validated(choices)))
            print(
                "   best of each page",
                _figures([_best(choice) for choice in choices]),
            )
            print("   pages", dict(outcomes(choices, learned(choices))), flush=True)


def _choices(
    sets: Sequence[RecordSet], pages: Pages, *, visual: bool
) -> Iterator[Choice]:
    row = Finder(visual=visual, find=lambda *_: [], learn=lambda _: lambda _: [])
    for page_set in sets:
        for page in page_set.pages:
            yield weighed(page_set, pages.tree(page.html, page.url, row), page.records)


def weighed(page_set: RecordSet, tree: Tree, records: Sequence[str]) -> Choice:
    """Return all wrappers of a page with their weights and how many of their records
    are true.
    """
    lines = content_lines(tree)
    wrappers = refined_wrappers(tree, lines)
    weights = group_weights([wrapper.blocks for wrapper in wrappers], Block(lines).box)
    correct = [
        correct_records(record_texts(tree, wrapper.spans), records)
        for wrapper in wrappers
    ]
    extracted = [len(wrapper.spans) for wrapper in wrappers]
    return Choice(
        page_set,
        len(records),
        np.array(weights).reshape(-1, 4),
        np.array(extracted),
        np.array(correct),
    )


def learned(choices: Sequence[Choice]) -> GroupWeights:
    """Return the factors with the greatest mean of macro precision and macro recall."""
    grid = [GroupWeights(1.0, *steps) for steps in product(STEPS, repeat=3)]
    return max(
        grid,
        key=lambda factors: _quality([choice.score(factors) for choice in choices]),
    )


def _quality(scores: Sequence[PageScore]) -> float:
    found = shares(scores)
    return found["macro precision"] + found["macro recall"] + found["perfect"] / 10


def cross_validated(choices: Sequence[Choice]) -> list[PageScore]:
    """Return the score of every page with factors learned from other sites."""
    scores = []
    for fold in range(FOLDS):
        inside = [
            crc32(choice.page_set.site.encode()) % FOLDS == fold for choice in choices
        ]
        factors = learned(
            [
                choice
                for choice, held_out in zip(choices, inside, strict=True)
                if not held_out
            ]
        )
        scores += [
            choice.score(factors)
            for choice, held_out in zip(choices, inside, strict=True)
            if held_out
        ]
    return scores


def outcomes(choices: Sequence[Choice], factors: GroupWeights) -> Counter[str]:
    """Return on how many pages the chosen wrapper is right, another group weighs more
    than the right one, and no wrapper of the paper's form has the records.
    """
    counts: Counter[str] = Counter()
    for choice in choices:
        if _f1(choice.score(factors)) >= RIGHT:
            counts["right"] += 1
        elif _f1(_best(choice)) >= RIGHT:
            counts["another group weighs more"] += 1
        else:
            counts["no wrapper has the records"] += 1
    return counts


def _f1(score: PageScore) -> float:
    return 2 * score.correct / max(score.true + score.extracted, 1)


def _best(choice: Choice) -> PageScore:
    scores = [
        PageScore(choice.page_set.name, choice.true, extracted, correct)
        for extracted, correct in zip(
            choice.extracted.tolist(), choice.correct.tolist(), strict=True
        )
    ]
    none = PageScore(choice.page_set.name, choice.true, 0, 0)
    return max([none, *scores], key=_f1)


def _figures(scores: Sequence[PageScore]) -> str:
    found = shares(scores)
    precision, recall = found["macro precision"], found["macro recall"]
    return f"P {precision:.3f} R {recall:.3f} perfect {found['perfect']:.1%}"


if __name__ == "__main__":
    main()
