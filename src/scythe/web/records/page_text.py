"""The running text of a record's page: what a job, a product or an article says of
itself beyond its fields, as a reader would copy it.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from threading import Lock

from scythe.collect.collection import Collection
from scythe.collect.views import RecordRow
from scythe.content.extract import extract
from scythe.content.options import ExtractOptions
from scythe.errors import NotStored
from scythe.tree import Tree, parse
from scythe.tree.tags import TagSet
from scythe.tree.text import visible_text

MAX_KEPT = 64
"""Texts that are kept, by the snapshot they come from. Not tuned."""
MAX_BLOCKS = 400
"""Blocks of a text that are shown: a bound on what is shown. Not tuned."""
_HEADINGS = TagSet("h1 h2 h3 h4 h5 h6")
_LISTS = TagSet("ul ol")
_TABLES = TagSet("table")
_ITEMS = TagSet("li")
_ROWS = TagSet("tr")
_CELLS = TagSet("td th")
_PLAIN = ExtractOptions(links="none", images=False)


@dataclass(frozen=True)
class TextBlock:
    """A heading, a paragraph, a list or a table."""

    kind: str
    lines: Sequence[str] = ()
    rows: Sequence[Sequence[str]] = ()

    @property
    def has_row_heads(self) -> bool:
        """Whether the rows of a table begin with what they are about: it has two
        columns. Other tables say it in their first row.
        """
        return all(len(row) <= 2 for row in self.rows)


class PageTexts:
    """Texts of pages, each read once."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, Sequence[TextBlock]] = OrderedDict()
        self._lock = Lock()

    def read(self, collection: Collection, record: RecordRow) -> Sequence[TextBlock]:
        """Return the text of a record's snapshot, block by block."""
        key = record.body_hash
        if key is None:
            return ()
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        try:
            charset = None
            if record.page_id is not None:
                charset = collection.page(record.page_id).charset
            body = collection.snapshot(key)
        except NotStored:
            return ()
        blocks = page_text(body, record.url, charset)
        with self._lock:
            self._kept[key] = blocks
            while len(self._kept) > MAX_KEPT:
                self._kept.popitem(last=False)
        return blocks


def page_text(body: bytes, url: str, charset: str | None) -> Sequence[TextBlock]:
    """Return the main content of a page without its headline, block by block."""
    document = extract(body, url, charset=charset, options=_PLAIN)
    written = parse(document.html.encode())
    blocks = list(_blocks(written))
    if blocks and blocks[0].kind == "heading":
        del blocks[0]
    return tuple(blocks[:MAX_BLOCKS])


def without_values(
    blocks: Sequence[TextBlock], values: Iterable[str]
) -> list[TextBlock]:
    """Return a text without the lines and rows that only repeat values or names of
    fields, which the page of a record shows already.
    """
    known = {""}
    for value in values:
        known.add(_key(value))
    kept: list[TextBlock] = []
    for block in blocks:
        unknown_rows = [row for row in block.rows if not _is_known(row, known)]
        unknown_lines = [line for line in block.lines if not _is_known([line], known)]
        if block.kind == "list" and unknown_lines:
            kept.append(block)
        elif unknown_rows or unknown_lines:
            kept.append(replace(block, lines=unknown_lines, rows=unknown_rows))
    while kept and kept[-1].kind == "heading":
        del kept[-1]
    return kept


def has_lines(blocks: Sequence[TextBlock], lines: Iterable[str]) -> bool:
    """Return whether a text has all of some lines."""
    words: list[str] = []
    for block in blocks:
        words += block.lines
        for row in block.rows:
            words += row
    text = _key("".join(words))
    if not text:
        return False
    keys = map(_key, lines)
    return all(key in text for key in keys)


def _is_known(cells: Sequence[str], known: Container[str]) -> bool:
    return all(_key(cell) in known for cell in cells)


def _key(text: str) -> str:
    """Return a text without what differs where a value is the same: signs and spaces."""
    return "".join(sign for sign in text.casefold() if sign.isalnum())


def _blocks(tree: Tree) -> Iterator[TextBlock]:
    """Yield the blocks of a document that we wrote: they stand beside each other."""
    is_heading = tree.has_tag(_HEADINGS)
    is_list = tree.has_tag(_LISTS)
    is_table = tree.has_tag(_TABLES)
    body = tree.first_element("body")
    if body is None:
        return
    for node in tree.children(body):
        if is_heading[node]:
            yield TextBlock("heading", [visible_text(tree, node)])
        elif is_list[node]:
            items = _children(tree, node, _ITEMS)
            lines = [visible_text(tree, item) for item in items]
            yield TextBlock("list", lines)
        elif is_table[node]:
            rows = list(_table_rows(tree, node))
            yield TextBlock("table", rows=rows)
        else:
            all_lines = visible_text(tree, node).splitlines()
            lines = [line for line in all_lines if line.strip()]
            if lines:
                yield TextBlock("paragraph", lines)


def _table_rows(tree: Tree, table: int) -> Iterator[list[str]]:
    is_row = tree.has_tag(_ROWS)
    for node in range(table, int(tree.end[table])):
        if is_row[node]:
            cells = _children(tree, node, _CELLS)
            yield [visible_text(tree, cell) for cell in cells]


def _children(tree: Tree, node: int, tags: TagSet) -> list[int]:
    has_tag = tree.has_tag(tags)
    return [child for child in tree.children(node) if has_tag[child]]
