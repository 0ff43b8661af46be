"""One call from a list page to its records."""

from __future__ import annotations

from dataclasses import replace

from scythe.content.status import is_blocked
from scythe.render.shared import load_tree
from scythe.tree import Limits, Tree
from scythe.tree.parse import DEFAULT_LIMITS
from scythe.wrappers.fields import learn_fields
from scythe.wrappers.record import Page, Records, RecordsStatus
from scythe.wrappers.sections import find_sections

DOUBT = "These may not be the records of the page: compare them with it, or learn a wrapper from several pages of its kind."


def records(
    html: bytes | str,
    url: str | None = None,
    *,
    render: bool | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> Records:
    """The records of the main list of a page, in page order, with their fields.

    `url` makes links absolute. `render=None` looks at the page in a browser where the
    machine has one, `False` goes by its tags alone, `True` fails where there is no
    browser.
    """
    return records_on(load_tree(html, url, render=render, limits=limits), url)


def records_on(tree: Tree, url: str | None = None) -> Records:
    """The records of a page that is parsed or rendered already."""
    method = "tags" if tree.box is None else "visual"
    if is_blocked(tree):
        return Records(
            (),
            RecordsStatus.BLOCKED,
            method,
            0.0,
            "The page is a bot check or an access wall.",
        )
    best = next(iter(find_sections(tree)), None)
    if best is None or not best.is_plausible:
        confidence = 1.0 if best is None else 1.0 - best.confidence
        return Records(
            (),
            RecordsStatus.EMPTY,
            method,
            confidence,
            "The page has no list of records.",
        )
    fields = learn_fields([(tree, best.spans)])
    found = Records.of(Page(tree, best.spans, fields, url), method, best.confidence)
    return replace(found, note=DOUBT) if best.is_doubtful else found
