"""Arrays as the compiled core is given them: where they begin, and how long they are."""

from __future__ import annotations

import ctypes
from functools import cache
from struct import Struct
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

_address_of = ctypes.addressof
_from_buffer = ctypes.c_char.from_buffer


class ArrayAddress(NamedTuple):
    """Where an array begins, and how long it is: `Array` in core/src/border.rs."""

    start: int
    length: int

    @classmethod
    def of_bytes(cls, data: bytes) -> ArrayAddress:
        """Return where bytes are, for as long as they are kept."""
        return cls(_start_of_bytes(data), len(data))

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
        if isinstance(array, np.ndarray):
            size = array.size
            numbers += (_start_of_array(array) if size else 0, size)
        elif isinstance(array, bytes):
            numbers += (_start_of_bytes(array), len(array))
        else:
            numbers += array
    return _struct(len(numbers)).pack(*numbers)


def _start_of_bytes(data: bytes) -> int:
    pointer = ctypes.c_char_p(data)
    return ctypes.c_size_t.from_buffer(pointer).value


def _start_of_array(array: NDArray[Any]) -> int:
    if array.flags.writeable:  # a third of the time that the interface takes
        return _address_of(_from_buffer(array))  # type: ignore[arg-type]
    start: int = array.__array_interface__["data"][0]
    return start


@cache
def _struct(numbers: int) -> Struct:
    return Struct(f"{numbers}N")
