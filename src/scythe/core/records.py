"""The compiled core's share of finding where records repeat on a page."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scythe.core.arrays import array_list
from scythe.core.block import Block
from scythe.core.library import library
from scythe.core.texts import Bools, TextTables

Floats = NDArray[np.float64]
Nodes = NDArray[np.int64]


class CandidateBounds(NamedTuple):
    """What the reference bounds: in the order of `Bounds` in core/src/records."""

    numbers: Nodes
    shares: Floats
    logarithms: Floats
    headings: bytes
    """A byte for each tag, 1 for headings."""


class FoundCandidates(NamedTuple):
    """Candidates: where their records begin and end, one after the other, how many each
    has, its kind, and whether its records share a class.
    """

    starts: Nodes
    stops: Nodes
    sizes: Nodes
    kinds: NDArray[np.uint8]
    by_class: Bools


class FilledPage(NamedTuple):
    """A page, and which of its elements can be records."""

    tables: TextTables
    block: Block
    filled: Bools


def find_candidates(
    page: FilledPage, words: Nodes, bounds: CandidateBounds
) -> FoundCandidates | None:
    """Return the candidates of a page, given the running sums of its words; None where
    that is left to the reference.
    """
    compiled = library()
    if compiled is None:
        return None
    most = int(bounds.numbers[0])
    capacity = most * np.count_nonzero(page.filled)
    spans = np.empty((2, capacity), dtype=np.int64)
    sizes = np.empty(most, dtype=np.int64)
    kinds = np.empty(most, dtype=np.uint8)
    by_class = np.empty(most, dtype=bool)
    arrays = array_list(
        page.block.address,
        page.filled,
        words,
        *bounds,
        *spans,
        sizes,
        kinds,
        by_class,
    )
    count = compiled.scythe_candidates(page.tables.address, arrays)
    if count < 0:
        return None
    sizes = sizes[:count]
    starts, stops = spans[:, : sizes.sum()]
    return FoundCandidates(starts, stops, sizes, kinds[:count], by_class[:count])


class CandidateMembers(NamedTuple):
    """The members of candidates: how many each has, where they begin and end, and which
    candidates have runs.
    """

    sizes: Nodes
    starts: Nodes
    stops: Nodes
    are_runs: Bools


_MEMBER_ROWS = 7
_CANDIDATE_ROWS = 13


def compare_members(
    page: FilledPage, members: CandidateMembers, bounds: tuple[Nodes, Floats]
) -> tuple[Floats, Floats] | None:
    """Return rows with a column for each member, and rows with a column for each
    candidate, in the order of core/src/records/comparisons.rs; None where that is left
    to the reference.
    """
    compiled = library()
    if compiled is None:
        return None
    of_members = np.empty((_MEMBER_ROWS, len(members.starts)))
    of_candidates = np.empty((_CANDIDATE_ROWS, len(members.sizes)))
    arrays = array_list(
        page.block.address,
        page.filled,
        *bounds,
        *members,
        of_members,
        of_candidates,
    )
    written = compiled.scythe_comparisons(page.tables.address, arrays)
    return None if written < 0 else (of_members, of_candidates)
