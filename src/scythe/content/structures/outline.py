"""What the renderers read: the blocks of a selection and the formatted text in them.

A page marks up the same thing in many ways: paragraphs as `<p>`, as `<div>`, as lines
between two `<br>`; tables for layout; lists without items. The outline says what a
reader sees, once, and every renderer writes it in its own syntax. It is at most
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
    """Formatting of a stretch of text, as the HTML element that says it best."""

    tag: str
    attributes: tuple[tuple[str, str], ...] = ()


Marks = tuple[Mark, ...]
"""All formatting of a stretch of text, outermost first, no tag twice; `code` always
innermost.
"""


class Image(NamedTuple):
    """An image: where it is, and what is said in its place."""

    source: str
    alternative: str


Piece = tuple[Marks, str | Image | None]
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
    content: list[Piece] = field(default_factory=list)
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
    """A cell of a data table, at its place in the grid of columns that hold something."""

    text: Leaf
    header: bool
    column: int
    colspan: int
    rowspan: int


@dataclass(slots=True)
class Table:
    """A table of data. Cells that others cover are absent from `rows`."""

    rows: list[list[Cell]]
    columns: int
    headed: bool
    """Whether the first row names the columns."""
    caption: Leaf


Block = Leaf | Container | Table
