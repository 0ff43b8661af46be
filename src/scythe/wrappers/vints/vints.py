"""ViNTs (Zhao, Meng, Wu, Raghavan and Yu, 2005): wrappers from the look of a page and
its tags together.

Content lines -> candidate groups of records -> initial wrappers -> refined wrappers ->
the best one -> integrated over sample pages. A rendered page is read with its boxes
(VW), a parsed one by its tags alone (NV); the wrapper itself needs no browser.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from scythe.tree.tree import Tree
from scythe.wrappers.span import Span
from scythe.wrappers.vints.blocks import Block
from scythe.wrappers.vints.build import Builder
from scythe.wrappers.vints.candidates import candidate_groups
from scythe.wrappers.vints.integrate import integrate
from scythe.wrappers.vints.lines import ContentLine, without
from scythe.wrappers.vints.refine import Page, Refined, refine
from scythe.wrappers.vints.rule import Separated
from scythe.wrappers.vints.select import factors, weigh
from scythe.wrappers.vints.tag_lines import tag_lines
from scythe.wrappers.vints.visual_lines import visual_lines

FEWEST_RECORDS = 3
"""Records a group must have after refining."""

SHOWN = 0.5
"""Share of a page's characters that must be rendered for its boxes to be of use."""


class Found(NamedTuple):
    """A wrapper of a page, the records it gives there, and its combined weight."""

    rule: Separated
    spans: list[Span]
    weight: float


def find(tree: Tree, no_result: Tree | None = None) -> list[Found]:
    """The wrappers of a page, best first; empty where nothing on it repeats."""
    lines = content_lines(tree)
    refined = refined_wrappers(tree, lines, no_result)
    page = Block(lines).box
    weights = weigh([wrapper.blocks for wrapper in refined], page)
    combined = [weight.combined(factors(page)) for weight in weights]
    order = sorted(range(len(refined)), key=lambda place: -combined[place])
    return [
        Found(refined[place].rule(), refined[place].spans, combined[place])
        for place in order
    ]


def learn(trees: Sequence[Tree], no_result: Tree | None = None) -> Separated | None:
    """The wrapper that most sample pages agree on; None where no page has one.

    The paper breaks ties arbitrarily. Here the wrapper is taken that weighs most on all
    sample pages together, the pages on which another was the best one included.
    """
    found = [wrappers for tree in trees if (wrappers := find(tree, no_result))]
    integrated = integrate([wrappers[0].rule for wrappers in found])
    if not integrated:
        return None
    return max(
        integrated,
        key=lambda wrapper: sum(
            _weight_of(wrapper.rule, wrappers) for wrappers in found
        ),
    ).rule


def _weight_of(rule: Separated, wrappers: Sequence[Found]) -> float:
    """What a rule weighs on a page: that of the page's own wrapper with the same
    compact prefix and no other separators.
    """
    return max(
        (
            found.weight
            for found in wrappers
            if set(found.rule.separators) <= set(rule.separators)
            and found.rule.compact().prefix == rule.prefix
        ),
        default=0.0,
    )


def refined_wrappers(
    tree: Tree, lines: Sequence[ContentLine], no_result: Tree | None = None
) -> list[Refined]:
    """All wrappers of a page with enough records, in the order of the separators they
    come from.
    """
    page = Page(tree, lines)
    left = lines if no_result is None else without(lines, content_lines(no_result))
    refined = [
        refine(page, initial)
        for initial in Builder(tree).wrappers(candidate_groups(left))
    ]
    return [wrapper for wrapper in refined if len(wrapper.spans) >= FEWEST_RECORDS]


def content_lines(tree: Tree) -> list[ContentLine]:
    """The content lines of a page, by its boxes where it has them.

    Some pages hide most of their text until a script has run. Their boxes tell nothing,
    and they are read by their tags.
    """
    by_tags = tag_lines(tree)
    if tree.layout is None:
        return by_tags
    by_boxes = visual_lines(tree, tree.layout)
    return (
        by_boxes
        if Block(by_boxes).characters >= SHOWN * Block(by_tags).characters
        else by_tags
    )
