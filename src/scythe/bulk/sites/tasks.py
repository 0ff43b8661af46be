"""Pages group by group of one site: what repeats on a site is its own, not the page's.

Every page of a group is parsed twice: once for what it shares with the others, once for
its content. Pages are read from disk each time, so that memory holds one page and the
texts of a group, however large a site is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from scythe.bulk.output.journal import PartitionWriter
from scythe.bulk.output.tables import NO_TIMINGS, complete_row
from scythe.bulk.page import Capture, CrawlPage, Failure, PageEntry, PagePosition
from scythe.bulk.reading.partitions import Partition
from scythe.bulk.sites.extraction import SiteExtraction
from scythe.bulk.sites.staging import StagedPages
from scythe.bulk.workers.extraction import PageExtraction, Row
from scythe.bulk.workers.heartbeat import Heartbeat
from scythe.bulk.workers.tasks import Budget, RowTask, Sketcher
from scythe.errors import ScytheError
from scythe.tree import Tree, parse

_GIVEN_UP = frozenset({Failure.TIME, Failure.MEMORY, Failure.CRASHED})

Group = dict[PagePosition, int]
"""The numbers of the pages of one group, by position in the order of sites."""


def store_groups(
    folder: Path, order: NDArray[np.int64], groups: list[tuple[int, int]]
) -> None:
    """Store which staged pages are of one group."""
    borders = np.array(groups, dtype=np.int64).reshape(-1, 2)
    np.save(folder / "order.npy", order)
    np.save(folder / "groups.npy", borders)


@dataclass(frozen=True)
class SiteTask(RowTask):
    """Extracts groups of staged pages of one site."""

    folder: Path
    budget: Budget
    extraction: SiteExtraction
    staged: Path
    """The folder of staged pages and of what `store_groups` stored."""
    staged_partitions: int
    with_timings: bool = True
    sketcher: Sketcher | None = None

    def process(
        self, partition: Partition, writer: PartitionWriter, heartbeat: Heartbeat
    ) -> None:
        """Extract every group of a partition."""
        order = self._order()
        groups = np.load(self.staged / "groups.npy", mmap_mode="r")
        span = [partition.start, partition.stop]
        starts = groups[:, 0]
        first, last = np.searchsorted(starts, span)
        pages = StagedPages(self.staged, self.staged_partitions)
        for start, stop in groups[first:last].tolist():
            positions = []
            is_done = True
            for offset in range(start, stop):
                position = PagePosition(offset)
                positions.append(position)
                is_done &= position in writer.done
            if is_done:
                continue

            numbers = order[start:stop].tolist()
            group = dict(zip(positions, numbers, strict=True))
            self._process_group(group, pages, writer, heartbeat)

    def _order(self) -> NDArray[np.int64]:
        order: NDArray[np.int64] = np.load(self.staged / "order.npy", mmap_mode="r")
        return order

    def _process_group(
        self,
        group: Group,
        pages: StagedPages,
        writer: PartitionWriter,
        heartbeat: Heartbeat,
    ) -> None:
        parseable = {
            position: number
            for position, number in group.items()
            if writer.done.get(position) not in _GIVEN_UP
        }
        trees = partial(self._trees, parseable, pages, heartbeat)
        extraction = self.extraction.for_group(trees, len(parseable))

        for position, number in group.items():
            if position in writer.done:
                continue
            heartbeat.begin_page(position, str(self.staged))
            rows = self._page_rows(pages.page(number), extraction, heartbeat)
            self.write_rows(writer, position, rows)
            heartbeat.end_page(rows[0]["status"])

    def _page_rows(
        self,
        page: CrawlPage | Row,
        extraction: PageExtraction,
        heartbeat: Heartbeat,
    ) -> list[Row]:
        if not isinstance(page, CrawlPage):
            values = {**page, "timings": NO_TIMINGS}
            return [complete_row(self.extraction.table, values)]

        heartbeat.set_url(page.url)
        load = partial(_identity, page)
        entry = PageEntry(page.source or "", page.position, load)
        return self.extract_rows(entry, extraction)

    def _trees(
        self, group: Group, pages: StagedPages, heartbeat: Heartbeat
    ) -> Iterator[tuple[str | None, Tree]]:
        """Yield every page that can be parsed, announced while the caller works on it."""
        for position, number in group.items():
            heartbeat.begin_page(position, str(self.staged))
            page = pages.page(number)
            if isinstance(page, CrawlPage):
                heartbeat.set_url(page.url)
                try:
                    tree = parse(page.html, self.extraction.limits, page.charset)
                except (ScytheError, MemoryError):
                    tree = None
                if tree is not None:
                    yield page.url, tree
            heartbeat.end_page()

    def write_failure(self, writer: PartitionWriter, row: Row) -> None:
        """Write the row of a page that was given up, with where it was read."""
        position = PagePosition(row["offset"], row["inner"])
        number = int(self._order()[position.offset])
        pages = StagedPages(self.staged, self.staged_partitions)
        origin = pages.origin(number)
        known = {
            name: origin.get(name) for name in ("url", "source", "offset", "inner")
        }
        capture = Capture(*origin.get("capture", ()))
        known.update(capture._asdict())
        complete = complete_row(self.extraction.table, {**row, **known})
        self.write_rows(writer, position, [complete])


def _identity(page: CrawlPage) -> CrawlPage:
    return page
