"""Content speed: CPU time a page in one thread, extractors interleaved.

python -m benchmarks.speed [DATA] [--pages 300]

Times are ratios to parsing alone (turbohtml, bytes to its own tree) and to each peer,
in the same run: the machine may be busy, its clock may change, the ratio hardly does.
"""

from __future__ import annotations

import random
import time
from collections.abc import Sequence

from benchmarks.common import arguments, content_pages, report, table
from benchmarks.extractors import Extract, installed

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
    extractors = {"parse only": parse_only} | {
        n: e for n, e in installed().items() if not options.only or n in options.only
    }
    times = interleaved(extractors, pages)
    tables = [_times_table(times, len(pages))]
    report("speed", tables, {"ms": times})


def parse_only(html: bytes) -> str:
    import turbohtml

    turbohtml.parse(html)
    return ""


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
    parse = times["parse only"]
    fastest_of_ours = min(ms for name, ms in times.items() if name.startswith("scythe"))
    rows = [
        [name, round(ms, 2), f"{ms / parse:.1f} x", f"{ms / fastest_of_ours:.1f} x"]
        for name, ms in sorted(times.items(), key=lambda i: i[1])
    ]
    return table(
        f"CPU time a page, {pages} random pages of wcxb",
        ["extractor", "ms", "of parsing", "of our fastest"],
        rows,
    )


if __name__ == "__main__":
    main()
