"""Pages group by group of one site: what repeats on a site is its own, not the page's.

Every page of a group is looked at twice: once for what it shares with the others, once
for its content. Pages are read from disk each time, so that memory holds one page and
the texts of a group, however large a site is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from scythe.bulk.output.tables import NO_TIMINGS, whole_row
from scythe.bulk.page import CrawlPage, Entry, Failure, Position
from scythe.bulk.reading.slices import Slice
from scythe.bulk.sites.site_pages import GroupWork
from scythe.bulk.sites.spill import Spilled
from scythe.bulk.workers.board import Board
from scythe.bulk.workers.journal import PartWriter
from scythe.bulk.workers.worker import Budget, Noting, Sketcher
from scythe.errors import ScytheError
from scythe.tree import Tree, parse

MOST_PAGES = 500
"""Pages of a group: what repeats on a site repeats within so many, whose texts take
some 50 MB.
"""

_GIVEN_UP = frozenset({Failure.TIME, Failure.MEMORY, Failure.CRASHED})


@dataclass(frozen=True)
class SiteJob(Noting):
    """Groups of pages of one site, from what was spilled."""

    folder: Path
    budget: Budget
    pages: GroupWork
    spilled: Path
    """The folder of spilled pages; `order.npy` and `groups.npy` in it say which are of
    one group.
    """
    parts: int
    timed: bool = True
    sketches: Sketcher | None = None

    def work(self, part: Slice, writer: PartWriter, board: Board) -> None:
        """Do every group of a slice."""
        order = np.load(self.spilled / "order.npy", mmap_mode="r")
        groups = np.load(self.spilled / "groups.npy", mmap_mode="r")
        spilled = Spilled(self.spilled, self.parts)
        first, last = np.searchsorted(groups[:, 0], [part.start, part.stop])
        for start, stop in groups[first:last].tolist():
            places = [Position(place) for place in range(start, stop)]
            if all(place in writer.done for place in places):
                continue
            numbers = order[start:stop].tolist()
            self._group(dict(zip(places, numbers, strict=True)), spilled, writer, board)

    def _group(
        self,
        numbers: dict[Position, int],
        spilled: Spilled,
        writer: PartWriter,
        board: Board,
    ) -> None:
        good = {
            place: number
            for place, number in numbers.items()
            if writer.done.get(place) not in _GIVEN_UP
        }
        work = self.pages.of_group(lambda: self._trees(good, spilled, board), len(good))
        for place, number in numbers.items():
            if place in writer.done:
                continue
            board.begin(place, str(self.spilled))
            found = spilled.page(number)
            if isinstance(found, CrawlPage):
                board.name(found.url)
                rows = self.extracted(
                    Entry(found.source or "", found.position, partial(_same, found)),
                    work,
                )
            else:
                rows = [whole_row(self.pages.table, {**found, "timings": NO_TIMINGS})]
            self.note(writer, place, rows)
            board.end(rows[0]["status"])

    def _trees(
        self, numbers: dict[Position, int], spilled: Spilled, board: Board
    ) -> Iterator[tuple[str | None, Tree]]:
        """Every page that can be parsed, announced while whoever asked for it works on
        it.
        """
        for place, number in numbers.items():
            board.begin(place, str(self.spilled))
            found = spilled.page(number)
            if isinstance(found, CrawlPage):
                board.name(found.url)
                try:
                    tree = parse(found.html, self.pages.limits, found.charset)
                except (ScytheError, MemoryError):
                    tree = None
                if tree is not None:
                    yield found.url, tree
            board.end()

    def failed(self, part: Slice, writer: PartWriter, row: dict[str, Any]) -> None:
        """The row of a page that was given up, with the place where it was read."""
        place = Position(row["offset"], row["inner"])
        number = int(np.load(self.spilled / "order.npy", mmap_mode="r")[place.offset])
        about = Spilled(self.spilled, self.parts).place(number)
        known = {name: about.get(name) for name in ("url", "source", "offset", "inner")}
        self.note(writer, place, [whole_row(self.pages.table, {**row, **known})])


def _same(page: CrawlPage) -> CrawlPage:
    return page
