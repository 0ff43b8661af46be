"""A place in a record: an element or a run of text that records of one kind have in
common, and what is taken from it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from scythe.errors import ScytheError

TEXT_RUN = "#text"
ANY = "*"


@dataclass(slots=True)
class Place:
    """One step of the way to a value, with the columns that are read there and the
    steps further down.

    `tag` is `#text` for a run of text and `*` for an element of any tag. Places of the
    same tag under one parent are told apart by class, then by the label that the text
    begins with, by number, or by the first element inside; a place that repeats has
    none of these.
    """

    tag: str
    classes: tuple[str, ...] = ()
    label: str | None = None
    content: str | None = None
    number: int | None = None
    repeats: bool = False
    optional: bool = False
    """Records have it or not, so that an element of another class is something else
    rather than this one changed.
    """
    glued: bool = False
    """The text that stands before the element belongs to its value: `by <a>Ann</a>`."""
    text: str | None = None
    link: str | None = None
    image: str | None = None
    children: list[Place] = field(default_factory=list)

    @property
    def plain(self) -> bool:
        """Whether tag and class alone say what belongs here."""
        return self.label is None and self.content is None and self.number is None

    def as_json(self) -> dict[str, Any]:
        """Only what is set."""
        record: dict[str, Any] = {"tag": self.tag}
        if self.classes:
            record["class"] = (
                self.classes[0] if len(self.classes) == 1 else list(self.classes)
            )
        for name in (
            "label",
            "content",
            "number",
            "repeats",
            "optional",
            "glued",
            "text",
            "link",
            "image",
        ):
            if value := getattr(self, name):
                record[name] = value
        return record

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> Place:
        """A place without its children."""
        classes = record.get("class", ()) if isinstance(record, Mapping) else ()
        try:
            place = cls(
                tag=str(record["tag"]),
                classes=(classes,)
                if isinstance(classes, str)
                else tuple(map(str, classes)),
                label=_text(record.get("label")),
                content=_text(record.get("content")),
                number=None if record.get("number") is None else int(record["number"]),
                repeats=bool(record.get("repeats")),
                optional=bool(record.get("optional")),
                glued=bool(record.get("glued")),
                text=_text(record.get("text")),
                link=_text(record.get("link")),
                image=_text(record.get("image")),
            )
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise ScytheError(
                f"Field rules: a place is not as scythe writes it ({error!r}). Learn the wrapper again."
            ) from None
        return place


def _text(value: object) -> str | None:
    return None if value is None else str(value)
