"""How cost grows with the page: CPU time per MB from 10 KB to 10 MB, and peak memory.

python -m benchmarks.growth
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from benchmarks.common import report, table
from benchmarks.extractors import OURS, Extract
from benchmarks.speed import REPEATS, cpu_seconds, parse_only

SIZES_KB = (10, 100, 1_000, 10_000)


def main() -> None:
    extractors = {"parse only": parse_only} | OURS
    growth = {
        name: [per_megabyte(extract, size) for size in SIZES_KB]
        for name, extract in extractors.items()
    }
    memory = {name: peak_memory(name.removeprefix("scythe ")) for name in OURS}
    rows = [
        [name, *(round(value, 1) for value in values), f"{values[0] / values[1]:.1f} x"]
        for name, values in growth.items()
    ]
    tables = [
        table(
            "CPU ms per MB on pages of growing size",
            ["extractor", *(f"{size:,} KB" for size in SIZES_KB), "10 KB to 100 KB"],
            rows,
        ),
        table(
            "Peak memory beyond that of a small page, in multiples of a 10 MB page",
            ["extractor", "multiple"],
            [[name, round(value, 1)] for name, value in memory.items()],
        ),
    ]
    report("growth", tables, {"ms per MB": growth, "memory": memory})


def per_megabyte(extract: Extract, kilobytes: int) -> float:
    """Return CPU milliseconds per MB on a made-up page of the given size: the best of
    some rounds, of as many more as the page is small.
    """
    html = made_up_page(kilobytes)
    rounds = max(REPEATS, SIZES_KB[-2] // kilobytes)
    seconds = min(cpu_seconds(extract, html) for _ in range(rounds))
    return 1000 * seconds / (len(html) / 1e6)


def made_up_page(kilobytes: int) -> bytes:
    """Return a page of navigation, script and paragraphs, repeated to a size: 38 bytes a node,
    denser than real pages are.
    """
    section = (
        "<section class='section section--wide js-track' data-module='teaser' "
        "data-index='17' style='margin:0 auto'>"
        "<ul class='nav nav--inline nav--small'>"
        "<li class='nav__item nav__item--first'><a class='nav__link' href='/a/first'>First</a></li>"
        "<li class='nav__item'><a class='nav__link' href='/b/second'>Second</a></li></ul>\n"
        "<script>window.dataLayer=window.dataLayer||[];"
        "window.dataLayer.push({event:'section',name:'harvest',index:17,"
        "visible:true,variants:['a','b','c'],ratio:0.25,labels:{first:'First',second:'Second'}});"
        "document.documentElement.className+=' has-script';"
        "setTimeout(function(){window.measure&&window.measure('section')},500);</script>\n"
        "<h2 class='heading heading--2' id='the-harvest'>The harvest</h2>\n"
        "<div class='text text--body'>"
        "<p class='text__paragraph'>They cut the <b>barley</b> first, then the wheat, "
        "and rested at noon. "
        "The <a class='link' href='/oats'>oats</a> were left for the week after, "
        "as every year.</p>\n"
        "<p class='text__paragraph'>By the evening of the third day, all was in the barn; "
        "the rain came an hour later.</p>"
        "</div></section>\n"
    )
    return (
        "<html><head><title>Harvest</title></head><body>"
        + section * max(kilobytes * 1000 // len(section), 1)
        + "</body></html>"
    ).encode()


def peak_memory(method: str) -> float:
    """Return peak resident memory of a fresh process that extracts a 10 MB page, less
    that of one that extracts a small page.
    """
    peaks = [
        int(
            subprocess.run(
                [sys.executable, "-m", "benchmarks.speed_memory", method, str(kb)],
                check=True,
                capture_output=True,
            ).stdout
        )
        for kb in (10, 10_000)
    ]
    return (peaks[1] - peaks[0]) / 10_000_000


def resident_peak() -> int:
    """Return peak resident memory of this process in bytes, from the kernel:
    `getrusage` would count the parent's as well.
    """
    status = Path("/proc/self/status").read_text("ascii")
    return 1024 * int(status.partition("VmHWM:")[2].split()[0])


if __name__ == "__main__":
    main()
