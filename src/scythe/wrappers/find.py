"""One call from a list page to its records."""

from __future__ import annotations

from dataclasses import replace

from scythe.content.status import is_blocked
from scythe.render.shared import load_tree
from scythe.sections import find_sections
from scythe.sections.fields import learn_fields
from scythe.sections.record import ListPage
from scythe.tree import Limits, Tree
from scythe.tree.parse import DEFAULT_LIMITS
from scythe.wrappers.record import Records, RecordsStatus

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
) -> Records:
    """Return the records of the main section of a page, in page order, with their
    fields.

    `url` makes links absolute. `render=None` renders the page in a browser where the
    machine has one, `False` goes by its tags alone, `True` fails where there is no
    browser.
    """
    tree = load_tree(html, url, render=render, limits=limits)
    return records_on(tree, url)


def records_on(tree: Tree, url: str | None = None) -> Records:
    """Return the records of a page that is parsed or rendered already."""
    method = "tags" if tree.box is None else "visual"
    if is_blocked(tree):
        note = "The page is a bot check or an access wall."
        return Records((), RecordsStatus.BLOCKED, method, 0.0, note)

    main = next(iter(find_sections(tree)), None)
    if main is None or not main.is_plausible:
        confidence = 1.0 if main is None else 1.0 - main.confidence
        note = "The page has no list of records."
        return Records((), RecordsStatus.EMPTY, method, confidence, note)

    fields = learn_fields([(tree, main.spans)])
    page = ListPage(tree, main.spans, fields, url)
    found = Records.from_page(page, method, main.confidence)
    if main.is_doubtful:
        return replace(found, note=DOUBT_NOTE)
    return found
