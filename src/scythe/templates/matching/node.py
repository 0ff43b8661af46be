"""The template as a tree: a node for what pages have in one place, a group for like
siblings.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from scythe.templates.slot import MOST_EXAMPLES, Example

if TYPE_CHECKING:
    from scythe.templates.matching.plans import Plan

MOST_VALUES = 8
"""Different values that a place remembers to tell template text from data."""

State = Literal["new", "labelled", "steady", "list"]


@dataclass(slots=True)
class Values:
    """What was read in one place: a text, or the address of a link or of an image."""

    slot: str = ""
    """The id of the slot, given when the place is first shown."""
    distinct: int = 0
    """How many different values were seen; one more than MOST_VALUES stands for any
    number beyond.
    """
    seen: list[str] = field(default_factory=list)
    """Some of the different values, oldest first."""
    prefix: str = ""
    suffix: str = ""
    """What all values begin and end with."""
    examples: list[Example] = field(default_factory=list)
    told: bool = False
    """Whether an operator was told of it."""
    interest: int = 1
    """Template text, data, or named by an operator: a `slots.Interest`."""
    around: tuple[str, str] = ("", "")
    """What is left out of its values, before and behind."""

    def add(self, value: str, page: str) -> None:
        """Take note of a value on a page."""
        if not self.distinct:
            self.prefix = self.suffix = value
        elif not value.startswith(self.prefix) or not value.endswith(self.suffix):
            self.prefix = common_start(self.prefix, value)
            self.suffix = common_start(self.suffix[::-1], value[::-1])[::-1]
        if value in self.seen:
            return
        if len(self.seen) < MOST_VALUES:
            self.seen.append(value)
        self.distinct = min(self.distinct + 1, MOST_VALUES + 1)
        if len(self.examples) < MOST_EXAMPLES:
            self.examples.append(Example(value, page))

    @property
    def constant(self) -> str | None:
        """The one value of all pages so far, None where they differ."""
        return self.seen[0] if self.distinct == 1 else None


class Node:
    """What pages have in one place."""

    __slots__ = (
        "_plain", "anchor", "born", "children", "faded", "gone", "head", "image", "index", "interest", "label", "labels",
        "laid", "last", "link", "moved", "opened", "other", "pending", "place", "plans", "snap", "support", "text",
    )  # fmt: skip

    def __init__(self, label: str) -> None:
        self.label = label
        self.children: list[Node | Group] = []
        self.support = 0
        """On how many pages it was seen."""
        self.last = 0
        """The number of the last page it was seen on."""
        self.opened = 0
        """The number of the last page on which it was looked into."""
        self.born = 0
        """The number of the page that it came with."""
        self.moved = self.faded = False
        """Whether it was seen in another order, and whether an operator was told that
        it is gone.
        """
        self.gone = False
        """Whether it was taken out of the template."""
        self.pending = 0
        """Pages on which all below was as on the last page, not yet counted below."""
        self.snap: int | None = None
        """The number of the subtree on the last page."""
        self.head: str | None = None
        """What it begins with on all pages so far; empty where that differs."""
        self.anchor: str | None = None
        """The head by which a row of a labelled group is known."""
        self.place = 0
        """Siblings of one place number, other than 0, have no known order among them:
        the paper's possible values.
        """
        self.index: dict[str, list[int]] | None = None
        """The places of each label among the children, until these change."""
        self.labels: list[str] = []
        """The labels of the children, as of the index."""
        self._plain: list[str] | None = None
        self.plans: dict[int, Plan | int] = {}
        """How structures that were seen here are read, or the page from which on that
        can be told.
        """
        self.laid: Plan | None = None
        """The plan by which it was last looked into, where that was by one."""
        self.interest = 2
        """The greatest interest of what is below."""
        self.other: Values | None = None
        """What stood here on one page only: free text, of which later pages have other
        pieces.
        """
        self.text: Values | None = None
        self.link: Values | None = None
        self.image: Values | None = None

    @property
    def tag(self) -> str:
        """The tag name alone."""
        return tag_of(self.label)

    def values(self) -> Iterator[tuple[str, Values]]:
        """What is read here, with what it is."""
        for kind, values in (
            ("text", self.text),
            ("link", self.link),
            ("image", self.image),
            ("other", self.other),
        ):
            if values is not None:
                yield kind, values

    def places(self) -> dict[str, list[int]]:
        """The places of each label among the children."""
        if self.index is None:
            self.index = {}
            self.labels = [entry.label for entry in self.children]
            for place, label in enumerate(self.labels):
                self.index.setdefault(label, []).append(place)
            several = len(self.index) != len(self.children) or any(
                isinstance(entry, Group) for entry in self.children
            )
            self._plain = None if several else self.labels
        return self.index

    @property
    def plain(self) -> list[str] | None:
        """The labels of the children, where each stands once and none is a group."""
        if self.index is None:
            self.places()
        return self._plain

    def flush(self) -> None:
        """Count the pages below that were only counted here."""
        if not self.pending:
            return
        for entry in self.children:
            for node in entry.nodes() if isinstance(entry, Group) else (entry,):
                if node.last == self.opened:
                    node.support += self.pending
                    node.pending += self.pending
                    node.last = self.last
            if isinstance(entry, Group) and entry.last == self.opened:
                entry.support += self.pending
                entry.last = self.last
                for head, (count, last) in entry.heads.items():
                    if last == self.opened:
                        entry.heads[head] = (count + self.pending, self.last)
        self.pending = 0
        self.opened = self.last


class Group:
    """Like siblings side by side, folded to one example node; or told apart as rows, by
    their labels or by their number.
    """

    __slots__ = (
        "count",
        "example",
        "faded",
        "heads",
        "label",
        "last",
        "mixed",
        "most",
        "moved",
        "place",
        "rows",
        "state",
        "support",
        "swapped",
    )

    def __init__(self, label: str, example: Node) -> None:
        self.label = label
        self.state: State = "new"
        self.example = example
        self.rows: list[Node] = []
        self.heads: dict[str, tuple[int, int]] = {}
        """What rows begin with, in the order of their last page: on how many pages, and
        on which last.
        """
        self.count = 0
        """How many there were on the last page."""
        self.most = 0
        """How many there were at most."""
        self.moved = self.faded = False
        self.support = 0
        self.last = 0
        self.place = 0
        self.swapped = 0
        """Neighbours that stood in the other order on their last page."""
        self.mixed = False
        """Whether several on one page began alike: what they begin with is no label
        then.
        """

    @property
    def shown(self) -> list[Node]:
        """The nodes that stand for the siblings now."""
        if self.state in ("new", "list"):
            return [self.example, *(row for row in self.rows if self.state == "list")]
        return [*self.rows, *([self.example] if self.example.support else [])]

    def nodes(self) -> list[Node]:
        """All nodes, also rows that wait for a second page."""
        return [self.example, *self.rows]

    @property
    def head(self) -> str | None:
        """What the first of them begins with."""
        return self.example.head

    @property
    def anchor(self) -> str | None:
        """A group has none: its rows do."""
        return None


Entry = Node | Group

_USUAL = 0.8
"""The share of pages that had an attribute whose absence is worth a word."""


def is_usual(entry: Entry) -> bool:
    """Whether an entry stood on most pages, up to the last that had it."""
    return entry.support >= _USUAL * entry.last


@lru_cache(maxsize=1 << 14)
def tag_of(label: str) -> str:
    """The tag name of a label."""
    for at, char in enumerate(label):
        if at and char in "#.@":
            return label[:at]
    return label


def common_start(one: str, other: str) -> str:
    """What two strings both begin with."""
    same = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        same += 1
    return one[:same]
