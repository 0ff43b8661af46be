"""What a rendered page adds: how the records of a group lie on it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scythe.tree.tree import Tree
from scythe.wrappers.sections.groups import Group

Boxes = NDArray[np.float64]
SAME_EDGE = 4.0
"""Pixels by which left edges may differ and still be one."""


def boxes_of(tree: Tree, group: Group) -> Boxes:
    """Left, top, right and bottom of every record; NaN where nothing of it is to be
    seen.
    """
    assert tree.box is not None  # noqa: S101 - asked of rendered pages only
    found = np.full((len(group.spans), 4), np.nan)
    for place, span in enumerate(group.spans):
        whole = tree.end[span.start] == span.stop and tree.box[span.start, 2:].min() > 0
        inside = tree.box[span.start : span.start + 1 if whole else span.stop].astype(
            np.float64
        )
        inside[:, 2:] += inside[:, :2]
        inside = inside[(inside[:, 2] > inside[:, 0]) & (inside[:, 3] > inside[:, 1])]
        if len(inside):
            found[place] = [*inside[:, :2].min(axis=0), *inside[:, 2:].max(axis=0)]
    return found


def visual_traits(tree: Tree, group: Group) -> dict[str, float]:
    """ViNTs' rendering area and centre distance, and how evenly records are laid out."""
    assert tree.box is not None  # noqa: S101 - asked of rendered pages only
    boxes = boxes_of(tree, group)
    seen = boxes[~np.isnan(boxes[:, 0])]
    names = (
        "area",
        "filled",
        "off_centre",
        "over_centre",
        "left",
        "left_edges",
        "widths",
        "heights",
        "height",
        "width",
        "top",
    )
    if not len(seen):
        return {"seen": 0.0, **dict.fromkeys(names, -1.0)}
    page = np.nanmax(tree.box[:, :2] + tree.box[:, 2:], axis=0)
    width, height = seen[:, 2] - seen[:, 0], seen[:, 3] - seen[:, 1]
    left, top = seen[:, :2].min(axis=0)
    right, bottom = seen[:, 2:].max(axis=0)
    area = float((width * height).sum())
    middle = page / 2
    return {
        "seen": len(seen) / len(boxes),
        "area": area / float(page.prod()),
        "filled": area / max((right - left) * (bottom - top), 1.0),
        "off_centre": abs((left + right) / 2 - middle[0]) / page[0],
        "over_centre": float(left <= middle[0] <= right and top <= middle[1] <= bottom),
        "left": left / page[0],
        "left_edges": len(np.unique(np.round(seen[:, 0] / SAME_EDGE))) / len(seen),
        "widths": width.std() / width.mean(),
        "heights": height.std() / height.mean(),
        "height": height.mean(),
        "width": width.mean() / page[0],
        "top": top / page[1],
    }


def visual_member_rows(tree: Tree, group: Group) -> NDArray[np.float32]:
    """How every member's box differs from the usual one: height, width and left edge."""
    boxes = boxes_of(tree, group)
    seen = ~np.isnan(boxes[:, 0])
    rows = np.full((3, len(boxes)), -9.0, dtype=np.float32)
    if seen.any():
        sizes = boxes[seen, 2:] - boxes[seen, :2]
        rows[1::-1, seen] = np.log((sizes + 1) / (np.median(sizes, axis=0) + 1)).T
        rows[2, seen] = boxes[seen, 0] - np.median(boxes[seen, 0])
    return rows
