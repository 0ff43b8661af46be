"""The rows of a crawl in the caller's own process, for engines that start and watch
processes themselves.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from scythe.bulk.reading.partitions import InputOptions, divide_inputs, find_inputs
from scythe.bulk.workers.extraction import (
    DEFAULT_EXTRACTION,
    PageExtraction,
    Row,
    entry_rows,
)
from scythe.bulk.workers.tasks import readable_entries
from scythe.errors import UsageError

DEFAULT_INPUTS = InputOptions()


def iterate_rows(
    inputs: Sequence[str | Path],
    extraction: PageExtraction = DEFAULT_EXTRACTION,
    options: InputOptions = DEFAULT_INPUTS,
    *,
    share: tuple[int, int] = (0, 1),
) -> Iterator[Row]:
    """Yield the rows of every page of the inputs, in their order.

    `share` is a number and a count: of so many processes that are given the same inputs,
    each reads its own part of them. A page has no budget here, and nothing is written:
    for both there is `run`.
    """
    number, count = share
    if not 0 <= number < count:
        raise UsageError(
            f"There is no share {number} of {count}. Give 0 to {count - 1}."
        )
    with tempfile.TemporaryDirectory(prefix="scythe-") as folder:
        names = [str(name) for name in inputs]
        files = find_inputs(names, Path(folder) / "files.list")
        partitions = divide_inputs(files, options)
        for partition in partitions[number::count]:
            for entry in readable_entries(partition, options, None):
                yield from entry_rows(entry, extraction)
