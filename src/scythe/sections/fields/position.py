"""A position in records: an element or a run of text that records of one kind have in
common, and what is read from it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from scythe.errors import ScytheError

TEXT_RUN = "#text"
ANY_TAG = "*"

_OPTIONAL_KEYS = (
    "label",
    "content",
    "number",
    "cell",
    "repeats",
    "optional",
    "glued",
    "text",
    "link",
    "image",
    "date",
)


@dataclass(slots=True)
class ColumnPosition:
    """One step of the way to a value, with the columns that are read there and the
    positions further down.

    `tag` is `#text` for a run of text and `*` for an element of any tag. Positions of
    the same tag under one parent are told apart by class, then by the label that the
    text begins with, by number, or by the first element inside; a position that repeats
    has none of these.
    """

    tag: str
    classes: tuple[str, ...] = ()
    label: str | None = None
    content: str | None = None
    number: int | None = None
    cell: int | None = None
    """The column of the table whose rows the elements above are; counted from 0, and
    over cells of several rows or columns.
    """
    repeats: bool = False
    optional: bool = False
    """Records have it or not, so that an element of another class is something else
    rather than this one changed.
    """
    glued: bool = False
    """The text that stands before the element belongs to its value: `by <a>Ann</a>`."""
    text: str | None = None
    """The column of its text, if that is read; likewise of its link and its image."""
    link: str | None = None
    image: str | None = None
    date: str | None = None
    """The column of the date that stands in its text among other words."""
    children: list[ColumnPosition] = field(default_factory=list)
    header: str | None = None
    """The header of the values here; known while columns are named, not saved."""
    declared: str | None = None
    """The property of schema.org that the element holds, and whether the element is a
    thing with properties of its own; likewise not saved.
    """
    is_item: bool = False

    @property
    def is_plain(self) -> bool:
        """Whether tag and class alone say what belongs here."""
        signs = (self.label, self.content, self.number, self.cell)
        return all(sign is None for sign in signs)

    @property
    def has_column(self) -> bool:
        """Whether anything is read from the position itself."""
        return bool(self.text or self.link or self.image or self.date)

    def as_json(self) -> dict[str, Any]:
        """Return what is set as plain values, without the children."""
        values: dict[str, Any] = {"tag": self.tag}
        if len(self.classes) == 1:
            values["class"] = self.classes[0]
        elif self.classes:
            values["class"] = list(self.classes)
        for name in _OPTIONAL_KEYS:
            value = getattr(self, name)
            if value or (name == "cell" and value is not None):
                values[name] = value
        return values

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> ColumnPosition:
        """Return what `as_json` wrote: a position without its children."""
        try:
            classes = values.get("class", ())
            if isinstance(classes, str):
                classes = (classes,)
            number = values.get("number")
            cell = values.get("cell")
            return cls(
                tag=str(values["tag"]),
                classes=tuple(map(str, classes)),
                label=_optional_text(values.get("label")),
                content=_optional_text(values.get("content")),
                number=None if number is None else int(number),
                cell=None if cell is None else int(cell),
                repeats=bool(values.get("repeats")),
                optional=bool(values.get("optional")),
                glued=bool(values.get("glued")),
                text=_optional_text(values.get("text")),
                link=_optional_text(values.get("link")),
                image=_optional_text(values.get("image")),
                date=_optional_text(values.get("date")),
            )
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise ScytheError(
                f"Field rules: a position is not as scythe writes it ({error!r}). "
                "Learn the wrapper again."
            ) from None


def _optional_text(value: object) -> str | None:
    if value is None:
        return None
    return str(value)


def prune(root: ColumnPosition) -> None:
    """Remove the positions that lead to no column, from the bottom."""
    positions = []
    stack = [root]
    while stack:
        position = stack.pop()
        positions.append(position)
        stack.extend(position.children)
    for position in reversed(positions):
        position.children = [
            child for child in position.children if child.children or child.has_column
        ]
