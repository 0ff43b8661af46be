"""The tables of the paper on LBDA, on pages of today: recall, precision, accuracy, time
and memory beside a heuristic approach, for which CoreEx stands.

python -m benchmarks.lbda_experiments [DATA]

Recall and precision are of words, as in the paper. It gives no formula for accuracy:
here it is the share of the words of the visible page that are rightly kept or rightly
left out. Time is of the CPU, with parsing; memory is the peak of what Python and NumPy
hold beyond the page itself, on the first hundred pages of a set by hash.
"""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import fmean
from time import process_time

from benchmarks.common import (
    Page,
    arguments,
    content_pages,
    map_pages,
    report,
    sampled,
    table,
)
from benchmarks.extractors import all_visible_text, scythe_method
from benchmarks.scoring import word_counts, word_score

SETS = ("zh", "news-eras", "wcxb", "fundus", "chaos2017")
METHODS = ("lbda", "coreex")
MEMORY_PAGES = 100
"""Pages of a set whose memory is measured: tracing takes several times as long."""

PAPER_RECALL = (82, 86, 89, 93, 96), (73, 75, 79, 83, 84)
PAPER_PRECISION = (92, 89, 85, 81, 79), (80, 76, 72, 69, 67)
PAPER_ACCURACY = (35, 39, 40, 49, 50), (25, 32, 30, 39, 40)
PAPER_TIME = (89, 85, 79, 72, 71), (95, 91, 88, 83, 81)
PAPER_MEMORY = (12, 12, 13, 15, 16), (17, 19, 20, 23, 25)
"""Tables 1 to 5 of the paper: LBDA, then the heuristic approach, on five sets of pages
that it does not name. Time and memory have no unit there.
"""


@dataclass(frozen=True, slots=True)
class Measured:
    """What a method makes of one page, and what it costs."""

    recall: float
    precision: float
    accuracy: float
    milliseconds: float


def main() -> None:
    options = arguments("LBDA's recall, precision, accuracy, time and memory.")
    data = options.parse_args().data
    rows: list[list[object]] = []
    figures = {}
    for page_set in SETS:
        for method in METHODS:
            found = set_figures(data, page_set, method)
            figures[f"{page_set}/{method}"] = found
            shares = [found[name] for name in ("recall", "precision", "accuracy")]
            costs = [f"{found[name]:.1f}" for name in ("ms", "MB")]
            rows.append([page_set, f"scythe {method}", *shares, *costs])
    rows += paper_rows()
    header = ["set", "extractor", "recall", "precision", "accuracy", "ms", "MB"]
    title = "LBDA and a heuristic approach, articles only"
    report("lbda_experiments", [table(title, header, rows)], figures)


def set_figures(data: Path, page_set: str, method: str) -> dict[str, float]:
    """Return the means of one method over the articles of one set."""
    pages = map_pages(partial(measure, method), articles(data, page_set))
    small = sampled(articles(data, page_set), MEMORY_PAGES)
    peaks = map_pages(partial(peak_megabytes, method), small)
    return {
        "recall": fmean(page.recall for page in pages),
        "precision": fmean(page.precision for page in pages),
        "accuracy": fmean(page.accuracy for page in pages),
        "ms": fmean(page.milliseconds for page in pages),
        "MB": fmean(peaks),
    }


def articles(data: Path, page_set: str) -> Iterable[Page]:
    """Return the articles of a set that have content."""
    pages = content_pages(data, page_set)
    return (
        page
        for page in pages
        if page.truth["page_type"] == "article" and page.truth["text"].strip()
    )


def measure(method: str, page: Page) -> Measured:
    """Return the figures of one page."""
    began = process_time()
    text = scythe_method(method, page.html)
    seconds = process_time() - began
    score = word_score(text, page.truth["text"])
    return Measured(
        recall=score.recall,
        precision=score.precision,
        accuracy=accuracy(text, page.truth["text"], all_visible_text(page.html)),
        milliseconds=1000 * seconds,
    )


def accuracy(text: str, truth: str, visible: str) -> float:
    """Return the share of the words of a page that are rightly kept or left out."""
    kept, relevant = word_counts(text), word_counts(truth)
    everything = word_counts(visible) | kept | relevant
    wrong = (kept - relevant).total() + (relevant - kept).total()
    return 1 - wrong / max(everything.total(), 1)


def peak_megabytes(method: str, page: Page) -> float:
    """Return the peak memory of one extraction."""
    tracemalloc.start()
    try:
        scythe_method(method, page.html)
        return tracemalloc.get_traced_memory()[1] / 1e6
    finally:
        tracemalloc.stop()


def paper_rows() -> list[list[object]]:
    """Return the means of the paper's tables over its five sets."""
    parts = (
        PAPER_RECALL,
        PAPER_PRECISION,
        PAPER_ACCURACY,
        PAPER_TIME,
        PAPER_MEMORY,
    )
    rows: list[list[object]] = []
    for index, name in enumerate(("LBDA", "heuristic approach")):
        shares = [fmean(part[index]) / 100 for part in parts[:3]]
        costs = [f"{fmean(part[index]):.1f}" for part in parts[3:]]
        rows.append(["five of the paper", name, *shares, *costs])
    return rows


if __name__ == "__main__":
    main()
