"""How nodes look: the computed styles that are asked of the browser, as arrays, and
what a person can see.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from scythe.tree.layout import Lines
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
_CLIPPED = 1.5
"""Pixels: the customary way to hide text from the eye but not from screen readers is a
clipped box of 1 x 1 pixel.
"""


@dataclass(frozen=True, eq=False)
class Styles:
    """One value a node for each style; what a node without a box has is never asked."""

    font_size: NDArray[np.float32]
    font_weight: NDArray[np.int16]
    color: NDArray[np.uint32]
    shown: Bools
    transparent: Bools
    clips: Bools

    @classmethod
    def of(
        cls, count: int, owner: Ints, rows: Sequence[Sequence[int]], strings: list[str]
    ) -> Styles:
        """The styles of `count` nodes from the rows of the layout objects that `owner`
        names the nodes of.
        """
        styled = np.array([len(row) == len(STYLES) for row in rows], dtype=bool)
        owner = owner[styled]
        numbers = np.array(
            [row for row in rows if len(row) == len(STYLES)], dtype=np.int64
        ).reshape(-1, len(STYLES))

        def column(
            style: int, read: Callable[[str], float], empty: NDArray[Kind]
        ) -> NDArray[Kind]:
            found, inverse = np.unique(numbers[:, style], return_inverse=True)
            empty[owner] = np.array(
                [read(strings[number]) for number in found], dtype=empty.dtype
            )[inverse]
            return empty

        no = np.zeros(count, dtype=bool)
        return cls(
            font_size=column(
                0, _first_number, np.full(count, np.nan, dtype=np.float32)
            ),
            font_weight=column(1, _first_number, np.zeros(count, dtype=np.int16)),
            color=column(2, rgba, np.zeros(count, dtype=np.uint32)),
            shown=column(3, lambda value: value == "visible", no.copy()),
            transparent=column(4, lambda value: _first_number(value) <= 0, no.copy()),
            clips=column(5, _cuts_off, no.copy()) | column(6, _cuts_off, no.copy()),
        )


def _cuts_off(overflow: str) -> bool:
    return overflow not in _SHOWN_OVERFLOW


def _first_number(value: str) -> float:
    found = _NUMBER.search(value)
    return float(found.group()) if found else 0.0


def rgba(value: str) -> int:
    """A computed colour as 0xRRGGBBAA; one outside sRGB gets an opaque number that
    hardly any other such colour has.
    """
    name, _, inside = value.partition("(")
    parts = [float(number) for number in _NUMBER.findall(inside)]
    if name in ("rgb", "rgba") and len(parts) >= 3:
        channels = parts[:3]
    elif inside.startswith("srgb ") and len(parts) >= 3:
        channels = [255 * part for part in parts[:3]]
    else:
        return zlib.crc32(value.encode()) & 0xFFFFFF00 | 0xFF
    red, green, blue, alpha = (
        min(max(round(part), 0), 255)
        for part in (*channels, 255 * (parts[3] if len(parts) > 3 else 1))
    )
    return red << 24 | green << 16 | blue << 8 | alpha


def visible(
    tree: Tree, box: NDArray[np.float32], lines: Lines, styles: Styles
) -> Bools:
    """What a person sees: see `Layout`."""
    with np.errstate(invalid="ignore"):
        x, y, width, height = box.T
        seen = (width > 0) & (height > 0) & (x + width > 0) & (y + height > 0)
        tiny = (width <= _CLIPPED) | (height <= _CLIPPED)
    has_ink = np.zeros(len(tree), dtype=bool)
    has_ink[lines.node[lines.width > 0]] = True
    seen &= has_ink | ~tree.is_text
    inked = ~tree.is_text | (styles.color & 0xFF != 0)
    nothing_below = ~tree.is_text & (styles.transparent | (styles.clips & tiny))
    return seen & inked & styles.shown & ~tree.below(nothing_below)
