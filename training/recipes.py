"""Train the reader of recipe pages and measure it: `python -m training.recipes [DATA]`.

Lines of saved recipe pages are labelled by what the truth says, also on pages that
declare their recipe: their lines look like those of pages that do not. Cross-validation
is over five folds of the domains.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from benchmarks.common import arguments
from benchmarks.recipe_pages import RecipePage, recipe_pages
from numpy.typing import NDArray
from rapidfuzz import fuzz, process

from scythe.templates.lines.features import line_features
from scythe.templates.lines.lines import PageLines
from scythe.templates.lines.recipe_parts import MODEL, PARTS
from scythe.tree import parse
from training.boosting import Ensemble, Size, fit_classes
from training.content import write_model
from training.folds import FOLDS, fold_of, recipes_file

SIZE = Size(trees=200, depth=5, rate=0.1, features=0.3)
SAME, ALIKE = 97, 60
"""How alike a line and a line of the truth must be: by itself, and where many lines at
its place are the same.
"""
MANY = 0.3
SHORTEST = {"ingredients": 5, "instructions": 12}
"""Letters from which on a line may be compared as a whole: "salt" is in every second
text.
"""
COVERED = (0.6, 1.8)
"""What of the truth's letters the labelled lines must have for a page to be learned
from.
"""


@dataclass(frozen=True, eq=False)
class Case:
    """A page whose lines are labelled: 0 for neither, then the number of the part."""

    page: RecipePage
    lines: PageLines
    labels: NDArray[np.int64]
    usable: bool

    @property
    def fold(self) -> int:
        """The fold of the page's domain."""
        return fold_of(self.page.domain)


def letters(text: str) -> str:
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKC", text).casefold()))


def case_of(page: RecipePage) -> Case:
    """Parse a page and label its lines."""
    lines = PageLines.from_tree(parse(page.html))
    own = [letters(text) for text in lines.texts]
    labels, best, usable = (
        np.zeros(len(own), dtype=np.int64),
        np.zeros(len(own)),
        bool(own),
    )
    for number, part in enumerate(PARTS, 1):
        true_lines = [letters(text) for text in page.truth[part]]
        truth = [line for line in true_lines if line]
        if not truth or not own:
            continue
        likeness = np.maximum(whole_runs(own, truth), line_likeness(own, truth, part))
        _, group = np.unique(lines.position, return_inverse=True)
        same_share = np.bincount(group, likeness >= SAME) / np.bincount(group)
        is_same = likeness >= SAME
        is_alike = (likeness >= ALIKE) & (same_share[group] >= MANY)
        found = (is_same | is_alike) & (likeness >= best)
        labels[found], best[found] = number, likeness[found]
        covered = sum(map(len, {own[line] for line in np.flatnonzero(found)})) / sum(
            map(len, set(truth))
        )
        usable &= COVERED[0] <= covered <= COVERED[1]
    return Case(page, lines, labels, usable)


def whole_runs(own: Sequence[str], truth: Sequence[str]) -> NDArray[np.float64]:
    """100 for lines that alone or with their neighbours are exactly a line of the
    truth: amount and name may be two.
    """
    found = np.zeros(len(own))
    bounds = np.cumsum([0, *map(len, own)]).tolist()
    first = {bound: line for line, bound in reversed(list(enumerate(bounds[:-1])))}
    last = {bound: line for line, bound in enumerate(bounds[1:])}
    page = "".join(own)
    for true_line in set(truth):
        at = page.find(true_line) if len(true_line) > 3 else -1
        while at >= 0:
            start, stop = first.get(at), last.get(at + len(true_line))
            if start is not None and stop is not None and stop - start < 12:
                found[start : stop + 1] = 100
            at = page.find(true_line, at + 1)
    return found


def line_likeness(
    own: Sequence[str], truth: Sequence[str], part: str
) -> NDArray[np.float64]:
    """Return how alike each line is to the line of the truth that is most alike, up to
    100.
    """
    found = np.zeros(len(own))
    long = [line for line, text in enumerate(own) if len(text) >= SHORTEST[part]]
    if not long:
        return found
    found[long] = process.cdist(
        [own[line] for line in long], truth, scorer=fuzz.ratio
    ).max(axis=1)
    if (
        part == "instructions"
    ):  # the truth may have several paragraphs in one step, or one step in several
        for line in long:
            text = own[line]
            if any(text in true_line for true_line in truth):
                found[line] = max(found[line], 100 if len(text) >= 25 else 80)
            elif sum(
                len(true_line)
                for true_line in set(truth)
                if len(true_line) > 8 and true_line in text
            ) >= 0.6 * len(text):
                found[line] = max(found[line], 90)
    return found


def fit(cases: Sequence[Case]) -> Ensemble:
    """Learn what lines are."""
    used = [case for case in cases if case.usable]
    return fit_classes(
        np.concatenate([line_features(case.lines).T for case in used]),
        np.concatenate([case.labels for case in used]),
        SIZE,
    )


def main() -> None:
    data: Path = arguments(str(__doc__)).parse_args().data
    cases = [case_of(page) for page in recipe_pages(data)]
    usable = sum(case.usable for case in cases)
    lines = sum(len(case.lines) for case in cases)
    print(f"{len(cases)} pages, {usable} to learn from, {lines} lines")
    for fold in range(FOLDS):
        write_model(
            {"lines": fit([case for case in cases if case.fold != fold])},
            recipes_file(fold),
        )
    write_model({"lines": fit(cases)}, MODEL)
    print("Now: python -m benchmarks.recipes")


if __name__ == "__main__":
    main()
