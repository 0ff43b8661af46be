"""Content speed: CPU time a page in one thread, extractors interleaved; growth with the page; peak memory.

python -m benchmarks.speed [DATA] [--pages 300]

Times are ratios to parsing alone (turbohtml, bytes to its own tree) and to each peer, in the same run: the machine may be
busy, its clock may change, the ratio hardly does.
"""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks.common import arguments, content_pages, report, table
from benchmarks.extractors import Extract, installed

REPEATS = 3
GROWTH_KB = (10, 100, 1_000, 10_000)


def main() -> None:
    parser = arguments("Speed of our methods and of the peers.")
    parser.add_argument("--pages", type=int, default=300, help="how many random pages of wcxb")
    parser.add_argument("--only", nargs="+", help="names of extractors, all others are left out")
    options = parser.parse_args()
    pages = [page.html for page in content_pages(options.data, "wcxb")]
    pages = random.Random(0).sample(pages, min(options.pages, len(pages)))
    extractors = {"parse only": parse_only} | {n: e for n, e in installed().items() if not options.only or n in options.only}
    times = interleaved(extractors, pages)
    tables = [_times_table(times, len(pages))]
    ours = [name for name in extractors if name.startswith("scythe")]
    growth = {name: [per_megabyte(extractors[name], kilobytes) for kilobytes in GROWTH_KB] for name in ["parse only", *ours]}
    tables.append(table("CPU ms per MB on pages of growing size", ["extractor", *(f"{kb:,} KB" for kb in GROWTH_KB)],
                        [[name, *(round(value, 1) for value in row)] for name, row in growth.items()]))  # fmt: skip
    memory = {name: peak_memory(name.removeprefix("scythe ")) for name in ours}
    tables.append(table("Peak memory beyond the start, in multiples of a 10 MB page", ["extractor", "multiple"],
                        [[name, round(value, 1)] for name, value in memory.items()]))  # fmt: skip
    report("speed", tables, {"ms": times, "growth": growth, "memory": memory})


def parse_only(html: bytes) -> str:
    import turbohtml

    turbohtml.parse(html)
    return ""


def interleaved(extractors: dict[str, Extract], pages: Sequence[bytes]) -> dict[str, float]:
    """Mean CPU milliseconds a page; of each page the best of three rounds, every extractor in turn on the same page."""
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


def per_megabyte(extract: Callable[[bytes], str], kilobytes: int) -> float:
    """CPU milliseconds per MB on a made-up page of the given size."""
    html = made_up_page(kilobytes)
    return 1000 * min(cpu_seconds(extract, html) for _ in range(REPEATS)) / (len(html) / 1e6)


def made_up_page(kilobytes: int) -> bytes:
    """Navigation, script and paragraphs, repeated to the size wanted: 38 bytes a node, denser than real pages are."""
    section = (
        "<section class='section section--wide js-track' data-module='teaser' data-index='17' style='margin:0 auto'>"
        "<ul class='nav nav--inline nav--small'>"
        "<li class='nav__item nav__item--first'><a class='nav__link' href='/a/first'>First</a></li>"
        "<li class='nav__item'><a class='nav__link' href='/b/second'>Second</a></li></ul>\n"
        "<script>window.dataLayer=window.dataLayer||[];window.dataLayer.push({event:'section',name:'harvest',index:17,"
        "visible:true,variants:['a','b','c'],ratio:0.25,labels:{first:'First',second:'Second'}});"
        "document.documentElement.className+=' has-script';"
        "setTimeout(function(){window.measure&&window.measure('section')},500);</script>\n"
        "<h2 class='heading heading--2' id='the-harvest'>The harvest</h2>\n<div class='text text--body'>"
        "<p class='text__paragraph'>They cut the <b>barley</b> first, then the wheat, and rested at noon. "
        "The <a class='link' href='/oats'>oats</a> were left for the week after, as every year.</p>\n"
        "<p class='text__paragraph'>By the evening of the third day, all was in the barn; the rain came an hour later.</p>"
        "</div></section>\n"
    )
    return (
        "<html><head><title>Harvest</title></head><body>" + section * max(kilobytes * 1000 // len(section), 1) + "</body></html>"
    ).encode()


def peak_memory(method: str) -> float:
    """Peak resident memory of a fresh process that extracts a 10 MB page, less that of one that extracts a small page."""
    peaks = [
        int(
            subprocess.run(
                [sys.executable, "-m", "benchmarks.speed_memory", method, str(kb)], check=True, capture_output=True
            ).stdout
        )
        for kb in (10, 10_000)
    ]
    return (peaks[1] - peaks[0]) / 10_000_000


def _times_table(times: dict[str, float], pages: int) -> str:
    parse = times["parse only"]
    fastest_of_ours = min(ms for name, ms in times.items() if name.startswith("scythe"))
    rows = [
        [name, round(ms, 2), f"{ms / parse:.1f} x", f"{ms / fastest_of_ours:.1f} x"]
        for name, ms in sorted(times.items(), key=lambda i: i[1])
    ]
    return table(f"CPU time a page, {pages} random pages of wcxb", ["extractor", "ms", "of parsing", "of our fastest"], rows)


def resident_peak() -> int:
    """Peak resident memory of this process in bytes, from the kernel: `getrusage` would count the parent's as well."""
    status = Path("/proc/self/status").read_text("ascii")
    return 1024 * int(status.partition("VmHWM:")[2].split()[0])


if __name__ == "__main__":
    main()
