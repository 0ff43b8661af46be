"""Two workers against one on a machine that others use too: at the same time, so that
what disturbs one disturbs the other.
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

FIRST_PAGES = 30
"""Pages that each run has done before counting begins: by then all processes have
started.
"""


def speedup(crawl: Path, folder: Path) -> float:
    """Return how many pages a run with two workers does while one with a single worker
    does one.
    """
    runs = {
        workers: _start(crawl, folder / f"side-{workers}.jsonl", workers)
        for workers in (1, 2)
    }
    try:
        while min(_pages(folder, workers) for workers in runs) < FIRST_PAGES:
            time.sleep(0.05)
        before = {workers: _pages(folder, workers) for workers in runs}
        after = before
        while all(run.poll() is None for run in runs.values()):
            after = {
                workers: _pages(folder, workers) or after[workers] for workers in runs
            }
            time.sleep(0.05)
    finally:
        for run in runs.values():
            run.terminate()
            run.wait()
    return (after[2] - before[2]) / max(after[1] - before[1], 1)


def _start(crawl: Path, out: Path, workers: int) -> subprocess.Popen[bytes]:
    command = [
        sys.executable,
        "-m",
        "scythe",
        "bulk",
        str(crawl),
        "-o",
        str(out),
        "-j",
        str(workers),
        "--restart",
    ]
    return subprocess.Popen(command, stderr=subprocess.DEVNULL)


def _pages(folder: Path, workers: int) -> int:
    """Return the pages that a run has done, by its journals."""
    found = 0
    for path in (folder / f".side-{workers}.jsonl.scythe-run" / "parts").glob(
        "*.[jd]o*"
    ):
        try:
            found += path.read_bytes().count(b"\n")
        except OSError:
            continue
    return found
