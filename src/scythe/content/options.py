"""What a caller may ask of an extraction, as one value."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from scythe.errors import UsageError

LinkStyle = Literal["inline", "footnotes", "none"]
TableStyle = Literal["grid", "rows"]
CommentChoice = Literal["auto", "in", "out"]
Focus = Literal["precision", "balanced", "recall"]
_TAG = re.compile(r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8}){0,4}")
_CHOICES: Mapping[str, tuple[object, ...]] = {
    "links": get_args(LinkStyle),
    "images": (True, False),
    "tables": get_args(TableStyle),
    "front_matter": (True, False),
    "dropped": (True, False),
    "comments": get_args(CommentChoice),
    "focus": get_args(Focus),
}


@dataclass(frozen=True, slots=True)
class ExtractOptions:
    """How the content of a page is chosen and written.

    `comments`, `focus` and `language` decide about which text is chosen; the others only
    about how it is written. Plain text has neither links, pictures nor tables, and is
    the same whatever `links`, `images`, `tables` and `front_matter` are.
    """

    links: LinkStyle = "inline"
    """Where the address of a link stands: with its text, in a numbered list at the end,
    or nowhere. The text of a link is always there.
    """
    images: bool = True
    """Whether figures are shown: pictures and their captions."""
    tables: TableStyle = "grid"
    """Whether a table is written as one, or each of its rows as a line of its own."""
    front_matter: bool = False
    """Whether Markdown begins with the metadata, as YAML between two lines `---`."""
    dropped: bool = False
    """Whether JSON output lists what was left out, and why."""
    comments: CommentChoice = "out"
    """Whether the comments of readers under a text belong to it: always, never, or as
    the method decides. The posts of a thread are no comments. Never measures best: on
    73 pages of dragnet with comments, which the model was not trained on, word F1 is
    0.893 without them and 0.814 as the model decides, on 14 of wcxb 0.981 both ways.
    """
    focus: Focus = "balanced"
    """What to favour in doubt: that all chosen text is content, that all content is
    chosen, or both alike. The learned method alone has the choice.
    """
    language: str | None = None
    """A language tag such as `en` or `pt-BR`: a page in another language has no content,
    and the status says so. A page whose language nobody can tell is kept.
    """

    @property
    def changes_markdown(self) -> bool:
        """Whether Markdown is written in another way than by default."""
        written = (self.links, self.images, self.tables, self.front_matter)
        return written != ("inline", True, "grid", False)

    def __post_init__(self) -> None:
        """Refuse what a field cannot be."""
        for name, choices in _CHOICES.items():
            value = getattr(self, name)
            if value not in choices:
                listed = ", ".join(map(repr, choices))
                raise UsageError(
                    f"{name} cannot be {value!r}. Choose one of: {listed}."
                )
        if self.language is not None and not _TAG.fullmatch(self.language):
            raise UsageError(
                f"{self.language!r} is no language tag. Give one such as en or pt-BR."
            )


DEFAULT_OPTIONS = ExtractOptions()
