"""Features of the text of each block: its words, punctuation, links and signs.

The counts of characters are running sums over all the text of the page, several kinds
in one sum: three counters share a 64-bit number. The difference of two running sums is
exact in every counter as long as one text node has fewer than 2**21 characters of a
kind, whatever the length of the page.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from scythe.content.methods.learned.declared import DeclaredFacts, title_headings
from scythe.content.methods.learned.elementary import log
from scythe.content.methods.learned.spans import ElementSpans, numbering
from scythe.tree.characters import (
    CJK,
    DIGIT,
    LETTER,
    PUNCTUATION,
    SPACE,
    UPPER,
    Characters,
)
from scythe.tree.tags import HEADING, TagSet, code
from scythe.tree.tree import Bools, Ints, Tree
from scythe.tree.visibility import hidden

Floats = NDArray[np.float32]

SIGNS = {
    "currency": "$€£¥₹₽₩฿",
    "colon": ":：",  # noqa: RUF001
    "quote": "\"“”„«「」『』'’",  # noqa: RUF001
    "bracket": "()[]（）【】",  # noqa: RUF001
}
NAMES = (
    "words",
    "ink/word",
    "stops",
    "sentences",
    "linked",
    "digits",
    "upper",
    "strong",
    "links",
    "ending",
    "repeated",
    "repeated before",
    "heading",
    "in title",
    "hidden",
    *SIGNS,
)

LONG_WORDS = 15
"""Words from which a block counts as running text, if most of it is not linked. The
model was trained with this and with `LONG_LINKED_SHARE`.
"""
LONG_LINKED_SHARE = 0.4

FORM = TagSet("input select textarea button")
STRONG = TagSet("b strong em i h1 h2 h3 h4 h5 h6")
_H1 = code("h1")
COLON = 1
ENDINGS = {
    **dict.fromkeys(".。!！?？…", 3),  # noqa: RUF001
    **dict.fromkeys(",;，；、", 2),  # noqa: RUF001
    **dict.fromkeys(":：", COLON),  # noqa: RUF001
    **dict.fromkeys('"”’»)）]', 4),  # noqa: RUF001
}
"""The class of the character that a block ends with; 0 for all others."""

_COUNTER_BITS = 21
_COUNTER_MASK = np.uint64((1 << _COUNTER_BITS) - 1)
_WORD_START, _SENTENCE_END = 64, 128
_WORDLIKE = LETTER | DIGIT
_CLASSES = SPACE | PUNCTUATION | LETTER | DIGIT | CJK | UPPER


def share(part: NDArray[np.generic], whole: NDArray[np.generic]) -> Floats:
    """Return part / whole, where a whole of 0 counts as 1."""
    return np.divide(part, np.maximum(whole, 1), dtype=np.float32)


@dataclass(frozen=True, eq=False)
class BlockCounts:
    """Totals per block, which the features of several groups are computed from."""

    words: NDArray[np.int64]
    non_space: NDArray[np.int64]
    punctuation: NDArray[np.int64]
    sentences: NDArray[np.int64]
    digits: NDArray[np.int64]
    upper: NDArray[np.int64]
    linked: NDArray[np.int64]
    """Words in links."""
    strong: NDArray[np.int64]
    """Emphasised words."""
    links: NDArray[np.int64]
    images: NDArray[np.int64]
    forms: NDArray[np.int64]
    heading: NDArray[np.int64]
    """The level of the heading that the block stands in, 0 for none."""
    signs: NDArray[np.int64]
    """A row for each group of signs."""

    @cached_property
    def is_long(self) -> Bools:
        """Which blocks are running text."""
        has_words = self.words >= LONG_WORDS
        return has_words & (self.linked < LONG_LINKED_SHARE * self.words)

    @property
    def currency(self) -> NDArray[np.int64]:
        """Signs of currencies."""
        return self.signs[0]

    def running_sums(self) -> Floats:
        """Return running sums of words, linked words, punctuation, images, forms,
        headings and long blocks, one row each.
        """
        rows = np.stack(
            (
                self.words,
                self.linked,
                self.punctuation,
                self.images,
                self.forms,
                self.heading > 0,
                self.is_long,
            )
        )
        row_count, block_count = rows.shape
        sums = np.zeros((row_count, block_count + 1), dtype=np.float32)
        np.cumsum(rows, axis=1, out=sums[:, 1:], dtype=np.float32)
        return sums


def count_blocks(spans: ElementSpans, lines: list[str]) -> BlockCounts:
    """Return the counts of all blocks of a page."""
    tree, blocks = spans.tree, spans.blocks
    is_link = tree.tag == code("a")
    is_image = tree.tag == code("img")
    in_link = tree.below(is_link)[blocks.nodes]
    in_strong = tree.below(tree.has_tag(STRONG))[blocks.nodes]
    node_counts = count_characters(tree, blocks.nodes)
    node_words = node_counts[0]
    marked_words = np.stack([node_words * in_link, node_words * in_strong])

    per_node = np.concatenate([node_counts, marked_words])
    per_block = np.add.reduceat(per_node, blocks.first, axis=1)
    element_flags = [is_link, is_image, tree.has_tag(FORM)]
    words, non_space, punctuation, sentences, digits, upper, linked, strong = per_block
    links, images, forms = _counts_before_blocks(spans, element_flags)
    return BlockCounts(
        words=words,
        non_space=non_space,
        punctuation=punctuation,
        sentences=sentences,
        digits=digits,
        upper=upper,
        linked=linked,
        strong=strong,
        links=links,
        images=images,
        forms=forms,
        heading=_heading_levels(spans),
        signs=_sign_counts(lines),
    )


def text_rows(
    spans: ElementSpans,
    lines: list[str],
    declared: DeclaredFacts,
    counts: BlockCounts,
) -> NDArray[np.generic]:
    """Return the rows of `NAMES`."""
    words, non_space = counts.words, counts.non_space
    repeated, repeated_before = _repetitions(lines)
    return np.stack(
        [
            log(words),
            share(non_space, words),
            log(counts.punctuation),
            log(counts.sentences),
            share(counts.linked, words),
            share(counts.digits, non_space),
            share(counts.upper, non_space),
            share(counts.strong, words),
            log(counts.links),
            _endings(lines),
            repeated,
            repeated_before,
            counts.heading,
            title_headings(lines, counts.heading, declared),
            hidden(spans.tree)[spans.first_nodes],
            *log(counts.signs),
        ]
    )


def _counter_tables() -> NDArray[np.uint64]:
    """Return what a character of each class adds to the two packed sums."""
    classes = np.arange(256)
    begins_word = (classes & _WORD_START) > 0
    is_word = begins_word | ((classes & CJK) > 0)
    counted = (
        is_word,
        (classes & SPACE) == 0,
        (classes & PUNCTUATION) > 0,
        (classes & _SENTENCE_END) > 0,
        (classes & DIGIT) > 0,
        (classes & UPPER) > 0,
    )
    tables = np.zeros((2, 256), dtype=np.uint64)
    for index, is_counted in enumerate(counted):
        table, counter = divmod(index, 3)
        shift = np.uint64(counter * _COUNTER_BITS)
        tables[table] += is_counted.astype(np.uint64) << shift
    return tables


_COUNTER_TABLES = _counter_tables()


def count_characters(tree: Tree, nodes: Ints) -> NDArray[np.int64]:
    """Return for each of the text nodes (columns): words, characters other than white
    space, punctuation, ends of sentences, digits, capitals (rows).
    """
    is_read = np.zeros(len(tree), dtype=bool)
    is_read[nodes] = True
    characters = Characters.from_tree(tree, is_read)
    classes = _marked_classes(characters)

    counts = np.zeros((6, len(nodes)), dtype=np.int64)
    last_positions = characters.offsets[1:] - 1
    for number, table in enumerate(_COUNTER_TABLES):
        sums = np.cumsum(table[classes])
        packed = np.diff(sums[last_positions], prepend=np.uint64(0))
        for counter in range(3):
            shift = np.uint64(counter * _COUNTER_BITS)
            counts[3 * number + counter] = (packed >> shift) & _COUNTER_MASK
    return counts


def _marked_classes(characters: Characters) -> NDArray[np.uint8]:
    """Return the classes of the characters, with starts of words and ends of sentences
    marked.
    """
    classes = characters.classes & np.uint8(_CLASSES)
    is_wordlike = (classes & _WORDLIKE) != 0
    follows_wordlike = np.zeros_like(is_wordlike)
    follows_wordlike[1:] = is_wordlike[:-1]
    node_starts = characters.offsets[:-1]
    follows_wordlike[node_starts] = False
    begins_word = is_wordlike & ~follows_wordlike
    classes[begins_word] |= _WORD_START

    is_cjk = (classes & CJK) != 0
    is_latin = is_wordlike & ~is_cjk
    precedes_latin = np.zeros_like(is_latin)
    precedes_latin[:-1] = is_latin[1:]
    is_punctuation = (classes & PUNCTUATION) != 0
    ends_sentence = is_punctuation & ~precedes_latin
    classes[ends_sentence] |= _SENTENCE_END
    return classes


def _heading_levels(spans: ElementSpans) -> NDArray[np.int64]:
    """Return the level of the heading that each block stands in, 0 for none."""
    tree = spans.tree
    levels = np.zeros(len(tree), dtype=np.int64)
    headings = np.flatnonzero(tree.has_tag(HEADING))
    ends = tree.end[headings].tolist()
    tags = tree.tag[headings].tolist()
    for node, end, tag in zip(headings.tolist(), ends, tags, strict=True):
        levels[node:end] = tag - _H1 + 1
    return levels[spans.first_nodes]


def _counts_before_blocks(spans: ElementSpans, flags: list[Bools]) -> NDArray[np.int64]:
    """Return how many flagged elements begin between the start of the block before and
    the start of each block.
    """
    sums = np.cumsum(np.stack(flags), axis=1, dtype=np.int64)
    return np.diff(sums[:, spans.first_nodes], axis=1, prepend=0)


def _endings(lines: list[str]) -> NDArray[np.int64]:
    endings = [ENDINGS.get(line[-1:], 0) for line in lines]
    return np.array(endings, dtype=np.int64)


def _sign_table() -> NDArray[np.uint8]:
    """Return a bit for each group of signs, for every code point."""
    table = np.zeros(0x110000, dtype=np.uint8)
    for bit, signs in enumerate(SIGNS.values()):
        table[list(map(ord, signs))] |= 1 << bit
    return table


_SIGN_TABLE = _sign_table()


def _sign_counts(lines: list[str]) -> NDArray[np.int64]:
    """Return how many signs of each group (rows) each block has (columns)."""
    encoded = "\0".join(lines).encode("utf-32-le", "surrogatepass")
    signs = _SIGN_TABLE[np.frombuffer(encoded, dtype=np.uint32)]
    positions = np.flatnonzero(signs)
    lengths = np.array(list(map(len, lines)), dtype=np.int64)
    ends = np.cumsum(lengths + 1)
    line_of = np.searchsorted(ends, positions, side="right")

    n = len(lines)
    found = signs[positions]
    counts = np.zeros((len(SIGNS), n), dtype=np.int64)
    for bit in range(len(SIGNS)):
        is_sign = (found >> bit) & 1
        counts[bit] = np.bincount(line_of, is_sign, minlength=n)
    return counts


def _repetitions(lines: list[str]) -> tuple[Floats, Floats]:
    """Return how often the text of each block stands on the page, and how often before
    the block.
    """
    n = len(lines)
    numbers = numbering([])
    text_of = np.fromiter(
        map(numbers.__getitem__, lines),
        dtype=np.int64,
        count=n,
    )
    count = np.bincount(text_of)
    order = np.argsort(text_of, kind="stable")
    first = np.cumsum(count) - count
    first_in_order = first[text_of[order]]
    rank = np.empty(n, dtype=np.int64)
    rank[order] = np.arange(n) - first_in_order
    return log(count[text_of]), log(rank)
