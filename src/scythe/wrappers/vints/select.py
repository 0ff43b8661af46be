"""The best of a page's wrappers (ViNTs, section 5.6): four weights of the records each
gives, summed with learned factors.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot
from typing import NamedTuple

from scythe.wrappers.vints.blocks import Block
from scythe.wrappers.vints.lines import Box, around


class Weights(NamedTuple):
    """The paper's four weights of a group, each 1 for the best group of its page; also
    the factors they are summed with.

    RAW: rendering area; CDW: nearness of its centre to the page's; NRW: number of
    records; ACNW: average number of characters.
    """

    raw: float
    cdw: float
    nrw: float
    acnw: float

    def combined(self, factors: Weights) -> float:
        """The weighted sum."""
        return sum(
            weight * factor for weight, factor in zip(self, factors, strict=True)
        )


VISUAL = Weights(raw=1.0, cdw=0.0, nrw=1.0, acnw=0.1)
TAGS_ONLY = Weights(raw=1.0, cdw=0.0, nrw=1.0, acnw=0.0)
"""Learned by `python -m training.vints` on the 330 pages of the data folder. In
cross-validation they choose with a macro precision and recall of 0.82 and 0.79 with
boxes, 0.82 and 0.81 without; the best wrapper of every page would have 0.93 and 0.89.
Area and number of records tell nearly everything; a factor of 0.1 for the nearness to
the centre chooses the same.
"""


def factors(page: Box | None) -> Weights:
    """The learned factors for a page with or without boxes."""
    return TAGS_ONLY if page is None else VISUAL


def weigh(groups: Sequence[Sequence[Block]], page: Box | None) -> list[Weights]:
    """The weights of each group of records, relative to the other groups of the page.

    Without boxes the characters of a group stand for its area, and no group is nearer
    to the centre than another.
    """
    counts = [len(group) for group in groups]
    characters = [sum([block.characters for block in group]) for group in groups]
    averages = [total / count for total, count in zip(characters, counts, strict=True)]
    boxes = [_box(group) if page else None for group in groups]
    areas = [
        total if box is None else box.area
        for total, box in zip(characters, boxes, strict=True)
    ]
    distances = [_center_distance(box, page) for box in boxes]
    most_area, most_records, most_characters = (
        max(values, default=0) or 1 for values in (areas, counts, averages)
    )
    nearest = min(distances, default=0)
    return [
        Weights(
            area / most_area,
            (nearest + 1) / (distance + 1),
            count / most_records,
            average / most_characters,
        )
        for area, distance, count, average in zip(
            areas, distances, counts, averages, strict=True
        )
    ]


def _box(group: Sequence[Block]) -> Box | None:
    boxes = [block.box for block in group if block.box is not None]
    return around(boxes) if boxes else None


def _center_distance(box: Box | None, page: Box | None) -> float:
    """How far the centre of a group is from the centre of the page in pixels; 0 if the
    group lies around it.
    """
    if box is None or page is None:
        return 0
    x, y = (page.left + page.right) / 2, (page.top + page.bottom) / 2
    if box.left <= x <= box.right and box.top <= y <= box.bottom:
        return 0
    return hypot((box.left + box.right) / 2 - x, (box.top + box.bottom) / 2 - y)
