"""Content quality: word F1 by page type, and ECON's table, for our methods and the
peers in one run.

python -m benchmarks.content [DATA] [--only NAME ...] [--reuse] [--sets wcxb zh
news-eras]
"""

from __future__ import annotations

import os
import signal
from collections import defaultdict
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from statistics import fmean
from types import FrameType
from typing import Any

from benchmarks.common import arguments, content_pages, last_figures, report, table
from benchmarks.extractors import LEARNED, held_out, installed
from benchmarks.scoring import Score, snippet_rates, word_score

SETS = ("wcxb", "zh", "news-eras")
PAGE_TYPES = (
    "article",
    "documentation",
    "service",
    "forum",
    "collection",
    "listing",
    "product",
)
SECONDS_PER_PAGE = 60

Row = tuple[str, Score, tuple[float, float]]
Figures = dict[str, Any]


def main() -> None:
    parser = arguments("Content quality of our methods and of the peers.")
    parser.add_argument("--sets", nargs="+", default=SETS, choices=SETS)
    parser.add_argument(
        "--only", nargs="+", help="names of extractors, all others are left out"
    )
    parser.add_argument(
        "--reuse",
        action="store_true",
        help="take the other rows from the last results instead of leaving them out",
    )
    options = parser.parse_args()
    names = [name for name in installed() if not options.only or name in options.only]
    jobs = [
        (options.data, page_set, name) for page_set in options.sets for name in names
    ]
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        measured = {
            f"{page_set}/{name}": _figures(rows)
            for (_, page_set, name), rows in zip(
                jobs, pool.map(measure, jobs), strict=True
            )
        }
    figures = (last_figures("content") if options.reuse else {}) | measured
    tables = []
    for page_set in SETS:
        rows = {
            key.partition("/")[2]: found
            for key, found in figures.items()
            if key.startswith(f"{page_set}/")
        }
        if page_set == "wcxb" and rows:
            tables += [
                _by_type(rows),
                _econ_table(
                    "wcxb articles",
                    {name: found["articles"] for name, found in rows.items()},
                ),
            ]
        elif rows:
            tables.append(_econ_table(page_set, rows))
    report("content", tables, figures)


def measure(job: tuple[Path, str, str]) -> list[Row]:
    """Return the figures of one extractor over one set."""
    data, page_set, name = job
    extract = installed()[name]
    is_trained_on = name == LEARNED and page_set == "wcxb"
    signal.signal(signal.SIGALRM, _too_long)
    rows = []
    for page in content_pages(data, page_set):
        signal.alarm(SECONDS_PER_PAGE)
        try:
            text = (
                held_out(page.truth["domain"], page.html)
                if is_trained_on
                else extract(page.html)
            )
        except Exception:
            text = ""
        finally:
            signal.alarm(0)
        truth = page.truth
        rates = snippet_rates(text, truth.get("with", ()), truth.get("without", ()))
        rows.append((truth["page_type"], word_score(text, truth["text"]), rates))
    return rows


def _too_long(_number: int, _frame: FrameType | None) -> None:
    raise TimeoutError


def _mean(values: Sequence[float]) -> float:
    known = [value for value in values if value == value]
    return fmean(known) if known else float("nan")


def _figures(rows: Sequence[Row]) -> Figures:
    by_type = defaultdict(list)
    for page_type, score, _ in rows:
        by_type[page_type].append(score)
    return {
        **_shares([score for _, score, _ in rows]),
        "with": _mean([rates[0] for _, _, rates in rows]),
        "without": _mean([rates[1] for _, _, rates in rows]),
        **{
            f"f1 {page_type}": fmean(score.f1 for score in scores)
            for page_type, scores in by_type.items()
        },
        "articles": _shares(by_type["article"]),
    }


def _shares(scores: Sequence[Score]) -> Figures:
    return {
        "f1": fmean(score.f1 for score in scores),
        "precision": fmean(score.precision for score in scores),
        "recall": fmean(score.recall for score in scores),
        "correctly": fmean(score.correctly for score in scores),
        "wrongly": fmean(score.wrongly for score in scores),
    }


def _best_first(results: dict[str, Figures]) -> list[tuple[str, Figures]]:
    return sorted(results.items(), key=lambda item: -item[1]["f1"])


def _by_type(results: dict[str, Figures]) -> str:
    rows = [
        [
            name,
            found["f1"],
            *(found[f"f1 {kind}"] for kind in PAGE_TYPES),
            found["with"],
            found["without"],
        ]
        for name, found in _best_first(results)
    ]
    return table(
        "wcxb: mean word F1 by page type",
        ["extractor", "all", *PAGE_TYPES, "with", "without"],
        rows,
    )


def _econ_table(title: str, results: dict[str, Figures]) -> str:
    rows = []
    for name, found in _best_first(results):
        shares = (
            found["correctly"],
            found["wrongly"],
            1 - found["correctly"] - found["wrongly"],
        )
        rows.append(
            [
                name,
                found["f1"],
                found["precision"],
                found["recall"],
                *(f"{share:.1%}" for share in shares),
            ]
        )
    return table(
        title, ["extractor", "F1", "P", "R", "correctly", "wrongly", "missed"], rows
    )


if __name__ == "__main__":
    main()
