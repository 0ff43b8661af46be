"""XML of a document: its metadata, then the content in the elements of clean HTML."""

from __future__ import annotations

from collections.abc import Mapping

from scythe.content.formats.markup import Element, MarkupWriter
from scythe.content.structures.code import code_text
from scythe.content.structures.outline import (
    Block,
    Cell,
    Container,
    Image,
    Leaf,
    Mark,
    Table,
)
from scythe.content.structures.switches import NOTE, SwitchedOutline


def to_xml(outline: SwitchedOutline, values: Mapping[str, str]) -> str:
    """Return a document as XML: what is known of it under the names that JSON output
    has, its content, and the footnotes, if any.
    """
    writer = _XmlWriter()
    with writer.block("document"):
        with writer.block("metadata"):
            for name, value in values.items():
                writer.line(name, value)
        with writer.block("content"):
            writer.blocks(outline.blocks)
        if outline.notes:
            writer.notes(outline.notes)
    return writer.result


class _XmlWriter(MarkupWriter):
    """Writes blocks in the elements that clean HTML has for them."""

    def blocks(self, children: list[Block]) -> None:
        """Write blocks one after another."""
        for block in children:
            if isinstance(block, Table):
                self._table(block)
            elif isinstance(block, Leaf):
                self._leaf(block)
            else:
                self._container(block)

    def notes(self, addresses: tuple[str, ...]) -> None:
        """Write the addresses that footnotes lead to."""
        with self.block("notes"):
            for number, address in enumerate(addresses, 1):
                self.line("note", address, {"id": f"note-{number}"})

    def _container(self, container: Container) -> None:
        attributes = {}
        if container.kind == "ol" and container.start != 1:
            attributes["start"] = str(container.start)
        with self.block(container.kind, attributes):
            self.blocks(container.children)

    def _leaf(self, leaf: Leaf) -> None:
        if leaf.kind == "hr":
            self.empty("hr")
        elif leaf.kind == "pre":
            attributes = {"language": leaf.language} if leaf.language else {}
            with self.element("pre", attributes):
                self.text(code_text(leaf))
        elif leaf.content:
            with self.element(leaf.kind):
                self._text(leaf)
        self.text("\n")

    def _text(self, leaf: Leaf) -> None:
        self.runs(leaf, _mark_element, self._image, line_break="br")

    def _image(self, image: Image) -> None:
        self.empty("img", {"src": image.source, "alt": image.alternative})

    def _table(self, table: Table) -> None:
        with self.block("table"):
            if table.caption.content:
                self._leaf(table.caption)
            for index, row in enumerate(table.rows):
                is_header_row = table.has_header_row and index == 0
                with self.element("tr"):
                    for cell in row:
                        self._cell(cell, is_header=cell.is_header or is_header_row)
                self.text("\n")

    def _cell(self, cell: Cell, *, is_header: bool) -> None:
        spans = {"colspan": cell.colspan, "rowspan": cell.rowspan}
        attributes = {name: str(span) for name, span in spans.items() if span > 1}
        with self.element("th" if is_header else "td", attributes):
            self._text(cell.text)


def _mark_element(mark: Mark) -> Element:
    if mark.tag == NOTE:
        number = mark.attributes[0][1]
        return "a", {"href": f"#note-{number}"}
    return mark.tag, dict(mark.attributes)
