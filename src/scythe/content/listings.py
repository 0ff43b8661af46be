"""The records of a list page, beside its text."""

from __future__ import annotations

from collections.abc import Sequence

from scythe.content.selection import Selection
from scythe.content.status import LIST_TYPES
from scythe.content.structures.arrangement import can_be_items
from scythe.sections import main_section
from scythe.sections.fields import MAIN_COLUMNS, learn_fields
from scythe.sections.record import ListPage, Record
from scythe.sections.span import Span
from scythe.tree.tree import Tree

MIN_SELECTED = 0.5
"""Of the records, how many must hold selected text: a section that the selection leaves
out is not what the page lists.
"""


def read_records(
    tree: Tree, selection: Selection, url: str | None
) -> tuple[Record, ...]:
    """Return the records of the main section of a list page; none of other pages, and
    none where the section is doubtful.
    """
    if selection.page_type not in LIST_TYPES or selection.tree is not None:
        return ()
    main = main_section(tree)
    if main is None or not main.is_plausible:
        return ()
    fields = learn_fields([(tree, main.spans)], MAIN_COLUMNS)
    page = ListPage(tree, main.spans, fields, url)
    return tuple([Record(page, index) for index in range(len(main.spans))])


def listed_spans(
    tree: Tree, selection: Selection, records: Sequence[Record]
) -> tuple[Span, ...]:
    """Return the records that can be written as items of a list: most hold selected
    text, and they are neither rows of a table nor sections under headings.
    """
    spans = tuple([record.span for record in records])
    is_selected = [bool(selection.nodes[start:stop].any()) for start, stop in spans]
    if sum(is_selected) < max(2, MIN_SELECTED * len(spans)):
        return ()
    return spans if can_be_items(tree, selection.nodes, spans) else ()
