"""What a machine itself allows: the same plain loop in one process, then in two at
once, with nothing of bulk in between.

Two cores of a virtual machine may be two threads of one core: then no program does
twice the work with both.
"""

from __future__ import annotations

import subprocess
import sys
import time
from itertools import islice
from pathlib import Path

PAGES = 200


def own_speedup(crawl: Path, rounds: int) -> float:
    """Return how many times the work of one process two independent ones do, the best
    of some rounds of each.
    """
    alone = min(max(_loops(crawl, 1)) for _ in range(rounds))
    together = min(max(_loops(crawl, 2)) for _ in range(rounds))
    return 2 * alone / together


def _loops(crawl: Path, number: int) -> list[float]:
    command = [sys.executable, "-m", "benchmarks.machine", str(crawl)]
    loops = [
        subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        for _ in range(number)
    ]
    for loop in loops:
        assert loop.stdout
        loop.stdout.readline()  # it is ready
    for loop in loops:
        assert loop.stdin
        loop.stdin.write("\n")
        loop.stdin.flush()
    return [float(loop.communicate()[0]) for loop in loops]


def main() -> None:
    from scythe.bulk import InputOptions, extract_page
    from scythe.bulk.reading.files import file_state
    from scythe.bulk.reading.partitions import Input, divide_inputs, read_partition

    reading = InputOptions(partition_bytes=1 << 40)
    (part,) = divide_inputs([Input("warc", file_state(sys.argv[1]))], reading)
    pages = [entry.load() for entry in islice(read_partition(part, reading), PAGES)]
    for page in pages[:20]:
        extract_page(page)
    print("ready", flush=True)
    sys.stdin.readline()
    began = time.perf_counter()
    for page in pages:
        extract_page(page)
    print(time.perf_counter() - began, flush=True)


if __name__ == "__main__":
    main()
