"""Headings: none without its section, and the title once above all others.

A method that leaves out a section often keeps its heading, which then reads like a part
of the text before it: a heading goes with its section. Pages show their title as `<h1>`,
as `<h2>`, as a plain line, several times or not at all, and use `<h1>` for sections or
for the site's name: the outline that renderers read begins with the title and has no
other heading of its level.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import cast

import numpy as np
from numpy.typing import NDArray

from scythe.content.selection import Selection
from scythe.content.structures.figures import PICTURE
from scythe.content.structures.outline import (
    Block,
    Container,
    Leaf,
    LeafKind,
    Mark,
    Table,
    leaf_text,
    text_runs,
)
from scythe.core.content import lost_headings
from scythe.tree.compiled.trees import block_of
from scythe.tree.tags import HEADING, KNOWN, code, tag_bits
from scythe.tree.text import letters_and_digits
from scythe.tree.tree import Bools, Tree, prefix_sums
from scythe.tree.visibility import visible_lengths

MIN_SECTION = 40
"""Characters of text under a heading that make a section. Fewer are the price or the
date of a card.
"""
MAX_HEADING = 100
"""Characters of a heading; a longer one is a paragraph set in large type."""
MAX_BARE = 2
"""Headings of one level without a section. More are the entries of a list, whose cards
were left out.

With these three bounds, leaving out bare headings keeps the mean F1 of wcxb as it is
(0.9004 and 0.9005 on two thirds of the domains, 0.9210 and 0.9209 on the third put
aside); without them it costs 0.0006.
"""

BOUNDS = (MIN_SECTION, MAX_HEADING, MAX_BARE)
_TAG_BITS = tag_bits(HEADING, PICTURE)
"""Bits of tags, in the order of core/src/headings.rs."""
_A, _H1 = code("a"), code("h1")
_LEVELS = {f"h{level}": level for level in range(1, 7)}
_MIN_PROSE = 60
"""Characters of a line that is running text: from there on, a line with the words of the
title is part of it. A plain bound, not tuned.
"""
_MIN_SHARE = 0.6
"""Part of the title that a top heading has, or the other way round, where the rest is
the site's name. A plain bound, not tuned.
"""


def without_bare_headings(tree: Tree, selection: Selection) -> Selection:
    """Return a selection without the headings whose section the page has and the
    selection has not.

    The headline stays, and so do headings that link elsewhere or stand in numbers over
    nothing: they are the entries of a list.
    """
    if not tree.has_any(HEADING):
        return selection
    lost = _lost_headings(tree, selection.nodes)
    if not len(lost):
        return selection
    removed = np.zeros(len(tree), dtype=bool)
    removed[lost] = True
    is_removed = tree.below(removed)
    return replace(selection, nodes=selection.nodes & ~is_removed)


def _lost_headings(tree: Tree, selected: Bools) -> NDArray[np.integer]:
    """Return the headings whose section was left out, by the compiled core where it is
    at work.
    """
    block = block_of(tree)
    if block is not None:
        lengths = visible_lengths(tree)
        found = lost_headings(block, _TAG_BITS, selected, lengths, BOUNDS)
        if found is not None:
            return found
    return _Headings(tree, selected).lost_section()


class _Headings:
    """The headings of a page, in document order, none inside another."""

    def __init__(self, tree: Tree, selected: Bools) -> None:
        self.tree = tree
        self.selected = selected
        headings = np.flatnonzero(tree.has_tag(HEADING))
        self.nodes = _outermost(tree, headings)
        self.ends = tree.end[self.nodes]
        self.levels = tree.tag[self.nodes]

    def lost_section(self) -> NDArray[np.int64]:
        """Return the headings whose section was left out."""
        return self.nodes[self._is_lost()]

    def _is_lost(self) -> Bools:
        is_bare = self._is_bare()
        bare_levels = self.levels[is_bare]
        bare_of_level = np.bincount(bare_levels, minlength=len(KNOWN))
        is_entry = bare_of_level[self.levels] > MAX_BARE
        is_below_top = self.levels != _H1
        can_be_lost = is_bare & is_below_top & ~is_entry
        if not can_be_lost.any():
            return can_be_lost
        is_link = self.tree.tag == _A
        is_linked = self._sums_in(is_link) > 0
        is_long = self._sums_in(visible_lengths(self.tree)) > MAX_HEADING
        is_heading_alone = ~is_linked & ~is_long
        return can_be_lost & is_heading_alone & self._has_section()

    def _is_bare(self) -> Bools:
        """Return the selected headings before whose equals nothing else is selected."""
        shown, is_text = _shown_nodes(self.tree, self.selected)
        heading = np.searchsorted(self.nodes, shown, side="right") - 1
        in_heading = (heading >= 0) & (shown < self.ends[heading])
        is_chosen = np.zeros(len(self.nodes), dtype=bool)
        is_chosen[heading[in_heading & is_text]] = True
        chosen = np.flatnonzero(is_chosen)
        content = shown[~in_heading]
        section_ends = self._section_ends(chosen)
        before = np.searchsorted(content, self.ends[chosen])
        is_bare = np.zeros(len(self.nodes), dtype=bool)
        is_bare[chosen] = before == np.searchsorted(content, section_ends)
        return is_bare

    def _has_section(self) -> Bools:
        """Return the headings under which the page has text."""
        is_heading = np.zeros(len(self.tree), dtype=bool)
        is_heading[self.nodes] = True
        in_heading = self.tree.below(is_heading)
        text = prefix_sums(visible_lengths(self.tree) * ~in_heading)
        section_ends = self._section_ends(np.arange(len(self.nodes)))
        has_section: Bools = text[section_ends] - text[self.ends] >= MIN_SECTION
        return has_section

    def _section_ends(self, chosen: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return for each of the chosen headings the next of them of its level or a
        higher one, or the end of the page.
        """
        section_ends = np.full(len(chosen), len(self.tree), dtype=np.int64)
        levels = self.levels[chosen].tolist()
        nodes = self.nodes[chosen].tolist()
        open_sections: list[int] = []
        for index, level in enumerate(levels):
            while open_sections and levels[open_sections[-1]] >= level:
                section_ends[open_sections.pop()] = nodes[index]
            open_sections.append(index)
        return section_ends

    def _sums_in(self, values: NDArray[np.int32] | Bools) -> NDArray[np.int64]:
        """Return the sum of values over each heading."""
        sums = prefix_sums(values)
        return sums[self.ends] - sums[self.nodes]


def _shown_nodes(tree: Tree, selected: Bools) -> tuple[NDArray[np.int64], Bools]:
    """Return the selected nodes that show something, a text or a picture, and which of
    them are texts.
    """
    can_be_shown = tree.is_text | tree.has_tag(PICTURE)
    nodes = np.flatnonzero(selected & can_be_shown)
    is_text = tree.is_text[nodes]
    lengths = visible_lengths(tree)[nodes]
    is_shown = ~is_text | (lengths > 0)
    return nodes[is_shown], is_text[is_shown]


def _outermost(tree: Tree, nodes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return those of some nodes that stand in no other of them."""
    ends = np.append(0, tree.end[nodes])
    last_ends = np.maximum.accumulate(ends)[:-1]
    return nodes[nodes >= last_ends]


def with_headline(blocks: list[Block], title: str) -> list[Block]:
    """Return blocks under the title of their page.

    The title is the only heading of the first level, and stands nowhere else as a
    heading or as a line before the text; other headings begin at the second level.
    Where a page has no title, headings keep their levels. Headings that stand over
    nothing are lines in bold. Nothing is added where there are no blocks.
    """
    if not blocks:
        return []
    if title:
        blocks = _Repeats(title, blocks).without(blocks)
    bare = _bare_headings(blocks)
    levels = [_level(leaf) for leaf in leaves(blocks) if _is_heading(leaf)]
    lowest = min(levels, default=2)
    shift = 2 - lowest if title else 0
    rewritten = _rewritten(blocks, bare, shift)
    if not title:
        return rewritten
    return [Leaf("h1", [((), title)]), *rewritten]


def leaves(blocks: list[Block]) -> Iterator[Leaf | Table]:
    """Yield the leaves and tables of blocks in order."""
    pending = blocks[::-1]
    while pending:
        block = pending.pop()
        if isinstance(block, Container):
            pending += block.children[::-1]
        else:
            yield block


def _is_heading(block: Leaf | Table) -> bool:
    return isinstance(block, Leaf) and block.kind in _LEVELS


def _level(block: Leaf | Table) -> int:
    return _LEVELS[block.kind] if isinstance(block, Leaf) else 0


def _comparable(text: str) -> str:
    """Return the letters and digits of a text; of one that has none, all its signs."""
    return letters_and_digits(text) or "".join(text.split())


class _Repeats:
    """The leaves that repeat the title."""

    def __init__(self, title: str, blocks: list[Block]) -> None:
        self.key = _comparable(title)
        self.found: set[int] = set()
        is_top = True
        for block in leaves(blocks):
            if isinstance(block, Table):
                is_top = False
                continue
            text = leaf_text(block)
            if self._is_repeat(block.kind, text, is_top=is_top):
                self.found.add(id(block))
            elif len(text) >= _MIN_PROSE:
                is_top = False

    def _is_repeat(self, kind: str, text: str, *, is_top: bool) -> bool:
        key = _comparable(text)
        if kind in _LEVELS and key == self.key:
            return True
        if not is_top:
            return False
        if kind == "h1":
            return self._is_same_title(key)
        return kind == "p" and key == self.key

    def _is_same_title(self, key: str) -> bool:
        """Return whether one of both is the other with the site's name."""
        shorter, longer = sorted((key, self.key), key=len)
        if len(shorter) < _MIN_SHARE * len(longer):
            return False
        return longer.startswith(shorter) or longer.endswith(shorter)

    def without(self, blocks: list[Block]) -> list[Block]:
        """Return blocks without the repeats."""
        kept: list[Block] = []
        for block in blocks:
            if isinstance(block, Container):
                children = self.without(block.children)
                kept.append(replace(block, children=children))
            elif id(block) not in self.found:
                kept.append(block)
        return kept


def _bare_headings(blocks: list[Block]) -> set[int]:
    """Return the ids of the headings before whose equals nothing else stands."""
    bare: set[int] = set()
    open_sections: list[Leaf] = []
    for block in leaves(blocks):
        if not _is_heading(block):
            if isinstance(block, Table) or text_runs(block):
                open_sections.clear()
            continue
        heading = cast(Leaf, block)
        while open_sections and _level(open_sections[-1]) >= _level(heading):
            bare.add(id(open_sections.pop()))
        open_sections.append(heading)
    bare.update(map(id, open_sections))
    return bare


def _rewritten(blocks: list[Block], bare: set[int], shift: int) -> list[Block]:
    """Return blocks with bare headings as lines, and others moved by some levels."""
    rewritten: list[Block] = []
    for block in blocks:
        if isinstance(block, Container):
            children = _rewritten(block.children, bare, shift)
            rewritten.append(replace(block, children=children))
        elif isinstance(block, Table) or block.kind not in _LEVELS:
            rewritten.append(block)
        elif id(block) in bare:
            rewritten.append(_bold_line(block))
        else:
            level = min(_LEVELS[block.kind] + shift, 6)
            kind = cast(LeafKind, f"h{level}")
            rewritten.append(replace(block, kind=kind))
    return rewritten


def _bold_line(heading: Leaf) -> Leaf:
    """Return a heading as a paragraph in bold."""
    strong = Mark("strong")
    pieces = []
    for marks, content in heading.content:
        others = tuple(mark for mark in marks if mark.tag != "strong")
        pieces.append(((strong, *others), content))
    return Leaf("p", pieces)
