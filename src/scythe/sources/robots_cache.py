"""Robots.txt files on disk: commands that run one after the other ask a site for its
rules once a day, not each time.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from scythe.sources.crawl_policy import ROBOTS_LIFETIME, RobotsRules

_LONGEST_ASKING = 60.0
"""Seconds for which a process waits for another one that asks a site. A bound against
one that was ended while it asked, not tuned.
"""
_LOOK_AGAIN = 0.02
"""Seconds between two looks at whether another process has its answer."""


@dataclass(frozen=True)
class RobotsCache:
    """A folder with a file for each site. What cannot be read or written there is
    fetched again.
    """

    folder: Path
    clock: Callable[[], float] = time.time
    is_of_run: bool = False
    """Whether it is shared by the processes of one command, and removed with it."""

    def get(self, site: str) -> RobotsRules | None:
        """Return the rules of a site that are fresh enough; those that a clock has yet
        to reach are not.
        """
        try:
            saved = json.loads(self._file(site).read_text(encoding="utf-8"))
            age = self.clock() - float(saved["fetched"])
            text = saved["text"]
        except (OSError, ValueError, TypeError, KeyError):
            return None
        is_fresh = 0 <= age < ROBOTS_LIFETIME
        if saved.get("site") != site or not is_fresh:
            return None
        return RobotsRules.parse(text) if isinstance(text, str) else RobotsRules()

    def put(self, site: str, rules: RobotsRules) -> None:
        """Keep the rules of a site. That a site could not be asked is not kept."""
        if rules.closed:
            return
        values = {"site": site, "fetched": self.clock(), "text": rules.text}
        file = self._file(site)
        unfinished = file.with_name(f"{file.name}.{os.getpid()}")
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            unfinished.write_text(json.dumps(values), encoding="utf-8")
            unfinished.replace(file)
        except OSError:
            return

    @contextmanager
    def asking(self, site: str) -> Iterator[None]:
        """Ask a site within this: of the processes that share the folder one asks at a
        time, so that the next one finds its answer.
        """
        claim = self._file(site).with_suffix(".asking")
        is_claimed = self._claim(claim)
        try:
            yield
        finally:
            if is_claimed:
                claim.unlink(missing_ok=True)

    def _claim(self, claim: Path) -> bool:
        """Wait until no other process asks; return whether that could be written down."""
        while True:
            try:
                self.folder.mkdir(parents=True, exist_ok=True)
                claim.touch(exist_ok=False)
            except FileExistsError:
                _wait_for(claim)
            except OSError:
                return False
            else:
                return True

    def _file(self, site: str) -> Path:
        encoded = site.encode("utf-8", "replace")
        digest = hashlib.sha256(encoded).hexdigest()
        return self.folder / f"{digest[:32]}.json"


def _wait_for(claim: Path) -> None:
    """Wait a little for the process that asks; remove the claim of one that was ended."""
    try:
        age = time.time() - claim.stat().st_mtime
    except OSError:
        return
    if age > _LONGEST_ASKING:
        claim.unlink(missing_ok=True)
    time.sleep(_LOOK_AGAIN)
