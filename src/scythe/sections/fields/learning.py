"""Fields learned from records."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from scythe.sections.fields.fields import Fields
from scythe.sections.fields.growth import grow_positions
from scythe.sections.fields.naming import ALL_COLUMNS, ColumnOptions, name_columns
from scythe.sections.fields.record_tree import RecordTree
from scythe.sections.span import Span
from scythe.tree.tree import Tree
from scythe.tree.visibility import hidden

_MAX_RECORD_NODES = 4000
"""Nodes of a record that are read; the largest of the record sets has 1,138."""

_MAX_NODES = 60_000
"""Nodes of all records together, one to two seconds; of more, every second or third
record is enough to know the positions.
"""

_MAX_RECORDS = 2_000
"""Records that positions are learned from, of all pages together: a bound on work where
each is unlike all others. The largest of the record sets has some hundred a page.
"""


def learn_fields(
    pages: Sequence[tuple[Tree, Sequence[Span]]],
    options: ColumnOptions = ALL_COLUMNS,
) -> Fields:
    """Return the records of one or several pages of a kind aligned into named columns.

    More pages show more of the optional fields; what one page has in all its records
    may be optional on the next.
    """
    located: list[tuple[Tree, Span]] = []
    size = 0
    for tree, spans in pages:
        for start, stop in spans:
            if stop > start:
                last = min(stop, start + _MAX_RECORD_NODES)
                located.append((tree, Span(start, last)))
                size += last - start
    step_of_nodes = ceil(size / _MAX_NODES)
    step_of_records = ceil(len(located) / _MAX_RECORDS)
    step = max(1, step_of_nodes, step_of_records)
    chosen = located[::step]

    hidden_nodes = {id(tree): hidden(tree) for tree, _ in pages}
    records = []
    for tree, span in chosen:
        records.append(RecordTree(tree, span, hidden_nodes[id(tree)]))
    return name_columns(grow_positions(records), chosen, options)
