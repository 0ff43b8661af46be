"""Clean HTML of a selection: the same outline as the Markdown, in the few elements and
attributes that carry meaning.

Nothing is copied from the page but text, checked addresses and a handful of attribute
values, all escaped; elements and attribute names are written here. So no script, style
or event handler can come through.
"""

from __future__ import annotations

from html import escape

from scythe.content.formats.runs import runs, shared
from scythe.content.structures.code import code_text
from scythe.content.structures.outline import Block, Image, Leaf, Marks, Table
from scythe.content.structures.outliner import outline
from scythe.tree.tree import Bools, Tree

_BARE = frozenset({"li", "dd", "figcaption"})
"""Containers whose single paragraph is written without `<p>`."""


def to_html(tree: Tree, nodes: Bools, base_url: str | None = None) -> str:
    """Render the chosen nodes of a page as an HTML fragment, one line a block."""
    return "\n".join(_blocks(outline(tree, nodes, base_url).children))


def _blocks(children: list[Block]) -> list[str]:
    return [written for block in children if (written := _block(block))]


def _block(block: Block) -> str:
    if isinstance(block, Table):
        return _table(block)
    if isinstance(block, Leaf):
        return _leaf(block)
    inner = (
        _unwrapped(block.children) if block.kind in _BARE else _blocks(block.children)
    )
    if not inner:
        return ""
    start = f' start="{block.start}"' if block.kind == "ol" and block.start != 1 else ""
    text = "\n".join(inner)
    if block.kind in _BARE:
        return f"<{block.kind}>{text}</{block.kind}>"
    return f"<{block.kind}{start}>\n{text}\n</{block.kind}>"


def _unwrapped(children: list[Block]) -> list[str]:
    """The blocks of an item, its text without `<p>` where it has only one."""
    first = children[0] if children else None
    if not isinstance(first, Leaf) or [
        child.kind for child in children if isinstance(child, Leaf)
    ] != ["p"]:
        return _blocks(children)
    text = _text(first)
    return [*([text] if text else []), *_blocks(children[1:])]


def _leaf(leaf: Leaf) -> str:
    if leaf.kind == "hr":
        return "<hr>"
    if leaf.kind == "pre":
        text = code_text(leaf)
        language = f' class="language-{escape(leaf.language)}"' if leaf.language else ""
        return (
            f"<pre><code{language}>{escape(text, quote=False)}</code></pre>"
            if text
            else ""
        )
    text = _text(leaf)
    return f"<{leaf.kind}>{text}</{leaf.kind}>" if text else ""


def _table(table: Table) -> str:
    lines = ["<table>"]
    if caption := _leaf(table.caption):
        lines.append(caption)
    for index, row in enumerate(table.rows):
        cells = []
        for cell in row:
            tag = "th" if cell.header or (table.headed and index == 0) else "td"
            spans = "".join(
                f' {name}="{span}"'
                for name, span in (("colspan", cell.colspan), ("rowspan", cell.rowspan))
                if span > 1
            )
            cells.append(f"<{tag}{spans}>{_text(cell.text)}</{tag}>")
        lines.append(f"<tr>{''.join(cells)}</tr>")
    return "\n".join([*lines, "</table>"])


def _text(leaf: Leaf) -> str:
    """The formatted text of a leaf."""
    parts: list[str] = []
    marks: Marks = ()
    for gap, run_marks, content in runs(leaf):
        common = shared(marks, run_marks)
        parts += (f"</{mark.tag}>" for mark in reversed(marks[common:]))
        parts.append("<br>\n" if gap == "\n" else gap)
        parts += (
            f"<{mark.tag}{_attributes(mark.attributes)}>" for mark in run_marks[common:]
        )
        if isinstance(content, Image):
            parts.append(
                f"<img{_attributes((('src', content.source), ('alt', content.alternative)))}>"
            )
        else:
            parts.append(escape(content, quote=False))
        marks = run_marks
    parts += (f"</{mark.tag}>" for mark in reversed(marks))
    return "".join(parts)


def _attributes(pairs: tuple[tuple[str, str], ...]) -> str:
    return "".join(f' {name}="{escape(value)}"' for name, value in pairs)
