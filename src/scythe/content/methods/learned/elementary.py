"""Logarithms, exponentials and sums that are the same with and without the compiled
core.

NumPy's differ from processor to processor in their last bit. Here the logarithms of
features are of arithmetic alone: a number is split into a power of two and a rest
between a half and one, whose logarithm lies on one of many short lines. They are off by
less than a number of 32 bits can tell. Exponentials, of which there are few, are those
of the C library, which the core asks as well.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

LINES = 2048
"""Lines between a half and one: so many that they are off by 3e-8. Not tuned."""
STARTS = 0.5 + np.arange(LINES + 1) / (2 * LINES)
LOGS = np.log(STARTS)
"""Where the lines begin, and at last where the last one ends."""
SLOPES = np.diff(LOGS) * (2 * LINES)
LOG_OF_TWO = -LOGS[0]

_WHOLE = 4096
"""Whole numbers whose logarithms stand in a table; a bound, most counts are smaller."""


def log(values: NDArray[Any]) -> Floats:
    """Return the logarithm of one plus each value; none is negative."""
    numbers = values.astype(np.float32, copy=False)
    whole = numbers.astype(np.int32)
    if whole.max(initial=0) < _WHOLE and (whole == numbers).all():
        return WHOLE_LOGS.take(whole)
    return _log(numbers)


def _log(numbers: Floats) -> Floats:
    rest, power = np.frexp(1.0 + numbers.astype(np.float64))
    line = ((rest - 0.5) * (2 * LINES)).astype(np.int32)
    risen = SLOPES.take(line) * (rest - STARTS.take(line))
    logs = power * LOG_OF_TWO + (LOGS.take(line) + risen)
    return logs.astype(np.float32)


WHOLE_LOGS = _log(np.arange(_WHOLE, dtype=np.float32))
"""The logarithm of one plus each of the first whole numbers."""


def exponentials(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return e to the power of each value."""
    powers = map(math.exp, values.tolist())
    return np.fromiter(powers, dtype=np.float64, count=len(values))


def ordered_sum(values: NDArray[Any]) -> float:
    """Return the sum of values, added from the first to the last."""
    return float(np.cumsum(values)[-1]) if len(values) else 0.0
