"""A document in the format of the Text Encoding Initiative (TEI P5).

Headings make nested `<div>`, as TEI has it; inside lists, quotes and figures, where no
`<div>` may stand, they are blocks of their own. All elements stand where the guidelines
allow them: `tests/content/formats/test_tei.py` has the table.
"""

from __future__ import annotations

from collections.abc import Mapping

from scythe.content.formats.markup import Element, MarkupWriter
from scythe.content.metadata.metadata import Metadata
from scythe.content.structures.code import code_text
from scythe.content.structures.marks import CODE_MARKS
from scythe.content.structures.outline import (
    Block,
    Cell,
    Container,
    Image,
    Leaf,
    Mark,
    Table,
    text_runs,
)
from scythe.content.structures.switches import NOTE, SwitchedOutline
from scythe.tree.tags import HEADING

NAMESPACE = "http://www.tei-c.org/ns/1.0"
_NO_TITLE = "Untitled page"
"""TEI requires a title."""

_MARK_ELEMENTS: Mapping[str, Element] = {
    "strong": ("hi", {"rend": "bold"}),
    "em": ("hi", {"rend": "italic"}),
    "u": ("hi", {"rend": "underline"}),
    "sub": ("hi", {"rend": "subscript"}),
    "sup": ("hi", {"rend": "superscript"}),
    "del": ("del", {}),
    "ins": ("add", {}),
    "code": ("code", {}),
    "kbd": ("code", {"rend": "kbd"}),
    "samp": ("code", {"rend": "samp"}),
    "q": ("q", {}),
    "abbr": ("abbr", {}),
    "dfn": ("term", {}),
    "time": ("date", {}),
}
"""How TEI marks formatting; what has no element of its own is `<hi>` with its name."""


def to_tei(outline: SwitchedOutline, metadata: Metadata, url: str | None) -> str:
    """Return a document as TEI: a header from the metadata, the content as the body,
    and footnotes, if any, at the back.
    """
    writer = _TeiWriter()
    root = {"xmlns": NAMESPACE}
    if metadata.language:
        root["xml:lang"] = metadata.language
    with writer.block("TEI", root):
        writer.header(metadata, url)
        with writer.block("text"):
            with writer.block("body"):
                writer.sections(outline.blocks)
            if outline.notes:
                writer.notes(outline.notes)
    return writer.result


class _TeiWriter(MarkupWriter):
    def header(self, metadata: Metadata, url: str | None) -> None:
        """Write what is known of the page."""
        with self.block("teiHeader"):
            with self.block("fileDesc"):
                with self.block("titleStmt"):
                    self._title_and_author(metadata)
                self._publication(metadata, url)
                with self.block("sourceDesc"), self.block("bibl"):
                    self._title_and_author(metadata)
                    self._origin(metadata, url)
            if metadata.description or metadata.language:
                self._profile(metadata)

    def _title_and_author(self, metadata: Metadata) -> None:
        self.line("title", metadata.title or _NO_TITLE)
        if metadata.author:
            self.line("author", metadata.author)

    def _publication(self, metadata: Metadata, url: str | None) -> None:
        with self.block("publicationStmt"):
            if metadata.site_name:
                self._origin(metadata, url)
            else:
                self.line("p", "The main content of a web page.")

    def _origin(self, metadata: Metadata, url: str | None) -> None:
        if metadata.site_name:
            self.line("publisher", metadata.site_name)
        date = metadata.published or metadata.modified
        if date:
            self.line("date", date, {"when": date})
        address = url or metadata.canonical_url
        if address:
            self.line("ref", address, {"target": address})

    def _profile(self, metadata: Metadata) -> None:
        with self.block("profileDesc"):
            if metadata.description:
                with self.block("abstract"):
                    self.line("p", metadata.description)
            if metadata.language:
                with self.block("langUsage"):
                    self.line(
                        "language", metadata.language, {"ident": metadata.language}
                    )

    def sections(self, blocks: list[Block]) -> None:
        """Write blocks as the sections that their headings make. A body without any
        has an empty paragraph, which TEI requires.
        """
        if not blocks:
            self.line("p", "")
        open_levels: list[int] = []
        for block in blocks:
            if not isinstance(block, Leaf) or block.kind not in HEADING:
                self._block(block)
                continue
            level = int(block.kind[1])
            while open_levels and open_levels[-1] >= level:
                self._end_section(open_levels)
            open_levels.append(level)
            self.start("div")
            self.text("\n")
            self._line_of(block, "head", {"rend": block.kind})
        while open_levels:
            self._end_section(open_levels)

    def _end_section(self, open_levels: list[int]) -> None:
        open_levels.pop()
        self.end("div")
        self.text("\n")

    def notes(self, addresses: tuple[str, ...]) -> None:
        """Write the addresses that footnotes lead to."""
        with self.block("back"), self.block("div", {"type": "notes"}):
            for number, address in enumerate(addresses, 1):
                with self.element("note", {"xml:id": f"note-{number}"}):
                    self.line("ref", address, {"target": address})
                self.text("\n")

    def _blocks(self, blocks: list[Block]) -> None:
        for block in blocks:
            self._block(block)

    def _block(self, block: Block) -> None:
        if isinstance(block, Table):
            self._table(block)
        elif isinstance(block, Leaf):
            self._leaf(block)
        elif block.kind in ("ul", "ol"):
            self._list(block)
        elif block.kind == "dl":
            self._definitions(block)
        elif block.kind == "blockquote":
            with self.block("quote"):
                self._blocks(block.children)
        elif block.kind == "figure":
            with self.block("figure"):
                self._figure_parts(block.children)
        else:
            self._blocks(block.children)

    def _figure_parts(self, blocks: list[Block]) -> None:
        """Write pictures and captions as parts of a figure, all else as blocks in it."""
        for block in blocks:
            if isinstance(block, Leaf) and _is_picture(block):
                self._text(block)
                self.text("\n")
            elif isinstance(block, Container) and block.kind == "figcaption":
                self._caption(block.children)
            else:
                self._block(block)

    def _caption(self, blocks: list[Block]) -> None:
        """Write a caption: TEI has a head for one paragraph."""
        first = blocks[0] if len(blocks) == 1 else None
        if isinstance(first, Leaf) and first.kind == "p":
            self._line_of(first, "head", {})
        else:
            self._blocks(blocks)

    def _leaf(self, leaf: Leaf) -> None:
        if leaf.kind == "hr":
            self.empty("milestone", {"unit": "section", "rend": "rule"})
            self.text("\n")
        elif leaf.kind == "pre":
            attributes = {"rend": "block"}
            if leaf.language:
                attributes["lang"] = leaf.language
            with self.element("ab"), self.element("code", attributes):
                self.text(code_text(leaf))
            self.text("\n")
        elif leaf.kind in HEADING:
            self._line_of(leaf, "ab", {"type": "heading", "rend": leaf.kind})
        elif leaf.content:
            self._line_of(leaf, "p", {})

    def _line_of(self, leaf: Leaf, name: str, attributes: Mapping[str, str]) -> None:
        with self.element(name, attributes):
            self._text(leaf)
        self.text("\n")

    def _list(self, container: Container) -> None:
        numbered = container.kind == "ol"
        rend = "numbered" if numbered else "bulleted"
        with self.block("list", {"rend": rend}):
            for number, item in enumerate(container.children, container.start):
                attributes = {"n": str(number)} if numbered else {}
                with self.block("item", attributes):
                    self._blocks([item])

    def _definitions(self, container: Container) -> None:
        """Write terms and definitions; an item has the terms that follow each other and
        what defines them.
        """
        with self.block("list", {"rend": "definitions"}):
            in_item, has_definition = False, False
            for child in container.children:
                is_term = isinstance(child, Leaf) and child.kind == "dt"
                if in_item and is_term and has_definition:
                    self.end("item")
                    in_item, has_definition = False, False
                if not in_item:
                    self.start("item")
                    in_item = True
                if isinstance(child, Leaf) and is_term:
                    self._line_of(child, "label", {})
                else:
                    self._blocks([child])
                    has_definition = True
            if in_item:
                self.end("item")

    def _table(self, table: Table) -> None:
        rows = str(len(table.rows))
        size = {"rows": rows, "cols": str(table.columns)}
        with self.block("table", size):
            if table.caption.content:
                self._line_of(table.caption, "head", {})
            for index, row in enumerate(table.rows):
                is_header_row = table.has_header_row and index == 0
                attributes = {"role": "label"} if is_header_row else {}
                with self.element("row", attributes):
                    for cell in row:
                        self._cell(cell)
                self.text("\n")

    def _cell(self, cell: Cell) -> None:
        attributes = {}
        if cell.is_header:
            attributes["role"] = "label"
        if cell.colspan > 1:
            attributes["cols"] = str(cell.colspan)
        if cell.rowspan > 1:
            attributes["rows"] = str(cell.rowspan)
        with self.element("cell", attributes):
            self._text(cell.text)

    def _text(self, leaf: Leaf) -> None:
        pieces = []
        for marks, content in leaf.content:
            if isinstance(content, Image):
                marks = tuple(mark for mark in marks if mark.tag not in CODE_MARKS)
            pieces.append((marks, content))
        plain = Leaf(leaf.kind, pieces)
        self.runs(plain, _mark_element, self._image, line_break="lb")

    def _image(self, image: Image) -> None:
        with self.element("graphic", {"url": image.source}):
            if image.alternative:
                with self.element("desc"):
                    self.text(image.alternative)


def _is_picture(leaf: Leaf) -> bool:
    """Return whether a block is one picture, and no link."""
    runs = text_runs(leaf)
    if len(runs) != 1 or runs[0].marks:
        return False
    return isinstance(runs[0].content, Image)


def _mark_element(mark: Mark) -> Element:
    if mark.tag == "a":
        return "ref", {"target": mark.attributes[0][1]}
    if mark.tag == NOTE:
        number = mark.attributes[0][1]
        return "ref", {"target": f"#note-{number}"}
    return _MARK_ELEMENTS.get(mark.tag, ("hi", {"rend": mark.tag}))
