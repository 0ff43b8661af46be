"""The four experiments of the paper on ECON, on pages of today: news pages, pages in
pieces, short pages, other languages; with the steps of backtracking.

python -m benchmarks.econ_experiments [DATA]

The paper chose its pages in pieces and its short pages by eye. Here they are the
hundred news pages whose content has most links and emphasised words to the length of
its text, and the hundred with the shortest content.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

import numpy as np

import scythe
from benchmarks.common import Page, arguments, content_pages, map_pages, report, table
from benchmarks.extractors import scythe_method
from benchmarks.scoring import Score, word_counts, word_score
from scythe.content.methods.econ import backtrack, big_nodes, joint_para
from scythe.tree import Tree, parse
from scythe.tree.characters import Characters
from scythe.tree.tags import TagSet
from scythe.tree.text import letters_and_digits
from scythe.tree.visibility import skipped

METHODS = ("econ", "econ+", "coreex")
NEWS_SETS = ("wcxb", "zh", "news-eras", "chaos2017", "fundus", "l3s-gn1")
LANGUAGE_SETS = ("fundus", "zh")
CHOSEN = 100
"""Pages in pieces and short pages, as many as in the paper."""
MIN_LANGUAGE_PAGES = 5
"""Pages of a language that has a row of its own: a bound, not tuned."""
PIECES = TagSet("a abbr b cite em font i mark s small span strong sub sup tt u")
"""Links and special fonts, which break the content of a page in pieces."""

PAPER_STEPS = 2.7
PAPER: dict[str, dict[str, tuple[float, float, float]]] = {
    "news": {"econ": (0.937, 0.056, 0.007), "coreex": (0.826, 0.099, 0.075)},
    "pieces": {"econ": (0.91, 0.06, 0.03), "coreex": (0.51, 0.17, 0.32)},
    "short": {"econ": (0.41, 0.07, 0.52), "coreex": (0.34, 0.15, 0.51)},
    "languages": {"econ": (0.90, 0.06, 0.04), "coreex": (0.92, 0.02, 0.06)},
}
"""Correctly, wrongly and missed in tables II to V of the paper."""


@dataclass(frozen=True, slots=True)
class Measured:
    """One page: what it is, and what the methods make of it."""

    page_set: str
    language: str
    words: int
    pieces: float
    """Links and emphasised words of the content by its words."""
    steps: int | None
    """Of backtracking; None where there is no snippet-node."""
    scores: dict[str, Score]


def main() -> None:
    options = arguments("ECON's experiments.").parse_args()
    pages = map_pages(measure, news_pages(options.data))
    experiments = {
        "news": pages,
        "pieces": heapq.nlargest(CHOSEN, pages, key=lambda page: page.pieces),
        "short": heapq.nsmallest(CHOSEN, pages, key=lambda page: page.words),
    }
    titles = {
        "news": f"Experiment 1: {len(pages):,} news pages",
        "pieces": f"Experiment 2: the {CHOSEN} pages in most pieces",
        "short": f"Experiment 3: the {CHOSEN} shortest pages",
    }
    tables = [
        experiment_table(titles[name], experiments[name], PAPER[name])
        for name in experiments
    ]
    in_languages = [page for page in pages if page.page_set in LANGUAGE_SETS]
    languages = by_language(in_languages)
    tables.append(language_table(languages))
    figures = {
        name: experiment_figures(chosen)
        for name, chosen in {**experiments, **languages}.items()
    }
    report("econ_experiments", tables, figures)


def news_pages(data: Path) -> Iterator[Page]:
    """Yield the news pages and other articles of all sets that have content."""
    for page_set in NEWS_SETS:
        for page in content_pages(data, page_set):
            is_article = page.truth["page_type"] == "article"
            if is_article and page.truth["text"].strip():
                yield Page(f"{page_set}/{page.name}", page.html, page.truth)


def measure(page: Page) -> Measured:
    """Return the figures of one page."""
    tree = parse(page.html)
    truth = page.truth["text"]
    words = word_counts(truth).total()
    language = scythe.extract(page.html, method="econ").language or "unknown"
    return Measured(
        page_set=page.name.partition("/")[0],
        language=language.partition("-")[0],
        words=words,
        pieces=content_pieces(tree, truth) / max(words, 1),
        steps=backtracking_steps(tree),
        scores={
            method: word_score(scythe_method(method, page.html), truth)
            for method in METHODS
        },
    )


def content_pieces(tree: Tree, truth: str) -> int:
    """Return how many links and emphasised words the content has: those that stand in
    the truth with the text before or after them.
    """
    nodes = np.flatnonzero(~skipped(tree) & tree.is_text)
    texts = [letters_and_digits(text) for text in tree.text[nodes].tolist()]
    is_piece = tree.has_tag(PIECES)[tree.parent[nodes]]
    letters = letters_and_digits(truth)
    pieces = 0
    for before, text, after, in_piece in zip(
        ["", *texts], texts, [*texts[1:], ""], is_piece, strict=False
    ):
        joined = [part for part in (before + text, text + after) if part != text]
        pieces += bool(in_piece and text and any(part in letters for part in joined))
    return pieces


def backtracking_steps(tree: Tree) -> int | None:
    """Return how many steps up lead from the snippet-node to the summary-node."""
    characters = Characters.from_tree(tree, ~skipped(tree))
    punc_num = tree.totals(characters.sentence_punctuation)
    length = tree.totals(characters.non_space)
    big_node = big_nodes(tree, characters.non_space)
    snippet_node = joint_para(tree, big_node, length, punc_num).snippet_node()
    if snippet_node is None:
        return None
    summary_node = backtrack(tree, snippet_node, punc_num)
    return int(tree.depth[snippet_node] - tree.depth[summary_node])


def by_language(pages: Sequence[Measured]) -> dict[str, list[Measured]]:
    """Return the pages by language, those of rare languages together."""
    counts = Counter(page.language for page in pages)
    common = [name for name, count in counts.items() if count >= MIN_LANGUAGE_PAGES]
    groups = {
        name: [page for page in pages if page.language == name]
        for name in sorted(common)
    }
    others = [page for page in pages if page.language not in common]
    return groups | {"others": others, "all": list(pages)}


def shares(pages: Sequence[Measured], method: str) -> tuple[float, float, float]:
    """Return the shares of pages correctly and wrongly extracted, and missed."""
    scores = [page.scores[method] for page in pages]
    correctly = fmean(score.correctly for score in scores)
    wrongly = fmean(score.wrongly for score in scores)
    return correctly, wrongly, 1 - correctly - wrongly


def mean_steps(pages: Sequence[Measured]) -> float:
    """Return the mean steps of backtracking, 0 where no page has a snippet-node."""
    known = [page.steps for page in pages if page.steps is not None]
    return fmean(known) if known else 0.0


def experiment_figures(pages: Sequence[Measured]) -> dict[str, object]:
    """Return the figures of some pages as plain data."""
    found: dict[str, object] = {method: shares(pages, method) for method in METHODS}
    return found | {"pages": len(pages), "steps": mean_steps(pages)}


def experiment_table(
    title: str,
    pages: Sequence[Measured],
    paper: dict[str, tuple[float, float, float]],
) -> str:
    """Return the table of an experiment, with what the paper has on its own pages."""
    rows: list[list[object]] = []
    for method in METHODS:
        f1 = fmean(page.scores[method].f1 for page in pages)
        steps = f"{mean_steps(pages):.1f}" if method == "econ" else ""
        rows.append([f"scythe {method}", *_percent(shares(pages, method)), f1, steps])
    for method, found in paper.items():
        steps = str(PAPER_STEPS) if found is PAPER["news"]["econ"] else ""
        rows.append([f"{method} in the paper", *_percent(found), "", steps])
    return table(
        title, ["extractor", "correctly", "wrongly", "missed", "F1", "steps"], rows
    )


def language_table(groups: dict[str, list[Measured]]) -> str:
    """Return the table of the fourth experiment: a row a language."""
    rows: list[list[object]] = []
    for name, pages in groups.items():
        cells = [
            cell for method in METHODS for cell in _percent(shares(pages, method))[::2]
        ]
        rows.append([name, len(pages), *cells, f"{mean_steps(pages):.1f}"])
    econ, coreex = PAPER["languages"]["econ"], PAPER["languages"]["coreex"]
    paper = [*_percent(econ)[::2], "", "", *_percent(coreex)[::2]]
    rows.append(["nine languages in the paper", 50, *paper, ""])
    columns = [f"{method} {part}" for method in METHODS for part in ("right", "missed")]
    return table(
        "Experiment 4: fundus and zh by declared language",
        ["language", "pages", *columns, "steps"],
        rows,
    )


def _percent(values: Sequence[float]) -> list[str]:
    return [f"{value:.1%}" for value in values]


if __name__ == "__main__":
    main()
