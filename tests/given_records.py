"""Records with fields that a test says, whatever their page says."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from scythe.sections.fields import Fields, Value
from scythe.sections.record import ListPage
from scythe.sections.span import Span
from scythe.tree import Tree, parse
from scythe.wrappers.record import Records


class _GivenFields:
    def __init__(self, by_start: dict[int, dict[str, Value]]) -> None:
        self.by_start = by_start
        self.columns = tuple(
            dict.fromkeys(name for row in by_start.values() for name in row)
        )

    @property
    def address_columns(self) -> frozenset[str]:
        return frozenset(name for name in self.columns if "link" in name)

    def read(self, tree: Tree, span: Span) -> dict[str, Value]:
        return self.by_start[span.start]


def records_with(*rows: dict[str, Value]) -> Records:
    """Records of a page of their own, one for each row; their text is `t`, their link
    `/x`.
    """
    tree = parse("<ul>" + "<li>t<a href=/x></a>" * len(rows))
    spans = [
        Span(node, int(tree.end[node]))
        for node in range(len(tree))
        if tree.name(node) == "li"
    ]
    return records_at(tree, spans, *rows)


def records_at(tree: Tree, spans: Sequence[Span], *rows: dict[str, Value]) -> Records:
    """Records at places of a page, with one row of fields for each, or one for all."""
    fields = rows * len(spans) if len(rows) == 1 else rows
    by_start = {span.start: row for span, row in zip(spans, fields, strict=True)}
    return Records.from_page(
        ListPage(tree, spans, cast(Fields, _GivenFields(by_start)), None), "tags", 0.87
    )
