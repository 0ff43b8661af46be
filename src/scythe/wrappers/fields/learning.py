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

_MOST_RECORDS = 400
_MOST_NODES = 4000
"""Records and nodes of a record that are learned from: more than any page of the record sets has."""


def learn_fields(pages: Sequence[tuple[Tree, Sequence[Span]]]) -> Fields:
    """Align the records of one or several pages of a kind into named columns.

    More pages show more of the optional fields; what one page has in all its records may be optional on the next.
    """
    regions = [
        Region(tree, Span(span.start, min(span.stop, span.start + _MOST_NODES)), mask)
        for tree, spans in pages
        for mask in [hidden(tree)]
        for span in spans
        if span.stop > span.start
    ]
    step = max(1, -(-len(regions) // _MOST_RECORDS))
    chosen = regions[::step]
    root = grow(chosen)
    return name_columns(root, [(region.tree, Span(region.start, region.start + len(region.tags))) for region in chosen])
