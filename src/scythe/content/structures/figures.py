"""Figures: pictures and their captions, which belong to the content together or not.

Pages write them as `<figure>`, or as any other element around a picture and a text that
their class calls a caption. A method selects text; a picture has none, and captions are
the texts that methods agree on least. So both are decided here, for every method, by
where they stand.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scythe.content.selection import Selection
from scythe.tree.tags import HEADING, TagSet, code
from scythe.tree.text import line_borders
from scythe.tree.tree import Bools, Tree, once_per_tree, prefix_sums
from scythe.tree.visibility import visible, visible_lengths

PICTURE = TagSet("img video audio iframe embed")
"""Elements that show or play something."""

MAX_CAPTION = 1_000
"""Characters of a caption that only its place in a `<figure>`, or its class, shows to be
one: more is the text of a card or of a slide. A plain bound, not tuned.
"""
MAX_OTHER_TEXT = 60
"""Characters beside the captions in an element that is taken for a figure by a class: a
credit, or "Enlarge". A plain bound, not tuned.
"""
MAX_LEVELS = 4
"""Elements between a caption and the one that holds its picture too. MediaWiki and
Blogger, the deepest common ones, have three.
"""
CARD_LINKS = 0.8
"""Part of a caption that is links where a linked picture makes it the entry of a list.
Leaving the captions of such cards out of plain text costs collections of wcxb up to 0.04
F1. A plain bound, not tuned.
"""

MIN_PROSE = 60
"""Characters of a line that is running text: an unselected one parts a figure from the
content, as buttons and labels do not. A plain bound, not tuned.
"""

MAX_STANDFIRST = 2
"""Lines of running text between a headline and the figure over the text that may be left
out: the standfirst, and a note on who wrote it or who pays. A plain bound, not tuned.
"""

_A, _FIGURE, _FIGCAPTION = map(code, ("a", "figure", "figcaption"))
_H1 = code("h1")
_FIGURES = TagSet("figure")
_CAPTIONS, _QUOTES = TagSet("figcaption"), TagSet("blockquote q")
CAPTION = "caption"
"""What the classes of captions have in common."""
TEXT_UNITS = TagSet("table pre listing blockquote ul ol dl")
"""What a figure shows where these have text, outside of its caption: a picture beside
them is an ornament, such as the portrait beside a quotation.
"""
_TEXT_UNIT_CODES = frozenset(map(code, TEXT_UNITS.names))
_FIGURE_PARTS = TEXT_UNITS | TagSet("figcaption")


class Figure(NamedTuple):
    """The element that holds a picture and its caption, and the elements or texts that
    are the caption; none where it has no caption.
    """

    node: int
    captions: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Figures:
    """The figures of a page by their nodes, in document order; one may hold others.

    The tree remembers them, so they must not hold the tree: it would stay in memory
    until Python next looks for circles.
    """

    ends: NDArray[np.int32]
    """Where the subtree of each node of the page ends."""
    is_text: Bools
    by_node: Mapping[int, Figure]

    def __iter__(self) -> Iterator[Figure]:
        return iter(self.by_node.values())

    def outermost(self) -> list[int]:
        """Return the nodes of the figures that stand in no other."""
        nodes: list[int] = []
        for node in self.by_node:
            if not nodes or node >= self.ends[nodes[-1]]:
                nodes.append(node)
        return nodes

    def caption_elements(self) -> list[int]:
        """Return the captions that are elements."""
        roots = self.caption_roots() & ~self.is_text
        elements: list[int] = np.flatnonzero(roots).tolist()
        return elements

    def caption_roots(self) -> Bools:
        """Return the elements and texts that are captions, as a mask."""
        roots = np.zeros(len(self.ends), dtype=bool)
        for figure in self:
            roots[list(figure.captions)] = True
        return roots


@once_per_tree
def find_figures(tree: Tree) -> Figures:
    """Return the figures of a page that show a picture or play something."""
    if not tree.has_any(PICTURE):
        return Figures(tree.end, tree.is_text, {})
    if not tree.has_any(_FIGURES) and not _named_captions(tree):
        return Figures(tree.end, tree.is_text, {})
    finder = _FigureFinder(tree)
    finder.read_figure_elements()
    finder.read_caption_classes()
    by_node = {}
    for node in sorted(finder.captions):
        by_node[node] = Figure(node, tuple(finder.captions[node]))
    return Figures(tree.end, tree.is_text, by_node)


def _named_captions(tree: Tree) -> list[int]:
    """Return the elements whose class calls them a caption."""
    return tree.nodes_with_words("class", (CAPTION,))


class _FigureFinder:
    """The search for the figures of one page."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.captions: dict[int, list[int]] = {}
        """The captions of each figure that was found."""
        self.known_lengths: dict[int, int] = {}
        """The characters of captions by class, by the element that holds the picture."""
        self.is_figure = tree.tag == _FIGURE
        self.end = tree.end.data
        self.tag = tree.tag.data
        is_picture = tree.has_tag(PICTURE)
        is_linked = tree.below(tree.tag == _A)
        is_part = is_picture | self.is_figure
        is_part |= tree.has_tag(_FIGURE_PARTS)
        lengths = visible_lengths(tree)
        self.pictures = _sums(is_picture)
        self.linked_pictures = _sums(is_picture & is_linked)
        self.parts = _sums(is_part)
        self.headings = _sums(tree.has_tag(HEADING))
        self.lengths = _sums(lengths)
        self.linked_lengths = _sums(lengths * is_linked)

    def read_figure_elements(self) -> None:
        """Take every `<figure>` that shows a picture. What it holds beside other
        figures is its own caption.
        """
        for node in np.flatnonzero(self.is_figure).tolist():
            if not self._total(self.pictures, node):
                continue
            captions = self._captions_in(node)
            if captions is not None:
                is_card = self._is_card(node, captions)
                self.captions[node] = [] if is_card else captions

    def _captions_in(self, figure: int) -> list[int] | None:
        """Return the `<figcaption>`s of a figure; without any, its texts, if they are a
        caption in length: beside a linked picture they are the card of another page.
        None for a figure of text.
        """
        declared: list[int] = []
        others: list[int] = []
        pending = self._children(figure)
        while pending:
            child = pending.pop()
            if self.tag[child] == _FIGURE or not self._length(child):
                continue
            if self.tag[child] in _TEXT_UNIT_CODES:
                return None
            if self.tag[child] == _FIGCAPTION:
                declared.append(child)
            elif self._total(self.parts, child):
                pending += self._children(child)
            else:
                others.append(child)
        if declared:
            return declared[::-1]
        if self._total(self.linked_pictures, figure):
            return []
        is_short = sum(map(self._length, others)) <= MAX_CAPTION
        return others[::-1] if is_short else []

    def _children(self, node: int) -> list[int]:
        children = []
        child, stop = node + 1, self.end[node]
        while child < stop:
            children.append(child)
            child = self.end[child]
        return children

    def read_caption_classes(self) -> None:
        """Take every text that its class calls a caption, with the picture that shares
        an element with it and with hardly anything else.
        """
        in_figure = self.tree.below(self.is_figure)
        for node in _named_captions(self.tree):
            if in_figure[node] or not 0 < self._length(node) <= MAX_CAPTION:
                continue
            if self._total(self.pictures, node):
                continue
            holder = self._picture_holder(node)
            if holder is not None and not self._is_card(holder, [node]):
                self._add_caption(holder, node)

    def _picture_holder(self, caption: int) -> int | None:
        """Return the smallest element around a caption that has a picture, None if it
        is too far up or has other text.
        """
        own_length = self._length(caption)
        for level, node in enumerate(self.tree.ancestors(caption)):
            if level == MAX_LEVELS:
                return None
            known_length = self.known_lengths.get(node, 0)
            if self._length(node) - own_length - known_length > MAX_OTHER_TEXT:
                return None
            if self._total(self.pictures, node):
                return node
        return None

    def _add_caption(self, figure: int, caption: int) -> None:
        captions = self.captions.setdefault(figure, [])
        if not captions or caption >= self.tree.end[captions[-1]]:
            captions.append(caption)
            known_length = self.known_lengths.get(figure, 0)
            self.known_lengths[figure] = known_length + self._length(caption)

    def _is_card(self, figure: int, captions: list[int]) -> bool:
        """Return whether captions are the entry of a list rather than words about a
        picture: a heading, or links like the picture.
        """
        if any(self._total(self.headings, caption) for caption in captions):
            return True
        if not captions or not self._total(self.linked_pictures, figure):
            return False
        length = sum(map(self._length, captions))
        linked = sum(self._total(self.linked_lengths, caption) for caption in captions)
        return linked >= CARD_LINKS * length

    def _length(self, node: int) -> int:
        """Return the characters of text that a reader sees under a node."""
        return self._total(self.lengths, node)

    def _total(self, sums: memoryview, node: int) -> int:
        """Return a sum over a node and all below it."""
        return sums[self.end[node]] - sums[node]


def _sums(values: NDArray[np.int32] | Bools) -> memoryview:
    """Return running sums of which a number at a time is asked for, faster than of an
    array.
    """
    return prefix_sums(values).data


def with_attributions(tree: Tree, selection: Selection) -> Selection:
    """Return a selection in which the caption of a `<figure>` around a quotation is in
    where the quotation is: it names who said it.
    """
    if not tree.has_any(_CAPTIONS) or not tree.has_any(_QUOTES):
        return selection
    lengths = visible_lengths(tree)
    is_caption = tree.has_tag(_CAPTIONS)
    in_quote = tree.below(tree.has_tag(_QUOTES))
    in_quote &= ~tree.below(is_caption)
    quoted = tree.totals(lengths * in_quote)
    selected = tree.totals(lengths * (in_quote & selection.nodes))
    is_short = tree.totals(lengths) <= MAX_CAPTION

    is_attribution = np.zeros(len(tree), dtype=bool)
    for caption in np.flatnonzero(is_caption & is_short).tolist():
        for node in tree.ancestors(caption):
            if tree.tag[node] == _FIGURE:
                is_attribution[caption] = 2 * selected[node] > quoted[node]
                break
    added = tree.below(is_attribution)
    added &= tree.is_text & visible(tree)
    return replace(selection, nodes=selection.nodes | added)


def with_figures(tree: Tree, selection: Selection) -> Selection:
    """Return a selection with the figures of its content whole, and others left out
    whole; its `media` are the figures' pictures and captions.

    A figure is content where the nearest running text on both sides is, or the headline
    before it and the text behind it, or most of its own caption.
    """
    figures = find_figures(tree)
    roots = np.array(figures.outermost(), dtype=np.int64)
    if not len(roots):
        return selection

    is_root = np.zeros(len(tree), dtype=bool)
    is_root[roots] = True
    in_figure = tree.below(is_root)
    is_caption = tree.below(figures.caption_roots())
    lengths = visible_lengths(tree)
    is_content = _stand_in_content(tree, selection.nodes, lengths * ~in_figure, roots)
    is_content |= _mostly_selected(tree, selection.nodes, lengths * is_caption, roots)

    is_content_root = np.zeros(len(tree), dtype=bool)
    is_content_root[roots[is_content]] = True
    in_content = tree.below(is_content_root)
    is_picture = tree.has_tag(PICTURE)
    media = in_figure & (is_caption | is_picture)
    is_shown = is_picture | visible(tree)
    nodes = (selection.nodes & ~media) | (media & in_content & is_shown)
    return replace(selection, nodes=nodes, media=media)


def _stand_in_content(
    tree: Tree, selected: Bools, lengths: NDArray[np.int32], starts: NDArray[np.int64]
) -> Bools:
    """Return for elements without text of their own, given by their nodes, whether what
    stands around them is content. `lengths` are those of all texts that may tell.
    """
    text_nodes = np.flatnonzero(lengths)
    line_of = line_borders(tree)[text_nodes]
    line_length = np.bincount(line_of, lengths[text_nodes])
    selected_length = np.bincount(line_of, (lengths * selected)[text_nodes])
    is_selected = (2 * selected_length > line_length)[line_of]
    is_prose = (line_length >= MIN_PROSE)[line_of]
    is_headline = tree.below(tree.tag == _H1)[text_nodes]

    tells = is_selected | is_prose | is_headline
    content_before = np.append(False, (is_selected | is_headline)[tells])
    content_behind = np.append(is_selected[tells], False)
    position = np.searchsorted(text_nodes[tells], starts)
    follows_content = content_before[position]
    follows_content |= _follow_standfirst(
        is_headline[tells], is_selected[tells], line_of[tells], position
    )
    stand_in_content: Bools = follows_content & content_behind[position]
    return stand_in_content


def _follow_standfirst(
    is_headline: Bools,
    is_selected: Bools,
    line_of: NDArray[np.int32],
    positions: NDArray[np.int64],
) -> Bools:
    """Return for positions among the texts that tell whether the content has not begun
    before them, and hardly more than a headline has.
    """
    begins_line = np.diff(line_of, prepend=-1) != 0
    lines_before = prefix_sums(begins_line)
    selected_before = prefix_sums(is_selected)

    headlines = np.flatnonzero(is_headline)
    headlines_before = np.searchsorted(headlines, positions)
    last_headline = np.append(-1, headlines)[headlines_before]
    between = lines_before[positions] - lines_before[last_headline + 1]

    follows = last_headline >= 0
    follows &= between <= MAX_STANDFIRST
    follows &= selected_before[positions] == 0
    return follows


def _mostly_selected(
    tree: Tree, selected: Bools, lengths: NDArray[np.int32], starts: NDArray[np.int64]
) -> Bools:
    """Return for each of some elements whether most of its texts are selected."""
    ends = tree.end[starts]
    sums = prefix_sums(lengths)
    selected_lengths = lengths * selected
    selected_sums = prefix_sums(selected_lengths)
    length = sums[ends] - sums[starts]
    selected_length = selected_sums[ends] - selected_sums[starts]
    return 2 * selected_length > length
