"""Is the confidence true? Predicted against actual F1 by decile, on pages of domains
that the model never saw.

python -m benchmarks.calibration [DATA]
"""

from __future__ import annotations

from statistics import fmean

import scythe
from benchmarks.common import Page, arguments, content_pages, map_pages, report, table
from benchmarks.extractors import held_out_method
from benchmarks.scoring import word_score

GROUPS = 10


def main() -> None:
    options = arguments(
        "Reliability of the confidence of the learned method."
    ).parse_args()
    outcomes = sorted(map_pages(outcome, content_pages(options.data, "wcxb")))
    rows, figures = [], []
    for group in range(GROUPS):
        part = outcomes[
            group * len(outcomes) // GROUPS : (group + 1) * len(outcomes) // GROUPS
        ]
        predicted, actual = fmean(p for p, _ in part), fmean(a for _, a in part)
        rows.append([group + 1, len(part), predicted, actual])
        figures.append({"pages": len(part), "predicted": predicted, "actual": actual})
    error = fmean(abs(predicted - actual) for predicted, actual in outcomes)
    title = f"Confidence and F1 by decile; mean absolute error {error:.3f}"
    report(
        "calibration",
        [table(title, ["decile", "pages", "confidence", "F1"], rows)],
        figures,
    )


def outcome(page: Page) -> tuple[float, float]:
    """Return the confidence in a page by the model that saw no page of its domain, and
    the F1 it reached.
    """
    document = scythe.extract(page.html, method=held_out_method(page.truth["domain"]))
    return document.confidence, word_score(document.text, page.truth["text"]).f1


if __name__ == "__main__":
    main()
