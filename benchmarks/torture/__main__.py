"""Run the functions on the pages, print what breaks a promise, and a table.

python -m benchmarks.torture [--functions extract ...] [--json FILE]

Functions may be shared out to processes; `benchmarks.torture.document` puts what their
files hold together into docs/trust.md.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path

from benchmarks.torture.document import summary
from benchmarks.torture.functions import FUNCTIONS
from benchmarks.torture.pages import PAGES
from benchmarks.torture.trial import Trial, run_trial, timed_calls


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", nargs="*", default=list(PAGES), choices=PAGES)
    parser.add_argument(
        "--functions", nargs="*", default=list(FUNCTIONS), choices=FUNCTIONS
    )
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
        if options.json:
            options.json.write_text(json.dumps([asdict(trial) for trial in trials]))
    print(summary(trials))
    sys.exit(any(trial.is_over for trial in trials))


def _line(trial: Trial) -> str:
    what = f"{trial.page} x {trial.function} ({trial.call})"
    return f"{what}: {trial.seconds:.1f} s, {trial.megabytes} MB {trial.error}"


if __name__ == "__main__":
    main()
