"""A wrapper from sample pages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from scythe.errors import UsageError
from scythe.render.shared import load_tree
from scythe.tree import Tree
from scythe.wrappers import vints
from scythe.wrappers.fields import learn_fields
from scythe.wrappers.induce import Sample, induce
from scythe.wrappers.outcome import Expectation
from scythe.wrappers.record import Page, Records
from scythe.wrappers.rule import Rule
from scythe.wrappers.sections import rank_sections
from scythe.wrappers.sections.model import Model
from scythe.wrappers.wrapper import Wrapper

WAYS_TO_SEE = 8
"""Sections of each page that rules are made for: where one page alone misleads, the
right one is among them.
"""

Html = bytes | str
Method = Literal["auto", "vints"]


def learn(
    pages: Sequence[Html],
    no_result: Html | None = None,
    *,
    render: bool | None = None,
    method: Method = "auto",
) -> Wrapper:
    """A wrapper from pages of one kind: results of one search engine, pages of one
    list.

    `no_result` is the page shown where nothing is found. `render` is as for `records`.
    `method="vints"` builds the wrapper of the paper, a prefix and separators of tags.
    """
    if not pages:
        raise UsageError(
            "There is no page to learn from. Give at least one, better three or more."
        )
    trees = [load_tree(page, render=render) for page in pages]
    return learn_from(
        trees,
        None if no_result is None else load_tree(no_result, render=render),
        method=method,
    )


def learn_from(
    trees: Sequence[Tree], no_result: Tree | None = None, *, method: Method = "auto"
) -> Wrapper:
    """A wrapper from pages that are parsed or rendered already."""
    rule: Rule | None = (
        vints.learn(trees, no_result)
        if method == "vints"
        else learn_rule(trees, no_result)
    )
    cut = [] if rule is None else [(tree, rule.cut(tree)) for tree in trees]
    if rule is None or 2 * sum(bool(spans) for _, spans in cut) <= len(trees):
        raise UsageError(
            "No records were found that these pages have in common. Give pages with more records, or rendered ones."
        )
    fields = learn_fields([(tree, spans) for tree, spans in cut if spans])
    rows = [
        Records.of(Page(tree, spans, fields, None), "wrapper", 1.0)
        for tree, spans in cut
    ]
    return Wrapper(rule, fields, Expectation.of(rows, len(fields.columns)))


def learn_rule(
    trees: Sequence[Tree], no_result: Tree | None = None, model: Model | None = None
) -> Rule | None:
    """The rule of the wrapper."""
    return induce(
        [Sample(tree, rank_sections(tree, model)[:WAYS_TO_SEE]) for tree in trees],
        no_result,
    )
