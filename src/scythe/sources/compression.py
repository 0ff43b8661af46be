"""Whether a compressed body is whole: where no length is declared, only its stream tells."""

from __future__ import annotations

import zlib

_WINDOWS = {
    "gzip": (zlib.MAX_WBITS | 16,),
    "x-gzip": (zlib.MAX_WBITS | 16,),
    "deflate": (zlib.MAX_WBITS, -zlib.MAX_WBITS),  # some servers leave its header out
}
_PIECE = 1 << 20


def is_cut(packed: bytes, encoding: str, size: int) -> bool:
    """Return whether a body ends before its compressed stream does; an empty one has none.

    No more than `size` bytes are unpacked: what is longer is no whole page anyway. Nothing is said
    of what is damaged in another way, or has another encoding.
    """
    if not packed:
        return False
    for window in _WINDOWS.get(encoding.strip().lower(), ()):
        try:
            return _ends_early(packed, window, size)
        except zlib.error:
            continue
    return False


def _ends_early(packed: bytes, window: int, size: int) -> bool:
    stream = zlib.decompressobj(window)
    piece = stream.decompress(packed, _PIECE)
    while piece and not stream.eof:
        size -= len(piece)
        if size <= 0:
            return False
        piece = stream.decompress(stream.unconsumed_tail, _PIECE)
    return not stream.eof
