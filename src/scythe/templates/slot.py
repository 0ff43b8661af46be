"""A slot: one place of a template where pages differ, with what is known of its values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

MOST_EXAMPLES = 5
"""Values that a slot remembers: enough for a person to recognise an attribute, and
bounded whatever number of pages come.
"""


class Example(NamedTuple):
    """A value and the page it stood on; the page is its address, or its number where it
    had none.
    """

    value: str
    page: str


@dataclass(frozen=True, slots=True)
class Proposal:
    """What a slot may be called, with the reason; never above an operator's word."""

    slot: str
    name: str
    type: str
    confidence: float
    evidence: str


@dataclass(slots=True)
class Slot:
    """One attribute of the pages of a template."""

    id: str
    """Stable for ever: no update gives it to another place."""
    kind: str = "text"
    """What its values are: `text`, `link`, `image`, `number`, `price` or `date`."""
    label: str = ""
    """The constant text that stands before its values on the page: "Prep time:"."""
    path: str = ""
    """Where it stands, for a person to read: tags and classes from the root."""
    support: int = 0
    """On how many pages it had a value."""
    repeatable: bool = False
    """Whether a page can have several values."""
    constant: bool = False
    """Whether all pages so far have the same value: template text, unless an operator
    knows better.
    """
    prefix: str = ""
    """Text that every value begins with on the page, left out of the values."""
    suffix: str = ""
    """Text that every value ends with on the page, left out of the values."""
    examples: list[Example] = field(default_factory=list)
    name: str | None = None
    """The name an operator gave, which no update changes."""
    type: str | None = None
    """The type an operator gave, which no update changes."""
    proposal: Proposal | None = None

    @property
    def title(self) -> str:
        """What to call it: the operator's name, else the proposed one, else the label,
        else the id.
        """
        if self.name:
            return self.name
        return (
            self.proposal.name if self.proposal else self.label.rstrip(" :") or self.id
        )

    def as_json(self) -> Mapping[str, Any]:
        """The slot as plain values."""
        values: dict[str, Any] = {
            "id": self.id,
            "kind": self.kind,
            "support": self.support,
            "path": self.path,
        }
        for name in (
            "label",
            "repeatable",
            "constant",
            "prefix",
            "suffix",
            "name",
            "type",
        ):
            if value := getattr(self, name):
                values[name] = value
        values["examples"] = [list(example) for example in self.examples]
        if self.proposal:
            proposed = self.proposal
            values["proposal"] = [
                proposed.name,
                proposed.type,
                proposed.confidence,
                proposed.evidence,
            ]
        return values
