"""What records of pages cost, in multiples of parsing: wrappers, single list pages,
templates and collected pages, in one command.

    python -m benchmarks.page_speed [DATA] [--sets 30] [--pages 60] [--collected 300]

Every figure is CPU time over that of turbohtml, from bytes to its own tree, on the same
pages and in the same run. Pages are those of record sets, evenly spread over their names
(a wrapper is learned from two pages of a set, and applied to its others), and the first
pages of the sites of swde. Best of three where a page can be done again; a template is
updated by a page once. A collected page is that of `benchmarks.collect_cost`: of a run
from nothing, with the acceptance of suggestions, on the first site.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import turbohtml

import scythe
from benchmarks.collect_cost import measure
from benchmarks.common import arguments, report, require, table
from benchmarks.record_sets import RecordSet, record_sets
from benchmarks.templates import seconds, speed, swde
from scythe.core.library import is_built

REPEATS = 3
TO_LEARN = 2
"""Pages that a wrapper is learned from."""
HEADER = ("work", "pages", "parse only, ms", "times parsing")

Work = Callable[[bytes], object]


def main() -> None:
    parser = arguments(__doc__ or "")
    parser.add_argument("--sets", type=int, default=30, help="sets of list pages")
    parser.add_argument("--pages", type=int, default=60, help="pages of a swde site")
    parser.add_argument("--collected", type=int, default=300, help="collected pages")
    options = parser.parse_args()
    sets = list(record_sets(options.data))
    sets = sets[:: max(len(sets) // options.sets, 1)][: options.sets]
    sites = sorted(require(options.data / "templates" / "swde").iterdir())

    figures: dict[str, list[dict[str, Any]]] = {}
    for name, core in (("with the core", "1"), ("without it", "0")):
        if core == "1" and not is_built():
            continue
        os.environ["SCYTHE_CORE"] = core
        figures[name] = [
            *of_list_pages(sets),
            *of_templates(sites, options.pages),
            *of_collections(sites[0].name, options.data, options.collected),
        ]
    tables = [
        table(f"Records of pages, {name}", HEADER, list(map(table_row, rows)))
        for name, rows in figures.items()
    ]
    report("page_speed", tables, figures)


def of_list_pages(sets: Sequence[RecordSet]) -> Iterator[dict[str, Any]]:
    """Yield what wrappers and single list pages cost."""
    wrapped: list[tuple[scythe.Wrapper, bytes]] = []
    single: list[bytes] = []
    for page_set in sets:
        pages = [page.html for page in page_set.pages]
        single.append(pages[0])
        if len(pages) > TO_LEARN:
            wrapper = scythe.learn(pages[:TO_LEARN], render=False)
            wrapped += [(wrapper, html) for html in pages[TO_LEARN:][:TO_LEARN]]
    works: Mapping[str, Callable[[scythe.Wrapper], Work]] = {
        "wrapper apply": lambda wrapper: partial(texts, wrapper.extract),
        "wrapper apply, all fields": lambda wrapper: partial(fields, wrapper.extract),
    }
    for name, work_of in works.items():
        yield compared(name, [(work_of(wrapper), html) for wrapper, html in wrapped])
    find = partial(scythe.records, render=False)
    for name, read in (("records of a page", texts), ("..., all fields", fields)):
        yield compared(name, [(partial(read, find), html) for html in single])


def texts(find: Callable[[bytes], Any], html: bytes) -> object:
    return [record.text for record in find(html)]


def fields(find: Callable[[bytes], Any], html: bytes) -> object:
    return [record.fields for record in find(html)]


def compared(name: str, works: Sequence[tuple[Work, bytes]]) -> dict[str, Any]:
    """Return what work costs beside parsing, in turns on each page: of both the
    quickest of some rounds.
    """
    working = parsing = 0.0
    for work, html in works:
        rounds = [
            (seconds(work, html), seconds(turbohtml.parse, html))
            for _ in range(REPEATS)
        ]
        working += min(found for found, _ in rounds)
        parsing += min(found for _, found in rounds)
    return {
        "work": name,
        "pages": len(works),
        "parse_only": 1000 * parsing / max(len(works), 1),
        "ratio": working / parsing if parsing else 0.0,
    }


def of_templates(sites: Sequence[Path], pages: int) -> Iterator[dict[str, Any]]:
    """Yield what templates of all sites cost together."""
    totals: dict[str, float] = {}
    count = 0
    for site in sites:
        htmls = [page.html for page in islice(swde(site), pages)]
        count += len(htmls)
        for name, milliseconds in speed(htmls).items():
            totals[name] = totals.get(name, 0.0) + milliseconds * len(htmls)
    parsing = totals["parse only"]
    for name in ("extract", "record", "update"):
        yield {
            "work": f"template {name}",
            "pages": count,
            "parse_only": parsing / count,
            "ratio": totals[name] / parsing,
        }


def of_collections(site: str, data: Path, pages: int) -> Iterator[dict[str, Any]]:
    """Yield what a collected page costs, where any are asked for."""
    if not pages:
        return
    with tempfile.TemporaryDirectory() as scratch:
        database = f"sqlite:///{Path(scratch) / 'cost.db'}"
        for found in measure(site, data, [pages], database):
            yield {
                "work": f"collected page, {site}",
                "pages": pages,
                "parse_only": found["parse_only"],
                "ratio": found["ratio"],
            }


def table_row(figures: Mapping[str, Any]) -> list[object]:
    return [
        figures["work"],
        figures["pages"],
        f"{figures['parse_only']:.2f}",
        f"{figures['ratio']:.1f}",
    ]


if __name__ == "__main__":
    main()
