"""The template as a tree: a `Node` for what pages have in one position, a
`SiblingGroup` for like siblings.

Nothing here is a cache: all of it is saved with the template. What matching remembers
beside it to be quick is in `cache`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache

from scythe.templates.slot import MAX_EXAMPLES, Example

MAX_VALUES = 8
"""Different values that a position remembers to tell template text from data. A bound on
the size of templates, not tuned.
"""


@dataclass(slots=True)
class SlotValues:
    """What was read in one position: a text, or the address of a link or of an image."""

    slot: str = ""
    """The id of the slot, given when the first value is seen."""
    distinct: int = 0
    """How many different values were seen; one more than MAX_VALUES stands for any
    number beyond.
    """
    seen: list[str] = field(default_factory=list)
    """Some of the different values, oldest first."""
    prefix: str = ""
    suffix: str = ""
    """What all values begin and end with."""
    examples: list[Example] = field(default_factory=list)
    notified: bool = False
    """Whether an operator was notified of it."""

    def add(self, value: str, page: str) -> None:
        """Add a value of a page."""
        if not self.distinct:
            self.prefix = self.suffix = value
        elif not value.startswith(self.prefix) or not value.endswith(self.suffix):
            self.prefix = common_prefix(self.prefix, value)
            self.suffix = common_suffix(self.suffix, value)

        is_full = self.distinct > MAX_VALUES and len(self.examples) >= MAX_EXAMPLES
        if is_full or value in self.seen:
            return
        if len(self.seen) < MAX_VALUES:
            self.seen.append(value)
        self.distinct = min(self.distinct + 1, MAX_VALUES + 1)
        if len(self.examples) < MAX_EXAMPLES:
            self.examples.append(Example(value, page))

    @property
    def constant(self) -> str | None:
        """The one value of all pages so far, None where they differ."""
        if self.distinct == 1:
            return self.seen[0]
        return None


class ValueKind(StrEnum):
    """What a node's values are; the names under which they are saved."""

    TEXT = "text"
    LINK = "link"
    IMAGE = "image"
    FREE_TEXT = "other"


# Members by name: to look one up in its class costs a call in Python 3.11.
TEXT = ValueKind.TEXT
LINK = ValueKind.LINK
IMAGE = ValueKind.IMAGE
FREE_TEXT = ValueKind.FREE_TEXT


class Node:
    """What pages have in one position."""

    __slots__ = (
        "children",
        "first_page",
        "free_text",
        "image",
        "label",
        "last_page",
        "leading_text",
        "link",
        "moved",
        "possible_node",
        "repeats",
        "row_label",
        "support",
        "text",
        "vanished",
    )

    def __init__(self, label: str) -> None:
        self.label = label
        self.children: list[Node | SiblingGroup] = []
        self.support = 0
        """On how many pages it was seen."""
        self.first_page = 0
        """The number of the page that it came with."""
        self.last_page = 0
        """The number of the last page it was seen on."""
        self.moved = False
        """Whether it was seen in another order."""
        self.vanished = False
        """Whether an operator was notified that it is missing."""
        self.leading_text: str | None = None
        """What it begins with on all pages so far; empty where that differs."""
        self.row_label: str | None = None
        """The leading text by which a row of a labelled group is known."""
        self.repeats = False
        """Whether a page had several siblings with the label of this row: all of them
        are values of one attribute.
        """
        self.possible_node = 0
        """Siblings of one number, other than 0, have no known order among them: they
        are the possible values of RecipeCrawler's possible node.
        """
        self.text: SlotValues | None = None
        self.link: SlotValues | None = None
        self.image: SlotValues | None = None
        self.free_text: SlotValues | None = None
        """What stood here on one page only: later pages have other pieces."""

    def values(self) -> Iterator[tuple[ValueKind, SlotValues]]:
        """Yield what is read here, each with its kind."""
        if self.text is not None:
            yield TEXT, self.text
        if self.link is not None:
            yield LINK, self.link
        if self.image is not None:
            yield IMAGE, self.image
        if self.free_text is not None:
            yield FREE_TEXT, self.free_text


class GroupState(StrEnum):
    """How the siblings of a group are told apart."""

    NEW = "new"
    """Seen on one page: not known yet."""
    LABELLED = "labelled"
    """As rows, by the labels that they begin with."""
    STEADY = "steady"
    """As columns, by their number, which is the same on all pages."""
    LIST = "list"
    """Not at all: items of a list."""


NEW = GroupState.NEW
LABELLED = GroupState.LABELLED
STEADY = GroupState.STEADY
LIST = GroupState.LIST


class SiblingGroup:
    """Like siblings side by side, folded to one example node; or told apart as rows, by
    their labels or by their number.
    """

    __slots__ = (
        "example",
        "label",
        "last_count",
        "last_page",
        "leading_texts",
        "max_count",
        "moved",
        "possible_node",
        "rows",
        "state",
        "support",
        "swaps",
        "unlabelled",
        "vanished",
    )

    def __init__(self, label: str, example: Node) -> None:
        self.label = label
        self.state: GroupState = NEW
        self.example = example
        self.rows: list[Node] = []
        self.leading_texts: dict[str, tuple[int, int]] = {}
        """What rows begin with, in the order of their last page: on how many pages, and
        on which last.
        """
        self.last_count = 0
        """How many siblings there were on the last page."""
        self.max_count = 0
        """How many there were at most."""
        self.support = 0
        self.last_page = 0
        self.moved = False
        self.vanished = False
        self.possible_node = 0
        self.swaps = 0
        """Neighbours that stood in the other order on their last page."""
        self.unlabelled = False
        """Whether several on one page began alike: what they begin with is no label
        then.
        """

    @property
    def active_nodes(self) -> list[Node]:
        """The nodes that stand for the siblings now."""
        if self.state is NEW:
            return [self.example]
        if self.state is LIST:
            return [self.example, *self.rows]
        if self.example.support:
            return [*self.rows, self.example]
        return list(self.rows)

    def nodes(self) -> list[Node]:
        """Return all nodes, also rows that wait for a second page."""
        return [self.example, *self.rows]

    @property
    def leading_text(self) -> str | None:
        """What the first sibling begins with."""
        return self.example.leading_text


Entry = Node | SiblingGroup
"""A child of a template's node."""

_USUAL_SHARE = 0.8
"""The share of pages that had an attribute whose absence is worth a notice. Not tuned."""


def is_usual(entry: Entry) -> bool:
    """Return whether an entry stood on most pages, up to the last that had it."""
    return entry.support >= _USUAL_SHARE * entry.last_page


def entries_below(root: Node) -> Iterator[Entry]:
    """Yield all entries below a node, also rows that wait for a second page."""
    waiting: list[Entry] = list(root.children)
    while waiting:
        entry = waiting.pop()
        yield entry
        waiting.extend(
            entry.nodes() if isinstance(entry, SiblingGroup) else entry.children
        )


def nodes_of(entry: Entry) -> list[Node]:
    """Return the node itself, or all nodes of a group."""
    if isinstance(entry, SiblingGroup):
        return entry.nodes()
    return [entry]


@lru_cache(maxsize=1 << 14)
def label_tag(label: str) -> str:
    """Return the tag name of a label: `div` of `div#main.box`."""
    for index, character in enumerate(label):
        if index and character in "#.@":
            return label[:index]
    return label


def common_prefix(one: str, other: str) -> str:
    """Return what two strings both begin with."""
    length = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        length += 1
    return one[:length]


def common_suffix(one: str, other: str) -> str:
    """Return what two strings both end with."""
    reversed_suffix = common_prefix(one[::-1], other[::-1])
    return reversed_suffix[::-1]
