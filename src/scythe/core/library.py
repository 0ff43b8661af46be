"""The compiled library, if there is one: loaded once a process, called by ctypes."""

from __future__ import annotations

import ctypes
import os
from functools import cache
from pathlib import Path

_INTERFACE = 13
"""The version that the library must have, as `INTERFACE` in core/src/border.rs."""
_NAMES = ("scythe_core.so", "scythe_core.dylib", "scythe_core.dll")
_CALLS = (
    "outline",
    "features",
    "learned",
    "head",
    "visible",
    "counts",
    "plain_text",
    "one_line",
    "copies",
    "junk",
    "thread_texts",
    "anchors",
    "lower",
    "class_names",
    "page_parts",
    "subtree_hashes",
    "candidates",
    "comparisons",
    "element_names",
    "paths",
    "parts",
    "find_words",
    "find_signs",
    "elements_with",
    "characters",
    "econ",
    "lost_headings",
    "structures",
)
"""What is called with tables and a list of arrays."""
_DEFAULT = "1"
"""Whether the core is at work where `SCYTHE_CORE` does not say."""


_new_bytes = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_char_p, ctypes.c_ssize_t)(
    ("PyBytes_FromStringAndSize", ctypes.pythonapi)
)


def at_work() -> bool:
    """Return whether pages are read by the compiled core: it was built, and
    `SCYTHE_CORE` is not 0.
    """
    return os.environ.get("SCYTHE_CORE", _DEFAULT) == "1" and is_built()


def is_built() -> bool:
    """Return whether there is a compiled core for this version and machine."""
    return library() is not None


def parse_page(page: bytes, max_nodes: int) -> bytes | None:
    """Return a page in UTF-8 as the bytes of a `Block`, at most `max_nodes` nodes of it;
    None where there is no core, or it leaves the page to the reference.
    """
    compiled = library()
    if compiled is None:
        return None
    size = ctypes.c_size_t()
    flat = compiled.scythe_parse(page, len(page), max_nodes, ctypes.byref(size))
    if not flat:
        return None
    block: bytes = _new_bytes(None, size.value)  # filled before anybody else has it
    return block if compiled.scythe_block(flat, block) == 0 else None


def utf8_length(page: bytes) -> int | None:
    """Return the number of characters of a page in UTF-8; None where there is no core,
    or the page is in another charset.
    """
    compiled = library()
    if compiled is None:
        return None
    length: int = compiled.scythe_utf8_length(page, len(page))
    return None if length < 0 else length


@cache
def library() -> ctypes.CDLL | None:
    """Return the library; None where it was not built, or is of another version."""
    folder = Path(__file__).parent
    for path in map(folder.joinpath, _NAMES):
        if path.is_file():
            return _load(path)
    return None


def _load(path: Path) -> ctypes.CDLL | None:
    try:
        compiled = ctypes.CDLL(str(path))
        compiled.scythe_interface.restype = ctypes.c_uint32
        if compiled.scythe_interface() != _INTERFACE:
            return None
    except (OSError, AttributeError):  # of another machine, or another library
        return None
    size, address = ctypes.c_size_t, ctypes.c_void_p
    compiled.scythe_parse.argtypes = [ctypes.c_char_p, size, size, ctypes.POINTER(size)]
    compiled.scythe_parse.restype = address
    compiled.scythe_block.argtypes = [address, ctypes.c_char_p]
    compiled.scythe_block.restype = ctypes.c_ssize_t
    compiled.scythe_utf8_length.argtypes = [ctypes.c_char_p, size]
    compiled.scythe_utf8_length.restype = ctypes.c_ssize_t
    for name in ("tables", "text_tables", "word_search", "sign_search"):
        read = getattr(compiled, f"scythe_{name}")
        read.argtypes = [ctypes.c_char_p, size]
        read.restype = address
    for name in _CALLS:
        call = getattr(compiled, f"scythe_{name}")
        call.argtypes = [address, address]
        call.restype = ctypes.c_ssize_t
    compiled.scythe_scores.argtypes = [size, size, address]
    compiled.scythe_scores.restype = ctypes.c_ssize_t
    return compiled
