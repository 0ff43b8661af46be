"""A wrapper from sample pages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from scythe.errors import UsageError
from scythe.render.shared import load_tree
from scythe.sections import rank_sections
from scythe.sections.fields import learn_fields
from scythe.sections.model import SectionModel
from scythe.sections.record import ListPage
from scythe.tree import Tree
from scythe.wrappers import vints
from scythe.wrappers.induction import SamplePage, induce_rule
from scythe.wrappers.record import Records
from scythe.wrappers.rule import Rule
from scythe.wrappers.wrapper import Expectation, Wrapper

MAX_SECTIONS = 8
"""Sections of each page that rules are made for: where one page alone misleads, the
right one is among them. Not tuned.
"""

_NOTHING_IN_COMMON = (
    "No records were found that these pages have in common. "
    "Give pages with more records, or rendered ones."
)

Html = bytes | str
Method = Literal["auto", "vints"]


def learn(
    pages: Sequence[Html],
    no_result: Html | None = None,
    *,
    render: bool | None = None,
    method: Method = "auto",
) -> Wrapper:
    """Return a wrapper from pages of one kind: results of one search engine, pages of
    one list.

    `no_result` is the page shown where nothing is found. `render` is as for `records`.
    `method="vints"` builds the wrapper of ViNTs, a prefix and separators of tags.
    """
    if not pages:
        raise UsageError(
            "There is no page to learn from. Give at least one, better three or more."
        )
    trees = [load_tree(page, render=render) for page in pages]
    no_result_tree = None
    if no_result is not None:
        no_result_tree = load_tree(no_result, render=render)
    return learn_from(trees, no_result_tree, method=method)


def learn_from(
    trees: Sequence[Tree], no_result: Tree | None = None, *, method: Method = "auto"
) -> Wrapper:
    """Return a wrapper from pages that are parsed or rendered already."""
    learn_method = vints.learn_separated_rule if method == "vints" else learn_rule
    rule: Rule | None = learn_method(trees, no_result)
    if rule is None:
        raise UsageError(_NOTHING_IN_COMMON)
    cuts = [(tree, rule.cut(tree)) for tree in trees]
    with_records = [(tree, spans) for tree, spans in cuts if spans]
    if 2 * len(with_records) <= len(trees):
        raise UsageError(_NOTHING_IN_COMMON)

    fields = learn_fields(with_records)
    pages = []
    for tree, spans in cuts:
        page = ListPage(tree, spans, fields, None)
        pages.append(Records.from_page(page, "wrapper", 1.0))
    expected = Expectation.from_pages(pages, len(fields.columns))
    return Wrapper(rule, fields, expected)


def learn_rule(
    trees: Sequence[Tree],
    no_result: Tree | None = None,
    model: SectionModel | None = None,
) -> Rule | None:
    """Return the rule of the wrapper."""
    samples = []
    for tree in trees:
        sections = rank_sections(tree, model)[:MAX_SECTIONS]
        samples.append(SamplePage(tree, sections))
    return induce_rule(samples, no_result)
