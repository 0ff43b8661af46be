"""Saved pages of a collection for a frame, with their slots as boxes: coloured here, so
that they show without any script.
"""

from __future__ import annotations

from dataclasses import replace

from starlette.requests import Request
from starlette.responses import Response

from scythe.collect.collection import Collection
from scythe.collect.pages.slot_nodes import slot_nodes
from scythe.collect.views import PageRow
from scythe.tree.parse import parse
from scythe.tree.tags import VOID
from scythe.tree.tree import Tree
from scythe.web.annotate.rows import IGNORED, NAMED, PLAIN, PROPOSED, Desk, Row, desk
from scythe.web.server.context import collection_of
from scythe.web.server.forms import whole_number
from scythe.web.snapshots.frame import Look, frame_response, framed

_PRIORITY = {NAMED: 0, PROPOSED: 1, PLAIN: 2, IGNORED: 3}
_HUES = (
    "#c2185b",
    "#1565c0",
    "#00796b",
    "#d84315",
    "#6a1b9a",
    "#4d6b00",
    "#00838f",
    "#8d5a00",
)
"""Colours of boxes, dark enough for white words on them; `annotate.css` has the same."""

STYLE = (
    "".join(
        f".scythe-c{number} {{ --scythe: {hue} !important; }}\n"
        for number, hue in enumerate(_HUES)
    )
    + """
.scythe-box { outline: 1px dotted color-mix(in srgb, var(--scythe) 60%, #999) !important; outline-offset: 1px !important;
  cursor: pointer !important; }
.scythe-proposed { outline: 2px dashed var(--scythe) !important; }
.scythe-named { outline: 2px solid var(--scythe) !important;
  box-shadow: inset 0 0 0 9999px color-mix(in srgb, var(--scythe) 11%, transparent) !important; }
.scythe-ignored { outline: 0 !important; opacity: .45 !important; }
.scythe-over { outline: 3px solid var(--scythe) !important; }
.scythe-chosen { outline: 3px solid var(--scythe) !important; outline-offset: -1px !important;
  box-shadow: inset 0 0 0 9999px color-mix(in srgb, var(--scythe) 24%, transparent) !important; }
.scythe-box:focus-visible { outline: 4px solid #1a73c7 !important; }
.scythe-labelled { position: relative; }
.scythe-labelled::after { content: attr(data-scythe-label) !important; position: absolute !important; inset: auto !important;
  left: -2px !important; top: 0 !important; transform: translateY(-96%) !important; z-index: 2147483646 !important;
  padding: 1px 7px !important; margin: 0 !important; width: auto !important; height: auto !important;
  background: var(--scythe) !important; color: #fff !important; border: 0 !important; border-radius: 5px 5px 0 0 !important;
  font: bold 11px/1.35 system-ui, sans-serif !important; letter-spacing: 0 !important; text-transform: none !important;
  text-indent: 0 !important; white-space: nowrap !important; opacity: 1 !important; visibility: visible !important;
  display: block !important; pointer-events: none !important; }
html { scroll-padding: 25vh !important; }
body { padding-top: 14px !important; }
"""
)


def frame(request: Request) -> Response:
    """The saved page with its slots, one of them chosen if the address names it; with
    `before` as it was before its change.
    """
    collection = collection_of(request)
    page = collection.page(whole_number(str(request.path_params["page"])) or 0)
    if "before" in request.query_params:
        earlier = collection.earlier_snapshot(page)
        page = replace(page, body_hash=earlier or page.body_hash)
    found = (
        desk(collection, page.cluster)
        if page.cluster is not None and "plain" not in request.query_params
        else None
    )
    if found is None:
        return frame_response(saved_page(collection, page))
    return frame_response(
        annotated_page(found, page, request.query_params.get("slot", ""))
    )


def saved_page(collection: Collection, page: PageRow) -> str:
    """Return a page of a collection as it looks, for a frame."""
    tree = parse(collection.snapshot(page.body_hash or ""), charset=page.charset)
    return framed(tree, {}, Look(collection.stylesheets(tree, page)))


def places_of(desk: Desk, page: PageRow) -> tuple[Tree, dict[str, list[int]]]:
    """A page, and where its slots stand on it."""
    collection, cluster = desk.collection, desk.cluster.cluster
    tree = parse(collection.snapshot(page.body_hash or ""), charset=page.charset)
    return tree, slot_nodes(tree, collection.template(cluster), cluster)


def annotated_page(desk: Desk, page: PageRow, chosen: str = "") -> str:
    """The same page with the slots of its cluster as boxes."""
    tree, places = places_of(desk, page)
    marks = marks_of(
        tree,
        [(row, places[row.slot]) for row in desk.rows if row.slot in places],
        chosen,
    )
    return framed(tree, marks, Look(desk.collection.stylesheets(tree, page), STYLE))


def marks_of(
    tree: Tree, places: list[tuple[Row, list[int]]], chosen: str = ""
) -> dict[int, dict[str, str]]:
    """The attributes of boxes by node. A node of several slots has the look of the most
    telling, and answers for all.

    The first box of a slot that has a name, or a proposal, says it.
    """
    marks: dict[int, dict[str, str]] = {}
    for row, nodes in sorted(
        places,
        key=lambda item: (
            item[0].slot != chosen,
            _PRIORITY[item[0].state],
            min(item[1], default=0),
        ),
    ):
        told = row.attribute.field or (
            f"{row.attribute.suggestion}?" if row.state == PROPOSED else ""
        )
        for node in nodes:
            if node in marks:
                marks[node]["data-scythe-slots"] += f" {row.number}"
                continue
            is_chosen = " scythe-chosen" if row.slot == chosen else ""
            look = f"scythe-box scythe-{row.state} scythe-c{row.colour}{is_chosen}"
            marks[node] = {"class": look, "data-scythe-slots": str(row.number)}
            if (
                told
                and tree.name(node) not in VOID
                and not _is_said(tree, node, told, marks)
            ):
                marks[node].update(
                    {"class": f"{look} scythe-labelled", "data-scythe-label": told}
                )
                told = ""
    return marks


def _is_said(
    tree: Tree, node: int, told: str, marks: dict[int, dict[str, str]]
) -> bool:
    """Whether a box around this one says the same."""
    return any(
        marks[above].get("data-scythe-label") == told
        for above in tree.ancestors(node)
        if above in marks
    )
