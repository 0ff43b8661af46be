"""Wrong tokens of late: whoever guesses must wait."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

PERIOD = 60.0
"""Seconds for which a wrong token counts."""
MAX_OF_VISITOR = 10
"""Wrong tokens that one address may try in that time: a person who pastes the wrong line
needs three.
"""
MAX_OF_ALL = 100
"""Wrong tokens of all addresses together, since one machine can have many. With the 128
bits of a token that `scythe serve` makes, this leaves nothing to guess.
"""


@dataclass(frozen=True)
class Guesses:
    """The wrong tokens of the last minute."""

    clock: Callable[[], float] = time.monotonic
    _wrong: deque[tuple[float, str]] = field(default_factory=deque)

    def add(self, visitor: str) -> None:
        """Count a wrong token."""
        self._wrong.append((self.clock(), visitor))

    def is_exhausted(self, visitor: str) -> bool:
        """Return whether a visitor must wait before the next."""
        oldest = self.clock() - PERIOD
        while self._wrong and self._wrong[0][0] < oldest:
            self._wrong.popleft()
        if len(self._wrong) >= MAX_OF_ALL:
            return True
        of_visitor = sum(other == visitor for _, other in self._wrong)
        return of_visitor >= MAX_OF_VISITOR
