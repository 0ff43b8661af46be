"""Wrapper generation by ViNTs: from the look of sample pages and their tags to one
wrapper.

Content lines -> candidate groups of records -> initial wrappers -> refined wrappers ->
the best one -> integrated over sample pages (section 5.7). A rendered page is read with
its boxes (VW), a parsed one by its tags alone (NV); the wrapper itself needs no browser.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from scythe.sections.span import Span
from scythe.tree.paths import TagPath
from scythe.tree.tree import Tree
from scythe.wrappers.vints.blocks import Block
from scythe.wrappers.vints.candidates import candidate_groups
from scythe.wrappers.vints.initial import InitialWrapperBuilder
from scythe.wrappers.vints.lines import ContentLine, without_no_result_lines
from scythe.wrappers.vints.page_lines import content_lines
from scythe.wrappers.vints.rule import SeparatedRule
from scythe.wrappers.vints.selection import (
    LineIndex,
    RefinedWrapper,
    group_weights,
    learned_factors,
    refine,
)

MIN_RECORDS = 3
"""Records a group must have after refining."""


class PageWrapper(NamedTuple):
    """A wrapper of a page, the records it gives there, and its combined weight."""

    rule: SeparatedRule
    spans: list[Span]
    weight: float


def find_wrappers(tree: Tree, no_result: Tree | None = None) -> list[PageWrapper]:
    """Return the wrappers of a page, best first; none where nothing on it repeats."""
    lines = content_lines(tree)
    refined = refined_wrappers(tree, lines, no_result)
    page_box = Block(lines).box
    factors = learned_factors(page_box)
    groups = [wrapper.blocks for wrapper in refined]
    all_weights = group_weights(groups, page_box)

    wrappers = []
    for wrapper, weights in zip(refined, all_weights, strict=True):
        rule = wrapper.rule()
        weight = weights.combined(factors)
        wrappers.append(PageWrapper(rule, wrapper.spans, weight))
    return sorted(wrappers, key=lambda wrapper: -wrapper.weight)


def refined_wrappers(
    tree: Tree, lines: Sequence[ContentLine], no_result: Tree | None = None
) -> list[RefinedWrapper]:
    """Return all wrappers of a page with enough records, in the order of the separators
    they come from.
    """
    query_lines = lines
    if no_result is not None:
        no_result_lines = content_lines(no_result)
        query_lines = without_no_result_lines(lines, no_result_lines)
    page = LineIndex(tree, lines)
    wrappers = []
    groups = candidate_groups(query_lines)
    for initial in InitialWrapperBuilder(tree).wrappers(groups):
        refined = refine(page, initial)
        if len(refined.spans) >= MIN_RECORDS:
            wrappers.append(refined)
    return wrappers


def learn_separated_rule(
    trees: Sequence[Tree], no_result: Tree | None = None
) -> SeparatedRule | None:
    """Return the wrapper that most sample pages agree on; None where no page has one.

    The paper breaks ties arbitrarily. Here the wrapper is taken that weighs most on all
    sample pages together, the pages on which another was the best one included.
    """
    pages = []
    for tree in trees:
        wrappers = find_wrappers(tree, no_result)
        if wrappers:
            pages.append(wrappers)
    best_rules = [wrappers[0].rule for wrappers in pages]
    integrated = integrate(best_rules)
    if not integrated:
        return None

    def total_weight(wrapper: IntegratedWrapper) -> float:
        return sum(_weight_on_page(wrapper.rule, wrappers) for wrappers in pages)

    heaviest = max(integrated, key=total_weight)
    return heaviest.rule


def _weight_on_page(rule: SeparatedRule, wrappers: Sequence[PageWrapper]) -> float:
    """Return what a rule weighs on a page: that of the page's own wrapper with the same
    compact prefix and no other separators.
    """
    separators = set(rule.separators)
    weight = 0.0
    for wrapper in wrappers:
        other = wrapper.rule
        if not set(other.separators) <= separators:
            continue
        if integrated_prefix(other.compact().prefix, rule.prefix) is not None:
            weight = max(weight, wrapper.weight)
    return weight


@dataclass(frozen=True)
class IntegratedWrapper:
    """A wrapper, its prefix compact, and its support: how many wrappers of sample pages
    it is integrated from.
    """

    rule: SeparatedRule
    support: int = 1

    def integrated_with(self, other: IntegratedWrapper) -> IntegratedWrapper | None:
        """Return both as one; None where their separators or prefixes do not go
        together.
        """
        mine = set(self.rule.separators)
        theirs = set(other.rule.separators)
        if mine >= theirs:
            larger = self.rule
            smaller = other.rule
        elif mine <= theirs:
            larger = other.rule
            smaller = self.rule
        else:
            return None
        prefix = integrated_prefix(larger.compact().prefix, smaller.compact().prefix)
        if prefix is None:
            return None
        rule = _with_wider_bounds(replace(larger, prefix=prefix), smaller)
        support = self.support + other.support
        return IntegratedWrapper(rule, support)


def integrated_prefix(one: TagPath, other: TagPath) -> TagPath | None:
    """Return the prefix that stands for two compact ones; None where they lead to
    different sub-trees.

    The paper does not say how. What is left of the siblings before the first record is
    the beginnings of separators; of different numbers the least is taken, so that no
    record is passed over.
    """
    root, siblings = _root_and_siblings(one)
    other_root, other_siblings = _root_and_siblings(other)
    if root != other_root:
        return None
    return root + min(siblings, other_siblings, key=len)


def _root_and_siblings(prefix: TagPath) -> tuple[TagPath, TagPath]:
    """Return the way to the root of the minimal sub-tree, and what follows it."""
    stop = len(prefix)
    while stop > 0:
        last_step = prefix[stop - 1]
        if last_step.direction == "C":
            break
        stop -= 1
    return prefix[:stop], prefix[stop:]


def integrate(rules: Sequence[SeparatedRule]) -> list[IntegratedWrapper]:
    """Return the integrated wrappers with the largest support: one, or several that no
    more pages agree on.
    """
    remaining = [IntegratedWrapper(rule.compact()) for rule in rules]
    integrated: list[IntegratedWrapper] = []
    while remaining:
        wrapper = remaining.pop(0)
        for index, other in enumerate(remaining):
            both = wrapper.integrated_with(other)
            if both is not None:
                remaining[index] = both
                break
        else:
            integrated.append(wrapper)
    supports = [wrapper.support for wrapper in integrated]
    largest = max(supports, default=0)
    return [wrapper for wrapper in integrated if wrapper.support == largest]


def _with_wider_bounds(rule: SeparatedRule, other: SeparatedRule) -> SeparatedRule:
    """Return the rule with the wider [min, max] of the two."""
    least = min(rule.min, other.min)
    most = None
    if rule.max is not None and other.max is not None:
        most = max(rule.max, other.max)
    return replace(rule, min=least, max=most)
