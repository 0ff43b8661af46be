"""Arrays as the compiled core is given them: where they begin, and how long they are."""

from __future__ import annotations

import ctypes
from typing import Any

from numpy.typing import NDArray


class _Array(ctypes.Structure):
    """As `Array` in core/src/border.rs."""

    _fields_ = (("start", ctypes.c_void_p), ("length", ctypes.c_size_t))


def array_list(*arrays: NDArray[Any] | bytes) -> ctypes.Array[_Array]:
    """Return arrays for one call, which the caller must keep while it lasts. They must
    have their numbers one after the other.
    """
    return (_Array * len(arrays))(*map(_array, arrays))


def _array(array: NDArray[Any] | bytes) -> _Array:
    if isinstance(array, bytes):
        start = ctypes.cast(ctypes.c_char_p(array), ctypes.c_void_p)
        return _Array(start, len(array))
    return _Array(array.__array_interface__["data"][0], array.size)
