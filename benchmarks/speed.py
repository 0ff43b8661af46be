"""Content speed: CPU time a page in one thread, extractors interleaved.

python -m benchmarks.speed [DATA] [--pages 300]

Times are ratios to parsing alone (turbohtml, bytes to its own tree) and to each peer,
in the same run: the machine may be busy, its clock may change, the ratio hardly does.
Where the compiled core was built, ours have a second row with it.
"""

from __future__ import annotations

import os
import random
import time
from collections.abc import Sequence

from benchmarks.common import arguments, content_pages, report, table
from benchmarks.extractors import Extract, installed
from scythe.core.library import is_built

REPEATS = 3


def main() -> None:
    parser = arguments("Speed of our methods and of the peers.")
    parser.add_argument(
        "--pages", type=int, default=300, help="how many random pages of wcxb"
    )
    parser.add_argument(
        "--only", nargs="+", help="names of extractors, all others are left out"
    )
    options = parser.parse_args()
    pages = [page.html for page in content_pages(options.data, "wcxb")]
    pages = random.Random(0).sample(pages, min(options.pages, len(pages)))
    extractors: dict[str, Extract] = {"scythe tree": tree_only, **installed()}
    if options.only:
        extractors = {name: extractors[name] for name in options.only}
    os.environ["SCYTHE_CORE"] = "0"
    if is_built():
        ours = [name for name in extractors if name.startswith("scythe")]
        extractors |= {f"{name}, core": with_core(extractors[name]) for name in ours}
    extractors["parse only"] = parse_only
    times = interleaved(extractors, pages)
    tables = [_times_table(times, len(pages))]
    report("speed", tables, {"ms": times})


def parse_only(html: bytes) -> str:
    import turbohtml

    turbohtml.parse(html)
    return ""


def tree_only(html: bytes) -> str:
    import scythe

    scythe.parse(html)
    return ""


def with_core(extract: Extract) -> Extract:
    """Return an extractor that works with the compiled core."""

    def extract_with_core(html: bytes) -> str:
        os.environ["SCYTHE_CORE"] = "1"
        try:
            return extract(html)
        finally:
            os.environ["SCYTHE_CORE"] = "0"

    return extract_with_core


def interleaved(
    extractors: dict[str, Extract], pages: Sequence[bytes]
) -> dict[str, float]:
    """Return mean CPU milliseconds a page; of each page the best of three rounds, every
    extractor in turn on the same page.
    """
    totals = dict.fromkeys(extractors, 0.0)
    for html in pages:
        best = dict.fromkeys(extractors, float("inf"))
        for _ in range(REPEATS):
            for name, extract in extractors.items():
                best[name] = min(best[name], cpu_seconds(extract, html))
        for name, seconds in best.items():
            totals[name] += seconds
    return {name: 1000 * total / len(pages) for name, total in totals.items()}


def cpu_seconds(extract: Extract, html: bytes) -> float:
    start = time.process_time()
    try:
        extract(html)
    except Exception:
        pass
    return time.process_time() - start


def _times_table(times: dict[str, float], pages: int) -> str:
    peers = [times["parse only"], times["resiliparse"], times["trafilatura"]]
    rows = []
    for name, ms in sorted(times.items(), key=lambda pair: pair[1]):
        parsing, resiliparse, trafilatura = [ms / peer for peer in peers]
        ratios = (f"{parsing:.1f} x", f"{resiliparse:.2f}", f"{trafilatura:.3f}")
        rows.append([name, round(ms, 2), *ratios])
    return table(
        f"CPU time a page, {pages} random pages of wcxb",
        ["extractor", "ms", "of parsing", "of resiliparse", "of trafilatura"],
        rows,
    )


if __name__ == "__main__":
    main()
