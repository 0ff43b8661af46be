"""Templates: attributes of pages that arrive one at a time, with an operator who acts
once.

python -m benchmarks.templates [DATA] [--orders 3] [--skip-speed]

Pages of a site of swde come in a shuffled order. After the first 2, 5 or 10 an
automatic operator names, for each true attribute, the slot whose values match best on
these pages. The template goes on growing, and every later page is read as it comes,
with no further help. A page counts as right for an attribute if the slot has values
there and all of them are true ones; several true values of one attribute often stand in
different ranks of a page, and one slot has one place. Truth is whole text nodes, so
the text that a slot leaves out ("Publisher: ") is put back before comparing.
"""

from __future__ import annotations

import gzip
import json
import random
import time
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import mean
from typing import Any

import turbohtml

from benchmarks.common import arguments, report, require, table
from scythe.templates.matching.page_view import PageView
from scythe.templates.template.slots import Interest
from scythe.templates.template.template import Template
from scythe.tree import parse

AFTER = (2, 5, 10)
WORK = ("parse only", "tree", "update", "extract", "record")
"""`extract` reads all slots, `record` five that were named."""

COPIES = 3
"""Templates that grow, and then read, side by side: of each page the best of their
times counts.
"""


@dataclass(frozen=True)
class SwdePage:
    """A page with the true values of its attributes, without white space."""

    html: bytes
    url: str
    truth: dict[str, set[str]]


Seen = tuple[SwdePage, PageView]


@dataclass
class Tally:
    """How an attribute was read on some pages."""

    right: int = 0
    read: int = 0
    true: int = 0
    turned_wrong: int = 0
    """Pages that were right when they came and are wrong by the template that the last
    page left.
    """

    @property
    def scores(self) -> tuple[float, float, float]:
        """Precision, recall and F1."""
        return (
            self.right / max(self.read, 1),
            self.right / max(self.true, 1),
            2 * self.right / max(self.read + self.true, 1),
        )


@dataclass
class Run:
    """One site in one order, with the operator acting after some pages."""

    tallies: dict[str, Tally] = field(default_factory=dict)
    notices: Counter[str] = field(default_factory=Counter)
    slots: int = 0


def main() -> None:
    parser = arguments("Templates that grow page by page, with an automatic operator.")
    parser.add_argument(
        "--orders",
        type=int,
        default=3,
        help="in how many shuffled orders the pages come",
    )
    parser.add_argument(
        "--skip-speed", action="store_true", help="measure quality only"
    )
    options = parser.parse_args()
    sites = {
        folder.name: list(swde(folder))
        for folder in sorted(require(options.data / "templates" / "swde").iterdir())
    }
    runs: Runs = {}
    for name, pages in sites.items():
        seen = [(page, PageView(parse(page.html))) for page in pages]
        for order in range(options.orders):
            shuffled = random.Random(order).sample(seen, len(seen))
            runs |= {(name, after, order): measure(shuffled, after) for after in AFTER}
    tables = [
        quality(runs, list(sites), options.orders),
        by_attribute(runs),
        notice_table(runs, list(sites)),
    ]
    figures: dict[str, Any] = {"quality": as_figures(runs)}
    if not options.skip_speed:
        times = {
            name: speed([page.html for page in pages]) for name, pages in sites.items()
        }
        growth = flatness(next(iter(sites.values())))
        tables += [speed_table(times), growth_table(growth)]
        figures |= {"ms": times, "update ms by hundred": growth}
    report("templates", tables, figures)


def swde(folder: Path) -> Iterator[SwdePage]:
    truth = json.loads((folder / "truth.json").read_text("utf-8"))
    for name, attributes in sorted(truth.items()):
        html = gzip.decompress((folder / f"{name}.html.gz").read_bytes())
        values = {
            key: set(map(bare, found))
            for key, found in attributes.items()
            if key != "_url"
        }
        yield SwdePage(html, attributes["_url"], values)


def bare(text: str) -> str:
    return "".join(text.split())


def measure(seen: Sequence[Seen], after: int) -> Run:
    """Grow a template by all pages; from the operator's act on, read each as it comes."""
    template, run = Template(), Run()
    for page, view in seen[:after]:
        template.grow(view, page.url)
    template.initial = after
    named = operator(template, seen[:after])
    for attribute, slot in named.items():
        if slot is not None:
            template.name(slot, attribute)
    run.tallies = {attribute: Tally() for attribute in named}
    right: list[tuple[str, int]] = []
    for number, (page, view) in enumerate(seen[after:], after):
        update = template.grow(view, page.url)
        run.notices.update(str(notice.kind) for notice in update.notices)
        values = texts(template, view, Interest.NAMED)
        for attribute, slot in named.items():
            tally, true = run.tallies[attribute], page.truth.get(attribute, set())
            tally.read += bool(values.get(slot or ""))
            tally.true += bool(true)
            if is_right(values.get(slot or ""), true):
                tally.right += 1
                right.append((attribute, number))
    in_the_end = {
        number: texts(template, seen[number][1], Interest.NAMED)
        for number in {number for _, number in right}
    }
    for attribute, number in right:
        if not is_right(
            in_the_end[number].get(named[attribute] or ""),
            seen[number][0].truth[attribute],
        ):
            run.tallies[attribute].turned_wrong += 1
    run.slots = len(template.slots)
    return run


def operator(template: Template, seen: Sequence[Seen]) -> dict[str, str | None]:
    """Return for each attribute the slot whose values are true to the greatest share,
    over all pages that have either.

    Of equal ones that with more true values is taken, then the first on the page.
    """
    pages = [page for page, _ in seen]
    read = [texts(template, view, Interest.ALL) for _, view in seen]
    ranks = {slot.id: number for number, slot in enumerate(template.all_slots)}
    named: dict[str, str | None] = {}
    for attribute in sorted(
        {name for page in pages for name, true in page.truth.items() if true}
    ):
        best: tuple[float, int, int] = (0.0, 0, 0)
        named[attribute] = None
        for slot, rank in ranks.items():
            found = [
                (values.get(slot, []), page.truth.get(attribute, set()))
                for page, values in zip(pages, read, strict=True)
            ]
            hits = [sum(value in true for value in values) for values, true in found]
            right = sum(
                hit / max(len(values), 1)
                for hit, (values, _) in zip(hits, found, strict=True)
            )
            merit = (
                right / max(sum(bool(values or true) for values, true in found), 1),
                sum(hits),
                -rank,
            )
            if merit > best:
                best, named[attribute] = merit, slot
    return named


def texts(
    template: Template, view: PageView, interest: Interest
) -> dict[str, list[str]]:
    """Return the values of slots as the whole texts that they stand in, without white
    space; addresses as they are.
    """
    read = template.read(view, interest)
    return {
        slot: [
            bare(whole(view, node) or value)
            for value, node in zip(values, read.nodes[slot], strict=True)
        ]
        for slot, values in read.items()
    }


def whole(view: PageView, node: int) -> str:
    index = bisect_left(view.tree_nodes, node)
    return (
        view.texts[index]
        if index < len(view.tree_nodes) and view.tree_nodes[index] == node
        else ""
    )


def is_right(values: Sequence[str] | None, true: set[str]) -> bool:
    return bool(values) and true.issuperset(values or ())


Runs = dict[tuple[str, int, int], Run]


def quality(runs: Runs, sites: Sequence[str], orders: int) -> str:
    rows: list[list[object]] = [
        [
            name,
            *(
                mean(f1(runs, after, order, name) for order in range(orders))
                for after in AFTER
            ),
        ]
        for name in [*sites, "all"]
    ]
    rows += [
        [f"all, order {order + 1}", *(f1(runs, after, order, "all") for after in AFTER)]
        for order in range(orders)
    ]
    return table(
        "Mean F1 of attributes on the pages after the operator's act",
        ["site", *(f"after {n}" for n in AFTER)],
        rows,
    )


def f1(runs: Runs, after: int, order: int, site: str) -> float:
    found = [
        run
        for (name, n, o), run in runs.items()
        if n == after and o == order and site in (name, "all")
    ]
    return mean(tally.scores[2] for run in found for tally in run.tallies.values())


def by_attribute(runs: Runs) -> str:
    sums: dict[tuple[str, str], Tally] = {}
    for (site, after, _), run in runs.items():
        for attribute, tally in run.tallies.items() if after == 5 else ():
            total = sums.setdefault((site, attribute), Tally())
            for name in ("right", "read", "true", "turned_wrong"):
                setattr(total, name, getattr(total, name) + getattr(tally, name))
    rows = [
        [f"{site} {attribute}", *tally.scores, tally.turned_wrong]
        for (site, attribute), tally in sums.items()
    ]
    header = ["attribute, after 5", "precision", "recall", "F1", "right, then wrong"]
    return table("Attributes, all orders together", header, rows)


def notice_table(runs: Runs, sites: Sequence[str]) -> str:
    kinds = sorted({kind for run in runs.values() for kind in run.notices})
    rows = []
    for site in sites:
        found = [
            run for (name, after, _), run in runs.items() if name == site and after == 5
        ]
        rows.append(
            [
                site,
                *(f"{mean(run.notices[kind] for run in found):.1f}" for kind in kinds),
                f"{mean(r.slots for r in found):.0f}",
            ]
        )
    return table(
        "Notices over the 95 pages after 5, and slots in the end",
        ["site", *kinds, "slots"],
        rows,
    )


def as_figures(runs: Runs) -> dict[str, Any]:
    return {
        f"{site} after {after} order {order}": {
            "attributes": {
                name: [*tally.scores, tally.turned_wrong]
                for name, tally in run.tallies.items()
            },
            "notices": dict(run.notices),
            "slots": run.slots,
        }
        for (site, after, order), run in runs.items()
    }


def speed(pages: Sequence[bytes]) -> dict[str, float]:
    """Return CPU milliseconds a page: parsing alone, the tree, an update, and reading
    by the template that all pages left.
    """
    growing = [Template() for _ in range(COPIES)]
    totals = dict.fromkeys(WORK, 0.0)
    for number, html in enumerate(pages):
        name = str(number)
        totals["update"] += min(
            [seconds(template.update, (html, name)) for template in growing]
        )
    known = growing[0]
    for slot, name in zip(
        known.slots[:: max(len(known.slots) // 5, 1)], "abcde", strict=False
    ):
        known.name(slot.id, name)
    readers = [Template.from_json(known.as_json()) for _ in range(COPIES)]
    for reader in readers:
        reader.extract(b"")
        reader.record(b"")
    for html in pages:
        rounds = [
            {name: seconds(do, html) for name, do in reading(reader).items()}
            for reader in readers
        ]
        for name in rounds[0]:
            totals[name] += min(found[name] for found in rounds)
    return {name: 1000 * total / len(pages) for name, total in totals.items()}


def reading(template: Template) -> dict[str, Callable[..., object]]:
    """Return what a page is read with; each copy of the template reads each page once,
    so that it remembers none.
    """
    return {
        "parse only": turbohtml.parse,
        "tree": parse,
        "extract": template.extract,
        "record": template.record,
    }


def seconds(work: Callable[..., object], page: object) -> float:
    start = time.process_time()
    work(page)
    return time.process_time() - start


def flatness(pages: Sequence[SwdePage], times: int = 10) -> list[float]:
    """Return CPU milliseconds of an update, for each hundred of a thousand pages: all
    pages of a site ten times under new titles.
    """
    template, found = Template(), []
    for number in range(times):
        spent = 0.0
        for page in pages:
            html = page.html.replace(b"<title>", b"<title>%d " % number, 1).replace(
                b"<TITLE>", b"<TITLE>%d " % number, 1
            )
            html = html.replace(b"</body>", b"<p>Page %d</p></body>" % number, 1)
            spent += seconds(template.update, html)
        found.append(1000 * spent / len(pages))
    return found


def speed_table(times: dict[str, dict[str, float]]) -> str:
    rows = []
    for site, found in times.items():
        parsing = found["parse only"]
        rows.append(
            [
                site,
                f"{parsing:.2f}",
                *(f"{found[name] / parsing:.1f} x" for name in WORK[1:]),
            ]
        )
    total = {name: sum(found[name] for found in times.values()) for name in WORK}
    shares = [f"{total[name] / total['parse only']:.1f} x" for name in WORK[1:]]
    rows.append(["all", f"{total['parse only'] / len(times):.2f}", *shares])
    return table(
        "CPU time a page, of parsing alone", ["site", "parse ms", *WORK[1:]], rows
    )


def growth_table(growth: Sequence[float]) -> str:
    rows = [
        [f"{100 * number + 1} to {100 * number + 100}", f"{spent:.2f}"]
        for number, spent in enumerate(growth)
    ]
    return table("An update in the course of a thousand pages", ["pages", "ms"], rows)


if __name__ == "__main__":
    main()
