"""Run the functions on the pages, print what breaks a promise, and a table."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from benchmarks.torture.functions import FUNCTIONS
from benchmarks.torture.pages import PAGES
from benchmarks.torture.trial import (
    MAX_MEGABYTES,
    MAX_SECONDS,
    Trial,
    run_trial,
    timed_calls,
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", nargs="*", default=list(PAGES), choices=PAGES)
    parser.add_argument("--functions", nargs="*", default=list(FUNCTIONS))
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--json", type=Path, help="a file for the figures")
    options = parser.parse_args()
    for function in options.functions:  # children find everything loaded
        timed_calls(PAGES["posts"](0), function)
    trials = []
    for page in options.pages:
        for function in options.functions:
            trial = run_trial(page, function, options.scale)
            trials.append(trial)
            if trial.is_over:
                print(_line(trial), flush=True)
    print(summary(trials))
    if options.json:
        options.json.write_text(json.dumps([asdict(trial) for trial in trials]))
    sys.exit(any(trial.is_over for trial in trials))


def _line(trial: Trial) -> str:
    what = f"{trial.page} x {trial.function} ({trial.call})"
    return f"{what}: {trial.seconds:.1f} s, {trial.megabytes} MB {trial.error}"


def summary(trials: Sequence[Trial]) -> str:
    """Return a table with a row a function."""
    lines = [
        "| function | pages | longest call, s | on | most memory, MB | over | foreign errors |",
        "|---|---|---|---|---|---|---|",
    ]
    for function in dict.fromkeys(trial.function for trial in trials):
        of_function = [trial for trial in trials if trial.function == function]
        longest = max(of_function, key=lambda trial: trial.seconds)
        memory = max(trial.megabytes for trial in of_function)
        over = sum(trial.is_over for trial in of_function)
        errors = sum(bool(trial.error) for trial in of_function)
        lines.append(
            f"| {function} | {len(of_function)} | {longest.seconds:.1f} "
            f"| {longest.page} | {memory} | {over} | {errors} |"
        )
    over = sum(trial.is_over for trial in trials)
    lines.append(
        f"\n{len(trials)} trials, {over} beyond {MAX_SECONDS:.0f} s of CPU, "
        f"{MAX_MEGABYTES} MB or with an exception that is no ScytheError"
    )
    return "\n".join(lines)


if __name__ == "__main__":
    main()
