"""What a rendered page adds: how the records of a candidate lie on it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scythe.sections.candidates import CandidateSection
from scythe.tree.tree import Tree

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
    shape = (len(candidate.spans), 4)
    boxes = np.full(shape, np.nan)
    for index, (start, stop) in enumerate(candidate.spans):
        size = tree.box[start, 2:]
        is_one_element = tree.end[start] == stop
        if is_one_element and size.min() > 0:
            stop = start + 1  # the box of the element holds those of all below it

        inside = tree.box[start:stop].astype(np.float64)
        corners = inside[:, :2]
        sizes = inside[:, 2:]
        far_corners = corners + sizes
        has_area = (far_corners > corners).all(axis=1)
        if has_area.any():
            corner = corners[has_area].min(axis=0)
            far_corner = far_corners[has_area].max(axis=0)
            boxes[index] = np.concatenate([corner, far_corner])
    return boxes


def visual_features(tree: Tree, candidate: CandidateSection) -> dict[str, float]:
    """Return ViNTs' rendering area and centre distance, and how evenly records are laid
    out.
    """
    assert tree.box is not None  # noqa: S101 - asked of rendered pages only
    boxes = record_boxes(tree, candidate)
    is_rendered = ~np.isnan(boxes[:, 0])
    rendered = boxes[is_rendered]
    if not len(rendered):
        return {"seen": 0.0, **dict.fromkeys(_NAMES, -1.0)}

    corners = tree.box[:, :2]
    sizes = tree.box[:, 2:]
    page = np.nanmax(corners + sizes, axis=0)
    page_width, page_height = page
    lefts, tops, rights, bottoms = rendered.T
    widths = rights - lefts
    heights = bottoms - tops
    area = float((widths * heights).sum())
    edges = np.unique(np.round(lefts / SAME_EDGE))

    left = lefts.min()
    top = tops.min()
    right = rights.max()
    bottom = bottoms.max()
    section_area = (right - left) * (bottom - top)
    centre = (left + right) / 2
    middle_x, middle_y = page / 2
    is_across_x = left <= middle_x <= right
    is_across_y = top <= middle_y <= bottom
    return {
        "seen": len(rendered) / len(boxes),
        "area": area / float(page.prod()),
        "filled": area / max(section_area, 1.0),
        "off_centre": abs(centre - middle_x) / page_width,
        "over_centre": float(is_across_x and is_across_y),
        "left": left / page_width,
        "left_edges": len(edges) / len(rendered),
        "widths": widths.std() / widths.mean(),
        "heights": heights.std() / heights.mean(),
        "height": heights.mean(),
        "width": widths.mean() / page_width,
        "top": top / page_height,
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
        lefts = rendered[:, 0]
        corners = rendered[:, :2]
        far_corners = rendered[:, 2:]
        sizes = far_corners - corners
        usual_size = np.median(sizes, axis=0)
        log_sizes = np.log((sizes + 1) / (usual_size + 1))
        rows[1::-1, is_rendered] = log_sizes.T
        rows[2, is_rendered] = lefts - np.median(lefts)
    return rows
