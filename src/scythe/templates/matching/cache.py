"""What matching remembers beside the template to be quick. All of it can be thrown away
and found again; none of it is saved.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from scythe.templates.matching.node import (
    Entry,
    Node,
    SiblingGroup,
    SlotValues,
    nodes_of,
)


@dataclass(slots=True)
class Plan:
    """Where the values of a subtree of one structure stand, by their offsets in it."""

    epoch: int
    """How often parts had been taken out of the template when it was last checked."""
    nodes: list[tuple[int, Node, NodeCache, bool]] = field(default_factory=list)
    """All nodes, parents before children, and whether several of the page can stand for
    them.
    """
    groups: list[tuple[SiblingGroup, int]] = field(default_factory=list)
    """Lists, with their lengths."""
    children: list[tuple[NodeCache, list[Entry]]] = field(default_factory=list)
    """The children that nodes had when the plan was made."""
    leading_texts: list[tuple[int, Node, bool]] = field(default_factory=list)
    """Nodes that begin alike on all pages so far, which a page may refute, and whether
    the plan is void for pages that do.
    """
    texts: list[tuple[int, Node, SlotValues]] = field(default_factory=list)
    links: list[tuple[int, Node, SlotValues]] = field(default_factory=list)
    images: list[tuple[int, Node, SlotValues]] = field(default_factory=list)
    page: int = 0
    """The number of the last page on which all nodes were counted."""


class NodeCache:
    """What matching remembers of one node."""

    __slots__ = (
        "_child_labels",
        "_plain_children",
        "_positions",
        "last_hash",
        "last_plan",
        "node",
        "opened_page",
        "pending",
        "plans",
        "removed",
    )

    def __init__(self, node: Node) -> None:
        self.node = node
        self.removed = False
        """Whether the node was taken out of the template."""
        self.pending = 0
        """Pages on which all below was as on the last page, not yet counted below."""
        self.opened_page = node.last_page
        """The number of the last page on which the nodes below were counted."""
        self.last_hash: int | None = None
        """The hash of the subtree on the last page."""
        self.plans: dict[int, Plan | int] = {}
        """The plans for structures that were seen here, by shape, or the page from
        which on one may be made.
        """
        self.last_plan: Plan | None = None
        """The plan by which the node was last matched, where that was by one."""
        self._positions: dict[str, list[int]] | None = None
        self._child_labels: list[str] = []
        self._plain_children: list[Node] | None = None

    @property
    def positions(self) -> dict[str, list[int]]:
        """The positions of each label among the children."""
        if self._positions is None:
            return self._index_children()
        return self._positions

    @property
    def child_labels(self) -> list[str]:
        """The labels of the children in order."""
        if self._positions is None:
            self._index_children()
        return self._child_labels

    @property
    def plain_children(self) -> list[Node] | None:
        """The children, where each label stands once and none is a group."""
        if self._positions is None:
            self._index_children()
        return self._plain_children

    def forget_children(self) -> None:
        """Forget where the children stand: they have changed."""
        self._positions = None

    def _index_children(self) -> dict[str, list[int]]:
        children = self.node.children
        positions: dict[str, list[int]] = {}
        labels = [entry.label for entry in children]
        for position, label in enumerate(labels):
            positions.setdefault(label, []).append(position)

        nodes = [entry for entry in children if isinstance(entry, Node)]
        is_plain = len(positions) == len(nodes) == len(children)
        self._child_labels = labels
        self._plain_children = nodes if is_plain else None
        self._positions = positions
        return positions


class MatchingCache(dict[Node, NodeCache]):
    """The caches of a template's nodes; a node that has none yet gets an empty one.

    A node's cache must be asked for before its `last_page` changes, since it notes up
    to which page the nodes below are counted.
    """

    def __init__(self) -> None:
        super().__init__()
        self._removed: list[Node] = []

    def __missing__(self, node: Node) -> NodeCache:
        cached = self[node] = NodeCache(node)
        return cached

    def flush(self, node: Node) -> None:
        """Count the pages at the children of a node that were only counted at it."""
        cached = self[node]
        pending = cached.pending
        if not pending:
            return

        opened = cached.opened_page
        last_page = node.last_page
        for entry in node.children:
            for child in nodes_of(entry):
                if child.last_page == opened:
                    self[child].pending += pending
                    child.support += pending
                    child.last_page = last_page
            if isinstance(entry, SiblingGroup) and entry.last_page == opened:
                entry.support += pending
                entry.last_page = last_page
                for text, (pages, last) in entry.leading_texts.items():
                    if last == opened:
                        entry.leading_texts[text] = (pages + pending, last_page)
        cached.pending = 0
        cached.opened_page = last_page

    def flush_below(self, root: Node) -> None:
        """Count everywhere below a node what was only counted above."""
        waiting = [root]
        while waiting:
            node = waiting.pop()
            self.flush(node)
            for entry in node.children:
                waiting.extend(nodes_of(entry))

    def mark_removed(self, node: Node) -> None:
        """Note that a node was taken out of the template: plans with it are void."""
        self[node].removed = True
        self._removed.append(node)

    def drop_removed(self) -> None:
        """Forget the caches of nodes that were taken out."""
        for node in self._removed:
            self.pop(node, None)
        self._removed.clear()
