"""What extractors make of saved pages: within a limit of time, and for the peers kept
between runs, since only ours change.
"""

from __future__ import annotations

import hashlib
import json
import signal
from collections.abc import Callable
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from types import FrameType

from benchmarks.common import RESULTS, Page
from benchmarks.extractors import decoded

SECONDS_PER_PAGE = 60
"""CPU time: a bound for pages on which an extractor hangs, not tuned."""


def output(page: Page, extract: Callable[[Page], str]) -> str:
    """Return what an extractor makes of a page: nothing where it fails or hangs."""
    signal.signal(signal.SIGVTALRM, _too_long)
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS_PER_PAGE)
    try:
        return extract(page)
    except Exception:
        return ""
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def _too_long(_number: int, _frame: FrameType | None) -> None:
    raise TimeoutError


class PeerOutputs:
    """The outputs of the installed version of a peer over one set of pages.

    A file with a line of JSON a page, so that a run that was stopped goes on where it
    was. Pages are known by the text that the peer is given.
    """

    def __init__(self, peer: str, page_set: str, rendering: str) -> None:
        folder = RESULTS / "outputs" / f"{peer}-{version(peer)}"
        self._path: Path = folder / f"{page_set}.{rendering}.jsonl"

    def output(self, page: Page, extract: Callable[[Page], str]) -> str:
        """Return the output for a page, made now if no run before this made it."""
        digest = hashlib.sha256(decoded(page.html).encode("utf-8", "replace"))
        key = digest.hexdigest()[:16]
        if key not in self._known:
            self._known[key] = output(page, extract)
            row = {"id": page.name, "key": key, "output": self._known[key]}
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with self._path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(row) + "\n")
        return self._known[key]

    @cached_property
    def _known(self) -> dict[str, str]:
        if not self._path.is_file():
            return {}
        with self._path.open(encoding="utf-8") as lines:
            rows = [json.loads(line) for line in lines]
        return {row["key"]: row["output"] for row in rows}
