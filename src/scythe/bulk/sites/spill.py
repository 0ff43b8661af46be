"""Pages on disk, in the order in which they were read, each to be had by its number:
the first half of working by site.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scythe.bulk.page import CrawlPage, Position
from scythe.bulk.reading.slices import Reading, Slice
from scythe.bulk.workers.board import Board
from scythe.bulk.workers.extraction import failure
from scythe.bulk.workers.journal import Part, PartWriter
from scythe.bulk.workers.worker import Budget, announced, readable
from scythe.content.status import Status
from scythe.urls import registered_domain

KEY = 8
"""Bytes of a site's key."""
_LEVEL = 1
"""Of compression: pages come to a fifth, at a tenth of the time that extracting them
takes.
"""


@dataclass(frozen=True)
class SpillJob:
    """Writes pages down with the key of their site."""

    folder: Path
    budget: Budget
    reading: Reading

    @property
    def extra_size(self) -> int:
        """A key."""
        return KEY

    def work(self, part: Slice, writer: PartWriter, board: Board) -> None:
        """Write down every page that is not yet."""
        for entry in readable(part, self.reading, writer.last):
            if entry.position in writer.done:
                continue
            board.begin(entry.position, entry.source)
            place = {
                "source": entry.source,
                "offset": entry.position.offset,
                "inner": entry.position.inner,
            }
            try:
                page = announced(entry, board).load()
                self._add(writer, entry.position, page, place)
            except Exception as error:
                self._add_failure(writer, entry.position, {**place, **failure(error)})
            board.end(writer.done[entry.position])

    def failed(self, part: Slice, writer: PartWriter, row: dict[str, Any]) -> None:
        """Write down that there is no page."""
        self._add_failure(writer, Position(row["offset"], row["inner"]), row)

    def _add(
        self,
        writer: PartWriter,
        position: Position,
        page: CrawlPage,
        place: dict[str, Any],
    ) -> None:
        is_text = isinstance(page.html, str)
        html = (
            page.html.encode("utf-8", "surrogatepass")
            if isinstance(page.html, str)
            else page.html
        )
        about = {
            **place,
            "url": page.url,
            "charset": page.charset,
            "note": page.note,
            "is_text": is_text,
        }
        site = registered_domain(page.url)
        key = (
            blake2b(site.encode("utf-8", "replace"), digest_size=KEY).digest()
            if site
            else bytes(KEY)
        )
        writer.add(position, [_packed(about, html)], str(Status.OK), key)

    def _add_failure(
        self, writer: PartWriter, position: Position, row: dict[str, Any]
    ) -> None:
        writer.add(
            position, [_packed({"failure": row}, b"")], str(row["status"]), bytes(KEY)
        )


def _packed(about: dict[str, Any], html: bytes) -> bytes:
    return zlib.compress(json.dumps(about).encode() + b"\n" + html, _LEVEL)


class Spilled:
    """The pages of all parts, by number."""

    def __init__(self, folder: Path, count: int) -> None:
        self._parts = [Part(folder, number) for number in range(count)]
        self._ends: dict[int, list[int]] = {}
        sizes = [
            part.extra_path.stat().st_size // KEY if part.extra_path.exists() else 0
            for part in self._parts
        ]
        self._starts = np.cumsum([0, *sizes])

    def keys(self) -> NDArray[np.uint64]:
        """The key of each page's site, 0 where it has none."""
        data = b"".join(
            part.extra_path.read_bytes()
            for part in self._parts
            if part.extra_path.exists()
        )
        return np.frombuffer(data, dtype=np.uint64)

    def place(self, number: int) -> dict[str, Any]:
        """Where a page was read, with its address, or why there is none."""
        about, _ = self._read(number)
        return dict(about.get("failure") or about)

    def page(self, number: int) -> CrawlPage | dict[str, Any]:
        """A page, or the part of a row that says why there is none."""
        about, html = self._read(number)
        if "failure" in about:
            return dict(about["failure"])
        content = html.decode("utf-8", "surrogatepass") if about["is_text"] else html
        position = Position(about["offset"], about["inner"])
        return CrawlPage(
            content,
            about["url"],
            about["charset"],
            about["source"],
            position,
            about["note"],
        )

    def _read(self, number: int) -> tuple[dict[str, Any], bytes]:
        part = int(np.searchsorted(self._starts, number, "right")) - 1
        if part not in self._ends:
            self._ends = {part: [0, *(line.end for line in self._parts[part].lines())]}
        ends, row = self._ends[part], number - int(self._starts[part])
        with self._parts[part].rows_path.open("rb") as file:
            file.seek(ends[row])
            data = zlib.decompress(file.read(ends[row + 1] - ends[row]))
        about, _, html = data.partition(b"\n")
        return json.loads(about), html


def groups_of(
    keys: NDArray[np.uint64], most: int
) -> tuple[NDArray[np.int64], list[tuple[int, int]]]:
    """The numbers of pages in the order of their sites, and where in it each group of
    pages of one site begins and ends.

    Sites come in the order of their first pages; a site of more than `most` pages is
    several groups of about the same size. Pages without a site are groups of their own.
    """
    count = len(keys)
    unique = keys.copy()
    nowhere = np.flatnonzero(keys == 0)
    _, first, inverse = np.unique(unique, return_index=True, return_inverse=True)
    rank = first[inverse].astype(np.int64)
    rank[nowhere] = nowhere
    order = np.argsort(rank, kind="stable")
    borders = (
        [0, *(np.flatnonzero(np.diff(rank[order])) + 1).tolist(), count]
        if count
        else [0]
    )
    groups: list[tuple[int, int]] = []
    for start, stop in pairwise(borders):
        number = -(-(stop - start) // most)
        cuts = np.linspace(start, stop, number + 1).astype(int).tolist()
        groups.extend(pairwise(cuts))
    return order, groups


def slices_of(groups: Sequence[tuple[int, int]], source: str, most: int) -> list[Slice]:
    """Groups put together to slices of about as many pages as the largest group may
    have.
    """
    slices: list[Slice] = []
    start = 0
    for place, (_, stop) in enumerate(groups):
        following = groups[place + 1][1] if place + 1 < len(groups) else None
        if following is None or following - start > most:
            slices.append(
                Slice(len(slices), "sites", source, start, stop, stop - start)
            )
            start = stop
    return slices
