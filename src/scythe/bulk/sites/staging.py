"""Pages on disk, in the order in which they were read, each to be read by its number:
the first step of working by site.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import pairwise, zip_longest
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from scythe.bulk.output.journal import PartitionResult, PartitionWriter
from scythe.bulk.page import Capture, CrawlPage, PageEntry, PagePosition
from scythe.bulk.reading.partitions import InputOptions, Partition
from scythe.bulk.workers.extraction import Row, failure_values
from scythe.bulk.workers.heartbeat import Heartbeat
from scythe.bulk.workers.tasks import Budget, announce_url, readable_entries
from scythe.content.status import Status
from scythe.urls import registered_domain

KEY_BYTES = 8
"""Of a site's key: two of a million sites share one by chance with a probability of 3e-8."""
_COMPRESSION_LEVEL = 1
"""Pages come to a fifth, at a tenth of the time that extracting them takes."""

MAX_GROUP_PAGES = 500
"""Pages of a group: what repeats on a site repeats within so many, whose texts take
some 50 MB.
"""


@dataclass(frozen=True)
class StagingTask:
    """Writes pages to disk with the key of their site."""

    folder: Path
    budget: Budget
    inputs: InputOptions

    @property
    def extra_size(self) -> int:
        """The size of a key."""
        return KEY_BYTES

    def process(
        self, partition: Partition, writer: PartitionWriter, heartbeat: Heartbeat
    ) -> None:
        """Write every page that is not written."""
        for entry in readable_entries(partition, self.inputs, writer.last):
            if entry.position in writer.done:
                continue
            heartbeat.begin_page(entry.position, entry.source)
            try:
                page = announce_url(entry, heartbeat).load()
                self._write_page(writer, entry, page)
            except Exception as error:
                row = {**_origin(entry), **failure_values(error)}
                self.write_failure(writer, row)
            heartbeat.end_page(writer.done[entry.position])

    def _write_page(
        self, writer: PartitionWriter, entry: PageEntry, page: CrawlPage
    ) -> None:
        is_text = isinstance(page.html, str)
        html = page.html
        if isinstance(html, str):
            html = html.encode("utf-8", "surrogatepass")
        header = {
            **_origin(entry),
            "url": page.url,
            "charset": page.charset,
            "note": page.note,
            "is_text": is_text,
            "capture": page.capture,
        }
        packed = _pack(header, html)
        key = _site_key(page.url)
        writer.add(entry.position, [packed], str(Status.OK), key)

    def write_failure(self, writer: PartitionWriter, row: Row) -> None:
        """Write that there is no page, and why."""
        position = PagePosition(row["offset"], row["inner"])
        packed = _pack({"failure": row}, b"")
        no_key = bytes(KEY_BYTES)
        writer.add(position, [packed], str(row["status"]), no_key)


def _origin(entry: PageEntry) -> Row:
    return {
        "source": entry.source,
        "offset": entry.position.offset,
        "inner": entry.position.inner,
    }


def _site_key(url: str | None) -> bytes:
    """Return the key of the site of an address, zeros where it has none."""
    site = registered_domain(url)
    if not site:
        return bytes(KEY_BYTES)
    return blake2b(site.encode("utf-8", "replace"), digest_size=KEY_BYTES).digest()


def _pack(header: Row, html: bytes) -> bytes:
    data = json.dumps(header).encode() + b"\n" + html
    return zlib.compress(data, _COMPRESSION_LEVEL)


class StagedPages:
    """The pages of all partitions, by number."""

    def __init__(self, folder: Path, count: int) -> None:
        self._results = []
        for number in range(count):
            self._results.append(PartitionResult(folder, number))
        self._ends: dict[int, list[int]] = {}
        """Where the pages of the partition last read end in its file."""
        starts = [0]
        for result in self._results:
            pages = 0
            if result.extra_path.exists():
                pages = result.extra_path.stat().st_size // KEY_BYTES
            starts.append(starts[-1] + pages)
        self._starts = np.array(starts)

    def site_keys(self) -> NDArray[np.uint64]:
        """Return the key of each page's site, 0 where it has none."""
        data = bytearray()
        for result in self._results:
            data += result.extra()
        return np.frombuffer(data, dtype=np.uint64)

    def origin(self, number: int) -> Row:
        """Return where a page was read, with its address, or why there is none."""
        header, _ = self._read(number)
        return dict(header.get("failure") or header)

    def page(self, number: int) -> CrawlPage | Row:
        """Return a page, or the columns of a row that say why there is none."""
        header, data = self._read(number)
        if "failure" in header:
            return dict(header["failure"])
        html: bytes | str = data
        if header["is_text"]:
            html = data.decode("utf-8", "surrogatepass")
        return CrawlPage(
            html,
            header["url"],
            header["charset"],
            header["source"],
            PagePosition(header["offset"], header["inner"]),
            header["note"],
            Capture(*header["capture"]),
        )

    def _read(self, number: int) -> tuple[Row, bytes]:
        partitions_begun = np.searchsorted(self._starts, number, "right")
        partition = int(partitions_begun) - 1
        result = self._results[partition]
        if partition not in self._ends:
            page_ends = [entry.end for entry in result.entries()]
            self._ends = {partition: [0, *page_ends]}
        ends = self._ends[partition]
        index = number - int(self._starts[partition])
        start = ends[index]
        end = ends[index + 1]

        with result.rows_path.open("rb") as file:
            file.seek(start)
            data = zlib.decompress(file.read(end - start))
        header, _, html = data.partition(b"\n")
        return json.loads(header), html


def group_by_site(
    keys: NDArray[np.uint64], max_pages: int
) -> tuple[NDArray[np.int64], list[tuple[int, int]]]:
    """Return the numbers of pages in the order of their sites, and where in it each
    group of pages of one site begins and ends.

    Sites come in the order of their first pages; a site of more than `max_pages` pages
    is several groups of about the same size. Pages without a site are groups of their
    own.
    """
    count = len(keys)
    without_site = np.flatnonzero(keys == 0)
    _, first_pages, inverse = np.unique(keys, return_index=True, return_inverse=True)
    rank = first_pages[inverse].astype(np.int64)
    rank[without_site] = without_site
    order = np.argsort(rank, kind="stable")

    borders = [0]
    if count:
        sorted_rank = rank[order]
        changes = np.flatnonzero(np.diff(sorted_rank)) + 1
        borders = [0, *changes.tolist(), count]
    groups: list[tuple[int, int]] = []
    for start, stop in pairwise(borders):
        size = stop - start
        group_count = -(-size // max_pages)
        cuts = np.linspace(start, stop, group_count + 1)
        groups.extend(pairwise(cuts.astype(int).tolist()))
    return order, groups


def group_partitions(
    groups: Sequence[tuple[int, int]], source: str, max_pages: int
) -> list[Partition]:
    """Return groups put together to partitions of about as many pages as the largest
    group may have.
    """
    partitions: list[Partition] = []
    start = 0
    stops = [stop for _, stop in groups]
    for stop, next_stop in zip_longest(stops, stops[1:]):
        if next_stop is None or next_stop - start > max_pages:
            number = len(partitions)
            pages = stop - start
            partition = Partition(number, "sites", source, start, stop, pages)
            partitions.append(partition)
            start = stop
    return partitions
