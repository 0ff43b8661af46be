"""Fields learned from records."""

from __future__ import annotations

from collections.abc import Sequence

from scythe.tree.tree import Tree
from scythe.tree.visibility import hidden
from scythe.wrappers.fields.fields import Fields
from scythe.wrappers.fields.growing import grow
from scythe.wrappers.fields.naming import name_columns
from scythe.wrappers.fields.region import Region
from scythe.wrappers.span import Span

_MOST_NODES = 4000
"""Nodes of a record that are looked at; the largest of the record sets has 1,138."""

_MOST_LEARNED = 60_000
"""Nodes of all records together, one to two seconds; of more, every second or third
record is enough to know the places.
"""


def learn_fields(pages: Sequence[tuple[Tree, Sequence[Span]]]) -> Fields:
    """Align the records of one or several pages of a kind into named columns.

    More pages show more of the optional fields; what one page has in all its records
    may be optional on the next.
    """
    spans = [
        (tree, Span(span.start, min(span.stop, span.start + _MOST_NODES)))
        for tree, spans_of_page in pages
        for span in spans_of_page
        if span.stop > span.start
    ]
    size = sum(span.stop - span.start for _, span in spans)
    chosen = spans[:: max(1, -(-size // _MOST_LEARNED))]
    unseen = {id(tree): hidden(tree) for tree, _ in pages}
    root = grow([Region(tree, span, unseen[id(tree)]) for tree, span in chosen])
    return name_columns(root, chosen)
