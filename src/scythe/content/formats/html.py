"""Clean HTML of a selection: the same outline as the Markdown, in the few elements and
attributes that carry meaning.

Nothing is copied from the page but text, checked addresses and a handful of attribute
values, all escaped; elements and attribute names are written here. So no script, style
or event handler can come through.
"""

from __future__ import annotations

from html import escape

from scythe.content.options import DEFAULT_OPTIONS, ExtractOptions
from scythe.content.structures.code import code_text
from scythe.content.structures.outline import (
    Block,
    Cell,
    Container,
    Image,
    Leaf,
    Mark,
    Marks,
    Table,
    shared_marks,
    text_runs,
)
from scythe.content.structures.switches import NOTE, read_outline
from scythe.tree.tree import Bools, Tree

_COMPACT = frozenset({"li", "dd", "figcaption"})
"""Containers whose single paragraph is written without `<p>`."""


def to_html(
    tree: Tree,
    nodes: Bools,
    url: str | None = None,
    options: ExtractOptions = DEFAULT_OPTIONS,
    title: str | None = None,
) -> str:
    """Return the selected nodes of a page as an HTML fragment, one line a block;
    `title` as in `read_outline`.
    """
    outline = read_outline(tree, nodes, url, options, title)
    lines = _blocks(outline.blocks)
    if outline.notes:
        lines += _note_list(outline.notes)
    return "\n".join(lines)


def _note_list(addresses: tuple[str, ...]) -> list[str]:
    lines = ["<ol>"]
    for number, address in enumerate(addresses, 1):
        escaped = escape(address)
        lines.append(f'<li id="note-{number}"><a href="{escaped}">{escaped}</a></li>')
    lines.append("</ol>")
    return lines


def _blocks(children: list[Block]) -> list[str]:
    return list(filter(None, map(_block, children)))


def _block(block: Block) -> str:
    if isinstance(block, Table):
        return _table(block)
    if isinstance(block, Leaf):
        return _leaf(block)
    return _container(block)


def _container(container: Container) -> str:
    kind = container.kind
    if kind in _COMPACT:
        lines = _compact_blocks(container.children)
        text = "\n".join(lines)
        return f"<{kind}>{text}</{kind}>" if lines else ""

    children = container.children
    lines = _figure_blocks(children) if kind == "figure" else _blocks(children)
    if not lines:
        return ""
    start = ""
    if kind == "ol" and container.start != 1:
        start = f' start="{container.start}"'
    tag = f"<{kind}{start}>"
    return "\n".join([tag, *lines, f"</{kind}>"])


def _compact_blocks(children: list[Block]) -> list[str]:
    """Return the blocks of an item, its text without `<p>` where it has only one."""
    leaf_kinds = [child.kind for child in children if isinstance(child, Leaf)]
    if leaf_kinds != ["p"]:
        return _blocks(children)
    first, *others = children
    if not isinstance(first, Leaf):
        return _blocks(children)
    text = _text(first)
    lines = _blocks(others)
    return [text, *lines] if text else lines


def _figure_blocks(children: list[Block]) -> list[str]:
    """Return the blocks of a figure, its pictures without `<p>`."""
    lines = []
    for child in children:
        if isinstance(child, Leaf) and _shows_only_pictures(child):
            lines.append(_text(child))
        else:
            lines.append(_block(child))
    return list(filter(None, lines))


def _shows_only_pictures(leaf: Leaf) -> bool:
    """Return whether a paragraph holds pictures and nothing else."""
    if leaf.kind != "p":
        return False
    return all(isinstance(run.content, Image) for run in text_runs(leaf))


def _leaf(leaf: Leaf) -> str:
    if leaf.kind == "hr":
        return "<hr>"
    if leaf.kind == "pre":
        return _code_block(leaf)
    text = _text(leaf)
    if not text:
        return ""
    return f"<{leaf.kind}>{text}</{leaf.kind}>"


def _code_block(leaf: Leaf) -> str:
    text = code_text(leaf)
    if not text:
        return ""
    language = ""
    if leaf.language:
        language = f' class="language-{escape(leaf.language)}"'
    return f"<pre><code{language}>{escape(text, quote=False)}</code></pre>"


def _table(table: Table) -> str:
    lines = ["<table>"]
    caption = _leaf(table.caption)
    if caption:
        lines.append(caption)
    for index, row in enumerate(table.rows):
        is_header_row = table.has_header_row and index == 0
        cells = [_cell(cell, is_header_row=is_header_row) for cell in row]
        lines.append(f"<tr>{''.join(cells)}</tr>")
    lines.append("</table>")
    return "\n".join(lines)


def _cell(cell: Cell, *, is_header_row: bool) -> str:
    tag = "th" if cell.is_header or is_header_row else "td"
    spans = ""
    if cell.colspan > 1:
        spans += f' colspan="{cell.colspan}"'
    if cell.rowspan > 1:
        spans += f' rowspan="{cell.rowspan}"'
    text = _text(cell.text)
    return f"<{tag}{spans}>{text}</{tag}>"


def _text(leaf: Leaf) -> str:
    """Return the formatted text of a leaf."""
    parts: list[str] = []
    open_marks: Marks = ()
    for gap, marks, content in text_runs(leaf):
        common = shared_marks(open_marks, marks)
        parts += _closing_tags(open_marks[common:])
        parts.append("<br>\n" if gap == "\n" else gap)
        parts += map(_opening_tag, marks[common:])
        if isinstance(content, Image):
            pairs = (("src", content.source), ("alt", content.alternative))
            parts.append(f"<img{_attributes(pairs)}>")
        else:
            parts.append(escape(content, quote=False))
        open_marks = marks
    parts += _closing_tags(open_marks)
    return "".join(parts)


def _opening_tag(mark: Mark) -> str:
    if mark.tag == NOTE:
        return ""
    return f"<{mark.tag}{_attributes(mark.attributes)}>"


def _closing_tags(marks: Marks) -> list[str]:
    return list(map(_closing_tag, reversed(marks)))


def _closing_tag(mark: Mark) -> str:
    if mark.tag != NOTE:
        return f"</{mark.tag}>"
    number = mark.attributes[0][1]
    return f'<sup><a href="#note-{number}">{number}</a></sup>'


def _attributes(pairs: tuple[tuple[str, str], ...]) -> str:
    written = ""
    for name, value in pairs:
        written += f' {name}="{escape(value)}"'
    return written
