"""Records: precision, recall and perfect pages on single pages and by learned wrappers,
and what a wrapper costs.

python -m benchmarks.records [DATA] [--only NAME ...] [--reuse] [--no-times] [--keep
FOLDER]
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.common import arguments, last_figures, report, table
from benchmarks.record_finders import FINDERS, Apply, Finder
from benchmarks.record_pages import Pages
from benchmarks.record_scoring import PageScore, page_score, shares
from benchmarks.record_sets import RecordSet, record_sets
from benchmarks.speed import REPEATS, cpu_seconds, parse_only
from scythe.tree import parse

PAGES_TO_BUILD = 5
"""Result pages that the time of building a wrapper is measured with."""

Figures = dict[str, Any]
Scores = list[tuple[RecordSet, PageScore]]
GROUPS: Mapping[str, Callable[[RecordSet], bool]] = {
    "all": lambda _: True,
    "choices": lambda page_set: not page_set.put_aside,
    "put aside": lambda page_set: page_set.put_aside,
    "forest": lambda page_set: page_set.forest,
    "live": lambda page_set: page_set.live,
}
"""Sets that are reported together: all, those that choices were made on, the third of
the sites that was put aside meanwhile, and two kinds of sets.
"""


def main() -> None:
    parser = arguments(
        "Records of list pages: quality, and the time to build and to apply a wrapper."
    )
    parser.add_argument(
        "--only", nargs="+", help="names of rows, all others are left out"
    )
    parser.add_argument(
        "--reuse",
        action="store_true",
        help="take the quality of the other rows from the last results instead of leaving them out",
    )
    parser.add_argument(
        "--choices",
        action="store_true",
        help="leave out the sets that are put aside: for trying things",
    )
    parser.add_argument("--no-times", action="store_true", help="measure quality only")
    parser.add_argument(
        "--keep",
        type=Path,
        help="keep rendered pages in this folder, and take those that are in it already",
    )
    options = parser.parse_args()
    finders = {
        name: finder
        for name, finder in FINDERS.items()
        if not options.only or name in options.only
    }
    sets = record_sets(options.data)
    if options.choices:
        sets = [page_set for page_set in sets if not page_set.put_aside]
    figures = last_figures("records") if options.reuse else {}
    with Pages(options.keep) as pages:
        for name, finder in finders.items():
            figures.setdefault("single", {})[name] = grouped(
                single_pages(finder, sets, pages)
            )
            figures.setdefault("learned", {})[name] = grouped(
                learned(finder, sets, pages)
            )
    if not options.no_times:
        figures["build"] = {
            name: build_seconds(finder, sets) for name, finder in finders.items()
        }
        figures["apply"] = apply_times(finders, sets)
    report("records", list(_tables(figures)), figures)


def single_pages(finder: Finder, sets: Sequence[RecordSet], pages: Pages) -> Scores:
    """Return the scores of every page alone, as in the comparison of ViNTs with MDR."""
    return [
        (
            page_set,
            page_score(
                page_set.name,
                finder.find(pages.tree(page.html, page.url, finder), page_set.site),
                page.records,
            ),
        )
        for page_set in sets
        for page in page_set.pages
    ]


def learned(finder: Finder, sets: Sequence[RecordSet], pages: Pages) -> Scores:
    """Return the scores of a wrapper from half of a set's pages, applied to the other half, which
    need no browser.
    """
    scores = []
    for page_set in sets:
        samples, unseen = page_set.halves
        if unseen:
            apply = finder.learn(pages.sample(finder, page_set, samples))
            scores += [
                (
                    page_set,
                    page_score(page_set.name, apply(parse(page.html)), page.records),
                )
                for page in unseen
            ]
    return scores


def grouped(scores: Scores) -> Figures:
    """Return the shares over all sets and over each group that is reported apart."""
    chosen = {
        group: [score for page_set, score in scores if belongs(page_set)]
        for group, belongs in GROUPS.items()
    }
    return {group: shares(found) for group, found in chosen.items() if found}


def build_seconds(finder: Finder, sets: Sequence[RecordSet]) -> list[float]:
    """Return seconds by the clock to build a wrapper from five pages and the no-result
    page, a browser started for it included.
    """
    seconds = []
    for page_set in sets:
        if len(page_set.pages) >= PAGES_TO_BUILD:
            start = time.perf_counter()
            with Pages() as pages:
                finder.learn(
                    pages.sample(finder, page_set, page_set.pages[:PAGES_TO_BUILD])
                )
            seconds.append(time.perf_counter() - start)
    return seconds


def apply_times(
    finders: Mapping[str, Finder], sets: Sequence[RecordSet]
) -> dict[str, float]:
    """Return mean CPU milliseconds to parse an unseen page and apply a wrapper to it:
    the best of three rounds, rows interleaved.
    """
    totals, count = dict.fromkeys(["parse only", *finders], 0.0), 0
    with Pages() as pages:
        for page_set in sets:
            samples, unseen = page_set.halves
            if unseen:
                applied = {
                    name: finder.learn(pages.sample(finder, page_set, samples))
                    for name, finder in finders.items()
                }
                jobs = {"parse only": parse_only} | {
                    name: partial(_parsed, apply) for name, apply in applied.items()
                }
                best = dict.fromkeys(jobs, float("inf"))
                for _ in range(REPEATS):
                    for name, job in jobs.items():
                        best[name] = min(best[name], cpu_seconds(job, unseen[0].html))
                count += 1
                for name, seconds in best.items():
                    totals[name] += seconds
    return {name: 1000 * total / max(count, 1) for name, total in totals.items()}


def _parsed(apply: Apply, html: bytes) -> str:
    return "\n".join(apply(parse(html)))


def _tables(figures: Figures) -> Iterator[str]:
    titles = {
        "single": "Single pages",
        "learned": "Wrappers learned on half of a set's pages, on the other half",
    }
    for part, title in titles.items():
        rows = figures.get(part, {})
        for group in GROUPS:
            found = {
                name: rows[name][group]
                for name in FINDERS
                if group in rows.get(name, ())
            }
            if found:
                yield _quality(
                    title if group == "all" else f"{title}: {group} sets", found
                )
    if "apply" in figures:
        yield _times(figures)


def _quality(title: str, rows: Mapping[str, Figures]) -> str:
    counted = next(iter(rows.values()))
    columns = ("macro precision", "macro recall", "micro precision", "micro recall")
    cells = [
        [name, *(found[column] for column in columns), f"{found['perfect']:.1%}"]
        for name, found in rows.items()
    ]
    counts = ", ".join(
        f"{counted[name]} {name}" for name in ("sets", "pages", "records")
    )
    return table(f"{title} ({counts})", ["", *columns, "perfect pages"], cells)


def _times(figures: Figures) -> str:
    times, builds = figures["apply"], figures["build"]
    rows = []
    for name in ("parse only", *(name for name in FINDERS if name in times)):
        seconds, milliseconds = builds.get(name, []), times[name]
        built = (
            [f"{sum(seconds) / len(seconds):.2f}", f"{max(seconds):.2f}"]
            if seconds
            else ["", ""]
        )
        rows.append(
            [
                name,
                *built,
                f"{milliseconds:.2f}",
                f"{milliseconds / times['parse only']:.1f} x",
            ]
        )
    title = (
        f"A wrapper from {PAGES_TO_BUILD} pages and the no-result page (seconds), "
        "and applied to a page (CPU time)"
    )
    return table(
        title, ["", "build, mean", "build, longest", "apply, ms", "of parsing"], rows
    )


if __name__ == "__main__":
    main()
