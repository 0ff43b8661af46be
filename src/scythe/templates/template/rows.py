"""Like siblings of a page matched with a group of the template: as items of a list, or
as rows that are told apart.

Rows are told apart by their labels where what they begin with is template text:
different within a page, the same from page to page. They are told apart by their number
where all pages have as many, and few. Everything else is a list with one example node.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from scythe.templates.matching.cache import MatchingCache
from scythe.templates.matching.columns import are_columns
from scythe.templates.matching.node import (
    LABELLED,
    LIST,
    NEW,
    STEADY,
    Entry,
    Node,
    SiblingGroup,
    nodes_of,
)
from scythe.templates.matching.page_texts import COLONS
from scythe.templates.matching.page_view import PageView
from scythe.templates.matching.row_labels import (
    KNOWN_SHARE,
    UNIQUE_SHARE,
    are_labelled,
    has_too_many_texts,
    keeps_order,
    put_in_order,
    repeated_labels,
)
from scythe.templates.matching.siblings import begins_with_label
from scythe.templates.template.node_merge import merge_nodes
from scythe.templates.template.page_recorder import count_group
from scythe.templates.template.row_matching import match_labelled_rows, match_rows

RowStep = tuple[Node, int, bool]
"""A node, the page node that stands for it, and whether more of the page can stand for
it.
"""

_MAX_ROWS = 60
"""Rows that are kept apart until a second page tells what they are. A bound on the size
of templates.
"""

_MAX_LEADING_TEXTS = 150
"""Beginnings of rows that a group remembers. A bound on the size of templates."""

_MAX_STEADY = 6
_MAX_STEADY_TEXTS = 3
"""Siblings that are columns of their own if every page has as many of them, and the
texts that each has at most.
"""


class RowMatcher:
    """Matches siblings of one page with groups, which learn from them."""

    def __init__(
        self,
        view: PageView,
        page_number: int,
        cache: MatchingCache,
        is_node_named: Callable[[Node], bool],
    ) -> None:
        self.view = view
        self.page_number = page_number
        self.cache = cache
        self.is_node_named = is_node_named
        self.changed = False
        """Whether the last group that was matched has changed."""
        self.removed = False
        """Whether nodes of it were taken out of the template."""

    def is_named(self, entry: Entry) -> bool:
        """Return whether an operator named something in an entry."""
        return any(self.is_node_named(node) for node in nodes_of(entry))

    def begin(
        self, group: SiblingGroup, page_nodes: Sequence[int], *, repeated: bool
    ) -> list[RowStep]:
        """Return the steps of a group's first page: into one example node, and into its
        rows apart until more is known.
        """
        steps = [(group.example, page_node, True) for page_node in page_nodes]
        if repeated or len(page_nodes) > _MAX_ROWS:
            group.state = LIST
        else:
            for page_node in page_nodes:
                row = Node(group.label)
                group.rows.append(row)
                steps.append((row, page_node, False))
        self._count_leading_texts(group, page_nodes)
        return steps

    def group_for(self, node: Node, page_nodes: Sequence[int]) -> SiblingGroup:
        """Return a group in place of a node that now has like siblings."""
        group = SiblingGroup(node.label, node)
        group.support = node.support
        group.last_page = node.last_page
        group.possible_node = node.possible_node
        group.moved = node.moved
        group.last_count = group.max_count = 1

        view = self.view
        text = node.leading_text
        labels = [
            view.leading_texts[page_node]
            for page_node in page_nodes
            if view.has_more[page_node]
        ]
        are_different = len(set(labels)) == len(page_nodes) - repeated_labels(
            self.view,
            page_nodes,
        )
        if text and text in labels and are_different:
            group.state = LABELLED
            group.rows = [node]
            group.example = Node(node.label)
            group.leading_texts = {text: (node.support, node.last_page)}
            node.row_label = text
        else:
            group.state = LIST
            self.cache[node].last_hash = None
        return group

    def match(
        self, group: SiblingGroup, page_nodes: Sequence[int], *, repeated: bool
    ) -> list[RowStep]:
        """Return which node of the group each of the siblings stands for; the group
        learns from them first.
        """
        self.changed = self.removed = False
        if not group.unlabelled:
            self._count_swaps(group, page_nodes)
        self._update_state(group, page_nodes)
        self._count_leading_texts(group, page_nodes)
        if group.state is LABELLED:
            return self._match_labels(group, page_nodes, repeated=repeated)
        steps = []
        pairs = match_rows(group, page_nodes, self.view, self.cache)
        for node, page_node in pairs:
            is_repeated = repeated or node is group.example
            steps.append((node, page_node, is_repeated))
        return steps

    def _update_state(self, group: SiblingGroup, page_nodes: Sequence[int]) -> None:
        if group.state is NEW:
            self._decide(group, page_nodes)
        elif group.state is STEADY:
            if self._is_no_longer_steady(group, page_nodes):
                self._end_steady(group, page_nodes)
        elif group.state is LIST:
            is_open = not group.unlabelled
            if is_open and are_labelled(group, page_nodes, self.view, strict=True):
                self._take_apart(group)
        elif has_too_many_texts(group) or not keeps_order(group):
            self._fold(group)

    def _count_leading_texts(
        self, group: SiblingGroup, page_nodes: Sequence[int]
    ) -> None:
        """Count a group and what its rows begin with."""
        count_group(group, len(page_nodes), self.page_number)
        if group.unlabelled:
            return

        texts = [self.view.leading_texts[page_node] for page_node in page_nodes]
        for text in texts:
            if text:
                pages, last_page = group.leading_texts.pop(text, (0, 0))
                pages += last_page != self.page_number
                group.leading_texts[text] = (pages, self.page_number)

        is_list = group.state is LIST
        is_full = len(group.leading_texts) > _MAX_LEADING_TEXTS
        too_many = is_full or has_too_many_texts(group)
        count = len(page_nodes) - repeated_labels(self.view, page_nodes)
        has_repeats = len(set(texts)) < UNIQUE_SHARE * count
        if has_repeats or (is_list and too_many):
            group.unlabelled = True
            if is_list:
                group.leading_texts = {}

    def _count_swaps(self, group: SiblingGroup, page_nodes: Sequence[int]) -> None:
        """Count neighbours that stood in the other order on their last page: labels
        keep theirs.

        What rows begin with is remembered in the order of the last page, so that of two
        of one page the earlier came first.
        """
        ranks: dict[str, tuple[int, int]] = {}
        for rank, (text, (_, last_page)) in enumerate(group.leading_texts.items()):
            ranks[text] = (rank, last_page)

        texts = self.view.leading_texts
        known = [ranks.get(texts[page_node]) for page_node in page_nodes]
        for one, other in pairwise(known):
            if one is None or other is None:
                continue
            rank, last_page = one
            other_rank, other_last_page = other
            if last_page == other_last_page and rank > other_rank:
                group.swaps += 1

    def _decide(self, group: SiblingGroup, page_nodes: Sequence[int]) -> None:
        """Decide what a group is, from its second page."""
        self.changed = True
        if not group.rows or self.is_node_named(group.example):
            group.state = LIST
            group.rows = []
        elif are_labelled(group, page_nodes, self.view, strict=False):
            group.state = LABELLED
            self._begin_labelled(group)
        elif self._is_steady(group, page_nodes):
            group.state = STEADY
            group.example = Node(group.label)
        else:
            group.state = LIST
            group.rows = []

    def _begin_labelled(self, group: SiblingGroup) -> None:
        """Turn the rows of a group's first page into one for each label; further ones
        of a label are merged into it, and of other beginnings left to the example node.
        """
        first_rows: dict[str, Node] = {}
        all_kept = True
        for row in group.rows:
            row.row_label = row.leading_text
            if not row.row_label:
                all_kept = False
                continue
            first = first_rows.setdefault(row.row_label, row)
            if first is row:
                continue
            if row.row_label[-1] in COLONS:
                first.repeats = True
                merge_nodes(first, row, self.cache)
                self.removed = True
            else:
                all_kept = False
        if all_kept:
            group.example = Node(group.label)
        group.rows = list(first_rows.values())

    def _is_steady(self, group: SiblingGroup, page_nodes: Sequence[int]) -> bool:
        is_same_count = len(page_nodes) == group.last_count
        if not is_same_count or group.last_count > _MAX_STEADY:
            return False
        text_counts = map(self.view.text_count, page_nodes)
        if max(text_counts) > _MAX_STEADY_TEXTS:
            return False
        return are_columns(group, self._first_texts(page_nodes))

    def _first_texts(self, page_nodes: Sequence[int]) -> list[str]:
        """Return the first text of each page node."""
        view = self.view
        texts = [*view.all_texts, ""]
        return [texts[view.texts_before[page_node]] for page_node in page_nodes]

    def _is_no_longer_steady(
        self, group: SiblingGroup, page_nodes: Sequence[int]
    ) -> bool:
        """Return whether a page shows that siblings are no columns."""
        if len(page_nodes) != len(group.rows):
            return True
        if not are_columns(group, self._first_texts(page_nodes)):
            return True
        return self._are_others(group, page_nodes)

    def _are_others(self, group: SiblingGroup, page_nodes: Sequence[int]) -> bool:
        """Return whether labels say that as many siblings as before are not the same
        ones.
        """
        if group.unlabelled:
            return False
        texts = self.view.leading_texts
        pairs = zip(group.rows, page_nodes, strict=True)
        if all(row.leading_text == texts[page_node] for row, page_node in pairs):
            return False
        return are_labelled(group, page_nodes, self.view, strict=True)

    def _end_steady(self, group: SiblingGroup, page_nodes: Sequence[int]) -> None:
        """Turn a group with another number of siblings than before into a list, unless
        an operator named its columns or labels tell them apart.
        """
        here = {self.view.leading_texts[page_node] for page_node in page_nodes}
        texts = {row.leading_text for row in group.rows}
        labelled = [row for row in group.rows if row.leading_text]
        constant = [row for row in labelled if row.leading_text in here]
        required = KNOWN_SHARE * min(len(page_nodes), len(group.rows))
        are_different = len(texts) == len(group.rows)
        are_known = bool(constant) and len(constant) >= required
        if are_different and are_known:
            self._turn_labelled(group)
            self.changed = self.removed = True
        elif not any(self.is_node_named(row) for row in group.rows):
            first, *others = [*group.rows, group.example]
            group.state = LIST
            group.rows = []
            group.example = first
            for row in others:
                merge_nodes(first, row, self.cache)
            self.cache[first].last_hash = None
            self.changed = self.removed = True

    def _turn_labelled(self, group: SiblingGroup) -> None:
        group.state = LABELLED
        kept: list[Node] = []
        for row in group.rows:
            row.row_label = row.leading_text or None
            if row.row_label or self.is_node_named(row):
                kept.append(row)
            else:
                merge_nodes(group.example, row, self.cache)
        group.rows = kept

    def _take_apart(self, group: SiblingGroup) -> None:
        """Turn a list into labelled rows, unless an operator named it."""
        if self.is_node_named(group.example):
            return
        group.state = LABELLED
        group.rows = []
        self.changed = True

    def _fold(self, group: SiblingGroup) -> None:
        """Turn labelled rows into a list; those that an operator named stay rows."""
        group.state = LIST
        group.unlabelled = True
        named = [row for row in group.rows if self.is_node_named(row)]
        for row in group.rows:
            if row not in named:
                merge_nodes(group.example, row, self.cache)
        group.rows = named
        self.changed = self.removed = True

    def _match_labels(
        self, group: SiblingGroup, page_nodes: Sequence[int], *, repeated: bool
    ) -> list[RowStep]:
        """Return the steps into the rows of a labelled group, with new rows for labels
        that it does not know.
        """
        known_rows = match_labelled_rows(group, page_nodes, self.view, self.cache)
        steps: list[RowStep] = []
        taken: dict[str, Node] = {}
        position = 0
        for page_node, row in zip(page_nodes, known_rows, strict=True):
            text = self.view.leading_texts[page_node]
            if text in taken and begins_with_label(self.view, page_node):
                taken[text].repeats = True
                steps.append((taken[text], page_node, True))
                continue
            if row is None:
                if not text or text in taken:
                    steps.append((group.example, page_node, True))
                    continue
                row = Node(group.label)
                row.row_label = text
                pages, _ = group.leading_texts.get(text, (1, 0))
                row.support = pages - 1
                group.rows.insert(position, row)
                self.changed = True
            elif row.row_label != text:
                row.row_label = None
            position = group.rows.index(row) + 1
            taken[text] = row
            is_repeated = repeated or row.repeats
            steps.append((row, page_node, is_repeated))
        put_in_order(group.rows, list(taken.values()))
        return steps
