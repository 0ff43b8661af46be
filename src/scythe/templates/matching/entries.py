"""What pairing asks of the children of a template's node."""

from __future__ import annotations

from functools import cached_property

from scythe.templates.matching.labels import is_label_entry, last_labels
from scythe.templates.matching.node import (
    LABELLED,
    LIST,
    NEW,
    Node,
    SiblingGroup,
    label_tag,
)


class EntryIndex:
    """The children of a node, looked up by what pages show of them. It holds for as long
    as the template stays as it is: readers keep it, growth makes one for each pairing.
    """

    def __init__(self, node: Node) -> None:
        self.node = node

    @cached_property
    def tags(self) -> list[str]:
        """The tag of each entry."""
        return [label_tag(entry.label) for entry in self.node.children]

    @cached_property
    def by_tag(self) -> dict[str, list[int]]:
        """The entries of each tag."""
        found: dict[str, list[int]] = {}
        for index, tag in enumerate(self.tags):
            found.setdefault(tag, []).append(index)
        return found

    @cached_property
    def labelled_groups(self) -> dict[str, list[tuple[int, SiblingGroup]]]:
        """The groups of labelled rows with their indices, by label."""
        groups: dict[str, list[tuple[int, SiblingGroup]]] = {}
        for index, entry in enumerate(self.node.children):
            if isinstance(entry, SiblingGroup) and entry.state is LABELLED:
                groups.setdefault(entry.label, []).append((index, entry))
        return groups

    @cached_property
    def lists(self) -> dict[str, SiblingGroup]:
        """The groups whose items may have any label, by the tag of all items."""
        found: dict[str, SiblingGroup] = {}
        for entry in self.node.children:
            if isinstance(entry, SiblingGroup) and entry.state in (NEW, LIST):
                found[entry.label] = entry
        return found

    @cached_property
    def by_leading_text(self) -> dict[tuple[str, str | None], list[int]]:
        """The entries of each label and leading text."""
        found: dict[tuple[str, str | None], list[int]] = {}
        for index, entry in enumerate(self.node.children):
            key = (entry.label, entry.leading_text)
            found.setdefault(key, []).append(index)
        return found

    @cached_property
    def is_label(self) -> list[bool]:
        """Which entries are labels of what stands behind them."""
        return [is_label_entry(entry) for entry in self.node.children]

    @cached_property
    def last_labels(self) -> list[int | None]:
        """The last label before each entry."""
        return last_labels(self.is_label)


class EntryIndices(dict[Node, EntryIndex]):
    """The indices of a template's nodes, each made when it is asked for."""

    def __missing__(self, node: Node) -> EntryIndex:
        index = self[node] = EntryIndex(node)
        return index
