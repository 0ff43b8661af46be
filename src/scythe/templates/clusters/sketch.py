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

from collections.abc import Collection
from functools import lru_cache
from hashlib import blake2b
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from scythe.align.forest import class_key
from scythe.tree.compiled.element_names import compiled_path_hashes, element_names
from scythe.tree.tags import KNOWN, SKIPPED
from scythe.tree.tree import Tree

Hashes = NDArray[np.uint32]

SIGNATURE_SIZE = 64
"""Numbers of a signature: the share that agrees estimates the Jaccard index within 0.06
(one standard deviation).
"""
BAND_SIZE = 2
"""Numbers of a band. With 32 bands, sets that share half of their paths meet in a band
with a probability of 0.9999, a third: 0.98.
"""
MAX_ELEMENTS = 20_000
"""Elements read of a page: more are repeats of paths that were seen before. A bound on
work.
"""

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(32)


@lru_cache(maxsize=65_536)
def _text_hash(text: str) -> int:
    """Return the same number for a text in every process."""
    encoded = text.encode(errors="replace")
    digest = blake2b(encoded, digest_size=8).digest()
    return int.from_bytes(digest, "little")


def _text_hashes(texts: Collection[str]) -> NDArray[np.uint64]:
    hashes = map(_text_hash, texts)
    return np.fromiter(hashes, dtype=np.uint64, count=len(texts))


_TAG_HASHES = _text_hashes(KNOWN)


@lru_cache(maxsize=65_536)
def _class_hashes(tag: str, classes: str) -> tuple[int, ...]:
    """Return a number for each class name of an element that does not count elements."""
    names = class_key(classes).split()
    hashes = [_text_hash(f"{tag}.{name}") for name in names]
    return tuple(hashes)


def path_hashes(tree: Tree) -> Hashes:
    """Return the different tag paths and class names of the elements of a page's body,
    as sorted numbers.
    """
    elements = _body_elements(tree)[:MAX_ELEMENTS]
    names = element_names(tree)
    of_classes: set[int] = set()
    for number in set(names.numbers[elements].tolist()):
        tag, _, classes = names.names[number]
        if classes:
            of_classes.update(_class_hashes(tag, classes))

    of_paths = _tag_path_hashes(tree, elements)[elements]
    class_array = np.fromiter(of_classes, dtype=np.uint64, count=len(of_classes))
    both = np.concatenate([of_paths, class_array])
    upper_halves = both >> _SHIFT
    return np.unique(upper_halves.astype(np.uint32))


def position_hashes(tree: Tree, elements: NDArray[np.integer]) -> NDArray[np.uint64]:
    """Return for each of the elements a number for its position: its path by tags, and
    its own class names.
    """
    of_paths = _tag_path_hashes(tree, _body_elements(tree))
    class_values = tree.attribute_values("class", elements.tolist())
    class_names = [class_key(value) for value in class_values]
    of_classes = _text_hashes(class_names)
    own_paths = of_paths[elements]
    return _mix(own_paths * _GOLDEN + of_classes)


def _body_elements(tree: Tree) -> NDArray[np.int64]:
    body = tree.first_element("body")
    if body is None:
        return np.zeros(0, dtype=np.int64)
    is_skipped = tree.below(tree.has_tag(SKIPPED))
    in_body = ~tree.is_text & ~is_skipped
    after_body = tree.end[body]
    in_body[: body + 1] = False
    in_body[after_body:] = False
    return np.flatnonzero(in_body)


def _tag_path_hashes(tree: Tree, elements: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Return a number for the path of each element, 0 for all other nodes.

    Level by level from the top: a path is that of the parent and one step more.
    """
    hashes = np.zeros(len(tree), dtype=np.uint64)
    if not len(elements):
        return hashes
    extra_hashes = _text_hashes(tree.extra_names)
    tag_hashes = np.concatenate([_TAG_HASHES, extra_hashes])
    is_element = np.zeros(len(tree), dtype=bool)
    is_element[elements] = True
    compiled = compiled_path_hashes(tree, is_element, tag_hashes)
    if compiled is not None:
        return compiled
    hashes[elements] = tag_hashes[tree.tag[elements]]

    depths = tree.depth[elements]
    order = np.argsort(depths, kind="stable")
    depth_steps = np.diff(depths[order], prepend=-1)
    level_starts = np.flatnonzero(depth_steps)
    bounds = [*level_starts.tolist(), len(order)]
    for start, stop in pairwise(bounds):
        level = elements[order[start:stop]]
        parents = tree.parent[level]
        parent_hashes = hashes[parents] * _GOLDEN
        hashes[level] = _mix(parent_hashes + hashes[level])
    return hashes


def _mix(values: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return numbers with every bit spread over all others (the finishing step of a
    splitmix generator).
    """
    values = values ^ (values >> np.uint64(30))
    values = values * np.uint64(0xBF58476D1CE4E5B9)
    values = values ^ (values >> np.uint64(27))
    values = values * np.uint64(0x94D049BB133111EB)
    return values ^ (values >> np.uint64(31))


_COUNTING = np.arange(1, 2 * SIGNATURE_SIZE + 1, dtype=np.uint64)
_FACTORS = _mix(_COUNTING[:SIGNATURE_SIZE] * _GOLDEN) | np.uint64(1)
_OFFSETS = _mix(_COUNTING[SIGNATURE_SIZE:] * _GOLDEN)


def signature(hashes: Hashes) -> Hashes:
    """Return the MinHash signature of a set of paths."""
    if not len(hashes):
        return np.zeros(SIGNATURE_SIZE, dtype=np.uint32)
    columns = hashes.astype(np.uint64)[:, None]
    shuffled: NDArray[np.uint64] = columns * _FACTORS + _OFFSETS
    upper_halves = shuffled >> _SHIFT
    return upper_halves.min(axis=0).astype(np.uint32)


def bands(numbers: Hashes) -> list[bytes]:
    """Return the bands of a signature, each a key that two sets of many equal paths are
    likely to share.
    """
    content = numbers.tobytes()
    width = BAND_SIZE * numbers.itemsize
    keys: list[bytes] = []
    starts = range(0, len(content), width)
    for number, start in enumerate(starts):
        band = content[start : start + width]
        keys.append(bytes([number]) + band)
    return keys
