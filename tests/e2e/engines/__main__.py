"""Serve the real engines until interrupted, to look at them: `PYTHONPATH=tests/e2e
python -m engines`.
"""

from __future__ import annotations

import signal
import tempfile
from contextlib import ExitStack
from pathlib import Path

from .all import REAL_ENGINES
from .real import missing, running


def main() -> None:
    with (
        tempfile.TemporaryDirectory(prefix="scythe-engines-") as folder,
        ExitStack() as stack,
    ):
        for engine in REAL_ENGINES:
            print(
                missing(engine)
                or stack.enter_context(running(engine, Path(folder))).url,
                flush=True,
            )
        signal.sigwait({signal.SIGINT, signal.SIGTERM})


if __name__ == "__main__":
    main()
