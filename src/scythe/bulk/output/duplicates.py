"""Pages with the same text, or nearly the same: found over the whole output, with no
state from other runs.

Workers note a sketch of each page's text: a digest, and for near duplicates a MinHash
signature of its runs of words. When all pages are done, sketches are compared in NumPy,
on disk as far as they do not fit in memory. The first page in the order of the input
stays; the others keep their rows, without content and with the status `duplicate`.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any, Literal
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from scythe.bulk.output.tables import line_of
from scythe.bulk.page import Failure, Position
from scythe.bulk.workers.journal import Part
from scythe.templates.clusters.sketch import SIGNATURE_SIZE, signature

Duplicates = Literal["exact", "near"]

DIGEST = 16
WORDS_OF_SHINGLE = 5
LEAST_WORDS = 20
"""Shorter texts are compared exactly only: one word of difference is much of them."""
LIKENESS = 0.8
"""The least share of equal shingles, as the signatures estimate it, of two pages that
are nearly the same.
"""
ROWS_OF_BAND = 4
"""Numbers of a band. With 16 bands, texts that share 0.8 of their shingles meet in one
with a probability of 0.9998.
"""
_AT_ONCE = 1 << 14
_WORD = re.compile(r"[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]|[^\W_]+")
_FACTOR = np.uint64(0x100000001B3)
_SHIFT = np.uint64(32)

Numbers = NDArray[np.int64]
Place = Callable[[int, Position], str]
"""Where a page of a part stands, for people."""


@dataclass(frozen=True, slots=True)
class TextSketcher:
    """What is noted of a page's text."""

    kind: Duplicates

    @property
    def size(self) -> int:
        """Bytes of a sketch."""
        return DIGEST + (4 * SIGNATURE_SIZE if self.kind == "near" else 0)

    def sketch(self, row: dict[str, Any]) -> bytes:
        """The sketch of a page's text; zeros where there is none to compare."""
        text = row.get("text") or row.get("markdown")
        words = _WORD.findall(text.lower()) if text else []
        if not words:
            return bytes(self.size)
        digest = blake2b(
            " ".join(words).encode("utf-8", "replace"), digest_size=DIGEST
        ).digest()
        return digest + (_signature(words).tobytes() if self.kind == "near" else b"")


def _signature(words: Sequence[str]) -> NDArray[np.uint32]:
    """The MinHash of a text's runs of words, the same in every process; zeros for a
    text too short for it.
    """
    if len(words) < LEAST_WORDS:
        return np.zeros(SIGNATURE_SIZE, dtype=np.uint32)
    numbers = np.fromiter(
        (crc32(word.encode("utf-8", "replace")) for word in words),
        np.uint64,
        len(words),
    )
    shingles = np.zeros(len(words) - WORDS_OF_SHINGLE + 1, dtype=np.uint64)
    for place in range(WORDS_OF_SHINGLE):
        shingles = (shingles ^ numbers[place : place + len(shingles)]) * _FACTOR
    hashes = np.unique(
        ((shingles ^ (shingles >> _SHIFT)) & np.uint64(0xFFFFFFFF)).astype(np.uint32)
    )
    least = signature(hashes[:_AT_ONCE])
    for start in range(_AT_ONCE, len(hashes), _AT_ONCE):
        least = np.minimum(least, signature(hashes[start : start + _AT_ONCE]))
    return least


def first_of_same(digests: NDArray[np.uint64]) -> Numbers:
    """For each page the first with the same digest; a page without text is its own."""
    count = len(digests)
    order = np.lexsort((np.arange(count), digests[:, 1], digests[:, 0]))
    ordered = digests[order]
    new = np.ones(count, dtype=bool)
    new[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    heads = order[np.maximum.accumulate(np.where(new, np.arange(count), 0))]
    first = np.empty(count, dtype=np.int64)
    first[order] = heads
    empty = ~digests.any(axis=1)
    first[empty] = np.flatnonzero(empty)
    return first


def first_of_like(first: Numbers, signatures: NDArray[np.uint32]) -> Numbers:
    """For each page the first of those that are nearly the same, from page to page;
    `first` has those that are the same.

    Pages that share a band of their signatures are compared with the first and with the
    next before them that do.
    """
    leader = first.copy()
    kept = np.flatnonzero((first == np.arange(len(first))) & signatures.any(axis=1))
    for start in range(0, SIGNATURE_SIZE, ROWS_OF_BAND):
        band = signatures[:, start : start + ROWS_OF_BAND][kept].astype(np.uint64)
        order = np.lexsort((kept, *band.T))
        same = (band[order[1:]] == band[order[:-1]]).all(axis=1)
        new = np.concatenate(([True], ~same))
        heads = np.maximum.accumulate(np.where(new, np.arange(len(order)), 0))
        places = np.flatnonzero(~new)
        for others in (heads[places], places - 1):
            _link(leader, signatures, kept[order[places]], kept[order[others]])
    for page in range(
        len(leader)
    ):  # leaders come before their pages, so one pass settles chains
        leader[page] = leader[leader[page]]
    return leader


def _link(
    leader: Numbers, signatures: NDArray[np.uint32], pages: Numbers, others: Numbers
) -> None:
    for start in range(0, len(pages), _AT_ONCE):
        mine, theirs = pages[start : start + _AT_ONCE], others[start : start + _AT_ONCE]
        alike = (signatures[mine] == signatures[theirs]).mean(axis=1) >= LIKENESS
        late, early = np.maximum(mine, theirs)[alike], np.minimum(mine, theirs)[alike]
        np.minimum.at(leader, late, early)


class DuplicateRows:
    """Which pages others are the same as, and the rows that say so."""

    def __init__(
        self, folder: Path, count: int, kind: Duplicates, place: Place
    ) -> None:
        self._kind, self._place = kind, place
        parts = [Part(folder, number) for number in range(count)]
        lines = [part.lines() for part in parts]
        self._starts = np.cumsum([0, *map(len, lines)])
        self._lines = [line for part in lines for line in part]
        size = TextSketcher(kind).size
        data = b"".join(
            part.extra_path.read_bytes() for part in parts if part.extra_path.exists()
        )
        sketches = np.frombuffer(data, dtype=np.uint8).reshape(-1, size)
        self._first = first_of_same(
            np.ascontiguousarray(sketches[:, :DIGEST]).view(np.uint64)
        )
        if kind == "near":
            self._first = first_of_like(
                self._first, np.ascontiguousarray(sketches[:, DIGEST:]).view(np.uint32)
            )

    def counted(self, statuses: Counter[str]) -> Counter[str]:
        """The number of pages by status, once duplicates have theirs."""
        changed = Counter(statuses)
        for page in np.flatnonzero(self._first != np.arange(len(self._first))).tolist():
            changed[self._lines[page].status] -= 1
            changed[str(Failure.DUPLICATE)] += 1
        return +changed

    def rewrite(self, part: int, row: int, line: bytes) -> bytes:
        """The row as it is, or without its content where another page has it."""
        page = int(self._starts[part]) + row
        original = int(self._first[page])
        if original == page:
            return line
        values = json.loads(line)
        alike = (
            "the same text" if self._kind == "exact" else "the same text, or nearly,"
        )
        where = self._place(
            int(np.searchsorted(self._starts, original, "right")) - 1,
            self._lines[original].position,
        )
        reason = f"it has {alike} as {where}"
        changed = {
            "status": str(Failure.DUPLICATE),
            "reason": reason,
            "text": None,
            "markdown": None,
        }
        return line_of({**values, **changed}, timed=values["timings"] is not None)
