"""What the renderers read: the blocks of a selection and the formatted text in them.

A page marks up the same structure in many ways: paragraphs as `<p>`, as `<div>`, as
lines between two `<br>`; tables for layout; lists without items. The outline describes
what a reader sees, once, and every renderer writes it in its own syntax. It is at most
`MAX_NESTING` containers deep whatever the page, so that renderers may recurse.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

MAX_NESTING = 12
"""Lists, quotes and figures inside one another; deeper ones are read as their content.
Threads of comments nest up to 10 levels, and a Markdown line repeats the indentation of
all its levels: without a bound, hostile pages cost O(n * depth).
"""


class Mark(NamedTuple):
    """Formatting of a stretch of text, as the HTML element that expresses it best."""

    tag: str
    attributes: tuple[tuple[str, str], ...] = ()


Marks = tuple[Mark, ...]
"""All formatting of a stretch of text, outermost first, no tag twice; `code` always
innermost.
"""


class Image(NamedTuple):
    """An image: its address and its alternative text."""

    source: str
    alternative: str


InlinePiece = tuple[Marks, str | Image | None]
"""Text as the page has it, an image, or None for a line break, with its formatting."""

LeafKind = Literal[
    "p", "h1", "h2", "h3", "h4", "h5", "h6", "pre", "hr", "dt", "caption", "cell"
]
ContainerKind = Literal[
    "root", "ul", "ol", "li", "dl", "dd", "blockquote", "figure", "figcaption"
]


@dataclass(slots=True)
class Leaf:
    """A block of text, or a rule."""

    kind: LeafKind
    content: list[InlinePiece] = field(default_factory=list)
    language: str = ""
    """Of a `pre`: the programming language it declares."""


@dataclass(slots=True)
class Container:
    """A block of blocks."""

    kind: ContainerKind
    children: list[Block] = field(default_factory=list)
    start: int = 1
    """Of an `ol`: the number of its first item."""


@dataclass(slots=True)
class Cell:
    """A cell of a data table, with its position in the grid of columns that hold
    something.
    """

    text: Leaf
    is_header: bool
    column: int
    colspan: int
    rowspan: int


@dataclass(slots=True)
class Table:
    """A table of data. Cells that others cover are absent from `rows`."""

    rows: list[list[Cell]]
    columns: int
    has_header_row: bool
    """Whether the first row names the columns."""
    caption: Leaf


Block = Leaf | Container | Table


class TextRun(NamedTuple):
    """A stretch of text of one formatting, or an image, without white space at its
    ends.
    """

    gap: str
    """What stands between it and the run before: nothing, a space, or a line break."""
    marks: Marks
    content: str | Image


def text_runs(leaf: Leaf) -> list[TextRun]:
    """Return the runs of a block, with white space as browsers collapse it. Formatting
    never begins or ends with white space, and neighbours of the same formatting are
    one.
    """
    runs: list[TextRun] = []
    gap = ""
    for marks, content in leaf.content:
        if content is None:
            gap = "\n"
        elif isinstance(content, Image):
            runs.append(TextRun(gap if runs else "", marks, content))
            gap = ""
        else:
            text = _with_plain_spaces(content)
            words = text.split()
            if not words:
                gap = gap or " "
                continue
            if not gap and text[0].isspace():
                gap = " "
            own_gap = gap if runs else ""
            runs.append(TextRun(own_gap, marks, " ".join(words)))
            gap = " " if text[-1].isspace() else ""
    return join_runs(runs) if len(runs) > 1 else runs


def leaf_text(leaf: Leaf) -> str:
    """Return the words of a block, without formatting."""
    texts = [run.content for run in text_runs(leaf) if isinstance(run.content, str)]
    return " ".join(texts)


def _with_plain_spaces(text: str) -> str:
    """Return the text with zero-width spaces as spaces, as in `plain_text`: both part
    words.
    """
    if text.isascii():
        return text
    return text.replace("\u200b", " ").replace("\ufeff", " ")


def join_runs(runs: list[TextRun]) -> list[TextRun]:
    """Return the runs with neighbours joined that have the same formatting."""
    joined: list[TextRun] = []
    texts: list[str] = []
    for run in runs:
        content = run.content
        is_alike = bool(texts) and run.marks == joined[-1].marks
        continues = is_alike and run.gap != "\n"
        if continues and isinstance(content, str):
            texts += (run.gap, content)
            continue
        if len(texts) > 1:
            joined[-1] = joined[-1]._replace(content="".join(texts))
        joined.append(run)
        texts = [content] if isinstance(content, str) else []
    if len(texts) > 1:
        joined[-1] = joined[-1]._replace(content="".join(texts))
    return joined


def shared_marks(left: Marks, right: Marks) -> int:
    """Return how many marks, from the outermost, two neighbours share."""
    count = 0
    for left_mark, right_mark in zip(left, right, strict=False):
        if left_mark != right_mark:
            break
        count += 1
    return count
