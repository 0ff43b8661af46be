"""How often Python looks for garbage in cycles while a collection is at work."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

NEW_OBJECTS = 50_000
"""New objects after which Python looks for garbage among them. Pages are read into many
objects that nothing refers to in a circle: with Python's own 700, looking through all
that a run holds took 11 and 15 % of two runs over 300 and 200 pages of auto-kbb (swde),
with 10,000 2 and 7 %, with 50,000 2 and 3 %; the most memory was 174, 175 and 178 MB.
"""


@contextmanager
def rare_garbage_collection() -> Iterator[None]:
    """Look for garbage in cycles after that many new objects, unless the program has it
    done more rarely or not at all.
    """
    before = gc.get_threshold()
    if not 0 < before[0] < NEW_OBJECTS:
        yield
        return
    gc.set_threshold(NEW_OBJECTS, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
