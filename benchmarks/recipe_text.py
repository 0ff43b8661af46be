"""Whole lists on a kind of page that the content model was not trained on: how much of
the ingredients and steps of recipe pages `extract` keeps, beside the peers.

    python -m benchmarks.recipe_text [DATA]

Lines are compared by their letters and digits, and those that the page shows nowhere do
not count. *Whole*: pages with every line.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import fmean

from benchmarks.common import arguments, map_pages, report, table
from benchmarks.extractors import LEARNED, OURS, PEERS, all_visible_text
from benchmarks.recipe_pages import RecipePage, recipe_pages
from benchmarks.structure_scoring import squeeze

COMPARED = (LEARNED, "trafilatura", "readability-lxml")
EXTRACTORS = OURS | PEERS
PARTS = ("ingredients", "instructions")


@dataclass(frozen=True, slots=True)
class RecipeScore:
    """The share of the lines of each part that an extractor kept of a page, for the
    parts that the page shows.
    """

    declares_all: bool
    shares: Mapping[str, float]


def main() -> None:
    parser = arguments("Ingredients and steps in the text of recipe pages.")
    options = parser.parse_args()
    pages = list(recipe_pages(options.data))
    scores = {}
    for name in COMPARED:
        scores[name] = map_pages(partial(score, name), pages)

    rows = []
    for title, declares in (("all", None), ("full schema.org", True), ("not", False)):
        for name in COMPARED:
            chosen = [
                page for page in scores[name] if declares in (None, page.declares_all)
            ]
            rows.append([title, len(chosen), name, *figures(chosen)])
    header = ["pages", "n", "extractor"]
    for part in PARTS:
        header += [part, f"whole {part}"]
    report("recipe_text", [table("Recipe pages as text", header, rows)], rows)


def score(extractor: str, page: RecipePage) -> RecipeScore:
    """Return what an extractor keeps of a page."""
    text = squeeze(EXTRACTORS[extractor](page.html))
    shown = squeeze(all_visible_text(page.html))
    shares = {}
    for part in PARTS:
        lines = map(squeeze, page.truth.get(part) or ())
        shown_lines = [line for line in lines if line and line in shown]
        if shown_lines:
            shares[part] = fmean(line in text for line in shown_lines)
    return RecipeScore(page.declares_all, shares)


def figures(scores: Sequence[RecipeScore]) -> list[float]:
    """Return for each part the mean share of its lines, and the share of pages that
    have all of them.
    """
    found = []
    for part in PARTS:
        shares = [each.shares[part] for each in scores if part in each.shares]
        found += [fmean(shares), fmean(share == 1 for share in shares)]
    return found


if __name__ == "__main__":
    main()
