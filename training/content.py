"""Train the learned extractor and measure it: `python -m training.content [DATA]`.

The pages are those of wcxb and of the sets of content-more together. Sets differ in
what they call content (headline, date line, captions): the training is told the set of
most pages, and of the others it is not, as in use, where nobody knows it.

Cross-validation is over five folds of domains: no page or domain is in both training
and test; `training.left_out` leaves every set out once. The pages of zh and news-eras are never
trained on. The confidence learns from outcomes of cross-validation, held out by domain
as well.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from scythe.content.methods.learned.decision import (
    PAGE_TYPES,
    calibrate,
    choose_blocks,
    complete_units,
    page_facts,
    pool_columns,
    score_blocks,
    type_probabilities,
    type_rows,
    with_declared,
    with_section_headings,
    without_headline,
)
from scythe.content.methods.learned.model import MODEL_FILE
from training.boosting import (
    SEED,
    Ensemble,
    Size,
    fit_classes,
    fit_shares,
    fit_values,
    mean_of,
)
from training.corpus import (
    MEASURED,
    TRAINED,
    UNSEEN,
    Page,
    read_corpus,
    with_text,
)
from training.figures import Outcome, print_figures
from training.folds import FOLDS, fold_file

SAMPLE_FILE = Path("tests/content/methods/learned_sample.npz")
PROSE = Size(trees=160, depth=6, rate=0.12, features=0.2)
MIXED = Size(trees=240, depth=6, rate=0.12, features=0.2)
TYPES = Size(trees=150, depth=4, rate=0.1, features=0.2)
CONFIDENCE = Size(trees=60, depth=3, rate=0.1, features=0.5)
LIGHT = 4.0
"""Blocks below this weight are drawn by chance, so that half of all blocks stand for
all; it costs nothing in F1.
"""
HEAVIEST = 100.0
VIEWS = (0.5, 0.0)
"""How much of a page's own length, beside that of its truth, a word is weighed against:
one half ensemble for each.

Weighed against both, articles and forums come out best; against the truth alone,
products, listings and old news pages.
"""
KNOWN_SETS = 70
"""Per cent of the pages whose set the training is told. Told of none, wcxb loses 0.003
(one fold).
"""
RARE_TYPE_WEIGHT = 1.5
"""What a page of wcxb that is no article weighs for the page types."""
OTHER_TYPE_WEIGHT = 0.3
"""What a page of another set weighs for the page types: nearly all of them are
articles. With 0.1, old blogs are taken for other types.
"""


@dataclass(frozen=True, eq=False)
class Fitted:
    """The ensembles that choose the blocks and name the page type."""

    prose: Ensemble
    mixed: Ensemble
    types: Ensemble


def _drawn(page: Page, view: float) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return the blocks of a page to train on and their weights.

    A page counts once, however long it is, and a block by its words.
    """
    scale = view * page.sizes.sum() + (1 - view) * page.truth.sum() + 20
    weights = np.minimum((page.sizes + 0.5) / scale * (400 + 1200 * view), HEAVIEST)
    chance = np.random.default_rng([SEED, crc32(page.name.encode())]).random(
        len(weights)
    )
    drawn = np.flatnonzero(chance < weights / LIGHT)
    return drawn, np.maximum(weights[drawn], LIGHT)


def _set_columns(page: Page, blocks: int) -> NDArray[np.float32]:
    """Return a column for each set, 1 in that of the page if the training is told."""
    columns = np.zeros((blocks, len(TRAINED)), dtype=np.float32)
    if crc32(f"{page.corpus} {page.name}".encode()) % 100 < KNOWN_SETS:
        columns[:, TRAINED.index(page.corpus)] = 1
    return columns


def fit_blocks(
    pages: list[Page], size: Size, views: Sequence[float] = VIEWS
) -> Ensemble:
    """Return an ensemble for the blocks of these pages, the mean of one for each way to
    weigh words.
    """
    halves = []
    for view in views:
        rows, labels, weights = [], [], []
        for page, features in with_text(pages):
            drawn, weight = _drawn(page, view)
            set_columns = _set_columns(page, len(drawn))
            rows.append(np.concatenate([features.rows.T[drawn], set_columns], axis=1))
            labels.append(page.labels[drawn])
            weights.append(weight)
        halves.append(
            fit_shares(
                np.concatenate(rows),
                np.concatenate(labels),
                np.concatenate(weights),
                size,
                training_only=len(TRAINED),
            )
        )
    return mean_of(halves)


def fit_types(pages: list[Page]) -> Ensemble:
    """Return an ensemble for the types of these pages."""
    typed = [page for page in pages if page.page_type in PAGE_TYPES]
    chosen = list(with_text(typed))
    rows = np.concatenate([type_rows(features).T for _, features in chosen])
    types = [PAGE_TYPES.index(page.page_type) for page, _ in chosen]
    weights = [_type_weight(page) for page, _ in chosen]
    return fit_classes(rows, np.array(types), TYPES, np.array(weights))


def _type_weight(page: Page) -> float:
    if page.corpus != MEASURED:
        return OTHER_TYPE_WEIGHT
    return 1.0 if page.page_type == "article" else RARE_TYPE_WEIGHT


def fit(pages: list[Page]) -> Fitted:
    """Train on these pages and nothing else."""
    measured = [page for page in pages if page.corpus == MEASURED]
    return Fitted(
        prose=fit_blocks(pages, PROSE),
        mixed=fit_blocks(measured, MIXED),
        types=fit_types(pages),
    )


def outcomes(fitted: Fitted, pages: list[Page]) -> list[Outcome]:
    """Return what the ensembles make of pages."""
    found = []
    for page in pages:
        features = page.features
        if features is None:
            chosen = np.zeros(0, dtype=bool)
            found.append(Outcome(page, chosen, None, "", page.scores(chosen)))
            continue
        types = type_probabilities(fitted.types.trees.scores(type_rows(features))[:, 0])
        scores = score_blocks(fitted.prose.trees, fitted.mixed.trees, features, types)
        probability = calibrate(scores, types)
        probability = pool_columns(features, probability, types)
        probability = with_declared(features, probability)
        chosen = choose_blocks(features, probability, types)
        completed = complete_units(features, probability, chosen, types)
        completed = with_section_headings(features, probability, completed)
        selected = without_headline(features, types, completed)
        facts = page_facts(features, probability, chosen, selected, types)[:, 0]
        found.append(
            Outcome(
                page,
                selected,
                facts,
                PAGE_TYPES[int(np.argmax(types))],
                page.scores(selected),
            )
        )
    return found


def cross_validate(pages: list[Page]) -> tuple[list[Fitted], list[Outcome]]:
    """Return a model for each fold of the domains that saw none of them, and its
    outcomes on the pages of the fold.
    """
    models: list[Fitted] = []
    found: list[Outcome] = []
    for fold in range(FOLDS):
        models.append(fit([page for page in pages if page.fold != fold]))
        found += outcomes(models[-1], [page for page in pages if page.fold == fold])
        print(f"fold {fold + 1} of {FOLDS} done", flush=True)
    return models, found


def fit_confidence(found: list[Outcome]) -> Ensemble:
    """Learn the F1 of a page from what is known of the decision, on outcomes of
    cross-validation.
    """
    known = [outcome for outcome in found if outcome.facts is not None]
    rows = np.stack([outcome.facts for outcome in known if outcome.facts is not None])
    return fit_values(
        rows, np.array([outcome.scores[2] for outcome in known]), CONFIDENCE
    )


def held_out_confidence(
    regressions: list[Ensemble], found: list[Outcome]
) -> list[float]:
    """Return the confidence in each outcome by the regression that saw neither the page
    nor its domain.
    """
    values = [
        0.0
        if outcome.facts is None
        else regressions[outcome.page.fold].trees.scores(outcome.facts[:, None])[0, 0]
        for outcome in found
    ]
    return np.clip(values, 0.0, 1.0).tolist()


def ensembles_of(fitted: Fitted, confidence: Ensemble) -> dict[str, Ensemble]:
    """Return the ensembles by their names in the model file."""
    return {
        "prose": fitted.prose,
        "mixed": fitted.mixed,
        "types": fitted.types,
        "confidence": confidence,
    }


def write_model(ensembles: dict[str, Ensemble], path: Path) -> None:
    """All ensembles as plain arrays in one compressed file."""
    arrays: dict[str, NDArray[np.generic]] = {}
    for name, ensemble in ensembles.items():
        trees = ensemble.trees
        arrays |= {
            f"{name}.feature": trees.feature.astype(np.int16),
            f"{name}.border": trees.border,
            f"{name}.leaves": trees.leaves.astype(np.float32),
            f"{name}.bias": trees.bias,
        }
    path.parent.mkdir(exist_ok=True)
    np.savez_compressed(path, **arrays)  # type: ignore[arg-type]


def write_sample(ensembles: dict[str, Ensemble], path: Path) -> None:
    """The training library's scores of a few cases, for the test that NumPy gives the
    same.
    """
    cases: dict[str, NDArray[np.generic]] = {}
    for name, ensemble in ensembles.items():
        cases[f"{name}.rows"], cases[f"{name}.scores"] = ensemble.sample(12)
    np.savez_compressed(path, **cases)  # type: ignore[arg-type]


def main() -> None:
    """Cross-validate, print the figures, train on everything, write the model file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", nargs="?", type=Path, default=Path("../shared/data"))
    arguments = parser.parse_args()
    pages = [page for corpus in TRAINED for page in read_corpus(arguments.data, corpus)]
    unseen = [page for corpus in UNSEEN for page in read_corpus(arguments.data, corpus)]
    models, found = cross_validate(pages)
    regressions = [
        fit_confidence([o for o in found if o.page.fold != fold])
        for fold in range(FOLDS)
    ]
    print_figures(
        found, outcomes(models[0], unseen), held_out_confidence(regressions, found)
    )
    for fold, (model, regression) in enumerate(zip(models, regressions, strict=True)):
        write_model(ensembles_of(model, regression), fold_file(fold))
    confidence = fit_confidence(found)
    whole = fit(pages)
    ensembles = ensembles_of(whole, confidence)
    write_model(ensembles, MODEL_FILE)
    write_sample(ensembles, SAMPLE_FILE)
    print(f"{MODEL_FILE.name}: {MODEL_FILE.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
