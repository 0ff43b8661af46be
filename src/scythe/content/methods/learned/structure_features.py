"""Features of the elements around each block: what they hold, what their tags and
classes declare, and which other blocks stand in the same structure.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scythe.content.methods.learned import roles
from scythe.content.methods.learned.elementary import log
from scythe.content.methods.learned.position_features import totals_between
from scythe.content.methods.learned.spans import LEVELS, UPPER_LEVELS, ElementSpans
from scythe.content.methods.learned.text_features import BlockCounts, Floats, share

LEVEL_NAMES = (
    "words",
    "share",
    "linked",
    "words/block",
    "images",
    "forms",
    "headings",
    "long",
    "place",
    "alike",
    "start",
    "blocks",
)
UPPER_NAMES = ("share", "linked", "words/block", "start", "blocks")
SIGNATURE_NAMES = (
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
PAGE_NAMES = (
    "words",
    "blocks",
    "linked",
    "stops",
    "long",
    "long words",
    "images",
    "forms",
    "h1",
    "headings",
    "currency",
    "short",
    "alike",
)
HELD_SHARES = (0.4, 0.6, 0.8)
"""Shares of the running text that an element may hold."""
ROLE_LEVELS = {"near": 1, "middle": 3}
"""How many levels above a block the roles of elements are counted, beside all. The
model was trained with these, as with the two below.
"""
ALIKE_LEVELS = 3
"""Levels whose like siblings the page has a mean of."""
MAX_ROLE_COUNT = 3
SHORT_WORDS = 4
BLOCK_WEIGHT = 0.3
"""What a block weighs beside its words, so that a page of blocks without any has a mean.
The model was trained with this.
"""


def level_rows(spans: ElementSpans, sums: Floats) -> Floats:
    """Return the rows of `LEVEL_NAMES` for each of the elements above a block."""
    low, high = spans.level_spans
    n = low.shape[1]
    totals = totals_between(sums, low, high)
    words, linked, _, images, forms, headings, long = totals
    page_words = max(sums[0, -1], np.float32(1))
    start = low.astype(np.float32)
    size = (high - low).astype(np.float32)
    index = np.arange(n, dtype=np.float32)
    return np.concatenate(
        [
            log(words),
            words / page_words,
            share(linked, words),
            log(words / size),
            log(images),
            log(forms),
            headings / size,
            log(long),
            (index - start) / size,
            log(spans.alike_siblings[spans.levels]),
            start / np.float32(n),
            log(size),
        ]
    )


def upper_rows(spans: ElementSpans, sums: Floats) -> Floats:
    """Return the rows of `UPPER_NAMES` for each of the elements below the root."""
    low, high = spans.upper_spans
    n = low.shape[1]
    words, linked = totals_between(sums[:2], low, high)
    page_words = max(sums[0, -1], np.float32(1))
    start = low.astype(np.float32)
    size = (high - low).astype(np.float32)
    return np.concatenate(
        [
            words / page_words,
            share(linked, words),
            log(words / size),
            start / np.float32(n),
            log(size),
        ]
    )


def holder_rows(spans: ElementSpans, counts: BlockCounts) -> NDArray[np.float64]:
    """Return whether a block stands before, in or after the element that holds most of
    the running text, and how large that is, for each of `HELD_SHARES`.
    """
    n = len(counts.words)
    index = np.arange(n)
    running_words = np.where(counts.is_long, counts.words, 0)
    rows = []
    for held_share in HELD_SHARES:
        low, high = spans.smallest_holder(running_words, held_share)
        after_start = np.where(index >= high, 1.0, 0.0)
        side = np.where(index < low, -1.0, after_start)
        rows += [side, np.full(n, (high - low) / n)]
    return np.stack(rows)


def signature_rows(spans: ElementSpans, counts: BlockCounts) -> NDArray[np.float64]:
    """Return the rows of `SIGNATURE_NAMES`, about blocks with the same tags and classes
    above: the same field of other records, or paragraphs of one text.
    """
    signature = spans.signature
    n = len(signature)
    size = np.bincount(signature)
    words = np.bincount(signature, counts.words)
    linked = np.bincount(signature, counts.linked)
    punctuation = np.bincount(signature, counts.punctuation)
    page_words = max(int(counts.words.sum()), 1)

    order = np.argsort(signature, kind="stable")
    ends = np.cumsum(size)
    starts = ends - size
    first, last = order[starts], order[ends - 1]
    rank = np.empty(n)
    rank[order] = np.arange(n) - starts[signature[order]]
    rows = np.stack(
        [
            log(size),
            log(words),
            log(words / size),
            share(linked, words),
            share(punctuation, words),
            words / page_words,
            (last - first + 1) / n,
            first / n,
        ]
    )
    return np.concatenate([rows[:, signature], log(rank)[None]])


def role_rows(
    spans: ElementSpans, counts: BlockCounts
) -> tuple[Floats, NDArray[np.int64]]:
    """Return the roles close to each block and on its whole path, and how many words
    and blocks of the page are under each role.
    """
    parent = np.maximum(spans.tree.parent, 0)
    block_parents = parent[spans.first_nodes]
    near, middle = (spans.levels[level] for level in ROLE_LEVELS.values())
    nodes = np.concatenate([block_parents, parent[near], parent[middle]])
    packed = roles.path_counts(spans, nodes)
    on_path, above_near, above_middle = np.split(packed, 3)

    unpacked = [
        roles.unpack(on_path - above_near),
        roles.unpack(on_path - above_middle),
        roles.unpack(on_path),
    ]
    role_counts = np.minimum(np.concatenate(unpacked, axis=1), MAX_ROLE_COUNT)
    rows = role_counts.T.astype(np.float32)
    has_role = rows[-len(roles.NAMES) :] > 0
    words = has_role @ counts.words.astype(np.float64)  # whole numbers: exact
    blocks = np.count_nonzero(has_role, axis=1)
    totals = np.stack([words, blocks])
    return rows, totals.astype(np.int64)


def role_shares(
    under_role: NDArray[np.int64], words: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return the share of the page under each role, of words and blocks as `role_rows`
    counts them.
    """
    role_words, role_blocks = under_role
    total = words.sum() + BLOCK_WEIGHT * len(words)
    return np.asarray((role_words + BLOCK_WEIGHT * role_blocks) / total)


def page_values(counts: BlockCounts, alike: Floats) -> Floats:
    """Return the values of `PAGE_NAMES`, the same for all blocks, from the counts of the
    blocks and the rows "alike" of the first levels.
    """
    blocks = len(counts.words)
    long_words = counts.words[counts.is_long].sum()
    short = np.count_nonzero(counts.words <= SHORT_WORDS)
    of_page = {
        "words": counts.words.sum(),
        "blocks": blocks,
        "long": np.count_nonzero(counts.is_long),
        "images": counts.images.sum(),
        "forms": counts.forms.sum(),
        "headings": np.count_nonzero(counts.heading),
        "currency": counts.currency.sum(),
    }
    logs = dict(zip(of_page, log(np.array(list(of_page.values()))), strict=True))
    words = max(of_page["words"], 1)
    values = [
        logs["words"],
        logs["blocks"],
        counts.linked.sum() / words,
        counts.punctuation.sum() / words,
        logs["long"],
        long_words / words,
        logs["images"],
        logs["forms"],
        np.count_nonzero(counts.heading == 1),
        logs["headings"],
        logs["currency"],
        short / blocks,
        alike.mean(dtype=np.float64),
    ]
    return np.array(values, dtype=np.float32)


def level_names() -> list[str]:
    """Return the names of the rows of `level_rows` and `upper_rows`."""
    names = []
    for name in LEVEL_NAMES:
        names += [f"L{level} {name}" for level in range(LEVELS)]
    for name in UPPER_NAMES:
        names += [f"T{level} {name}" for level in range(1, UPPER_LEVELS + 1)]
    return names


def holder_names() -> list[str]:
    """Return the names of the rows of `holder_rows`."""
    names = []
    for held_share in HELD_SHARES:
        names += [f"side of {held_share}", f"share of {held_share}"]
    return names


def role_names() -> list[str]:
    """Return the names of the rows of `role_rows`."""
    names = []
    for reach in (*ROLE_LEVELS, "path"):
        names += [f"{reach} {role}" for role in roles.NAMES]
    return names
