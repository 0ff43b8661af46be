"""The style of nodes: the computed styles that are asked of the browser, as arrays, and
what a person can see.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import compress
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from scythe.tree.layout import LayoutLines
from scythe.tree.tree import Bools, Ints, Tree

Kind = TypeVar("Kind", bound=np.generic)

STYLES = (
    "font-size",
    "font-weight",
    "color",
    "visibility",
    "opacity",
    "overflow-x",
    "overflow-y",
)
_SHOWN_OVERFLOW = frozenset({"visible", "auto", "scroll"})
_NUMBER = re.compile(r"-?[\d.]+(?:e-?\d+)?")
_CLIPPED_SIZE = 1.5
"""Pixels: the customary way to hide text from the eye but not from screen readers is a
clipped box of 1 x 1 pixel.
"""


@dataclass(frozen=True, eq=False)
class Styles:
    """One value a node for each style; what a node without a box has is never asked."""

    font_size: NDArray[np.float32]
    font_weight: NDArray[np.int16]
    color: NDArray[np.uint32]
    has_visibility: Bools
    is_transparent: Bools
    clips: Bools

    @classmethod
    def from_layout(
        cls,
        count: int,
        owner: Ints,
        rows: Sequence[Sequence[int]],
        strings: Sequence[str],
    ) -> Styles:
        """Return the styles of `count` nodes from the rows of the layout objects, whose
        nodes `owner` names.
        """
        is_styled = [len(row) == len(STYLES) for row in rows]
        styled_rows = list(compress(rows, is_styled))
        numbers = np.array(styled_rows, dtype=np.int64).reshape(-1, len(STYLES))
        owner = owner[np.array(is_styled, dtype=bool)]

        def column(
            style: int, read: Callable[[str], float], default: NDArray[Kind]
        ) -> NDArray[Kind]:
            distinct, inverse = np.unique(numbers[:, style], return_inverse=True)
            read_values = [read(strings[number]) for number in distinct]
            values = np.array(read_values, dtype=default.dtype)
            default[owner] = values[inverse]
            return default

        def flags(style: int, test: Callable[[str], bool]) -> Bools:
            return column(style, test, np.zeros(count, dtype=bool))

        no_size = np.full(count, np.nan, dtype=np.float32)
        no_weight = np.zeros(count, dtype=np.int16)
        no_color = np.zeros(count, dtype=np.uint32)
        clips_sideways = flags(5, _is_clipping)
        clips_below = flags(6, _is_clipping)
        return cls(
            font_size=column(0, _first_number, no_size),
            font_weight=column(1, _first_number, no_weight),
            color=column(2, rgba, no_color),
            has_visibility=flags(3, _is_visible),
            is_transparent=flags(4, _is_transparent),
            clips=clips_sideways | clips_below,
        )


def _is_visible(visibility: str) -> bool:
    return visibility == "visible"


def _is_transparent(opacity: str) -> bool:
    return _first_number(opacity) <= 0


def _is_clipping(overflow: str) -> bool:
    return overflow not in _SHOWN_OVERFLOW


def _first_number(value: str) -> float:
    found = _NUMBER.search(value)
    if not found:
        return 0.0
    return float(found.group())


def rgba(value: str) -> int:
    """Return a computed colour as 0xRRGGBBAA; one outside sRGB gets an opaque number
    that hardly any other such colour has.
    """
    name, _, inside = value.partition("(")
    parts = [float(number) for number in _NUMBER.findall(inside)]
    if name in ("rgb", "rgba") and len(parts) >= 3:
        channels = parts[:3]
    elif inside.startswith("srgb ") and len(parts) >= 3:
        channels = [255 * part for part in parts[:3]]
    else:
        checksum = zlib.crc32(value.encode())
        return checksum & 0xFFFFFF00 | 0xFF

    alpha = parts[3] if len(parts) > 3 else 1
    number = 0
    for channel in (*channels, 255 * alpha):
        level = min(max(round(channel), 0), 255)
        number = number << 8 | level
    return number


def visible_in_layout(
    tree: Tree, box: NDArray[np.float32], lines: LayoutLines, styles: Styles
) -> Bools:
    """Return what a person sees: see `Layout`."""
    with np.errstate(invalid="ignore"):
        x, y, width, height = box.T
        has_area = (width > 0) & (height > 0)
        right = x + width
        bottom = y + height
        on_page = (right > 0) & (bottom > 0)
        is_tiny = (width <= _CLIPPED_SIZE) | (height <= _CLIPPED_SIZE)

    is_text = tree.is_text
    has_line = np.zeros(len(tree), dtype=bool)
    drawn_lines = lines.width > 0
    has_line[lines.node[drawn_lines]] = True
    has_color = styles.color & 0xFF != 0
    is_drawn = ~is_text | (has_line & has_color)

    is_clipped = styles.clips & is_tiny
    hides_below = ~is_text & (styles.is_transparent | is_clipped)
    seen = has_area & on_page & is_drawn & styles.has_visibility
    return seen & ~tree.below(hides_below)
