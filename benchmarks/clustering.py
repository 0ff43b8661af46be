"""Purity and inverse purity of clusters of pages, and what a page costs as there are
more of them.

    python -m benchmarks.clustering [DATA] [--pages 100000]

All swde pages mixed with all pages of based.cooking's last stage. The truth is the
site; of based.cooking, recipe pages and all others. Pages come in the order of the
folders and in three shuffled ones; once without addresses, where structure alone has to
do it. Every stage of based.cooking by itself shows other generators and addresses;
recipe pages (by site) and news of four years (by site and year, no addresses) have few
pages of each template. Thresholds were set with the first set in view, and class names
counted apart from paths with all of them in view. Growth: made-up pages of three sites
with four templates each, whose frame outweighs what differs.

The paper's own classifier (`TreeEditClassifier`) is measured beside the sketches on some
pages of every site of the first set, as it takes much longer.
"""

from __future__ import annotations

import gzip
import json
import random
import resource
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.common import arguments, content_pages, report, require, table
from benchmarks.recipe_pages import based_cooking_stage, recipe_pages
from scythe.templates.clusters.clusters import Clusters
from scythe.templates.clusters.tree_edit import TreeEditClassifier
from scythe.tree import Tree, parse

SEEDS = (1, 2, 3)
STAGES = range(1, 8)
HEADER = (
    "pages of",
    "pages",
    "classes",
    "clusters",
    "purity",
    "inverse purity",
    "index right",
    "ms a page",
)
GROWTH_HEADER = (
    "pages",
    "ms a page",
    "clusters",
    "purity",
    "inverse purity",
    "MB kept",
    "bytes a page",
)


class Labelled(NamedTuple):
    """A page with its class."""

    label: str
    url: str
    tree: Tree
    is_index: bool


def swde(data: Path) -> Iterator[Labelled]:
    for folder in sorted(require(data / "templates" / "swde").iterdir()):
        for name, truth in json.loads(
            (folder / "truth.json").read_text("utf-8")
        ).items():
            html = gzip.decompress((folder / f"{name}.html.gz").read_bytes())
            yield Labelled(folder.name, truth["_url"], parse(html), is_index=False)


def based_cooking(data: Path, stage: int) -> Iterator[Labelled]:
    truth, files = based_cooking_stage(data, stage)
    labelled = [("recipe", page["url"]) for page in truth["recipes"]] + [
        ("other", page["url"]) for page in truth["non_recipes"]
    ]
    for label, path in labelled:
        html = files.get(path)
        if html is not None:
            yield Labelled(
                f"based.cooking {label}",
                f"https://based.cooking{path}",
                parse(html),
                is_index=label == "other",
            )


def recipes(data: Path) -> Iterator[Labelled]:
    for page in recipe_pages(data):
        yield Labelled(page.domain, page.truth["url"], parse(page.html), is_index=False)


def news(data: Path) -> Iterator[Labelled]:
    for page in content_pages(data, "news-eras"):
        yield Labelled(
            f"{page.truth['site']} {page.truth['era']}",
            page.name,
            parse(page.html),
            is_index=False,
        )


def purity(labels: Sequence[object], clusters: Sequence[object]) -> float:
    """Return the share of pages that are of the commonest label of their cluster."""
    counts: dict[object, Counter[object]] = defaultdict(Counter)
    for label, cluster in zip(labels, clusters, strict=True):
        counts[cluster][label] += 1
    return sum(max(found.values()) for found in counts.values()) / max(len(labels), 1)


def row(name: str, pages: Sequence[Labelled], *, addresses: bool = True) -> list[Any]:
    """Cluster the pages in the order given."""
    clusters = Clusters()
    urls = [
        page.url if addresses else f"page:{number}" for number, page in enumerate(pages)
    ]
    start = time.process_time()
    for page, url in zip(pages, urls, strict=True):
        clusters.add(page.tree, url)
    milliseconds = 1000 * (time.process_time() - start) / max(len(pages), 1)
    clusters.recluster()
    found, labels = (
        [clusters.cluster_of(url) for url in urls],
        [page.label for page in pages],
    )
    is_index = {cluster.id: cluster.is_index for cluster in clusters.clusters}
    right = sum(
        is_index[cluster or 0] == page.is_index
        for cluster, page in zip(found, pages, strict=True)
    ) / max(len(pages), 1)
    sizes = [len(pages), len(set(labels)), len(set(found))]
    return [
        name,
        *sizes,
        purity(labels, found),
        purity(found, labels),
        right,
        round(milliseconds, 2),
    ]


def tree_edit_row(name: str, pages: Sequence[Labelled]) -> list[Any]:
    """Classify the pages in the order given by the paper's classifier, which does not
    say what an index page is.
    """
    classifier = TreeEditClassifier()
    start = time.process_time()
    found = [classifier.add(page.tree, page.url) for page in pages]
    milliseconds = 1000 * (time.process_time() - start) / max(len(pages), 1)
    labels = [page.label for page in pages]
    sizes = [len(pages), len(set(labels)), len(set(found))]
    return [
        name,
        *sizes,
        purity(labels, found),
        purity(found, labels),
        "",
        round(milliseconds, 2),
    ]


def of_every_class(pages: Sequence[Labelled], most: int) -> list[Labelled]:
    """Return the first pages of every class, in the order given."""
    taken: Counter[str] = Counter()
    chosen = []
    for page in pages:
        taken[page.label] += 1
        if taken[page.label] <= most:
            chosen.append(page)
    return chosen


def made_up(number: int, chance: random.Random) -> tuple[str, str, str]:
    """Return a page of one of twelve templates: its label, address and HTML."""
    site, kind = (
        f"shop{number % 3}.example",
        ("product", "article", "category", "review")[chance.randrange(4)],
    )
    words = [f"word{chance.randrange(5000)}" for _ in range(60)]
    menu = "".join(
        f'<li class="menu{i % 5}"><a href="/{i}">Part {i}</a></li>' for i in range(30)
    )
    rows = range(chance.randrange(2, 20))
    optional = (
        '<div class="extra"><b>New</b><i>now</i></div>' if chance.random() < 0.4 else ""
    )
    main = {
        "product": f'<h1 class="name">{words[0]}</h1>{optional}'
        f'<div class="price"><b>{number}</b></div><table class="facts">'
        + "".join(f"<tr><th>{words[i]}</th><td>{words[-i]}</td></tr>" for i in rows)
        + "</table>",
        "article": f'<article><h1>{words[0]}</h1><p class="by"><em>{words[1]}</em></p>{optional}'
        + "".join(f"<p>{' '.join(words)}</p>" for _ in rows)
        + "</article>",
        "category": '<ol class="list">'
        + "".join(f'<li class="hit"><a href="/x/{i}">{words[i]}</a></li>' for i in rows)
        + "</ol>",
        "review": f'<section class="review"><header><h2>{words[0]}</h2></header>'
        f"{optional}<q>{' '.join(words)}</q>"
        '<div class="stars"><span>5</span></div></section>',
    }[kind]
    html = (
        f'<body><div class="top"><ul>{menu}</ul></div><main>{main}</main>'
        '<footer class="end"><p><a href="/">Home</a></p></footer>'
    )
    return f"{site} {kind}", f"https://{site}/{kind}/{words[2]}-{number}", html


def growth(total: int) -> list[list[Any]]:
    """Return the time of the last tenth of the pages at each size, and memory kept at the
    end of it.
    """
    chance, clusters = random.Random(6), Clusters()
    sizes = [
        size
        for size in (1_000, 3_000, 10_000, 30_000, 100_000, 300_000)
        if size <= total
    ]
    rows, labels, urls, spent, since = [], [], [], 0.0, 0
    at_first = _resident()
    for number in range(total):
        label, url, html = made_up(number, chance)
        tree = parse(html)
        labels.append(label)
        urls.append(url)
        start = time.process_time()
        clusters.add(tree, url)
        if number + 1 > 0.9 * (sizes[0] if sizes else total):
            spent, since = spent + time.process_time() - start, since + 1
        if sizes and number + 1 == sizes[0]:
            found = [clusters.cluster_of(url) for url in urls]
            kept = _resident() - at_first
            quality = [len(set(found)), purity(labels, found), purity(found, labels)]
            rows.append(
                [
                    sizes.pop(0),
                    round(1000 * spent / since, 2),
                    *quality,
                    round(kept / 1e6, 1),
                    round(kept / (number + 1)),
                ]
            )
            spent, since = 0.0, 0
    return rows


def _resident() -> int:
    """Return the most memory that this process has held, in bytes."""
    return 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def papers_classifier(pages: Sequence[Labelled], most: int) -> list[list[Any]]:
    """Return the rows of both classifiers on some pages of every class."""
    some = of_every_class(pages, most)
    name = f"{most} pages of each"
    return [row(f"{name}, sketches", some), tree_edit_row(f"{name}, tree edit", some)]


def _print_papers_classifier(data: Path, most: int) -> None:
    pages = [*swde(data), *based_cooking(data, STAGES[-1])]
    print(table("Classifiers", HEADER, papers_classifier(pages, most)))


def main() -> None:
    parser = arguments(str(__doc__))
    parser.add_argument(
        "--pages", type=int, default=10_000, help="made-up pages to grow to"
    )
    parser.add_argument(
        "--paper-pages",
        type=int,
        default=10,
        help="pages of every site for the paper's classifier",
    )
    parser.add_argument(
        "--paper-only", action="store_true", help="compare with the paper's alone"
    )
    options = parser.parse_args()
    if options.paper_only:
        _print_papers_classifier(options.data, options.paper_pages)
        return
    grown = growth(options.pages)  # first, so that its memory is its own
    pages = [*swde(options.data), *based_cooking(options.data, STAGES[-1])]
    rows = [row("swde and based.cooking", pages)]
    rows.extend(papers_classifier(pages, options.paper_pages))
    for seed in SEEDS:
        shuffled = list(pages)
        random.Random(seed).shuffle(shuffled)
        rows.append(row(f"the same, order {seed}", shuffled))
    rows.append(row("the same, no addresses", shuffled, addresses=False))
    rows.extend(
        row(f"based.cooking, stage {stage}", list(based_cooking(options.data, stage)))
        for stage in STAGES
    )
    rows.append(row("recipes, by site", list(recipes(options.data))))
    rows.append(
        row(
            "news, by site and year, no addresses",
            list(news(options.data)),
            addresses=False,
        )
    )
    tables = [
        table("Clusters of pages", HEADER, rows),
        table("Clusters as pages come", GROWTH_HEADER, grown),
    ]
    figures = {
        "quality": [dict(zip(HEADER, row, strict=True)) for row in rows],
        "growth": [dict(zip(GROWTH_HEADER, row, strict=True)) for row in grown],
    }
    report("clustering", tables, figures)


if __name__ == "__main__":
    main()
