"""A wrapper from sample pages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Literal

from scythe.errors import UsageError
from scythe.render.shared import load_tree
from scythe.sections import rank_sections
from scythe.sections.fields import MAIN_COLUMNS, ColumnOptions, Fields, learn_fields
from scythe.sections.model import SectionModel
from scythe.sections.record import ListPage
from scythe.sections.span import Span
from scythe.tree import Tree
from scythe.wrappers import vints
from scythe.wrappers.example_columns import named_fields
from scythe.wrappers.examples import (
    ExamplePage,
    Examples,
    parse_examples,
    require_shown,
)
from scythe.wrappers.induction import SamplePage, induce_rule
from scythe.wrappers.record import Records
from scythe.wrappers.rule import Rule
from scythe.wrappers.wrapper import Expectation, Wrapper

MAX_SECTIONS = 8
"""Sections of each page that rules are made for: where one page alone misleads, the
right one is among them. Not tuned.
"""
HUGE_PAGE = 50_000
"""Nodes of a page of which a wrapper is learned from one. A bound on work."""

SAME_NAMES = ColumnOptions(is_folded=True)
"""Titles and dates are called so whatever a table calls them: what puts the records of
several sites together relies on it.
"""

_NOTHING_IN_COMMON = (
    "No records were found that these pages have in common. "
    "Give pages with more records, or rendered ones."
)

_NO_RECORDS_HOLD_THEM = (
    "The examples are on the page, but no list of records holds all of them. "
    "Give values of one record, or of two records of one list."
)

Html = bytes | str
PageRecords = tuple[Tree, list[Span]]
Method = Literal["auto", "vints"]


def learn(
    pages: Sequence[Html],
    no_result: Html | None = None,
    *,
    render: bool | None = None,
    method: Method = "auto",
    all_columns: bool = False,
    examples: Examples | None = None,
) -> Wrapper:
    """Return a wrapper from pages of one kind: results of one search engine, pages of
    one list.

    `no_result` is the page shown where nothing is found. `render` is as for `records`.
    `method="vints"` builds the wrapper of ViNTs, a prefix and separators of tags.
    `all_columns` is as for `records`. `examples` are values of one or two records that
    you see, by the names that their columns are to have or without names: the wrapper is
    then that of their records, with these columns and the link.
    """
    if not pages:
        raise UsageError(
            "There is no page to learn from. Give at least one, better three or more."
        )
    trees = (load_tree(page, render=render) for page in pages)
    no_result_tree = None
    if no_result is not None:
        no_result_tree = load_tree(no_result, render=render)
    if examples is not None:
        return learn_by_example(list(trees), examples, no_result_tree)
    columns = replace(MAIN_COLUMNS, is_folded=not all_columns)
    return learn_from(trees, no_result_tree, method=method, columns=columns)


def learn_from(
    pages: Iterable[Tree],
    no_result: Tree | None = None,
    *,
    method: Method = "auto",
    columns: ColumnOptions = SAME_NAMES,
) -> Wrapper:
    """Return a wrapper from pages that are parsed or rendered already."""
    trees = _pages_to_learn_from(pages)
    learn_method = vints.learn_separated_rule if method == "vints" else learn_rule
    rule: Rule | None = learn_method(trees, no_result)
    cuts = _records_in_common(rule, trees)
    filled = [(tree, spans) for tree, spans in cuts if spans]
    fields = learn_fields(filled, columns)
    return _wrapper(rule, fields, cuts)


def _pages_to_learn_from(trees: Iterable[Tree]) -> list[Tree]:
    """Return the pages that are looked into: of huge ones the first alone."""
    kept: list[Tree] = []
    has_huge = False
    for tree in trees:
        is_huge = len(tree) > HUGE_PAGE
        if not (is_huge and has_huge):
            kept.append(tree)
        has_huge = has_huge or is_huge
    return kept


def learn_by_example(
    trees: Sequence[Tree],
    examples: Examples,
    no_result: Tree | None = None,
    model: SectionModel | None = None,
) -> Wrapper:
    """Return the wrapper of the records that hold these values, with their columns."""
    given = parse_examples(examples)
    pages = [ExamplePage(tree, given) for tree in trees]
    require_shown(pages, given)
    samples = []
    for page in pages:
        ranked = rank_sections(page.tree, model)
        if page.shown:
            sections = page.with_examples(ranked)
            if not sections:
                raise UsageError(_NO_RECORDS_HOLD_THEM)
            samples.append(SamplePage(page.tree, sections, is_given=True))
        else:
            samples.append(SamplePage(page.tree, ranked[:MAX_SECTIONS]))
    rule = induce_rule(samples, no_result)
    cuts = _records_in_common(rule, trees)
    filled = [(tree, spans) for tree, spans in cuts if spans]
    fields = learn_fields(filled)
    shown = []
    for page, (_, spans) in zip(pages, cuts, strict=True):
        if page.shown and spans:
            shown.append((page, spans))
    return _wrapper(rule, named_fields(fields, shown, cuts), cuts)


def _records_in_common(rule: Rule | None, trees: Sequence[Tree]) -> list[PageRecords]:
    """Return the records of each page; a `UsageError` where most pages have none."""
    if rule is None:
        raise UsageError(_NOTHING_IN_COMMON)
    cuts = [(tree, rule.cut(tree)) for tree in trees]
    with_records = [tree for tree, spans in cuts if spans]
    if 2 * len(with_records) <= len(trees):
        raise UsageError(_NOTHING_IN_COMMON)
    return cuts


def _wrapper(rule: Rule | None, fields: Fields, cuts: Sequence[PageRecords]) -> Wrapper:
    assert rule is not None  # noqa: S101 - records were found by it
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
