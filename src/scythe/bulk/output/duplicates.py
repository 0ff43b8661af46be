"""Pages with the same text, or nearly the same: found over the whole output, with no
state from other runs.

Workers store a sketch of each page's text: a digest, and for near duplicates a MinHash
signature of its shingles (runs of words). When all pages are done, sketches are compared
in NumPy. The first page in the order of the input stays; the others keep their rows,
without content and with the status `duplicate`.
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

from scythe.bulk.output.journal import JournalEntry, PartitionResult
from scythe.bulk.output.tables import json_line
from scythe.bulk.page import Failure, PagePosition
from scythe.templates.clusters.sketch import SIGNATURE_SIZE, signature

Duplicates = Literal["exact", "near"]

DIGEST_BYTES = 16
"""128 bits: of a trillion texts, two share a digest by chance with a probability of 1.5e-15."""
SHINGLE_WORDS = 5
"""Words of a shingle; not tuned."""
MIN_WORDS = 20
"""Shorter texts are compared exactly only: one word of difference is much of them."""
MIN_SIMILARITY = 0.8
"""The least share of equal shingles, as the signatures estimate it, of two pages that
are nearly the same.
"""
BAND_ROWS = 4
"""Numbers of a band. With 16 bands, texts that share 0.8 of their shingles meet in one
with a probability of 0.9998.
"""
_CHUNK = 1 << 14
"""Hashes or pairs that are worked on at a time: a bound on memory, not tuned."""
_WORD = re.compile(r"[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]|[^\W_]+")
_FNV_PRIME = np.uint64(0x100000001B3)
_HALF_BITS = np.uint64(32)
_LOW_HALF = np.uint64(0xFFFFFFFF)

PageIndices = NDArray[np.int64]
DescribePage = Callable[[int, PagePosition], str]
"""Returns where a page of a partition was read, for people."""


@dataclass(frozen=True, slots=True)
class TextSketcher:
    """Computes what is stored of a page's text to compare it with others."""

    kind: Duplicates

    @property
    def size(self) -> int:
        """Bytes of a sketch."""
        if self.kind == "exact":
            return DIGEST_BYTES
        return DIGEST_BYTES + 4 * SIGNATURE_SIZE

    def sketch(self, row: dict[str, Any]) -> bytes:
        """Return the sketch of a page's text; zeros where there is none to compare."""
        text = row.get("text") or row.get("markdown") or ""
        words = _WORD.findall(text.lower())
        if not words:
            return bytes(self.size)
        normalized = " ".join(words).encode("utf-8", "replace")
        digest = blake2b(normalized, digest_size=DIGEST_BYTES).digest()
        if self.kind == "exact":
            return digest
        return digest + _signature(words).tobytes()


def _signature(words: Sequence[str]) -> NDArray[np.uint32]:
    """Return the MinHash of a text's shingles, the same in every process; zeros for a
    text too short for it.
    """
    if len(words) < MIN_WORDS:
        return np.zeros(SIGNATURE_SIZE, dtype=np.uint32)
    checksums = (crc32(word.encode("utf-8", "replace")) for word in words)
    word_hashes = np.fromiter(checksums, np.uint64, len(words))

    count = len(words) - SHINGLE_WORDS + 1
    shingles = np.zeros(count, dtype=np.uint64)
    for start in range(SHINGLE_WORDS):
        words_from_start = word_hashes[start : start + count]
        shingles = (shingles ^ words_from_start) * _FNV_PRIME
    mixed = shingles ^ (shingles >> _HALF_BITS)
    folded = mixed & _LOW_HALF
    hashes = np.unique(folded.astype(np.uint32))

    minimum = signature(hashes[:_CHUNK])
    for start in range(_CHUNK, len(hashes), _CHUNK):
        chunk = hashes[start : start + _CHUNK]
        minimum = np.minimum(minimum, signature(chunk))
    return minimum


def first_exact_duplicates(digests: NDArray[np.uint64]) -> PageIndices:
    """Return for each page the first with the same digest; a page without text is its
    own.
    """
    count = len(digests)
    indices = np.arange(count)
    first_half, second_half = digests.T
    order = np.lexsort((indices, second_half, first_half))
    ordered = digests[order]
    starts_run = np.ones(count, dtype=bool)
    differs = ordered[1:] != ordered[:-1]
    starts_run[1:] = differs.any(axis=1)
    start_or_zero = np.where(starts_run, indices, 0)
    run_starts = np.maximum.accumulate(start_or_zero)

    first = np.empty(count, dtype=np.int64)
    first[order] = order[run_starts]
    is_empty = ~digests.any(axis=1)
    first[is_empty] = np.flatnonzero(is_empty)
    return first


def first_near_duplicates(
    first: PageIndices, signatures: NDArray[np.uint32]
) -> PageIndices:
    """Return for each page the first of those that are nearly the same, from page to
    page; `first` has those that are the same.

    Pages that share a band of their signatures are compared with the first and with the
    next before them that do.
    """
    leader = first.copy()
    is_first = first == np.arange(len(first))
    has_signature = signatures.any(axis=1)
    candidates = np.flatnonzero(is_first & has_signature)
    for start in range(0, SIGNATURE_SIZE, BAND_ROWS):
        columns = signatures[:, start : start + BAND_ROWS]
        band = columns[candidates].astype(np.uint64)
        order = np.lexsort((candidates, *band.T))
        ordered = band[order]
        same_as_previous = (ordered[1:] == ordered[:-1]).all(axis=1)
        starts_run = np.concatenate(([True], ~same_as_previous))
        ranks = np.arange(len(order))
        start_or_zero = np.where(starts_run, ranks, 0)
        run_starts = np.maximum.accumulate(start_or_zero)

        in_order = candidates[order]
        followers = np.flatnonzero(~starts_run)
        pages = in_order[followers]
        first_of_run = in_order[run_starts[followers]]
        one_before = in_order[followers - 1]
        _link_similar(leader, signatures, pages, first_of_run)
        _link_similar(leader, signatures, pages, one_before)

    for page in range(len(leader)):
        # leaders come before their pages, so one pass resolves chains
        leader[page] = leader[leader[page]]
    return leader


def _link_similar(
    leader: PageIndices,
    signatures: NDArray[np.uint32],
    pages: PageIndices,
    others: PageIndices,
) -> None:
    """Give pages that are similar to an earlier one that page as a leader."""
    for start in range(0, len(pages), _CHUNK):
        left = pages[start : start + _CHUNK]
        right = others[start : start + _CHUNK]
        is_equal = signatures[left] == signatures[right]
        is_similar = is_equal.mean(axis=1) >= MIN_SIMILARITY
        later = np.maximum(left, right)[is_similar]
        earlier = np.minimum(left, right)[is_similar]
        np.minimum.at(leader, later, earlier)


class DuplicateRows:
    """Which pages have the text of an earlier one, and the rows that say so."""

    def __init__(
        self, folder: Path, count: int, kind: Duplicates, describe: DescribePage
    ) -> None:
        self._kind = kind
        self._describe = describe
        self._entries: list[JournalEntry] = []
        starts = [0]
        sketch_bytes = bytearray()
        for number in range(count):
            result = PartitionResult(folder, number)
            self._entries.extend(result.entries())
            starts.append(len(self._entries))
            sketch_bytes += result.extra()
        self._starts = np.array(starts)

        size = TextSketcher(kind).size
        sketches = np.frombuffer(sketch_bytes, dtype=np.uint8).reshape(-1, size)
        digests = np.ascontiguousarray(sketches[:, :DIGEST_BYTES])
        self._first = first_exact_duplicates(digests.view(np.uint64))
        if kind == "near":
            signatures = np.ascontiguousarray(sketches[:, DIGEST_BYTES:])
            self._first = first_near_duplicates(self._first, signatures.view(np.uint32))

    def recount(self, statuses: Counter[str]) -> Counter[str]:
        """Return the number of pages by status, once duplicates have theirs."""
        counts = Counter(statuses)
        pages = np.arange(len(self._first))
        is_duplicate = self._first != pages
        for page in np.flatnonzero(is_duplicate).tolist():
            counts[self._entries[page].status] -= 1
            counts[str(Failure.DUPLICATE)] += 1
        return +counts

    def rewrite(self, partition: int, row: int, line: bytes) -> bytes:
        """Return the row as it is, or without its content where an earlier page has it."""
        page = int(self._starts[partition]) + row
        original = int(self._first[page])
        if original == page:
            return line

        next_start = np.searchsorted(self._starts, original, "right")
        original_partition = int(next_start) - 1
        position = self._entries[original].position
        description = self._describe(original_partition, position)
        same = "the same text"
        if self._kind == "near":
            same = "the same text, or nearly,"
        values = json.loads(line)
        changed = {
            "status": str(Failure.DUPLICATE),
            "reason": f"it has {same} as {description}",
            "text": None,
            "markdown": None,
        }
        has_timings = values["timings"] is not None
        return json_line({**values, **changed}, with_timings=has_timings)
