"""One call from a list page to its records."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Literal

from scythe.content.status import is_blocked
from scythe.render.shared import load_tree
from scythe.sections import Section, main_section
from scythe.sections.fields import MAIN_COLUMNS, learn_fields
from scythe.sections.record import ListPage
from scythe.sections.span import Span
from scythe.tree import Limits, Tree
from scythe.tree.parse import DEFAULT_LIMITS
from scythe.wrappers import mdr, vints
from scythe.wrappers.record import Records, RecordsStatus

FindMethod = Literal["auto", "vints", "mdr"]

DOUBT_NOTE = (
    "These may not be the records of the page: compare them with it, "
    "or learn a wrapper from several pages of its kind."
)


def records(
    html: bytes | str,
    url: str | None = None,
    *,
    render: bool | None = None,
    limits: Limits = DEFAULT_LIMITS,
    method: FindMethod = "auto",
    all_columns: bool = False,
) -> Records:
    """Return the records of the main section of a page, in page order, with their
    fields.

    `url` makes links absolute. `render=None` renders the page in a browser where the
    machine has one, `False` goes by its tags alone, `True` fails where there is no
    browser. `method` is `auto`, or that of a paper: `vints` or `mdr`. Columns that few
    records have, and those that say the same in all, are left out unless `all_columns`
    are asked for.
    """
    tree = load_tree(html, url, render=render, limits=limits)
    return records_on(tree, url, method=method, all_columns=all_columns)


def records_on(
    tree: Tree,
    url: str | None = None,
    *,
    method: FindMethod = "auto",
    all_columns: bool = False,
) -> Records:
    """Return the records of a page that is parsed or rendered already."""
    options = replace(MAIN_COLUMNS, is_folded=not all_columns)
    how: str = method
    if method == "auto":
        how = "tags" if tree.box is None else "visual"
    if is_blocked(tree):
        note = "The page is a bot check or an access wall."
        return Records((), RecordsStatus.BLOCKED, how, 0.0, note)
    main = _main_section(tree, method)
    if main is None or not main.is_plausible:
        confidence = 1.0 if main is None else 1.0 - main.confidence
        note = "The page has no list of records."
        return Records((), RecordsStatus.EMPTY, how, confidence, note)

    learn = partial(learn_fields, [(tree, main.spans)], options)
    page = ListPage(tree, main.spans, learn, url)
    found = Records.from_page(page, how, main.confidence)
    if main.is_doubtful:
        return replace(found, note=DOUBT_NOTE)
    return found


def _main_section(tree: Tree, method: FindMethod) -> Section | None:
    """Return the section that a method finds; those of the papers know no doubt."""
    if method == "auto":
        return main_section(tree)
    spans: Sequence[Span]
    if method == "vints":
        wrappers = vints.find_wrappers(tree)
        spans = wrappers[0].spans if wrappers else ()
    else:
        spans = mdr.main_region(tree, mdr.data_regions(tree))
    return Section(tuple(spans), 1.0) if spans else None
