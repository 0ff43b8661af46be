"""What only a rendered page has besides boxes: the lines its text was broken into, and
the style of each node.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int32]
Floats = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class LayoutLines:
    """One row for every line that a text node takes part in, in the order of nodes and
    of the text.

    `text[node][start : start + length]` is what stands in the line. White space that
    the browser collapses is inside that range where it lies between words.
    """

    node: Ints
    start: Ints
    length: Ints
    x: Floats
    y: Floats
    width: Floats
    height: Floats

    def __len__(self) -> int:
        return len(self.node)


@dataclass(frozen=True, eq=False)
class Layout:
    """The lines of a page, and one value a node for each property of its style.

    `visible` is what a person sees on paper as long as the page: a box with an area, on
    the page, neither transparent nor hidden nor clipped to nothing. Nodes without a box
    have a `font_size` of NaN, a `font_weight` and a `color` of 0.
    """

    lines: LayoutLines
    font_size: Floats
    """In pixels."""
    font_weight: NDArray[np.int16]
    """From 1 to 1000; 400 is regular and 700 is bold."""
    color: NDArray[np.uint32]
    """Of the text, as 0xRRGGBBAA."""
    visible: NDArray[np.bool_]
