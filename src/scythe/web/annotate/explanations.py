"""What the annotation page says of a part without a box, and the pictures that slots
hold.
"""

from __future__ import annotations

from urllib.parse import urljoin

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from scythe.collect.collection import Collection
from scythe.collect.views import evenly_spaced
from scythe.templates.slot import SlotId
from scythe.tree.parse import parse
from scythe.web.annotate.annotation_view import require_view
from scythe.web.server.context import collection_of
from scythe.web.server.forms import whole_number
from scythe.web.server.picture_answers import picture_response

COMPARED_PAGES = 5
"""Pages that are looked at for a text without a box: a bound on work, not tuned."""
MAX_TEXT = 300
"""Characters of such a text that are compared: a bound on work."""


def explain(request: Request) -> Response:
    """Say why a text of a page has no box."""
    collection = collection_of(request)
    query = request.query_params
    cluster = whole_number(query.get("cluster"))
    view = require_view(collection, cluster)
    words = query.get("text", "").split()
    text = " ".join(words)[:MAX_TEXT]

    all_pages = list(view.survey.pages)
    pages = evenly_spaced(all_pages, COMPARED_PAGES)
    having = sum(_has_text(collection, page, text) for page in pages)
    message = _reason(text, having, len(pages))
    return JSONResponse({"message": message})


def _reason(text: str, having: int, compared: int) -> str:
    if not text:
        return "There is no text here. Click a text, a link or a picture."
    if having == compared and compared > 1:
        return (
            "This text is the same on every page of this kind, so it says nothing "
            "about this record."
        )
    if having > 1:
        return (
            f"This text stands on {having} of {compared} pages of this kind, but not in "
            "one place that they share. Click the box nearest to it."
        )
    return (
        "Only this page has this text, in a place that other pages of this kind do not "
        "have. It gets a box when more pages have it."
    )


def _has_text(collection: Collection, number: int, text: str) -> bool:
    row = collection.page(number)
    if not row.body_hash or not text:
        return False
    snapshot = collection.snapshot(row.body_hash)
    tree = parse(snapshot, charset=row.charset)
    whole = " ".join(map(str, tree.text))
    return text in " ".join(whole.split())


def slot_picture(request: Request) -> Response:
    """Show the first picture that a slot has on a page, or ours where there is none."""
    collection = collection_of(request)
    number = whole_number(str(request.path_params["page"])) or 0
    row = collection.page(number)
    slot = request.query_params.get("slot", "")
    values: list[str] = []
    for found in collection.extracted_pages([number]):
        extracted = found.row
        slot_id = SlotId.parse(slot)
        values += extracted.slots.get(slot_id.within_page, ())
        values += (extracted.declared or {}).get(slot_id.name, ())
    base = row.final_url or row.url
    address = urljoin(base, values[0]) if values else ""
    return picture_response(request, collection, address)


routes = [
    Route("/collections/{name}/annotate/explain", explain),
    Route("/collections/{name}/pages/{page:int}/picture", slot_picture),
]
