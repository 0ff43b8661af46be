"""What clustering keeps of a page: its tag paths and class names as a set of numbers,
and a MinHash signature of that set.

A path is the way from `<body>` to an element by tags; class names count with the tag of
their element, each by itself. Pages made by one template share most of both, however
long their lists are, because an item more is the same again. Class names are not part
of paths: one that is of a single page (`category-soup` on `<article>`) would make all
paths below it strange. On 241 recipe pages of 138 sites this gives an inverse purity of
0.98, paths with classes 0.83.

Signatures compare in 64 numbers; sets that share a band of two are found without
looking at the others (LSH).
"""

from __future__ import annotations

from functools import lru_cache
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from scythe.align.forest import class_key
from scythe.tree.tags import KNOWN, SKIPPED
from scythe.tree.tree import Tree

Hashes = NDArray[np.uint32]

SIGNATURE_SIZE = 64
"""Numbers of a signature: the share that agrees estimates the Jaccard index within 0.06
(one standard deviation).
"""
ROWS = 2
"""Numbers of a band. With 32 bands, sets that share half of their paths meet in a band
with a probability of 0.9999, a third:
0.98.
"""
MAX_ELEMENTS = 20_000
"""Elements read of a page: more are repeats of paths that were seen before."""

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(32)


@lru_cache(maxsize=65_536)
def _number(text: str) -> int:
    """The same number for a text in every process."""
    return int.from_bytes(
        blake2b(text.encode(errors="replace"), digest_size=8).digest(), "little"
    )


_TAGS = np.fromiter(map(_number, KNOWN), dtype=np.uint64, count=len(KNOWN))


@lru_cache(maxsize=65_536)
def _named(tag: str, classes: str) -> tuple[int, ...]:
    """A number for each class name of an element that does not count elements."""
    return tuple(_number(f"{tag}.{name}") for name in class_key(classes).split())


def paths(tree: Tree) -> Hashes:
    """The different tag paths and class names of the elements of a page's body, as
    sorted numbers.
    """
    elements = _elements(tree)[:MAX_ELEMENTS]
    labels = set(
        zip(
            tree.tag[elements].tolist(),
            tree.attribute_values("class", elements.tolist()),
            strict=True,
        )
    )
    tags = (*KNOWN, *tree.extra_names)
    names = {
        number
        for tag, classes in labels
        if classes
        for number in _named(tags[tag], classes)
    }
    steps = _tag_paths(tree, elements)[elements]
    both = np.concatenate(
        [steps, np.fromiter(names, dtype=np.uint64, count=len(names))]
    )
    return np.unique((both >> _SHIFT).astype(np.uint32))


def place_hashes(tree: Tree, elements: NDArray[np.integer]) -> NDArray[np.uint64]:
    """For each of the elements a number for its place: its path by tags, and its own
    class names.
    """
    inside = _elements(tree)
    steps = _tag_paths(tree, inside)
    classes = tree.attribute_values("class", elements.tolist())
    own = np.fromiter(
        (_number(class_key(names)) for names in classes),
        dtype=np.uint64,
        count=len(elements),
    )
    return _mixed(steps[elements] * _GOLDEN + own)


def _elements(tree: Tree) -> NDArray[np.int64]:
    body = tree.first_element("body")
    if body is None:
        return np.zeros(0, dtype=np.int64)
    wanted = ~tree.is_text & ~tree.below(tree.has_tag(SKIPPED))
    wanted[: body + 1] = False
    wanted[tree.end[body] :] = False
    return np.flatnonzero(wanted)


def _tag_paths(tree: Tree, elements: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Level by level from the top: a path is that of the parent and one step more; 0
    for all nodes but the elements.
    """
    own = np.zeros(len(tree), dtype=np.uint64)
    if not len(elements):
        return own
    extra = np.fromiter(
        map(_number, tree.extra_names), dtype=np.uint64, count=len(tree.extra_names)
    )
    own[elements] = np.concatenate([_TAGS, extra])[tree.tag[elements]]
    depths = tree.depth[elements]
    order = np.argsort(depths, kind="stable")
    levels = np.flatnonzero(np.diff(depths[order], prepend=-1))
    for start, stop in zip(
        levels.tolist(), [*levels[1:].tolist(), len(order)], strict=True
    ):
        level = elements[order[start:stop]]
        own[level] = _mixed(own[tree.parent[level]] * _GOLDEN + own[level])
    return own


def _mixed(values: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Spread every bit over all others (the finishing step of a splitmix generator)."""
    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return values ^ (values >> np.uint64(31))


_FACTORS = _mixed(
    np.arange(1, SIGNATURE_SIZE + 1, dtype=np.uint64) * _GOLDEN
) | np.uint64(1)
_OFFSETS = _mixed(
    np.arange(SIGNATURE_SIZE + 1, 2 * SIGNATURE_SIZE + 1, dtype=np.uint64) * _GOLDEN
)


def signature(hashes: Hashes) -> Hashes:
    """The MinHash signature of a set of paths."""
    if not len(hashes):
        return np.zeros(SIGNATURE_SIZE, dtype=np.uint32)
    shuffled: NDArray[np.uint64] = (
        hashes.astype(np.uint64)[:, None] * _FACTORS + _OFFSETS
    ) >> _SHIFT
    return shuffled.min(axis=0).astype(np.uint32)


def bands(numbers: Hashes) -> list[bytes]:
    """The bands of a signature, each a key that two sets of many equal paths are likely
    to share.
    """
    whole = numbers.tobytes()
    width = ROWS * numbers.itemsize
    return [
        bytes([place // width]) + whole[place : place + width]
        for place in range(0, len(whole), width)
    ]
