"""What a rendered page adds: how the records of a candidate lie on it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scythe.tree.tree import Tree
from scythe.wrappers.sections.candidates import CandidateSection

Boxes = NDArray[np.float64]

SAME_EDGE = 4.0
"""Pixels by which left edges may differ and still be one; not tuned."""

_NAMES = (
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


def record_boxes(tree: Tree, candidate: CandidateSection) -> Boxes:
    """Return left, top, right and bottom of every record; NaN where nothing of it is
    rendered.
    """
    assert tree.box is not None  # noqa: S101 - asked of rendered pages only
    boxes = np.full((len(candidate.spans), 4), np.nan)
    for index, (start, stop) in enumerate(candidate.spans):
        is_one_element = tree.end[start] == stop and tree.box[start, 2:].min() > 0
        last = start + 1 if is_one_element else stop
        inside = tree.box[start:last].astype(np.float64)
        inside[:, 2:] += inside[:, :2]
        has_area = (inside[:, 2] > inside[:, 0]) & (inside[:, 3] > inside[:, 1])
        inside = inside[has_area]
        if len(inside):
            boxes[index, :2] = inside[:, :2].min(axis=0)
            boxes[index, 2:] = inside[:, 2:].max(axis=0)
    return boxes


def visual_features(tree: Tree, candidate: CandidateSection) -> dict[str, float]:
    """Return ViNTs' rendering area and centre distance, and how evenly records are laid
    out.
    """
    assert tree.box is not None  # noqa: S101 - asked of rendered pages only
    boxes = record_boxes(tree, candidate)
    rendered = boxes[~np.isnan(boxes[:, 0])]
    if not len(rendered):
        return {"seen": 0.0, **dict.fromkeys(_NAMES, -1.0)}

    page = np.nanmax(tree.box[:, :2] + tree.box[:, 2:], axis=0)
    middle = page / 2
    widths = rendered[:, 2] - rendered[:, 0]
    heights = rendered[:, 3] - rendered[:, 1]
    left, top = rendered[:, :2].min(axis=0)
    right, bottom = rendered[:, 2:].max(axis=0)
    area = float((widths * heights).sum())
    edges = np.unique(np.round(rendered[:, 0] / SAME_EDGE))
    is_across = left <= middle[0] <= right and top <= middle[1] <= bottom
    return {
        "seen": len(rendered) / len(boxes),
        "area": area / float(page.prod()),
        "filled": area / max((right - left) * (bottom - top), 1.0),
        "off_centre": abs((left + right) / 2 - middle[0]) / page[0],
        "over_centre": float(is_across),
        "left": left / page[0],
        "left_edges": len(edges) / len(rendered),
        "widths": widths.std() / widths.mean(),
        "heights": heights.std() / heights.mean(),
        "height": heights.mean(),
        "width": widths.mean() / page[0],
        "top": top / page[1],
    }


def visual_member_feature_rows(
    tree: Tree, candidate: CandidateSection
) -> NDArray[np.float32]:
    """Return how every member's box differs from the usual one: height, width and left
    edge.
    """
    boxes = record_boxes(tree, candidate)
    is_rendered = ~np.isnan(boxes[:, 0])
    rows = np.full((3, len(boxes)), -9.0, dtype=np.float32)
    if is_rendered.any():
        rendered = boxes[is_rendered]
        sizes = rendered[:, 2:] - rendered[:, :2]
        log_sizes = np.log((sizes + 1) / (np.median(sizes, axis=0) + 1))
        rows[1::-1, is_rendered] = log_sizes.T
        rows[2, is_rendered] = rendered[:, 0] - np.median(rendered[:, 0])
    return rows
