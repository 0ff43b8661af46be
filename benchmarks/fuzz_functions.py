"""Every function that reads pages, on pages nobody wrote.

python -m benchmarks.fuzz_functions [DATA] --seconds 3600 [--seed 0]

Pages are those of `benchmarks.fuzz_parser`: markup drawn at random, bytes, and real pages
cut, spliced and strewn with markup. Each is given to a function of `benchmarks.torture`,
one after the other; an exception that is no `ScytheError` is printed with its page. The
counts of every seed are kept: docs/benchmarks.md has their sum.
"""

from __future__ import annotations

import argparse
from itertools import cycle
from pathlib import Path

from benchmarks.fuzz_counts import Kind, Run, shown
from benchmarks.fuzz_parser import Pages
from benchmarks.torture.functions import FUNCTIONS
from benchmarks.torture.trial import MAX_SECONDS, timed_calls

KIND = Kind(
    "fuzz_functions",
    "All functions on mutated pages",
    ("calls", "foreign errors", "too long"),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", nargs="?", type=Path, help="a folder of pages")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    run = Run(KIND, options.seed, options.seconds)
    fuzz(Pages(options.data, options.seed), run)
    print(shown(run.counts))
    if run.counts["foreign errors"] or run.counts["too long"]:
        raise SystemExit(1)


def fuzz(pages: Pages, run: Run) -> None:
    """Call one function after the other for as long as a run goes on."""
    for function in cycle(FUNCTIONS):
        if not run.goes_on():
            break
        html = pages.draw().text
        found = timed_calls(html, function)
        run.counts["calls"] += 1
        if found["error"]:
            run.counts["foreign errors"] += 1
            print(f"{function}: {found['error']}: {html!r}", flush=True)
        if float(str(found["seconds"])) > MAX_SECONDS:
            run.counts["too long"] += 1
            print(f"{function}: {found}: {html!r}", flush=True)


if __name__ == "__main__":
    main()
