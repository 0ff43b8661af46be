"""What the model sees of every block: one row of `NAMES` for each feature, one column
for each block.

Everything is a pass over arrays: totals of any element are differences of running sums
over the blocks. No feature reads words of the text, so none depends on the language.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scythe.content.methods.learned import marks
from scythe.content.methods.learned.anchors import described, title_block
from scythe.content.methods.learned.blocks import Blocks
from scythe.content.methods.learned.declared import NAMES as DECLARED
from scythe.content.methods.learned.declared import Declared, read_declared
from scythe.content.methods.learned.letters import count_characters
from scythe.content.methods.learned.outline import (
    LEVELS,
    UPPER_LEVELS,
    Outline,
    numbering,
)
from scythe.tree.tags import HEADING, TagSet, code
from scythe.tree.tree import Bools, Tree
from scythe.tree.visibility import hidden

Floats = NDArray[np.float32]

_FAR = 3000

LONG_WORDS = 15
"""Words from which a block counts as running text, if most of it is not linked."""

_FORM = TagSet("input select textarea button")
_STRONG = TagSet("b strong em i h1 h2 h3 h4 h5 h6")
_H1 = code("h1")
_SIGNS = ("$€£¥₹₽₩฿", ":：", "\"“”„«「」『』'’", "()[]（）【】")  # noqa: RUF001
_SIGN_NAMES = ("currency", "colon", "quote", "bracket")
_STEPS = (-2, -1, 1, 2)
_REACHES = (4, 10)
_MARK_REACHES = {"near": 1, "middle": 3}

_OWN = (
    "words", "ink/word", "stops", "sentences", "linked", "digits", "upper", "strong", "links", "ending", "repeated",
    "repeated before", "heading", "in title", "hidden", *_SIGN_NAMES,
)  # fmt: skip
_PLACE = (
    "index", "index from start", "index from end", "words before", "log words before", "depth", "from h1", "words from h1",
    "from heading", "heading above", "long before", "long words before", "from long", "to long", "from title",
    "words from title", "described", "from described", "to described",
)  # fmt: skip
_LEVEL = (
    "words", "share", "linked", "words/block", "images", "forms",
    "headings", "long", "place", "alike", "start", "blocks",
)  # fmt: skip
_UPPER = ("share", "linked", "words/block", "start", "blocks")
_SECTION = ("words", "linked", "long", "blocks")
_HELD = (0.4, 0.6, 0.8)
_SIGNATURE = (
    "size",
    "words",
    "words/block",
    "linked",
    "stops",
    "share",
    "span",
    "first",
    "rank",
)
_PAGE = (
    "words", "blocks", "linked", "stops", "long", "long words", "images",
    "forms", "h1", "headings", "currency", "short", "alike",
)  # fmt: skip

NAMES: tuple[str, ...] = (
    *_OWN,
    *_PLACE,
    *(f"{name} {step:+}" for step in _STEPS for name in ("words", "linked", "heading")),
    *(
        f"{name} {reach} {side}"
        for reach in _REACHES
        for side in ("before", "after")
        for name in ("words", "linked")
    ),
    *(f"L{level} {name}" for name in _LEVEL for level in range(LEVELS)),
    *(f"T{level} {name}" for name in _UPPER for level in range(1, UPPER_LEVELS + 1)),
    *(f"section {name}" for name in _SECTION),
    *(f"{name} {share}" for share in _HELD for name in ("side of", "share of")),
    *(f"S {name}" for name in _SIGNATURE),
    *(f"{reach} {name}" for reach in (*_MARK_REACHES, "path") for name in marks.NAMES),
    *(f"page {name}" for name in _PAGE),
)
PAGE_NAMES: tuple[str, ...] = (*marks.NAMES, *DECLARED)
"""What is known of the page and not of its blocks: the share of words under each mark,
and what the head declares.
"""


@dataclass(frozen=True, eq=False)
class Features:
    """The features of a page: `rows` has a row for each of `NAMES` and a column for
    each block.
    """

    rows: Floats
    page: Floats
    """One number for each of `PAGE_NAMES`."""
    words: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Counts:
    """Totals per block that several groups of features share."""

    words: NDArray[np.int64]
    linked: NDArray[np.int64]
    stops: NDArray[np.int64]
    heading: NDArray[np.int64]
    images: NDArray[np.int64]
    forms: NDArray[np.int64]
    long: Bools
    currency: NDArray[np.int64]

    def sums(self) -> Floats:
        """Running sums of words, linked words, stops, images, forms, headings and long
        blocks, one row each.
        """
        values = np.zeros((7, len(self.words) + 1), dtype=np.float32)
        rows = (
            self.words,
            self.linked,
            self.stops,
            self.images,
            self.forms,
            self.heading > 0,
            self.long,
        )
        np.cumsum(np.stack(rows), axis=1, out=values[:, 1:], dtype=np.float32)
        return values


def compute(tree: Tree, blocks: Blocks) -> Features:
    """All features of a page that has at least one block."""
    outline = Outline(tree, blocks)
    lines = [text.strip() for text in blocks.texts(tree)]
    declared = read_declared(tree)
    own, counts = _text_rows(outline, lines, declared)
    sums = counts.sums()
    mark_rows, page_marks = _mark_rows(outline, counts)
    page = _page_values(outline, counts, sums)
    parts: list[NDArray[np.generic]] = [
        own,
        _place_rows(outline, counts, sums),
        _anchor_rows(lines, counts, sums, declared),
        _neighbour_rows(counts),
        _window_rows(sums),
        _level_rows(outline, sums),
        _upper_rows(outline, sums),
        _section_rows(counts),
        _holding_rows(outline, counts),
        _signature_rows(outline, counts),
        mark_rows,
        np.broadcast_to(page[:, None], (len(page), len(blocks))),
    ]
    rows = np.concatenate(parts, axis=0, dtype=np.float32)
    of_page = np.concatenate([page_marks, declared.values], dtype=np.float32)
    return Features(rows, of_page, counts.words)


def _log(values: NDArray[np.generic]) -> Floats:
    return np.log1p(values, dtype=np.float32)


def _share(part: NDArray[np.generic], whole: NDArray[np.generic]) -> Floats:
    return np.divide(part, np.maximum(whole, 1), dtype=np.float32)


def _signed_log(values: NDArray[np.generic]) -> NDArray[np.float64]:
    result: NDArray[np.float64] = np.sign(values) * np.log1p(np.abs(values))
    return result


def _sign_table() -> NDArray[np.uint8]:
    table = np.zeros(0x110000, dtype=np.uint8)
    for bit, signs in enumerate(_SIGNS):
        table[[ord(sign) for sign in signs]] |= 1 << bit
    return table


_SIGN_TABLE = _sign_table()
_ENDINGS = {
    **dict.fromkeys(".。!！?？…", 3),
    **dict.fromkeys(",;，；、", 2),
    ":": 1,
    "：": 1,
    **dict.fromkeys('"”’»)）]', 4),
}


def _text_rows(
    outline: Outline, lines: list[str], declared: Declared
) -> tuple[Floats, Counts]:
    tree, blocks = outline.tree, outline.blocks
    link = tree.tag == code("a")
    counted = count_characters(tree, blocks.nodes)
    words_in = [
        counted[0] * tree.below(roots)[blocks.nodes]
        for roots in (link, tree.has_tag(_STRONG))
    ]
    per_node = np.concatenate([counted, np.stack(words_in)])
    words, ink, stops, sentences, digits, upper, linked, strong = np.add.reduceat(
        per_node, blocks.first, axis=1
    )
    heading = _heading_levels(outline)
    links, images, forms = _between(
        outline, [link, tree.tag == code("img"), tree.has_tag(_FORM)]
    )
    signs = _sign_counts(lines)
    repeated, earlier = _repeats(lines)
    own = np.stack(
        [
            _log(words), _share(ink, words), _log(stops), _log(sentences), _share(linked, words), _share(digits, ink),
            _share(upper, ink), _share(strong, words), _log(links),
            np.fromiter((_ENDINGS.get(line[-1:], 0) for line in lines), dtype=np.int64, count=len(lines)),
            repeated, earlier, heading, _in_title(lines, heading, declared),
            hidden(tree)[outline.first_nodes], *_log(signs),
        ]
    )  # fmt: skip
    is_long = (words >= LONG_WORDS) & (linked < 0.4 * words)
    return own, Counts(words, linked, stops, heading, images, forms, is_long, signs[0])


def _heading_levels(outline: Outline) -> NDArray[np.int64]:
    """The level of the heading that each block stands in, 0 for none."""
    tree = outline.tree
    levels = np.zeros(len(tree), dtype=np.int64)
    headings = np.flatnonzero(tree.has_tag(HEADING))
    for node, end, tag in zip(
        headings.tolist(),
        tree.end[headings].tolist(),
        tree.tag[headings].tolist(),
        strict=True,
    ):
        levels[node:end] = tag - _H1 + 1
    return levels[outline.first_nodes]


def _between(outline: Outline, flags: list[Bools]) -> NDArray[np.int64]:
    """How many flagged elements begin between the start of the block before and the
    start of each block.
    """
    at = np.cumsum(np.stack(flags), axis=1, dtype=np.int64)[:, outline.first_nodes]
    return np.diff(at, axis=1, prepend=0)


def _sign_counts(lines: list[str]) -> NDArray[np.int64]:
    points = np.frombuffer(
        "\0".join(lines).encode("utf-32-le", "surrogatepass"), dtype=np.uint32
    )
    at = np.flatnonzero(found := _SIGN_TABLE[points])
    ends = np.cumsum(np.fromiter(map(len, lines), dtype=np.int64, count=len(lines)) + 1)
    line_of = np.searchsorted(ends, at, side="right")
    bits = (found[at] >> np.arange(len(_SIGNS), dtype=np.uint8)[:, None]) & 1
    return np.stack(
        [np.bincount(line_of, row, minlength=len(lines)) for row in bits]
    ).astype(np.int64)


def _repeats(lines: list[str]) -> tuple[Floats, Floats]:
    """How often the text of each block stands on the page, and how often before the
    block.
    """
    kind = np.fromiter(
        map(numbering([]).__getitem__, lines), dtype=np.int64, count=len(lines)
    )
    count = np.bincount(kind)
    order = np.argsort(kind, kind="stable")
    rank = np.empty(len(kind), dtype=np.int64)
    rank[order] = np.arange(len(kind)) - (np.cumsum(count) - count)[kind[order]]
    return _log(count[kind]), _log(rank)


def _in_title(
    lines: list[str], heading: NDArray[np.int64], declared: Declared
) -> NDArray[np.int64]:
    """Which headings stand in the title of the page."""
    found = np.zeros(len(lines), dtype=np.int64)
    for at in np.flatnonzero(heading).tolist():
        found[at] = len(lines[at]) > 3 and lines[at].lower() in declared.title
    return found


def _place_rows(outline: Outline, counts: Counts, sums: Floats) -> NDArray[np.float64]:
    n = len(counts.words)
    index = np.arange(n)
    before, total = sums[0, :-1], max(sums[0, -1], 1.0)
    titles = np.flatnonzero(counts.heading == 1)
    far = np.full(n, -9.0)
    title = int(titles[0]) if len(titles) else -1
    last_heading = np.maximum.accumulate(np.where(counts.heading > 0, index, -1))
    last_long = np.maximum.accumulate(np.where(counts.long, index, -1))
    next_long = np.minimum.accumulate(np.where(counts.long, index, 2 * n)[::-1])[::-1]
    long_words = np.cumsum(np.where(counts.long, counts.words, 0))
    return np.stack(
        [
            index / n,
            np.log1p(index),
            np.log1p(n - 1 - index),
            before / total,
            np.log1p(before),
            outline.tree.depth[outline.blocks.container].astype(np.float64),
            _signed_log(index - title) if title >= 0 else far,
            _signed_log(before - before[title]) if title >= 0 else far,
            np.where(last_heading >= 0, np.log1p(index - last_heading), 9.0),
            np.where(last_heading >= 0, counts.heading[last_heading], 0),
            sums[6, :-1] / max(sums[6, -1], 1.0),
            np.log1p(long_words - np.where(counts.long, counts.words, 0)),
            np.log1p(index - last_long),
            np.log1p(next_long - index),
        ]
    )


def _anchor_rows(
    lines: list[str], counts: Counts, sums: Floats, declared: Declared
) -> NDArray[np.float64]:
    """Where each block stands to the title and to text that the head of the page
    repeats.
    """
    n = len(lines)
    index = np.arange(n)
    title = title_block(lines, counts.heading, declared)
    before = sums[0, :-1]
    far = np.full(n, -9.0)
    known = described(lines, declared)
    last = np.maximum.accumulate(np.where(known, index, -_FAR))
    following = np.minimum.accumulate(np.where(known, index, n + _FAR)[::-1])[::-1]
    return np.stack(
        [
            _signed_log(index - title) if title >= 0 else far,
            _signed_log(before - before[title]) if title >= 0 else far,
            known.astype(np.float64),
            np.log1p(np.minimum(index - last, _FAR)),
            np.log1p(np.minimum(following - index, _FAR)),
        ]
    )


def _neighbour_rows(counts: Counts) -> NDArray[np.float64]:
    n, reach = len(counts.words), max(_STEPS)
    padded = np.full((3, n + 2 * reach), -1.0)
    padded[:, reach : reach + n] = (
        _log(counts.words),
        _share(counts.linked, counts.words),
        counts.heading,
    )
    return np.concatenate(
        [padded[:, reach + step : reach + step + n] for step in _STEPS]
    )


def _window_rows(sums: Floats) -> Floats:
    n = sums.shape[1] - 1
    index = np.arange(n)
    rows = []
    for reach in _REACHES:
        for low, high in ((-reach, 0), (1, reach + 1)):
            words, linked = _held(
                sums[:2], np.clip(index + low, 0, n), np.clip(index + high, 0, n)
            )
            rows += [_log(words), _share(linked, words)]
    return np.stack(rows)


def _held(sums: Floats, low: NDArray[np.integer], high: NDArray[np.integer]) -> Floats:
    """The totals of the runs of blocks from `low` to `high`."""
    return sums.take(high, axis=1) - sums.take(low, axis=1)


def _level_rows(outline: Outline, sums: Floats) -> Floats:
    low, high = outline.spans
    n = low.shape[1]
    words, linked, _, images, forms, headings, long = _held(sums, low, high)
    start, size = low.astype(np.float32), (high - low).astype(np.float32)
    rows = [
        _log(words), words / max(sums[0, -1], np.float32(1)), _share(linked, words), _log(words / size), _log(images),
        _log(forms), headings / size, _log(long), (np.arange(n, dtype=np.float32) - start) / size,
        _log(outline.alike[outline.levels]), start / np.float32(n), _log(size),
    ]  # fmt: skip
    return np.concatenate(rows)


def _upper_rows(outline: Outline, sums: Floats) -> Floats:
    low, high = outline.upper_spans
    words, linked = _held(sums[:2], low, high)
    start, size = low.astype(np.float32), (high - low).astype(np.float32)
    share = words / max(sums[0, -1], np.float32(1))
    return np.concatenate(
        [
            share,
            _share(linked, words),
            _log(words / size),
            start / np.float32(low.shape[1]),
            _log(size),
        ]
    )


def _section_rows(counts: Counts) -> NDArray[np.float64]:
    """The text from one heading to the next, whatever elements it stands in."""
    section = np.cumsum(counts.heading > 0)
    size = np.bincount(section)
    words, linked, long = (
        np.bincount(section, values)
        for values in (counts.words, counts.linked, counts.long)
    )
    return np.stack(
        [np.log1p(words), _share(linked, words), np.log1p(long), np.log1p(size)]
    )[:, section]


def _holding_rows(outline: Outline, counts: Counts) -> NDArray[np.float64]:
    """Whether a block stands before, in or after the element that holds most of the
    running text, and how large that is.
    """
    n = len(counts.words)
    index = np.arange(n)
    running = np.where(counts.long, counts.words, 0)
    rows = []
    for share in _HELD:
        low, high = outline.holding(running, share)
        rows += [
            np.where(index < low, -1.0, np.where(index >= high, 1.0, 0.0)),
            np.full(n, (high - low) / n),
        ]
    return np.stack(rows)


def _signature_rows(outline: Outline, counts: Counts) -> NDArray[np.float64]:
    """Blocks with the same tags and classes above: the same field of other records, or
    paragraphs of one text.
    """
    group = outline.signature
    n = len(group)
    size = np.bincount(group)
    words, linked, stops = (
        np.bincount(group, values)
        for values in (counts.words, counts.linked, counts.stops)
    )
    order = np.argsort(group, kind="stable")
    ends = np.cumsum(size)
    first, last = order[ends - size], order[ends - 1]
    rank = np.empty(n)
    rank[order] = np.arange(n) - (ends - size)[group[order]]
    total = max(int(counts.words.sum()), 1)
    of_group = np.stack(
        [np.log1p(size), np.log1p(words), np.log1p(words / size), _share(linked, words), _share(stops, words), words / total,
         (last - first + 1) / n, first / n]
    )  # fmt: skip
    return np.concatenate([of_group[:, group], np.log1p(rank)[None]])


def _mark_rows(outline: Outline, counts: Counts) -> tuple[Floats, NDArray[np.float64]]:
    """Marks close to each block and on its whole path, and the share of the page's
    words under each mark.
    """
    parent = np.maximum(outline.tree.parent, 0)
    nodes = [
        parent[outline.first_nodes],
        *(parent[outline.levels[level]] for level in _MARK_REACHES.values()),
    ]
    here, *above = np.split(
        marks.path_counts(outline, np.concatenate(nodes)), len(nodes)
    )
    unpacked = [
        marks.unpack(found) for found in (*(here - base for base in above), here)
    ]
    rows = np.minimum(np.concatenate(unpacked, axis=1), 3).T.astype(np.float32)
    weight = (counts.words + 0.3) / (counts.words.sum() + 0.3 * len(counts.words))
    return rows, (rows[-len(marks.NAMES) :] > 0) @ weight


def _page_values(outline: Outline, counts: Counts, sums: Floats) -> NDArray[np.float64]:
    n = len(counts.words)
    words, linked, stops, images, forms, headings, long = sums[:, -1]
    total = max(words, 1.0)
    return np.array(
        [
            np.log1p(words), np.log1p(n), linked / total, stops / total, np.log1p(long), counts.words[counts.long].sum() / total,
            np.log1p(images), np.log1p(forms), np.count_nonzero(counts.heading == 1), np.log1p(headings),
            np.log1p(counts.currency.sum()), np.count_nonzero(counts.words <= 4) / n,
            np.log1p(outline.alike[outline.levels[:3]]).mean(),
        ]
    )  # fmt: skip
