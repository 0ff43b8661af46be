"""The figures of a model: F1 by page type, ECON's table, page types found, reliability
of the confidence.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from training.corpus import MEASURED, Page


@dataclass(frozen=True, eq=False)
class Outcome:
    """What was chosen on a page and how good it is."""

    page: Page
    chosen: NDArray[np.bool_]
    facts: NDArray[np.float32] | None
    page_type: str
    scores: tuple[float, float, float]


def print_figures(
    found: list[Outcome], unseen: list[Outcome], confidence: list[float]
) -> None:
    """All tables on standard output."""
    groups: dict[str, list[Outcome]] = defaultdict(list)
    for outcome in found:
        groups[outcome.page.corpus].append(outcome)
        if outcome.page.corpus == MEASURED:
            groups[outcome.page.page_type].append(outcome)
    for outcome in unseen:
        groups[outcome.page.corpus].append(outcome)
    print(
        f"{'pages':>16} {'n':>5} {'P':>6} {'R':>6} {'F1':>6} {'correct':>8} "
        f"{'wrong':>6} {'missed':>6} {'type':>6}"
    )
    for name, outcomes in groups.items():
        scores = np.array([outcome.scores for outcome in outcomes])
        precision, recall, f1 = scores.mean(axis=0)
        whole = scores[:, 1] >= 0.95
        correct = (whole & (scores[:, 0] >= 0.95)).mean()
        right = np.mean(
            [outcome.page_type == outcome.page.page_type for outcome in outcomes]
        )
        print(
            f"{name:>16} {len(outcomes):>5} {precision:6.3f} {recall:6.3f} {f1:6.4f} "
            f"{correct:8.1%} {whole.mean() - correct:6.1%} {1 - whole.mean():6.1%} {right:6.1%}"
        )
    _print_reliability(
        np.array(confidence), np.array([outcome.scores[2] for outcome in found])
    )


def _print_reliability(
    confidence: NDArray[np.float64], f1: NDArray[np.float64]
) -> None:
    print(f"\n{'decile':>6} {'pages':>6} {'predicted':>10} {'actual F1':>10}")
    order = np.argsort(confidence, kind="stable")
    for decile, part in enumerate(np.array_split(order, 10), 1):
        print(
            f"{decile:>6} {len(part):>6} {confidence[part].mean():>10.3f} {f1[part].mean():>10.3f}"
        )
    error = np.abs(confidence - f1).mean()
    correlation = np.corrcoef(confidence, f1)[0, 1]
    print(f"mean absolute error {error:.3f}, correlation {correlation:.3f}")
