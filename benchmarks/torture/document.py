"""Put the figures of trials into docs/trust.md.

python -m benchmarks.torture.document torture-1.json torture-2.json

The files are those of `python -m benchmarks.torture --json FILE`, one of each process
that the functions were shared out to.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Sequence
from pathlib import Path

from benchmarks.torture.trial import MAX_MEGABYTES, MAX_SECONDS, Trial

TRUST = Path(__file__).parents[2] / "docs" / "trust.md"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    found = [
        Trial(**trial)
        for file in parser.parse_args().files
        for trial in json.loads(file.read_text("utf-8"))
    ]
    TRUST.write_text(documented(TRUST.read_text("utf-8"), found), "utf-8")


def documented(text: str, trials: Sequence[Trial]) -> str:
    """Return a document with the table and the total of trials at their places."""
    text = _filled(text, "torture total", total(trials))
    return _filled(text, "torture", f"\n\n{summary(trials)}\n\n")


def _filled(text: str, place: str, content: str) -> str:
    start, end = f"<!-- {place} -->", f"<!-- /{place} -->"
    place_pattern = re.compile(f"{re.escape(start)}.*?{re.escape(end)}", re.DOTALL)
    return place_pattern.sub(lambda _: f"{start}{content}{end}", text)


def total(trials: Sequence[Trial]) -> str:
    """Return in a few words how many trials there were, and how many broke a promise."""
    over = sum(trial.is_over for trial in trials)
    errors = sum(bool(trial.error) for trial in trials)
    return f"{len(trials):,} trials, {over} over, {errors} foreign errors"


def summary(trials: Sequence[Trial]) -> str:
    """Return a table with a row a function, and the total."""
    lines = [
        "| function | pages | longest call, s | on | most memory, MB | over |",
        "|---|---|---|---|---|---|",
    ]
    for function in dict.fromkeys(trial.function for trial in trials):
        of_function = [trial for trial in trials if trial.function == function]
        longest = max(of_function, key=lambda trial: trial.seconds)
        memory = max(trial.megabytes for trial in of_function)
        over = sum(trial.is_over for trial in of_function)
        lines.append(
            f"| `{function}` | {len(of_function)} | {longest.seconds:.1f} "
            f"| {longest.page.replace('_', ' ')} | {memory:,} | {over} |"
        )
    promise = f"{MAX_SECONDS:.0f} s of CPU and {MAX_MEGABYTES:,} MB"
    return "\n".join([*lines, "", f"{total(trials)}, of {promise}."])


if __name__ == "__main__":
    main()
