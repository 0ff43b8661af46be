"""Content quality: word F1 by page type and by set, and ECON's table, for our methods
and the peers in one run.

python -m benchmarks.content [DATA] [--sets NAME ...] [--only NAME ...] [--reuse]
[--sample N]

Pages of sets that are trained on are extracted by the model of the folds that saw no
page of their domain, and once more by the model that saw no page of their set. Outputs
of the peers are kept between runs. A sample is for a quick look and leaves the results
as they are.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from statistics import fmean
from typing import Any

from training.folds import left_out_file

from benchmarks.common import (
    Page,
    arguments,
    content_pages,
    last_figures,
    report,
    sampled,
    table,
)
from benchmarks.extractors import (
    LEARNED,
    PEERS,
    held_out,
    installed,
    left_out,
)
from benchmarks.outputs import PeerOutputs, output
from benchmarks.scoring import Score, snippet_rates, word_score

OTHER_SETS = (
    "chaos2017",
    "cleaneval",
    "cleanportal",
    "dragnet",
    "fundus",
    "harvest",
    "l3s-gn1",
)
TRAINED_SETS = ("wcxb", *OTHER_SETS)
UNSEEN_SETS = ("zh", "news-eras")
SETS = ("wcxb", *UNSEEN_SETS, *OTHER_SETS)
LEFT_OUT = f"{LEARNED}, set left out"
SLOW_PEERS = frozenset({"jusText", "newspaper4k", "goose3", "boilerpy3"})
"""Behind the other peers on wcxb, zh and news-eras: not run on the other sets."""
PAGE_TYPES = (
    "article",
    "documentation",
    "service",
    "forum",
    "collection",
    "listing",
    "product",
)

Row = tuple[str, Score, tuple[float, float]]
Figures = dict[str, Any]
Job = tuple[Path, str, str, int | None]


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
    parser.add_argument("--sample", type=int, help="how many pages of a set, by hash")
    options = parser.parse_args()
    jobs = [
        (options.data, page_set, name, options.sample)
        for page_set in options.sets
        for name in compared(page_set)
        if not options.only or name in options.only
    ]
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        rows = pool.map(measure, jobs)
        measured = {
            f"{page_set}/{name}": _figures(found)
            for (_, page_set, name, _), found in zip(jobs, rows, strict=True)
        }
    figures = (last_figures("content") if options.reuse else {}) | measured
    if options.sample:
        print("\n".join(tables(figures)))
    else:
        report("content", tables(figures), figures)


def compared(page_set: str) -> list[str]:
    """Return the extractors that are measured on a set."""
    names = list(installed())
    if page_set in TRAINED_SETS and left_out_file(page_set).is_file():
        names.insert(1, LEFT_OUT)
    if page_set in OTHER_SETS:
        names = [name for name in names if name not in SLOW_PEERS]
    return names


def measure(job: Job) -> list[Row]:
    """Return the figures of one extractor over one set."""
    data, page_set, name, size = job
    produce = _producer(page_set, name)
    rows = []
    for page in sampled(content_pages(data, page_set), size):
        text = produce(page)
        truth = page.truth
        rates = snippet_rates(text, truth.get("with", ()), truth.get("without", ()))
        rows.append((truth["page_type"], word_score(text, truth["text"]), rates))
    return rows


def _producer(page_set: str, name: str) -> Callable[[Page], str]:
    """Return what makes the text of a page of a set, by an extractor."""
    if name == LEFT_OUT:
        return partial(output, extract=lambda page: left_out(page_set, page.html))
    if name == LEARNED and page_set in TRAINED_SETS:
        return partial(output, extract=lambda page: held_out(page.domain, page.html))

    extract = installed()[name]
    if name in PEERS:
        known = PeerOutputs(name, page_set, "txt")
        return partial(known.output, extract=lambda page: extract(page.html))
    return partial(output, extract=lambda page: extract(page.html))


def tables(figures: Mapping[str, Figures]) -> list[str]:
    """Return the tables of the sets that were measured."""
    found = []
    for page_set in ("wcxb", *UNSEEN_SETS):
        rows = of_set(figures, page_set)
        if page_set == "wcxb" and rows:
            articles = {
                name: row["articles"] for name, row in rows.items() if row["articles"]
            }
            found += [_by_type(rows), _econ_table("wcxb articles", articles)]
        elif rows:
            found.append(_econ_table(page_set, rows))
    trained = [name for name in TRAINED_SETS if of_set(figures, name)]
    if trained:
        found.append(_by_set({name: of_set(figures, name) for name in trained}))
    return found


def of_set(figures: Mapping[str, Figures], page_set: str) -> dict[str, Figures]:
    """Return the rows of one set, by extractor."""
    return {
        key.partition("/")[2]: found
        for key, found in figures.items()
        if key.startswith(f"{page_set}/")
    }


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
        "articles": _shares(by_type["article"]) if by_type["article"] else {},
        "pages": len(rows),
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
            *(found.get(f"f1 {kind}", "") for kind in PAGE_TYPES),
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


def _by_set(results: Mapping[str, Mapping[str, Figures]]) -> str:
    """Return a table with one row a set, the learned method both ways in front."""
    names = list(dict.fromkeys(name for rows in results.values() for name in rows))
    front = [name for name in (LEARNED, LEFT_OUT) if name in names]
    peers = [name for name in PEERS if name in names and name not in SLOW_PEERS]
    ours = [name for name in names if name not in {*front, *PEERS}]
    columns = [*front, *peers, *ours]
    cells: list[list[object]] = []
    for page_set, rows in results.items():
        pages = max(row.get("pages", 0) for row in rows.values())
        means = [rows[name]["f1"] if name in rows else "" for name in columns]
        cells.append([page_set, pages, *means])
    header = ["set", "pages", *(name.removeprefix("scythe ") for name in columns)]
    return table("Sets that are trained on: mean word F1", header, cells)


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
