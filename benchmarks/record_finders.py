"""The rows of the tables of records: each finds the records of one page, and learns a
wrapper from several.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from training.folds import fold_of, sections_file

from benchmarks.record_sets import record_texts, shown_text
from scythe.sections import main_section
from scythe.sections.model import SectionModel
from scythe.sections.span import Span, span_texts
from scythe.tree import Tree
from scythe.tree.tree import prefix_sums
from scythe.wrappers import vints
from scythe.wrappers.learn import learn_rule
from scythe.wrappers.mdr import data_regions, main_region

Apply = Callable[[Tree], list[str]]
"""From a page to the texts of its records."""

LONG_ENOUGH = 150
"""Characters of a record beyond which the floor does not count: the best of some twenty
variants on these sets.
"""


@dataclass(frozen=True, slots=True)
class Sample:
    """Pages to learn a wrapper from, with the page the engine shows when it finds
    nothing.
    """

    trees: Sequence[Tree]
    no_result: Tree | None
    site: str


@dataclass(frozen=True, slots=True)
class Finder:
    """One row: `visual` says whether it is given rendered pages to find or learn on.
    Wrappers are applied to parsed ones.
    """

    visual: bool
    find: Callable[[Tree, str], list[str]]
    """The texts of the records of one page of a site."""
    learn: Callable[[Sample], Apply]


def without_learning(find: Callable[[Tree], list[Span]]) -> Finder:
    """Return a row that learns nothing: it looks at every page anew."""

    def texts(tree: Tree) -> list[str]:
        return record_texts(tree, find(tree))

    return Finder(
        visual=False, find=lambda tree, _site: texts(tree), learn=lambda _sample: texts
    )


def held_out(site: str, *, visual: bool) -> SectionModel:
    """Return the model that was trained without the site's fold."""
    path = sections_file(fold_of(site), visual=visual)
    if not path.is_file():
        raise SystemExit(
            f"{path.name} is missing: run `python -m training.sections`, "
            "which leaves the models of the folds."
        )
    return SectionModel.load(path)


def ours(*, visual: bool) -> Finder:
    """Return Scythe's own finder, by the model that has not seen the site."""

    def texts(tree: Tree, site: str) -> list[str]:
        best = main_section(tree, held_out(site, visual=tree.box is not None))
        return (
            span_texts(tree, best.spans)
            if best is not None and best.is_plausible
            else []
        )

    def learn(sample: Sample) -> Apply:
        rule = learn_rule(
            sample.trees,
            sample.no_result,
            held_out(sample.site, visual=sample.trees[0].box is not None),
        )
        return (
            (lambda _tree: [])
            if rule is None
            else (lambda tree: span_texts(tree, rule.cut(tree)))
        )

    return Finder(visual=visual, find=texts, learn=learn)


def vints_texts(tree: Tree, _site: str) -> list[str]:
    found = vints.find_wrappers(tree)
    return record_texts(tree, found[0].spans) if found else []


def vints_wrapper(sample: Sample) -> Apply:
    rule = vints.learn_separated_rule(sample.trees, sample.no_result)
    return (
        (lambda _tree: [])
        if rule is None
        else (lambda tree: record_texts(tree, rule.cut(tree)))
    )


def mdr_main(tree: Tree) -> list[Span]:
    return main_region(tree, data_regions(tree))


def like_siblings(tree: Tree) -> list[Span]:
    """Return the floor: the largest group of siblings of the same tag and first class,
    by the text they hold.
    """
    lengths = np.zeros(len(tree), dtype=np.int32)
    texts = np.flatnonzero(shown_text(tree))
    lengths[texts] = [len("".join(text.split())) for text in tree.text[texts].tolist()]
    sums = prefix_sums(lengths)
    size = (sums[tree.end] - sums[:-1]).tolist()
    classes = tree.attribute("class")
    groups = defaultdict(list)
    for node in np.flatnonzero(~tree.is_text & (sums[tree.end] > sums[:-1])).tolist():
        words = (classes[node] or "").split()
        groups[
            int(tree.parent[node]), int(tree.tag[node]), words[0] if words else ""
        ].append(node)
    large = [group for group in groups.values() if len(group) >= 3]
    best = max(
        large,
        key=lambda group: sum(min(size[node], LONG_ENOUGH) for node in group),
        default=[],
    )
    return [Span(node, int(tree.end[node])) for node in best]


FINDERS: dict[str, Finder] = {
    "scythe, rendered": ours(visual=True),
    "scythe, tags alone": ours(visual=False),
    "ViNTs VW": Finder(visual=True, find=vints_texts, learn=vints_wrapper),
    "ViNTs NV": Finder(visual=False, find=vints_texts, learn=vints_wrapper),
    "MDR": without_learning(mdr_main),
    "like siblings": without_learning(like_siblings),
}
