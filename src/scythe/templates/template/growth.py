"""How a template grows by a page: matched from the root down, with what is new inserted
where it belongs.

This is the incremental algorithm of RecipeCrawler, section 5.1. Like siblings are
folded (`sibling_matching`), children are paired with the template's, and what is
unmatched is inserted: at its position where that is unique (`unique_insertion`, which
draws the paper's figure 6), otherwise as a possible value beside what already stands
there, until a page shows the order. Subtrees that are as they were on the last page are
counted and not looked into.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from scythe.templates.matching.cache import MatchingCache, NodeCache
from scythe.templates.matching.entries import EntryIndex
from scythe.templates.matching.likeness import begin_alike
from scythe.templates.matching.node import (
    LIST,
    Entry,
    Node,
    SiblingGroup,
    SlotValues,
    is_usual,
    nodes_of,
)
from scythe.templates.matching.page_view import PageView
from scythe.templates.matching.pairing import pair
from scythe.templates.matching.plans import PlanContext, fits, plan_for
from scythe.templates.matching.siblings import SiblingUnit, sibling_matching
from scythe.templates.template.free_text import forgettable_entries, split_free_text
from scythe.templates.template.insertion import learn_order, unique_insertion
from scythe.templates.template.page_recorder import PageInfo, PageRecorder
from scythe.templates.template.rows import RowMatcher

VANISHED_PAGES = 5
"""Pages without an attribute that most pages had, after which an operator is notified.
Not tuned.
"""

MAX_STEPS = 100_000
"""Nodes that a page is matched with, below which no children are looked at any more: a
bound on work. Pages of records have some thousands; where elements nest in others of
their kind, a node is matched with several.
"""

Step = tuple[Node, int, bool, bool]
"""A node, the page node that stands for it, whether more of the page can, and whether
all of it is new.
"""


class Growth:
    """One page on its way into a template."""

    def __init__(
        self,
        view: PageView,
        page: PageInfo,
        cache: MatchingCache,
        new_slot: Callable[[], str],
        is_named: Callable[[Node], bool],
    ) -> None:
        self.view = view
        self.page = page
        self.cache = cache
        self.new_slot = new_slot
        self.recorder = PageRecorder(view, page, cache, new_slot)
        self.rows = RowMatcher(view, page.number, cache, is_named)
        self.epoch = 0
        """How often parts were taken out of the template."""
        self.repeatable: list[Node] = []
        self.vanished: list[Entry] = []
        self.moved: list[Entry] = []
        self.new_texts = 0
        self.changed = False

    def grow(self, root: Node, epoch: int) -> None:
        """Match the page with the template, which grows by what is new."""
        self.epoch = epoch
        view = self.view
        cache = self.cache
        hashes = view.hashes
        ends = view.ends
        context = PlanContext(view, cache, self.page.number, epoch)
        waiting: list[Step] = [(root, 0, False, root.support == 0)]
        steps_left = MAX_STEPS
        while waiting:
            node, page_node, repeated, fresh = waiting.pop()
            cached = cache[node]
            if not repeated and cached.last_hash == hashes[page_node]:
                self.recorder.count_as_before(node, cached)
                continue

            if not fresh:
                if context.epoch != self.epoch:
                    context = context._replace(epoch=self.epoch)
                plan = plan_for(node, page_node, context, repeated=repeated)
                if plan is not None and fits(plan, page_node, view):
                    self.recorder.follow(plan, page_node, cached, repeated=repeated)
                    continue

            self.recorder.open(node, page_node, cached, repeated=repeated)
            steps_left -= 1
            is_childless = ends[page_node] == page_node + 1
            is_leaf = is_childless and not node.children
            if is_leaf or steps_left < 0:
                continue
            step = (node, page_node, repeated, fresh)
            waiting.extend(self._match_children(step, cached))
        cache.drop_removed()
        if self.recorder.new_slots:
            self.changed = True

    def _match_children(self, step: Step, cached: NodeCache) -> list[Step]:
        """Return the steps for the children of a node."""
        node, page_node, repeated, fresh = step
        view = self.view
        page_nodes = view.children(page_node)
        labels = [view.labels[child] for child in page_nodes]
        if cached.child_labels == labels:
            plain = cached.plain_children
            if plain is not None and begin_alike(plain, page_nodes, view):
                pairs = zip(plain, page_nodes, strict=True)
                return [(below, child, repeated, fresh) for below, child in pairs]
        if node.children:
            return self._pair_children(node, page_nodes, repeated=repeated, fresh=fresh)
        return self._first_children(node, page_nodes, repeated=repeated, fresh=fresh)

    def _first_children(
        self, node: Node, page_nodes: list[int], *, repeated: bool, fresh: bool
    ) -> list[Step]:
        """Add the first children of a node."""
        steps: list[Step] = []
        for unit in sibling_matching(self.view, page_nodes):
            entry, new_steps = self._new_entry(unit, repeated=repeated, fresh=fresh)
            node.children.append(entry)
            steps.extend(new_steps)
        self._children_changed(node)
        return steps

    def _children_changed(self, node: Node) -> None:
        self.changed = True
        self.cache[node].forget_children()

    def _new_entry(
        self, unit: SiblingUnit, *, repeated: bool, fresh: bool
    ) -> tuple[Entry, list[Step]]:
        """Return a new entry for a unit, and the steps into it."""
        label, page_nodes = unit
        if not fresh:
            self.new_texts += sum(map(self.view.text_count, page_nodes))
        example = Node(label)
        if len(page_nodes) == 1:
            return example, [(example, page_nodes[0], repeated, True)]
        group = SiblingGroup(label, example)
        rows = self.rows.begin(group, page_nodes, repeated=repeated)
        return group, [(row, page_node, many, True) for row, page_node, many in rows]

    def _pair_children(
        self, node: Node, page_nodes: list[int], *, repeated: bool, fresh: bool
    ) -> list[Step]:
        """Pair the children of a page node with those of a node, which gets what is
        new.
        """
        units = sibling_matching(self.view, page_nodes)
        index = EntryIndex(node)
        found = pair(index, units, self.view, self.cache, repeated=repeated)
        steps = self._steps_of_pairs(node, units, found, repeated=repeated, fresh=fresh)
        if None in found and node.free_text is not None:
            units, found, texts = split_free_text(units, found, self.view)
            for text in texts:
                node.free_text.add(text, self.page.name)
        if None in found:
            self._children_changed(node)
            steps.extend(
                self._insert(node, units, found, repeated=repeated, fresh=fresh)
            )
            number = self.page.number
            self._forget(
                node, forgettable_entries(node, found, number, repeated=repeated)
            )
        if node.support > 1 and len(units) > 1:
            reordered, moved = learn_order(node, found)
            if reordered:
                self.cache[node].forget_children()
            self.moved.extend(moved)
        if not repeated and node.support > VANISHED_PAGES:
            self._find_vanished(node)
        return steps

    def _steps_of_pairs(
        self,
        node: Node,
        units: Sequence[SiblingUnit],
        found: list[Entry | None],
        *,
        repeated: bool,
        fresh: bool,
    ) -> list[Step]:
        """Return the steps into entries that were found. Nodes that now have like
        siblings become groups, in `found` too.
        """
        steps: list[Step] = []
        for index, unit in enumerate(units):
            entry = found[index]
            if entry is None:
                continue
            if isinstance(entry, Node) and len(unit.page_nodes) > 1:
                entry = self._turn_repeatable(node, entry, unit)
                found[index] = entry
            if isinstance(entry, Node):
                steps.append((entry, unit.page_nodes[0], repeated, fresh))
                continue
            rows = self.rows.match(entry, unit.page_nodes, repeated=repeated)
            for row, page_node, many in rows:
                steps.append((row, page_node, many, fresh))
            self.changed |= self.rows.changed
            self.epoch += self.rows.removed
        return steps

    def _turn_repeatable(
        self, parent: Node, node: Node, unit: SiblingUnit
    ) -> SiblingGroup:
        """Put a group in the position of a node that had no like sibling until now."""
        group = self.rows.group_for(node, unit.page_nodes)
        parent.children[parent.children.index(node)] = group
        self._children_changed(parent)
        self.epoch += 1
        if group.state is LIST and node.support > 1:
            self.repeatable.append(node)
        return group

    def _insert(
        self,
        node: Node,
        units: Sequence[SiblingUnit],
        found: list[Entry | None],
        *,
        repeated: bool,
        fresh: bool,
    ) -> list[Step]:
        """Insert the unmatched units, run by run, and return the steps into them."""
        steps: list[Step] = []
        start = 0
        while start < len(units):
            if found[start] is not None:
                start += 1
                continue
            stop = start
            while stop < len(units) and found[stop] is None:
                stop += 1
            left = found[start - 1] if start else None
            right = found[stop] if stop < len(units) else None

            new: list[Entry] = []
            for unit in units[start:stop]:
                entry, new_steps = self._new_entry(unit, repeated=repeated, fresh=fresh)
                new.append(entry)
                steps.extend(new_steps)
            unique_insertion(node.children, new, left, right)
            found[start:stop] = new
            start = stop
        return steps

    def _forget(self, node: Node, entries: Sequence[Entry]) -> None:
        """Take children out of a node, unless an operator named something in them; it
        is a box of free text then.
        """
        removed = {id(entry) for entry in entries if not self.rows.is_named(entry)}
        if not removed:
            return
        left: list[Entry] = []
        for entry in node.children:
            if id(entry) in removed:
                self._take_out(entry)
            else:
                left.append(entry)
        node.children = left
        self.cache[node].forget_children()
        self.epoch += 1
        if node.free_text is None:
            node.free_text = SlotValues(self.new_slot())

    def _take_out(self, entry: Entry) -> None:
        waiting = nodes_of(entry)
        while waiting:
            node = waiting.pop()
            self.cache.mark_removed(node)
            for below in node.children:
                waiting.extend(nodes_of(below))

    def _find_vanished(self, node: Node) -> None:
        """Note the children of a node that most pages had and the last ones have not."""
        for entry in node.children:
            missing_pages = self.page.number - entry.last_page
            if (
                missing_pages >= VANISHED_PAGES
                and not entry.vanished
                and is_usual(entry)
                and entry.support >= VANISHED_PAGES
            ):
                entry.vanished = True
                self.vanished.append(entry)
