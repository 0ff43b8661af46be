"""How whole the structures of a page come out in Markdown, ours beside trafilatura's.

python -m benchmarks.structure [DATA] [--set NAME] [--only NAME ...] [--sample N]
                               [--folds N ...]

The learned method extracts every page by the model of the folds that saw no page of its
domain. `scythe shipped`, only when named, is the model that is installed, which has
seen the pages. `the truth itself`, only when named, shows what the measure makes of
right tables and lists; it has no marks of headings and figures. Without links are both
ours and trafilatura's default: the measure reads the address of a link as words of the
item around it. A sample, or the pages of some folds alone, is for a quick look and
leaves the results as they are.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from training.folds import FOLDS, fold_of

from benchmarks.common import (
    Page,
    arguments,
    content_pages,
    last_figures,
    report,
    sampled,
    table,
)
from benchmarks.extractors import LEARNED, decoded, held_out_method
from benchmarks.outputs import PeerOutputs, output
from benchmarks.structure_scoring import KINDS, StructureScore, structure_score

Job = tuple[Path, str, str, int | None, tuple[int, ...]]
TRAFILATURA = "trafilatura"
SHIPPED = "scythe shipped"
TRUTH = "the truth itself"
WITHOUT_LINKS = f"{LEARNED}, no links"
TRAFILATURA_WITHOUT_LINKS = f"{TRAFILATURA}, no links"


def main() -> None:
    parser = arguments("Whole tables, lists, headings and figures in Markdown.")
    parser.add_argument("--set", default="wcxb", help="a set of content pages")
    parser.add_argument("--only", nargs="+", choices=[*EXTRACTORS])
    parser.add_argument("--sample", type=int, help="how many pages, by hash")
    parser.add_argument("--folds", nargs="+", type=int, default=[*range(FOLDS)])
    options = parser.parse_args()
    names = options.only or COMPARED
    folds = tuple(options.folds)
    jobs = [(options.data, options.set, name, options.sample, folds) for name in names]
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        scores = dict(zip(names, pool.map(measure, jobs), strict=True))

    measured = {f"{options.set}/{name}": figures(scores[name]) for name in names}
    if options.sample or len(folds) < FOLDS:
        print(structure_table(f"{options.set}, a part of the pages", measured))
        return
    everything = last_figures("structure") | measured
    report("structure", _tables(everything), everything)


def measure(job: Job) -> StructureScore:
    """Return the figures of one extractor over one set."""
    data, page_set, name, size, folds = job
    if name in PEER_RENDERINGS:
        known = PeerOutputs(TRAFILATURA, page_set, PEER_RENDERINGS[name])
        produce = partial(known.output, extract=EXTRACTORS[name])
    else:
        produce = partial(output, extract=EXTRACTORS[name])
    score = StructureScore()
    for page in sampled(content_pages(data, page_set), size):
        if fold_of(page.domain) not in folds:
            continue
        score.add(structure_score(page.html, page.truth["text"], produce(page)))
    return score


def scythe_markdown(method: str, page: Page) -> str:
    """Return our Markdown by a method that is not trained, or by the shipped model."""
    import scythe

    return scythe.extract(page.html, page.truth.get("url"), method).markdown


def held_out_markdown(page: Page, *, links: bool = True) -> str:
    """Return our Markdown by the model that saw no page of the domain, with the
    addresses of links or without.
    """
    import scythe

    method = held_out_method(page.domain)
    options = scythe.ExtractOptions(links="inline" if links else "none")
    url = page.truth.get("url")
    return scythe.extract(page.html, url, method, options=options).markdown


def trafilatura_markdown(page: Page, *, links: bool = True) -> str:
    """Return trafilatura's Markdown with what ours has: tables, images, emphasis, and
    links or not.
    """
    from trafilatura import extract

    found = extract(
        decoded(page.html),
        url=page.truth.get("url"),
        output_format="markdown",
        include_tables=True,
        include_images=True,
        include_links=links,
        include_formatting=True,
    )
    return found or ""


def true_text(page: Page) -> str:
    """Return the truth of a page, for what the measure makes of the right answer."""
    return str(page.truth["text"])


EXTRACTORS: Mapping[str, Callable[[Page], str]] = {
    LEARNED: held_out_markdown,
    WITHOUT_LINKS: partial(held_out_markdown, links=False),
    TRAFILATURA: trafilatura_markdown,
    TRAFILATURA_WITHOUT_LINKS: partial(trafilatura_markdown, links=False),
    SHIPPED: partial(scythe_markdown, "learned"),
    TRUTH: true_text,
    "scythe lbda": partial(scythe_markdown, "lbda"),
    "scythe econ+": partial(scythe_markdown, "econ+"),
}
COMPARED = (LEARNED, WITHOUT_LINKS, TRAFILATURA, TRAFILATURA_WITHOUT_LINKS)
PEER_RENDERINGS = {TRAFILATURA: "md", TRAFILATURA_WITHOUT_LINKS: "no-links.md"}
"""What the outputs of a peer are called that are kept between runs."""


def figures(score: StructureScore) -> dict[str, float]:
    """Return the share of whole structures by kind, and how many there are."""
    totals = {f"number of {kind}": score.total[kind] for kind in KINDS}
    return totals | {kind: score.share(kind) for kind in KINDS}


def structure_table(title: str, rows: Mapping[str, Mapping[str, float]]) -> str:
    """Return a table with one row an extractor. Headings are those of its own Markdown,
    so each has another number of them.
    """
    header = ["extractor", *KINDS, "of tables", "of lists", "of headings", "of figures"]
    cells: list[Sequence[object]] = []
    for name, row in rows.items():
        shares = [row[kind] for kind in KINDS]
        totals = [row[f"number of {kind}"] for kind in KINDS]
        cells.append([name.partition("/")[2], *shares, *totals])
    return table(f"{title}: structures that come out whole", header, cells)


def _tables(everything: Mapping[str, Mapping[str, float]]) -> list[str]:
    sets = sorted({name.partition("/")[0] for name in everything})
    tables = []
    for page_set in sets:
        of_set = {
            name: row
            for name, row in everything.items()
            if name.startswith(f"{page_set}/")
        }
        tables.append(structure_table(page_set, of_set))
    return tables


if __name__ == "__main__":
    main()
