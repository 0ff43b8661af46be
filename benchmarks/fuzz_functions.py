"""Every function that reads pages, on pages nobody wrote.

python -m benchmarks.fuzz_functions [DATA] --seconds 3600 [--seed 0]

Pages are those of `benchmarks.fuzz_parser`: markup drawn at random, bytes, and real pages
cut, spliced and strewn with markup. Each is given to a function of `benchmarks.torture`,
one after the other; an exception that is no `ScytheError` is printed with its page.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from itertools import cycle
from pathlib import Path

from benchmarks.fuzz_parser import Pages
from benchmarks.torture.functions import FUNCTIONS
from benchmarks.torture.trial import MAX_SECONDS, timed_calls


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", nargs="?", type=Path, help="a folder of pages")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    counts = fuzz(Pages(options.data, options.seed), options.seconds)
    print(", ".join(f"{count:,} {name}" for name, count in counts.items()))
    if counts["foreign errors"] or counts["too long"]:
        raise SystemExit(1)


def fuzz(pages: Pages, seconds: float) -> Counter[str]:
    """Call functions for so many CPU seconds; return what was counted."""
    counts: Counter[str] = Counter()
    counts.update({"calls": 0, "foreign errors": 0, "too long": 0})
    start = time.process_time()
    for function in cycle(FUNCTIONS):
        if time.process_time() - start >= seconds:
            break
        html = pages.draw().text
        counts["calls"] += 1
        found = timed_calls(html, function)
        if found["error"]:
            counts["foreign errors"] += 1
            print(f"{function}: {found['error']}: {html!r}", flush=True)
        if float(str(found["seconds"])) > MAX_SECONDS:
            counts["too long"] += 1
            print(f"{function}: {found}: {html!r}", flush=True)
    counts["CPU seconds"] = round(time.process_time() - start)
    return counts


if __name__ == "__main__":
    main()
