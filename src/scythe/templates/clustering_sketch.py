"""What clustering keeps of a page: the set of its tag paths as numbers, and a MinHash signature of that set.

A path is the way from `<body>` to an element by tag and class, hashed; pages made by one template share most of them, however
long their lists are, because an item more is the same path again. Signatures compare in 64 numbers; sets that share a band of
two are found without looking at the others (LSH).
"""

from __future__ import annotations

from functools import lru_cache
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from scythe.align.forest import class_key
from scythe.tree.tags import SKIPPED
from scythe.tree.tree import Tree

Hashes = NDArray[np.uint32]

SIZE = 64
"""Numbers of a signature: the share that agrees estimates the Jaccard index within 0.06 (one standard deviation)."""
ROWS = 2
"""Numbers of a band. With 32 bands, sets that share half of their paths meet in a band with a probability of 0.9999, a third:
0.98."""
MAX_ELEMENTS = 20_000
"""Elements read of a page: more are repeats of paths that were seen before."""

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(32)


@lru_cache(maxsize=65_536)
def _label(name: str, classes: str | None) -> int:
    """The same number in every process for a tag and the classes that say what it is."""
    return int.from_bytes(blake2b(f"{name} {class_key(classes)}".encode(errors="replace"), digest_size=8).digest(), "little")


def paths(tree: Tree) -> Hashes:
    """The distinct tag paths of the elements of a page's body, sorted."""
    elements = _elements(tree)[:MAX_ELEMENTS]
    return np.unique((_hashed(tree, elements)[elements] >> _SHIFT).astype(np.uint32))


def path_hashes(tree: Tree) -> NDArray[np.uint64]:
    """For every element of the body the hash of its path; 0 for all other nodes."""
    return _hashed(tree, _elements(tree))


def _elements(tree: Tree) -> NDArray[np.int64]:
    body = tree.first("body")
    if body is None:
        return np.zeros(0, dtype=np.int64)
    wanted = ~tree.is_text & ~tree.below(tree.having(SKIPPED))
    wanted[: body + 1] = False
    wanted[tree.end[body] :] = False
    return np.flatnonzero(wanted)


def _hashed(tree: Tree, elements: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Level by level from the top: a path is that of the parent and one step more."""
    own = np.zeros(len(tree), dtype=np.uint64)
    if not len(elements):
        return own
    labels = map(_label, map(tree.name, elements.tolist()), tree.values("class", elements.tolist()))
    own[elements] = np.fromiter(labels, dtype=np.uint64, count=len(elements))
    depths = tree.depth[elements]
    order = np.argsort(depths, kind="stable")
    levels = np.flatnonzero(np.diff(depths[order], prepend=-1))
    for start, stop in zip(levels.tolist(), [*levels[1:].tolist(), len(order)], strict=True):
        level = elements[order[start:stop]]
        own[level] = _mixed(own[tree.parent[level]] * _GOLDEN + own[level])
    return own


def _mixed(values: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Spread every bit over all others (the finishing step of a splitmix generator)."""
    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return values ^ (values >> np.uint64(31))


_FACTORS = _mixed(np.arange(1, SIZE + 1, dtype=np.uint64) * _GOLDEN) | np.uint64(1)
_OFFSETS = _mixed(np.arange(SIZE + 1, 2 * SIZE + 1, dtype=np.uint64) * _GOLDEN)


def signature(hashes: Hashes) -> Hashes:
    """The MinHash signature of a set of paths."""
    if not len(hashes):
        return np.zeros(SIZE, dtype=np.uint32)
    shuffled: NDArray[np.uint64] = (hashes.astype(np.uint64)[:, None] * _FACTORS + _OFFSETS) >> _SHIFT
    return shuffled.min(axis=0).astype(np.uint32)


def bands(numbers: Hashes) -> list[bytes]:
    """The bands of a signature, each a key that two sets of many equal paths are likely to share."""
    whole = numbers.tobytes()
    width = ROWS * numbers.itemsize
    return [bytes([place // width]) + whole[place : place + width] for place in range(0, len(whole), width)]
