"""Markdown of a selection, in GitHub's flavour.

The text that a Markdown reader shows has the words of `plain_text`, in order. Every
block is a list of lines; a container puts its prefix before the lines of its blocks.
The outline is of bounded depth, so the recursion is too.
"""

from __future__ import annotations

import re
from itertools import pairwise

from scythe.content.formats.emphasis import expressible
from scythe.content.formats.escaping import (
    escape,
    escape_destination,
    escape_heading_end,
    escape_line_start,
)
from scythe.content.formats.runs import Run, runs, shared
from scythe.content.structures.code import code_text
from scythe.content.structures.outline import (
    Block,
    Container,
    Image,
    Leaf,
    Mark,
    Marks,
    Table,
)
from scythe.content.structures.outliner import outline
from scythe.tree.tree import Bools, Tree

_OPENERS = {
    "strong": "**",
    "em": "*",
    "del": "~~",
    "a": "[",
    "sub": "<sub>",
    "sup": "<sup>",
    "code": "",
}
_CLOSERS = {"strong": "**", "em": "*", "del": "~~", "sub": "</sub>", "sup": "</sup>"}
_LINE, _CELL, _HEADING = "\\\n", "<br>", " "
"""How a line break is written in a paragraph, in a table and in a heading."""
_BACKTICKS = re.compile("`+")
_LARGEST_NUMBER = 999_999_999


def to_markdown(tree: Tree, nodes: Bools, base_url: str | None = None) -> str:
    """Render the chosen nodes of a page as Markdown, without a line end at the end."""
    return "\n".join(_blocks(outline(tree, nodes, base_url).children))


def _blocks(children: list[Block], *, tight: bool = False) -> list[str]:
    """The lines of blocks one after another, a blank line between them unless they may
    stand together.
    """
    lines: list[str] = []
    marker, last = 0, ""
    for block in _visible(children):
        kind = block.kind if isinstance(block, Container) else ""
        alternative = 1 - marker if kind and kind == last else 0
        written = _block(block, alternative)
        if not written:
            continue
        if lines and not (tight and kind):
            lines.append("")
        lines += written
        marker, last = alternative, kind
    return lines


def _visible(children: list[Block]) -> list[Block]:
    """Blocks with what Markdown has no name for replaced: figures by their content,
    definitions by terms and lists.
    """
    found: list[Block] = []
    for block in children:
        if isinstance(block, Container) and block.kind in ("figure", "figcaption"):
            found += _visible(block.children)
        elif isinstance(block, Container) and block.kind == "dl":
            found += _definitions(block)
        else:
            found.append(block)
    return found


def _definitions(block: Container) -> list[Block]:
    found: list[Block] = []
    for child in block.children:
        last = found[-1] if found else None
        if not isinstance(child, Container):
            found.append(child)
        elif isinstance(last, Container):
            last.children.append(child)
        else:
            found.append(Container("ul", [child]))
    return found


def _block(block: Block, marker: int) -> list[str]:
    if isinstance(block, Table):
        return _table(block)
    if isinstance(block, Leaf):
        return _leaf(block)
    if block.kind == "blockquote":
        return [f"> {line}" if line else ">" for line in _blocks(block.children)]
    if block.kind in ("ul", "ol"):
        return _list(block, marker)
    return _blocks(block.children)


def _leaf(leaf: Leaf) -> list[str]:
    if leaf.kind == "pre":
        return _fence(leaf)
    if leaf.kind == "hr":
        return ["---"]
    if leaf.kind in ("p", "dt"):
        text = _text(leaf, _LINE, (Mark("strong"),) if leaf.kind == "dt" else ())
        return text.split("\n") if text else []
    text = escape_heading_end(_text(leaf, _HEADING))
    return [f"{'#' * int(leaf.kind[1])} {text}"] if text else []


def _fence(leaf: Leaf) -> list[str]:
    text = code_text(leaf)
    if not text:
        return []
    longest = max(map(len, _BACKTICKS.findall(text)), default=0)
    fence = "`" * max(3, longest + 1)
    return [fence + leaf.language, *text.split("\n"), fence]


def _list(block: Container, marker: int) -> list[str]:
    items = [item.children for item in block.children if isinstance(item, Container)]
    tight = all(map(_is_tight, items))
    number = max(0, min(block.start, _LARGEST_NUMBER - len(items)))
    lines: list[str] = []
    for children in items:
        written = _blocks(children, tight=tight)
        if not written:
            continue
        sign = f"{number}{'.)'[marker]} " if block.kind == "ol" else f"{'-*'[marker]} "
        number += 1
        if lines and not tight:
            lines.append("")
        lines.append(sign + ("___" if written[0] == "---" else written[0]))
        indent = " " * len(sign)
        lines += [indent + line if line else "" for line in written[1:]]
    return lines


def _is_tight(children: list[Block]) -> bool:
    """Whether the blocks of an item can stand without blank lines: nested lists after
    its text can.
    """
    return all(
        isinstance(block, Container)
        and (block.kind == "ul" or (block.kind == "ol" and block.start == 1))
        and isinstance(above, Leaf)
        for above, block in pairwise(_visible(children))
    )


def _table(table: Table) -> list[str]:
    rows = [[""] * table.columns] if not table.headed else []
    for cells in table.rows:
        row = [""] * table.columns
        for cell in cells:
            row[cell.column] = _text(cell.text, _CELL).replace("|", "\\|")
        rows.append(row)
    lines = [f"| {' | '.join(row)} |" for row in rows]
    lines.insert(1, "|" + " --- |" * table.columns)
    caption = _text(table.caption, _LINE)
    return [*caption.split("\n"), "", *lines] if caption else lines


def _text(leaf: Leaf, line_break: str, added: Marks = ()) -> str:
    """The formatted text of a leaf."""
    parts: list[str] = []
    marks: Marks = ()
    at_line_start = line_break == _LINE
    found = expressible(runs(leaf), added)
    if len(found) == 1 and not found[0].marks:
        text = _content(found[0])
        return escape_line_start(text) if at_line_start and text[0] != "!" else text
    for index, run in enumerate(found):
        common = shared(marks, run.marks)
        _close(parts, marks[common:])
        if run.gap == "\n":
            parts.append(line_break)
            at_line_start = line_break == _LINE
        else:
            parts.append(run.gap)
        parts += (_OPENERS[mark.tag] for mark in run.marks[common:])
        text = _content(run)
        if at_line_start and len(run.marks) == common and text[0] not in "`!":
            text = escape_line_start(text)
        if text.endswith("!") and _link_follows(found, index):
            text = text[:-1] + "\\!"
        parts.append(text)
        marks, at_line_start = run.marks, False
    _close(parts, marks)
    return "".join(parts)


def _link_follows(found: list[Run], index: int) -> bool:
    """Whether a link begins right behind a run: an exclamation mark there would make it
    an image.
    """
    if index + 1 == len(found) or found[index + 1].gap:
        return False
    return any(
        mark.tag == "a" and mark not in found[index].marks
        for mark in found[index + 1].marks
    )


def _close(parts: list[str], marks: Marks) -> None:
    for mark in reversed(marks):
        if mark.tag == "a":
            parts.append(f"]({escape_destination(mark.attributes[0][1])})")
        elif mark.tag != "code":
            parts.append(_CLOSERS[mark.tag])


def _content(run: Run) -> str:
    if isinstance(run.content, Image):
        return f"![{escape(run.content.alternative, in_link=True)}]({escape_destination(run.content.source)})"
    if run.marks and run.marks[-1].tag == "code":
        return _code_span(run.content)
    return escape(run.content, in_link=any(mark.tag == "a" for mark in run.marks))


def _code_span(text: str) -> str:
    lengths = set(map(len, _BACKTICKS.findall(text)))
    size = 1
    while size in lengths:
        size += 1
    padding = " " if text[0] == "`" or text[-1] == "`" else ""
    return f"{'`' * size}{padding}{text}{padding}{'`' * size}"
