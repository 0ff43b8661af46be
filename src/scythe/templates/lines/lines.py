"""The lines of a page as rows of numbers, from which a model tells ingredients and
instructions from all else.

A line is a block of text as a browser sets it. What it is shows in its own words (a
quantity first, a verb first), in the elements around it (list items, class names), in
the heading above it, and in the lines beside it and at the same place of the page: one
line may look like anything, ten in a row do not.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import islice, pairwise

import numpy as np
from numpy.typing import NDArray

from scythe.content.methods.learned.blocks import Blocks, find_blocks
from scythe.templates.clusters.sketch import position_hashes
from scythe.templates.lines.words import (
    IS_INGREDIENTS,
    IS_INSTRUCTIONS,
    begins_with_fact,
    begins_with_number,
    begins_with_verb,
    part_named,
    units_in,
    verbs_in,
)
from scythe.tree.tags import TagSet
from scythe.tree.tree import Ints, Tree
from scythe.tree.visibility import hidden

Floats = NDArray[np.float32]

MAX_LINES = 6_000
"""Lines read of a page; the recipe page with the most has 3,100, most of them comments."""

SHORT = 25
"""Characters up to which a line that names a part is its heading, whatever its mark-up."""

OWN_TAGS = tuple(
    map(
        TagSet,
        (
            "li",
            "p",
            "td th",
            "dd dt",
            "h1 h2 h3 h4 h5 h6",
            "div",
            "label",
            "figcaption caption",
            "button summary",
        ),
    )
)
AROUND_TAGS = tuple(
    map(
        TagSet,
        (
            "ul",
            "ol",
            "table",
            "dl",
            "nav",
            "header",
            "footer",
            "aside",
            "form",
            "article",
            "main",
            "a",
            "b strong",
            "details",
            "blockquote",
        ),
    )
)
MARKS = tuple(
    re.compile(words, re.IGNORECASE)
    for words in (
        r"ingredi|zutat|ingr\b|hozzaval|skladnik|malzeme",
        r"instruct|direction|method|procedure|prepar(?!e-)|zubereit|anleitung|bereid|elkeszit|tillag|step|how-?to|process",
        r"recipe|recept|rezept|ricett|receta|receita|przepis",
        r"comment|review|respon|reply|disqus",
        r"nutri|calor|facts",
        r"note|tips?\b|hint",
        r"title|heading|headline|name",
        r"relat|similar|recommend|popular|more-|also|latest|card|carousel|slide",
        r"nav|menu|breadcrumb|footer|header|sidebar|widget|social|share|newsletter|cookie|modal|popup|advert",
        r"amount|quantity|qty|unit|measure",
        r"group|section|list",
        r"print|hidden|sr-only|screen-reader",
        r"meta|time|serving|yield|info|detail",
        r"content|body|entry|post|article|text",
    )
)
_BOXED = TagSet("span label time data button")
_BOLD = TagSet("b strong")
_LINK = TagSet("a")
_HEAD = TagSet("h1 h2 h3 h4 h5 h6 legend summary caption dt")
_FAR = 300
_LAST_STOP = re.compile(r"[.!\u3002\uff01]\W*$")
_STOPS = re.compile(r"[.!?;\u3002\uff01\uff1f](?:\s|$)")


@dataclass(frozen=True, eq=False)
class Lines:
    """The lines of a page in document order."""

    tree: Tree
    blocks: Blocks

    @classmethod
    def of(cls, tree: Tree) -> Lines:
        """Split a page; what it hides is kept, since recipe cards open on a click."""
        return cls(tree, find_blocks(tree))

    def __len__(self) -> int:
        return min(len(self.blocks), MAX_LINES)

    @cached_property
    def texts(self) -> list[str]:
        """The text of each line, white space collapsed."""
        blocks = self.blocks
        pieces = self.tree.text[blocks.nodes].tolist()
        for place in np.flatnonzero(_apart(self.tree, blocks)).tolist():
            pieces[place] = f" {pieces[place]}"
        bounds = [*blocks.first.tolist(), len(pieces)]
        return [
            " ".join("".join(pieces[start:stop]).split())
            for start, stop in islice(pairwise(bounds), len(self))
        ]

    @cached_property
    def first(self) -> Ints:
        """The first text node of each line."""
        return self.blocks.nodes[self.blocks.first][: len(self)]

    @cached_property
    def line_of(self) -> NDArray[np.int64]:
        """For every node of the tree the line that it is a text of, -1 for none."""
        found = np.full(len(self.tree), -1, dtype=np.int64)
        found[self.blocks.nodes] = np.where(
            self.blocks.block_of < len(self), self.blocks.block_of, -1
        )
        return found

    @cached_property
    def container(self) -> Ints:
        """The nearest block-level element around each line."""
        return self.blocks.container[: len(self)]

    @cached_property
    def place(self) -> NDArray[np.uint64]:
        """The place of each line's container: equal for lines at the same place of a
        page, or of pages of one template.
        """
        return position_hashes(self.tree, self.container)

    @cached_property
    def name_both_parts(self) -> bool:
        """Whether short lines name the ingredients and the instructions."""
        named = {part_named(text) for text in self.texts if len(text) <= SHORT}
        return {IS_INGREDIENTS, IS_INSTRUCTIONS} <= named

    @cached_property
    def is_heading(self) -> NDArray[np.bool_]:
        """Which lines are headings by their tag or by the colon at their end."""
        colon = np.fromiter(
            (text.endswith((":", "\uff1a")) for text in self.texts),
            dtype=bool,
            count=len(self),
        )
        return self.tree.below(self.tree.has_tag(_HEAD | _BOLD))[self.first] | colon

    @cached_property
    def features(self) -> Floats:
        """A row for each feature, a column for each line."""
        if not len(self):
            return np.zeros((0, 0), dtype=np.float32)
        own = _own(self.texts)
        around, of_text = _around(self), _shares(self)
        headings = _headings(self, of_text[1])
        parts = [
            own,
            of_text,
            around,
            headings,
            _beside(own, self.place),
            _same_place(own, self.place),
            _page(self),
        ]
        return np.concatenate(parts).astype(np.float32)


def _apart(tree: Tree, blocks: Blocks) -> NDArray[np.bool_]:
    """Which text nodes stand apart from the one before though no white space is between
    them.

    Style sheets set quantities, units and names apart that are spans without white
    space. Two texts that each have such an element of their own are apart; a text that
    goes on around an element (a drop cap, a word in bold) is not.
    """
    parent = tree.parent[blocks.nodes]
    boxed = tree.has_tag(_BOXED)[parent]
    apart = np.zeros(len(parent), dtype=bool)
    one, other = parent[:-1], parent[1:]
    beside = (tree.end[one] <= other) & (boxed[1:] | boxed[:-1])
    apart[1:] = beside & (one != other)
    return apart


NUMBER, UNITS, VERB, VERBS, CHARS, STOP = range(6)


def _own(texts: Sequence[str]) -> Floats:
    """What the words of each line show; the first rows are those that are looked at in
    its neighbours too.
    """
    rows = [
        (
            begins_with_number(text),
            units_in(text),
            begins_with_verb(text),
            verbs_in(text),
            np.log1p(len(text)),
            _LAST_STOP.search(text[-10:]) is not None,
            text.count(" "),
            sum(map(str.isdigit, text[:200])) / len(text[:200]),
            text.endswith(":"),
            text.count(","),
            len(_STOPS.findall(text)),
            sum(map(str.isupper, text[:200])) / len(text[:200]),
            "(" in text,
            begins_with_fact(text),
            ":" in text[:30],
            text[:1] in "•-\u2013*▢☐□",
        )
        for text in texts
    ]
    return np.array(rows, dtype=np.float32).T


def _shares(lines: Lines) -> Floats:
    """Of each line the share of its text nodes in links and in bold."""
    tree, blocks, count = lines.tree, lines.blocks, len(lines)
    total = np.bincount(blocks.block_of)[:count]
    rows = [
        np.bincount(blocks.block_of, tree.below(tree.has_tag(tags))[blocks.nodes])[
            :count
        ]
        / total
        for tags in (_LINK, _BOLD)
    ]
    return np.array(rows, dtype=np.float32)


def _around(lines: Lines) -> Floats:
    """The tag of each line's container, tags and class words above it, and whether the
    page hides it.
    """
    tree, first = lines.tree, lines.first
    container = lines.container
    rows = [tree.has_tag(tags)[container] for tags in OWN_TAGS]
    rows += [tree.below(tree.has_tag(tags))[first] for tags in AROUND_TAGS]
    named: dict[str, list[int]] = {}
    for attribute in ("class", "id", "itemprop"):
        for node, value in tree.with_attribute(attribute).items():
            named.setdefault(value[:200], []).append(node)
    body = tree.first_element("body") or 0
    marked = [(_marks(value), nodes) for value, nodes in named.items()]
    for mark in range(len(MARKS)):
        roots = np.zeros(len(tree), dtype=bool)
        for marks, nodes in marked:
            if marks[mark]:
                roots[nodes] = True
        roots[: body + 1] = (
            False  # the class names of a whole page say what the page is
        )
        below = tree.below(roots)
        rows += [below[first], roots[container]]
    rows.append(hidden(tree)[first])
    depth = tree.depth[container].astype(np.float32)
    return np.concatenate([np.array(rows, dtype=np.float32), depth[None]])


@lru_cache(maxsize=1 << 15)
def _marks(value: str) -> tuple[bool, ...]:
    """Which marks a class, an id or a property has; the pages of a site have the same
    ones again and again.
    """
    return tuple(mark.search(value) is not None for mark in MARKS)


def _headings(lines: Lines, bold: NDArray[np.float32]) -> Floats:
    """Which part the headings above and below each line name, and how far they are."""
    count, texts = len(lines), lines.texts
    is_head = lines.tree.below(lines.tree.has_tag(_HEAD))[lines.first]
    parts = np.array([part_named(text) for text in texts])
    short = np.array([len(text) <= 40 for text in texts])
    ends = np.array([text.endswith(":") for text in texts])
    head = (
        is_head
        | (short & ((bold > 0.9) | ends))
        | ((parts > 0) & np.array([len(text) <= SHORT for text in texts]))
    )
    rows: list[NDArray[np.generic]] = [is_head, head]
    places = np.arange(count)
    for part in (1, 2, 3):
        here = head & (parts == part)
        rows += [here, _since(here, places), _since(here[::-1], places)[::-1]]
    rows += [_since(head, places), _since(head[::-1], places)[::-1]]
    named = np.where(head & (parts > 0), places, -1)
    last = np.maximum.accumulate(named)
    last_part = np.where(last >= 0, parts[np.maximum(last, 0)], 0)
    rows += [last_part == part for part in (1, 2, 3)]
    last_real = np.maximum.accumulate(np.where(is_head & (parts > 0), places, -1))
    real_part = np.where(last_real >= 0, parts[np.maximum(last_real, 0)], 0)
    rows += [real_part == part for part in (1, 2, 3)]
    return np.array([np.asarray(row, dtype=np.float32) for row in rows])


def _since(here: NDArray[np.bool_], places: NDArray[np.int64]) -> Floats:
    """How many lines ago something was last true."""
    last = np.maximum.accumulate(np.where(here, places, -_FAR))
    return np.log1p(np.minimum(places - last, _FAR)).astype(np.float32)


def _beside(own: Floats, place: NDArray[np.uint64]) -> Floats:
    """The lines before and after, alone and as the mean of several."""
    rows = []
    looked_at = own[: STOP + 1]
    for step in (1, 2, -1, -2):
        rows += [
            *_shifted(looked_at, step),
            _shifted((place.astype(np.float64) + 1)[None], step)[0]
            == place.astype(np.float64) + 1,
        ]
    for width in (3, 8):
        kernel = np.ones(2 * width + 1)
        norm = np.convolve(np.ones(own.shape[1]), kernel)[width:-width]
        rows += [np.convolve(row, kernel)[width:-width] / norm for row in looked_at]
    return np.array(rows, dtype=np.float32)


def _shifted(rows: Floats | NDArray[np.float64], step: int) -> NDArray[np.generic]:
    moved = np.full_like(rows, -1)
    if step > 0:
        moved[:, step:] = rows[:, :-step]
    else:
        moved[:, :step] = rows[:, -step:]
    return moved


def _same_place(own: Floats, place: NDArray[np.uint64]) -> Floats:
    """The mean of all lines at the same place of the page, how many they are, and how
    many stand together here.
    """
    _, group = np.unique(place, return_inverse=True)
    count = np.bincount(group)
    rows = [
        np.log1p(count)[group],
        *((np.bincount(group, row) / count)[group] for row in own[: STOP + 1]),
    ]
    starts = np.flatnonzero(np.diff(group, prepend=-1))
    lengths = np.diff([*starts.tolist(), len(group)])
    rows.append(np.log1p(np.repeat(lengths, lengths)))
    return np.array(rows, dtype=np.float32)


def _page(lines: Lines) -> Floats:
    count = len(lines)
    places = np.arange(count)
    in_h1 = lines.tree.below(lines.tree.has_tag(TagSet("h1")))[lines.first]
    return np.array(
        [places / count, np.full(count, np.log1p(count)), _since(in_h1, places)],
        dtype=np.float32,
    )
