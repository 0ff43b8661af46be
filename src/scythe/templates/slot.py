"""Slots: the positions of a template where pages differ, and the ids of all slots.

`SlotId` is the one name of a slot in a collection. It is stored and sent as a string,
which `SlotId.parse` takes apart and `str` writes:

    s26               a slot of a template
    0:s26             the same in a collection, where each cluster has its template
    section:NAME      what stands under a heading; the same slot in all clusters
    label:NAME        what stands beside a label; the same slot in all clusters
    text:PART         paragraphs, list items or headings of the page's running text; the
                      same slot in all clusters
    declared:FIELD    what the page declares of itself; the same slot in all clusters
    index:FIELD       what an index page says of the record that it links to

A field may be a part of what a slot holds: `label:screen | {} (*` is what stands before
the bracket.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import lru_cache
from typing import Any, NamedTuple

FieldName = str
"""The name of a field of a record: `title`, `prep_time`."""

PART_SIGN = " | "
"""What stands between a slot and the pattern of a part of it."""
_IN_CLUSTER = re.compile(r"(0|[1-9][0-9]*):(.*)", re.DOTALL)


class SlotSource(StrEnum):
    """Where the values of a slot come from.

    The order is that of preference: where slots of several sources have the name of one
    field, the first source with a value gives the field's value.
    """

    TEMPLATE = "template"
    DECLARED = "declared"
    LABEL = "label"
    SECTION = "section"
    TEXT = "text"
    INDEX = "index"


@dataclass(frozen=True, slots=True)
class SlotId:
    """The id of a slot, in parts."""

    source: SlotSource
    name: str
    """The template's own id, a heading, or the name of a field, by the source."""
    cluster: int | None = None
    """The cluster whose template has the slot; None within a single template, and for
    slots that all clusters share.
    """
    part: str = ""
    """The pattern of the part of its values that is meant; empty: all of them."""

    @staticmethod
    def parse(text: str) -> SlotId:
        """Return the parts of a stored id; what has no known prefix is a template's."""
        return _parse_slot_id(text)

    def in_cluster(self, cluster: int) -> SlotId:
        """Return the id for the whole collection: slots of templates are of a cluster."""
        if self.source is SlotSource.TEMPLATE and self.cluster is None:
            return replace(self, cluster=cluster)
        return self

    @property
    def within_page(self) -> str:
        """The id under which a page of the cluster stores the values of the slot."""
        return str(replace(self, cluster=None, part=""))

    @property
    def whole(self) -> str:
        """The id of the slot with all of its values."""
        return str(replace(self, part="")) if self.part else str(self)

    def __str__(self) -> str:
        part = f"{PART_SIGN}{self.part}" if self.part else ""
        if self.source is not SlotSource.TEMPLATE:
            return f"{self.source}:{self.name}{part}"
        if self.cluster is None:
            return f"{self.name}{part}"
        return f"{self.cluster}:{self.name}{part}"


def shared_slot(source: SlotSource, name: str) -> str:
    """Return the id of a slot that all clusters share, as `SlotId` writes it: pages have
    a hundred of them.
    """
    return f"{source}:{name}"


_SHARED_SOURCES = frozenset(SlotSource) - {SlotSource.TEMPLATE}
"""Sources whose slots are the same in all clusters; their ids begin with their names."""


@lru_cache(maxsize=1 << 12)
def _parse_slot_id(text: str) -> SlotId:
    whole, sign, part = text.partition(PART_SIGN)
    if sign and "{" in part:
        return replace(_parse_slot_id(whole), part=part)
    prefix, colon, rest = text.partition(":")
    if colon and prefix in _SHARED_SOURCES:
        return SlotId(SlotSource(prefix), rest)

    in_cluster = _IN_CLUSTER.fullmatch(text)
    if in_cluster:
        cluster = int(in_cluster[1])
        return SlotId(SlotSource.TEMPLATE, in_cluster[2], cluster)
    return SlotId(SlotSource.TEMPLATE, text)


MAX_EXAMPLES = 5
"""Values that a slot remembers: enough for a person to recognise an attribute, and
bounded whatever number of pages come.
"""

_OPTIONAL = ("label", "repeatable", "constant", "prefix", "suffix", "name", "type")
"""Attributes of a slot that are written only where they say something."""


class Example(NamedTuple):
    """A value and the page it stood on; the page is its address, or its number where it
    had none.
    """

    value: str
    page: str


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A field name suggested for a slot, with the evidence; an operator's annotation
    stands above it.
    """

    slot: str
    name: FieldName
    type: str
    confidence: float
    evidence: str

    def as_json(self) -> list[Any]:
        """Return the suggestion as plain values, without its slot."""
        return [self.name, self.type, self.confidence, self.evidence]


@dataclass(slots=True)
class Slot:
    """One attribute of the pages of a template."""

    id: str
    """Stable for ever: no update gives it to another position."""
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
    name: FieldName | None = None
    """The name an operator gave, which no update changes."""
    type: str | None = None
    """The type an operator gave, which no update changes."""
    suggestion: Suggestion | None = None

    @property
    def title(self) -> str:
        """What to call it: the operator's name, else the suggested one, else the label,
        else the id.
        """
        if self.name:
            return self.name
        if self.suggestion:
            return self.suggestion.name
        return self.label.rstrip(" :") or self.id

    def as_json(self) -> Mapping[str, Any]:
        """Return the slot as plain values."""
        values: dict[str, Any] = {
            "id": self.id,
            "kind": self.kind,
            "support": self.support,
            "path": self.path,
        }
        for name in _OPTIONAL:
            if value := getattr(self, name):
                values[name] = value
        values["examples"] = [list(example) for example in self.examples]
        if self.suggestion:
            values["proposal"] = self.suggestion.as_json()
        return values
