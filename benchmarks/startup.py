"""Start-up: seconds to import scythe, beside the libraries that it stands on.

python -m benchmarks.startup
"""

from __future__ import annotations

import subprocess
import sys
from statistics import median

from benchmarks.common import report, table

ROUNDS = 15
IMPORTS = ("numpy", "turbohtml", "numpy, turbohtml", "scythe")
_TIMED = "import time; start = time.perf_counter(); import {}; print(time.perf_counter() - start)"


def main() -> None:
    seconds: dict[str, list[float]] = {name: [] for name in IMPORTS}
    for _ in range(ROUNDS):
        for name in IMPORTS:
            done = subprocess.run(
                [sys.executable, "-c", _TIMED.format(name)],
                capture_output=True,
                check=True,
                text=True,
            )
            seconds[name].append(float(done.stdout))
    rows = [[name, min(found), median(found)] for name, found in seconds.items()]
    report(
        "startup",
        [
            table(
                f"Seconds to import, {ROUNDS} new processes each",
                ["import", "best", "median"],
                rows,
            )
        ],
        seconds,
    )


if __name__ == "__main__":
    main()
