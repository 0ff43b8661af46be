"""What to expect of pages with conventions of their own: every set of pages left out of
the training once. `python -m training.left_out [DATA] [--trees N] [--only SET ...]`

The ensemble of WCXB's page types never sees another set, so it is taken from the
shipped model; that of articles and threads, and the page types, are trained anew
without the set. The figures are of blocks, before threads, comments and figures are
looked at.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from scythe.content.methods.learned.model import MODEL_FILE, default_content_model
from training.boosting import Ensemble
from training.content import (
    PROSE,
    VIEWS,
    Fitted,
    ensembles_of,
    fit_blocks,
    fit_types,
    outcomes,
    write_model,
)
from training.corpus import OTHERS, TRAINED, Page, read_corpus
from training.folds import left_out_file


def main() -> None:
    """Print the mean F1 of every set by a model that has not seen it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", nargs="?", type=Path, default=Path("../shared/data"))
    parser.add_argument("--trees", type=int, default=PROSE.trees)
    parser.add_argument(
        "--views", type=int, default=len(VIEWS), help="1 or 2 weightings"
    )
    parser.add_argument("--only", nargs="+", choices=OTHERS, default=OTHERS)
    arguments = parser.parse_args()
    pages = [page for corpus in TRAINED for page in read_corpus(arguments.data, corpus)]
    print(f"{MODEL_FILE.name} for other page types, {arguments.trees} trees,", end=" ")
    print(f"{arguments.views} of {len(VIEWS)} weightings", flush=True)
    for corpus in arguments.only:
        model = fit_without(pages, corpus, arguments.trees, VIEWS[: arguments.views])
        found = outcomes(model, [page for page in pages if page.corpus == corpus])
        mean_f1 = np.mean([outcome.scores[2] for outcome in found])
        print(f"without {corpus}: {mean_f1:.4f} on {len(found)} pages", flush=True)
        confidence = Ensemble([], default_content_model().confidence)
        write_model(ensembles_of(model, confidence), left_out_file(corpus))


def fit_without(
    pages: list[Page], corpus: str, trees: int, views: Sequence[float]
) -> Fitted:
    """Return the model of all pages that are not of a set. With fewer trees each of
    them learns more.
    """
    kept = [page for page in pages if page.corpus != corpus]
    size = replace(PROSE, trees=trees, rate=PROSE.rate * PROSE.trees / trees)
    return Fitted(
        prose=fit_blocks(kept, size, views),
        mixed=Ensemble([], default_content_model().mixed),
        types=fit_types(kept),
    )


if __name__ == "__main__":
    main()
