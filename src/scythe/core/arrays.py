"""Arrays as the compiled core is given them: where they begin, and how long they are."""

from __future__ import annotations

import ctypes
from functools import cache
from struct import Struct
from typing import Any, NamedTuple

from numpy.typing import NDArray


class ArrayAddress(NamedTuple):
    """Where an array begins, and how long it is: `Array` in core/src/border.rs."""

    start: int
    length: int

    @classmethod
    def of_bytes(cls, data: bytes) -> ArrayAddress:
        """Return where bytes are, for as long as they are kept."""
        start = ctypes.cast(ctypes.c_char_p(data), ctypes.c_void_p)
        return cls(start.value or 0, len(data))

    @classmethod
    def of_array(cls, array: NDArray[Any]) -> ArrayAddress:
        """Return where an array is, for as long as it is kept."""
        return cls(array.__array_interface__["data"][0], array.size)


def array_list(*arrays: NDArray[Any] | bytes | ArrayAddress) -> bytes:
    """Return arrays for one call, which the caller must keep while it lasts. They must
    have their numbers one after the other.
    """
    numbers: list[int] = []
    for array in arrays:
        numbers += _address(array)
    return _struct(len(numbers)).pack(*numbers)


def _address(array: NDArray[Any] | bytes | ArrayAddress) -> ArrayAddress:
    if isinstance(array, ArrayAddress):
        return array
    if isinstance(array, bytes):
        return ArrayAddress.of_bytes(array)
    if not array.size:
        return ArrayAddress(0, 0)
    if array.flags.writeable:  # a third of the time that the interface takes
        start = ctypes.addressof(ctypes.c_char.from_buffer(array.data))
        return ArrayAddress(start, array.size)
    return ArrayAddress.of_array(array)


@cache
def _struct(numbers: int) -> Struct:
    return Struct(f"{numbers}N")
