"""What a caller may ask of an extraction, as one value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from scythe.errors import UsageError

LinkStyle = Literal["inline", "footnotes", "none"]
TableStyle = Literal["grid", "rows"]
_CHOICES: Mapping[str, tuple[object, ...]] = {
    "links": get_args(LinkStyle),
    "images": (True, False),
    "tables": get_args(TableStyle),
    "front_matter": (True, False),
}


@dataclass(frozen=True, slots=True)
class ExtractOptions:
    """How the content of a page is written.

    Plain text has neither links, pictures nor tables, and is the same whatever
    `links`, `images`, `tables` and `front_matter` are.
    """

    links: LinkStyle = "inline"
    """Where the address of a link stands: with its text, in a numbered list at the end,
    or nowhere. The text of a link is always there.
    """
    images: bool = True
    """Whether pictures are shown. Captions are text, and stay."""
    tables: TableStyle = "grid"
    """Whether a table is written as one, or each of its rows as a line of its own."""
    front_matter: bool = False
    """Whether Markdown begins with the metadata, as YAML between two lines `---`."""

    def __post_init__(self) -> None:
        """Refuse what a field cannot be."""
        for name, choices in _CHOICES.items():
            value = getattr(self, name)
            if value not in choices:
                listed = ", ".join(map(repr, choices))
                raise UsageError(
                    f"{name} cannot be {value!r}. Choose one of: {listed}."
                )


DEFAULT_OPTIONS = ExtractOptions()
