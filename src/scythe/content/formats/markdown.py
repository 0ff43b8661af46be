"""Markdown of a selection, in GitHub's flavour.

The text that a Markdown reader shows has the words of `plain_text`, in order. Every
block is a list of lines; a container puts its prefix before the lines of its blocks.
The outline is of bounded depth, so the recursion is too.
"""

from __future__ import annotations

import re
from itertools import pairwise

from scythe.content.formats.emphasis import expressible_runs
from scythe.content.formats.escaping import (
    escape,
    escape_destination,
    escape_heading_end,
    escape_line_start,
)
from scythe.content.options import DEFAULT_OPTIONS, ExtractOptions
from scythe.content.structures.code import code_text
from scythe.content.structures.outline import (
    Block,
    Container,
    Image,
    Leaf,
    Mark,
    Marks,
    Table,
    TextRun,
    shared_marks,
    text_runs,
)
from scythe.content.structures.switches import NOTE, read_outline
from scythe.tree.tree import Bools, Tree

_OPENERS = {
    "strong": "**",
    "em": "*",
    "del": "~~",
    "a": "[",
    "sub": "<sub>",
    "sup": "<sup>",
    "code": "",
    NOTE: "",
}
_CLOSERS = {"strong": "**", "em": "*", "del": "~~", "sub": "</sub>", "sup": "</sup>"}
_ADDED_MARKS: dict[str, Marks] = {
    "p": (),
    "dt": (Mark("strong"),),
    "caption": (Mark("em"),),
}
"""Formatting by which paragraphs are told apart that Markdown has no syntax for."""
_PARAGRAPH_BREAK, _LINE_BREAK = "\\\n", " "
"""How a line break is written in a paragraph, and in a cell or heading, which have one
line: no HTML stands in the Markdown for it.
"""
_NUMBER_SIGNS, _BULLETS = ".)", "-*"
"""List markers and those of a list that follows another at once."""
_BACKTICKS = re.compile("`+")
_LARGEST_NUMBER = 999_999_999
"""Nine digits, what CommonMark allows to the number of an item."""


def to_markdown(
    tree: Tree,
    nodes: Bools,
    url: str | None = None,
    options: ExtractOptions = DEFAULT_OPTIONS,
    title: str | None = None,
) -> str:
    """Return the selected nodes of a page as Markdown, without a line end at the end;
    `title` as in `read_outline`.
    """
    outline = read_outline(tree, nodes, url, options, title)
    lines = _blocks(outline.blocks)
    if outline.notes:
        lines += ["", *_note_definitions(outline.notes)]
    return "\n".join(lines)


def blocks_to_markdown(blocks: list[Block]) -> str:
    """Return blocks of an outline as Markdown."""
    return "\n".join(_blocks(blocks))


def _note_definitions(addresses: tuple[str, ...]) -> list[str]:
    """Return the footnotes. Readers that know none take them for the targets of links,
    and show `[^1]` as one.
    """
    lines = []
    for number, address in enumerate(addresses, 1):
        lines.append(f"[^{number}]: {escape_destination(address)}")
    return lines


def _blocks(children: list[Block], *, tight: bool = False) -> list[str]:
    """Return the lines of blocks one after another, a blank line between them unless
    they may stand together.
    """
    lines: list[str] = []
    marker, last_kind = 0, ""
    for block in _expressible_blocks(children):
        kind = block.kind if isinstance(block, Container) else ""
        follows_same = kind and kind == last_kind
        block_marker = 1 - marker if follows_same else 0
        block_lines = _block(block, block_marker)
        if not block_lines:
            continue
        may_stand_together = tight and kind
        if lines and not may_stand_together:
            lines.append("")
        lines += block_lines
        marker, last_kind = block_marker, kind
    return lines


def _expressible_blocks(children: list[Block]) -> list[Block]:
    """Return blocks with what Markdown has no syntax for replaced: figures by their
    content, definitions by terms and lists.
    """
    blocks: list[Block] = []
    for block in children:
        if not isinstance(block, Container):
            blocks.append(block)
        elif block.kind == "figure":
            blocks += _expressible_blocks(block.children)
        elif block.kind == "figcaption":
            blocks += map(_as_caption, _expressible_blocks(block.children))
        elif block.kind == "dl":
            blocks += _terms_and_lists(block)
        else:
            blocks.append(block)
    return blocks


def _as_caption(block: Block) -> Block:
    """Return a paragraph of a caption as one, others as they are."""
    if isinstance(block, Leaf) and block.kind == "p":
        return Leaf("caption", block.content)
    return block


def _terms_and_lists(definition_list: Container) -> list[Block]:
    blocks: list[Block] = []
    for child in definition_list.children:
        last = blocks[-1] if blocks else None
        if not isinstance(child, Container):
            blocks.append(child)
        elif isinstance(last, Container):
            last.children.append(child)
        else:
            blocks.append(Container("ul", [child]))
    return blocks


def _block(block: Block, marker: int) -> list[str]:
    if isinstance(block, Table):
        return _table(block)
    if isinstance(block, Leaf):
        return _leaf(block)
    if block.kind == "blockquote":
        lines = _blocks(block.children)
        return [f"> {line}" if line else ">" for line in lines]
    if block.kind in ("ul", "ol"):
        return _list(block, marker)
    return _blocks(block.children)


def _leaf(leaf: Leaf) -> list[str]:
    if leaf.kind == "pre":
        return _fenced_code(leaf)
    if leaf.kind == "hr":
        return ["---"]
    if leaf.kind in _ADDED_MARKS:
        text = _text(leaf, _PARAGRAPH_BREAK, _ADDED_MARKS[leaf.kind])
        return text.split("\n") if text else []
    text = escape_heading_end(_text(leaf, _LINE_BREAK))
    level = int(leaf.kind[1])
    return [f"{'#' * level} {text}"] if text else []


def _fenced_code(leaf: Leaf) -> list[str]:
    text = code_text(leaf)
    if not text:
        return []
    longest = max(map(len, _BACKTICKS.findall(text)), default=0)
    fence = "`" * max(3, longest + 1)
    lines = text.split("\n")
    return [fence + leaf.language, *lines, fence]


def _list(block: Container, marker: int) -> list[str]:
    items = [item.children for item in block.children if isinstance(item, Container)]
    tight = all(map(_is_tight, items))
    last_start = _LARGEST_NUMBER - len(items)
    number = max(0, min(block.start, last_start))
    lines: list[str] = []
    for children in items:
        item_lines = _blocks(children, tight=tight)
        if not item_lines:
            continue
        sign = f"{_BULLETS[marker]} "
        if block.kind == "ol":
            sign = f"{number}{_NUMBER_SIGNS[marker]} "
        number += 1
        if lines and not tight:
            lines.append("")

        first, *others = item_lines
        if first == "---":
            first = "___"
        lines.append(sign + first)
        indent = " " * len(sign)
        lines += [indent + line if line else "" for line in others]
    return lines


def _is_tight(children: list[Block]) -> bool:
    """Return whether the blocks of an item can stand without blank lines: nested lists
    after its text can.
    """
    for above, block in pairwise(_expressible_blocks(children)):
        if not isinstance(above, Leaf) or not isinstance(block, Container):
            return False
        starts_at_one = block.kind == "ol" and block.start == 1
        if block.kind != "ul" and not starts_at_one:
            return False
    return True


def _table(table: Table) -> list[str]:
    rows = []
    if not table.has_header_row:
        rows.append([""] * table.columns)
    for cells in table.rows:
        row = [""] * table.columns
        for cell in cells:
            text = _text(cell.text, _LINE_BREAK)
            row[cell.column] = text.replace("|", "\\|")
        rows.append(row)

    lines = [f"| {' | '.join(row)} |" for row in rows]
    lines.insert(1, "|" + " --- |" * table.columns)
    caption = _text(table.caption, _PARAGRAPH_BREAK)
    if not caption:
        return lines
    return [*caption.split("\n"), "", *lines]


def _text(leaf: Leaf, line_break: str, added: Marks = ()) -> str:
    """Return the formatted text of a leaf."""
    in_paragraph = line_break == _PARAGRAPH_BREAK
    runs = expressible_runs(text_runs(leaf), added)
    if len(runs) == 1 and not runs[0].marks:
        text = _content(runs[0])
        if in_paragraph and text[0] != "!":
            return escape_line_start(text)
        return text

    parts: list[str] = []
    open_marks: Marks = ()
    at_line_start = in_paragraph
    for index, run in enumerate(runs):
        common = shared_marks(open_marks, run.marks)
        closed = open_marks[common:]
        _close_marks(parts, closed)
        if run.gap == "\n":
            parts.append(line_break)
            at_line_start = in_paragraph
        else:
            parts.append(run.gap)
        opened = run.marks[common:]
        opening = "".join(_OPENERS[mark.tag] for mark in opened)
        parts.append(opening)

        text = _content(run)
        if at_line_start and not opening and text[0] not in "`!":
            text = escape_line_start(text)
        if text.endswith("!") and _bracket_follows(runs, index):
            text = text[:-1] + "\\!"
        if text.startswith("(") and _has_note(closed):
            text = "\\" + text
        parts.append(text)
        open_marks = run.marks
        at_line_start = False
    _close_marks(parts, open_marks)
    return "".join(parts)


def _bracket_follows(runs: list[TextRun], index: int) -> bool:
    """Return whether a link begins or a footnote stands right behind a run: an
    exclamation mark there would make it an image.
    """
    if _has_note(runs[index].marks):
        return True
    if index + 1 == len(runs):
        return False
    run = runs[index]
    following = runs[index + 1]
    if following.gap:
        return False
    opened = [mark for mark in following.marks if mark not in run.marks]
    return any(mark.tag == "a" for mark in opened)


def _has_note(marks: Marks) -> bool:
    return any(mark.tag == NOTE for mark in marks)


def _close_marks(parts: list[str], marks: Marks) -> None:
    """Add the closing delimiters of some marks."""
    for mark in reversed(marks):
        if mark.tag == "a":
            href = mark.attributes[0][1]
            parts.append(f"]({escape_destination(href)})")
        elif mark.tag == NOTE:
            number = mark.attributes[0][1]
            parts.append(f"[^{number}]")
        elif mark.tag != "code":
            parts.append(_CLOSERS[mark.tag])


def _content(run: TextRun) -> str:
    if isinstance(run.content, Image):
        alternative = escape(run.content.alternative, in_link=True)
        return f"![{alternative}]({escape_destination(run.content.source)})"
    if run.marks and run.marks[-1].tag == "code":
        return _code_span(run.content)
    in_link = any(mark.tag in ("a", NOTE) for mark in run.marks)
    return escape(run.content, in_link=in_link)


def _code_span(text: str) -> str:
    lengths = set(map(len, _BACKTICKS.findall(text)))
    size = 1
    while size in lengths:
        size += 1
    delimiter = "`" * size
    padding = ""
    if text[0] == "`" or text[-1] == "`":
        padding = " "
    return f"{delimiter}{padding}{text}{padding}{delimiter}"
