"""Start-up: what a new process costs before it does anything, beside the libraries that
Scythe stands on.

    python -m benchmarks.startup

CPU time of whole processes, the interpreter's own included: the best of several, every
command in turn, because other work on the machine only ever adds to it.
"""

from __future__ import annotations

import resource
import subprocess
import sys
from collections.abc import Sequence

from benchmarks.common import report, table

ROUNDS = 15
PAGE = "examples/harvest.html"
COMMANDS: dict[str, Sequence[str]] = {
    "import numpy": ("-c", "import numpy"),
    "import turbohtml": ("-c", "import turbohtml"),
    "import scythe": ("-c", "import scythe"),
    "scythe --help": ("-m", "scythe", "--help"),
    f"scythe extract {PAGE}": ("-m", "scythe", "extract", PAGE),
}


def main() -> None:
    best = dict.fromkeys(COMMANDS, float("inf"))
    for _ in range(ROUNDS):
        for name, command in COMMANDS.items():
            best[name] = min(best[name], cpu_seconds(command))
    numpy = best["import numpy"]
    rows = [
        [name, seconds, f"{seconds / numpy:.1f} x"] for name, seconds in best.items()
    ]
    header = ["process", "CPU seconds", "of import numpy"]
    title = f"CPU time of a new process, best of {ROUNDS}"
    report("startup", [table(title, header, rows)], best)


def cpu_seconds(command: Sequence[str]) -> float:
    """Return the CPU time of a Python process with these arguments."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *command], capture_output=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    user = after.ru_utime - before.ru_utime
    return user + after.ru_stime - before.ru_stime


if __name__ == "__main__":
    main()
