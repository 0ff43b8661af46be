"""Notices as a list of tasks: each leads to the slot in question, on a page from before
beside one from now, and can be dismissed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from scythe.collect.collection import Collection
from scythe.collect.fields.annotations import describe_slot
from scythe.collect.views import ExtractedPage, NoticeRow, evenly_spaced
from scythe.errors import NotStored
from scythe.templates.slot import SlotId, SlotSource
from scythe.templates.template.notices import NoticeKind
from scythe.web.annotate.annotation_view import AnnotationView, find_view
from scythe.web.annotate.frame import page_slot_nodes
from scythe.web.server.context import collection_of
from scythe.web.server.forms import form, whole_number
from scythe.web.server.rendering import page, see_other, segment

MAX_PAGES = 200
"""Pages among which those that show a notice best are looked for: a bound on work."""
MAX_EARLIER_PAGES = 4
"""Pages whose earlier bytes are parsed for a notice: a bound on work."""
MAX_EXAMPLE = 80
"""Characters of an example in the one line of a notice: what fits, not tuned."""


@dataclass(frozen=True)
class Explanation:
    """What a kind of notice means, and what the two pages beside it show."""

    meaning: str
    before: str
    after: str


EXPLANATIONS: Mapping[str, Explanation] = {
    NoticeKind.NEW: Explanation(
        "New on these pages. Name it, or ignore it.",
        "A page without it",
        "A page that has it",
    ),
    NoticeKind.REPEATABLE: Explanation(
        "A page can have several of these now. A field of lines keeps them all.",
        "A page with one value",
        "A page with several",
    ),
    NoticeKind.VANISHED: Explanation(
        "The last pages have none. The site may have removed it, or moved it.",
        "A page that had it",
        "A page without it",
    ),
    NoticeKind.RETURNED: Explanation(
        "It is back after it was missing.",
        "A page without it",
        "A page that has it",
    ),
    NoticeKind.MOVED: Explanation(
        "It stands in another order than on other pages.",
        "A page from before",
        "A page from now",
    ),
    NoticeKind.SPLIT: Explanation(
        "Pages of one kind have become two.",
        "A page of the first kind",
        "A page of the other",
    ),
    NoticeKind.MERGED: Explanation(
        "Pages of two kinds have become one.",
        "A page from before",
        "A page from now",
    ),
    "names carried over": Explanation(
        "The pages were redesigned. Check that the fields are still right.",
        "A page of the new design",
        "Another of the new design",
    ),
    "same values": Explanation(
        "All records say the same here now. Its slot may hold something else: name "
        "another one.",
        "A page from before",
        "A page from now",
    ),
    NoticeKind.UNFIT: Explanation(
        "A page that is like no other. If it is no record, nothing is lost.",
        "A usual page",
        "The unusual page",
    ),
}
"""The explanations by kind."""
_OTHER = Explanation(
    "Check it, and dismiss it.", "A page from before", "A page from now"
)
_HAD_SLOT: Mapping[str, bool] = {
    NoticeKind.NEW: False,
    NoticeKind.RETURNED: False,
    NoticeKind.VANISHED: True,
}
"""Kinds that a single page can show by what it was before, and whether it had the slot
then.
"""
_TITLES: Mapping[str, str] = {
    NoticeKind.NEW: "new data",
    NoticeKind.REPEATABLE: "several values",
    NoticeKind.VANISHED: "missing data",
    NoticeKind.RETURNED: "data is back",
    NoticeKind.UNFIT: "unusual page",
}
"""What kinds are called on pages where that is not their stored name."""


_ELEMENT = re.compile(
    r"^(?:#text|(?:a|article|aside|b|blockquote|code|dd|div|dl|dt|em|figure|footer"
    r"|h[1-6]|header|i|img|li|nav|ol|p|pre|section|small|span|strong|table|tbody|td|th"
    r"|time|tr|ul)(?:[.#][-\w]+)*)(?= (?:has|can|is|stands) )"
)
"""The name of an element at the beginning of a notice: people do not see elements."""


@dataclass(frozen=True)
class Comparison:
    """The two pages that show a notice, as far as there are any."""

    cluster: int | None
    slot: str
    old: ExtractedPage | None
    new: ExtractedPage | None
    neighbour: str = ""
    """A slot beside the one in question, which the old page has."""
    is_same_page: bool = False
    """Whether the old page is the new one as it was before it changed."""


def notice_title(kind: str) -> str:
    """Return what a kind of notice is called on pages."""
    return _TITLES.get(kind, kind)


def notice_text(notice: NoticeRow) -> str:
    """Return a notice in one line: what happened, and a value that shows it."""
    slot = str(notice.data.get("slot", ""))
    text = str(notice.data.get("message") or notice.key)
    if text == "#text has values now":
        text = _new_text(notice)
    else:
        text = _ELEMENT.sub("a text", text, count=1)
    if SlotId.parse(slot).source is not SlotSource.TEMPLATE:
        text = text.replace(slot, describe_slot(slot))

    for value, *_ in notice.data.get("examples") or ():
        if value:
            return f"{text}: “{str(value)[:MAX_EXAMPLE]}”"
    return text


def _new_text(notice: NoticeRow) -> str:
    pages = len(_example_pages(notice))
    if not pages:
        return "New text"
    plural = "" if pages == 1 else "s"
    return f"New text on {pages} page{plural}"


def _example_pages(notice: NoticeRow) -> set[str]:
    """Return the addresses of the pages that a notice has examples from."""
    examples = notice.data.get("examples") or ()
    return {str(example[1]) for example in examples if len(example) > 1}


def show_notice(request: Request) -> Response:
    """Show one notice: what it means, and both pages."""
    collection = collection_of(request)
    number = whole_number(str(request.path_params["notice"])) or 0
    notice = _find_notice(collection, number)
    view = _find_notice_view(collection, notice)
    comparison = Comparison(None, "", None, None)
    slot = None
    if view is not None:
        comparison = compare_pages(notice, view)
        slot = view.find(comparison.slot)

    explanation = EXPLANATIONS.get(notice.kind, _OTHER)
    if comparison.is_same_page:
        explanation = replace(
            explanation, before="This page before", after="The same page now"
        )
    home = f"/collections/{segment(collection.row.name)}"
    values: dict[str, Any] = {
        "collection": collection.row,
        "home": home,
        "at": f"{home}/annotate",
        "notices": collection.notices(),
        "review": collection.counts().get("review", 0),
        "notice": notice,
        "notice_title": notice_title,
        "notice_text": notice_text,
        "comparison": comparison,
        "slot": slot,
        "view": view,
        "explanation": explanation,
        "page_id": None,
    }
    return page(request, "annotate/notice.html", **values)


def dismiss(request: Request) -> Response:
    """Dismiss one notice, or those that were chosen."""
    collection = collection_of(request)
    chosen = {whole_number(number) for number in form(request).all("notice")}
    collection.dismiss_notices(
        [notice for notice in collection.notices() if notice.id in chosen]
    )
    return see_other(f"/collections/{segment(collection.row.name)}/annotate")


def _find_notice(collection: Collection, number: int) -> NoticeRow:
    for notice in collection.notices():
        if notice.id == number:
            return notice
    raise NotStored("This notice was dismissed already.")


def _find_notice_view(
    collection: Collection, notice: NoticeRow
) -> AnnotationView | None:
    """Return the view of the cluster that a notice is about; of one about all pages,
    the largest. None where these pages no longer exist.
    """
    cluster = whole_number(str(notice.data.get("cluster", "")))
    try:
        return find_view(collection, cluster)
    except NotStored:
        return None


def compare_pages(notice: NoticeRow, view: AnnotationView) -> Comparison:
    """Return the pages that show a notice best: one as it was and as it is, else two of
    the cluster.
    """
    collection = view.collection
    slot = str(notice.data.get("slot", ""))
    cluster = view.cluster.cluster
    all_numbers = collection.extracted_page_ids(cluster)
    numbers = evenly_spaced(all_numbers, MAX_PAGES)
    pages = collection.extracted_pages(numbers)

    changed = _find_changed_page(notice, view, slot, pages)
    if changed is not None:
        neighbour = _neighbour(view, slot, changed)
        return Comparison(cluster, slot, changed, changed, neighbour, is_same_page=True)

    old, new = _select_pair(notice, slot, pages)
    neighbour = ""
    if old is not None and not _values(old, slot):
        neighbour = _neighbour(view, slot, old)
    return Comparison(cluster, slot, old, new, neighbour)


def _select_pair(
    notice: NoticeRow, slot: str, pages: Sequence[ExtractedPage]
) -> tuple[ExtractedPage | None, ExtractedPage | None]:
    """Return a page that shows the slot as it was, and one that shows it as it is."""
    with_slot: list[ExtractedPage] = []
    without_slot: list[ExtractedPage] = []
    for candidate in pages:
        if _values(candidate, slot):
            with_slot.append(candidate)
        else:
            without_slot.append(candidate)
    example_pages = _example_pages(notice)
    named = [page for page in pages if page.url in example_pages]

    if notice.kind == NoticeKind.VANISHED:
        return _first(with_slot), _last(without_slot)
    if notice.kind == NoticeKind.REPEATABLE:
        several = [page for page in with_slot if len(_values(page, slot)) > 1]
        single = [page for page in with_slot if page not in several]
        return _first(single), _last(several)
    if notice.kind == NoticeKind.UNFIT:
        usual = [page for page in pages if page not in named]
        return _first(usual), _last(named)
    if notice.kind in (NoticeKind.NEW, NoticeKind.RETURNED):
        examples_with_slot = [page for page in named if page in with_slot]
        return _first(without_slot), _last(examples_with_slot or with_slot)
    return _first(pages), _last(named or pages[1:])


def _find_changed_page(
    notice: NoticeRow, view: AnnotationView, slot: str, pages: Sequence[ExtractedPage]
) -> ExtractedPage | None:
    """Return a page whose earlier bytes show the change: they have the slot that it
    lost, or lack the one that it got.
    """
    had_slot = _HAD_SLOT.get(notice.kind)
    if had_slot is None:
        return None

    collection = view.collection
    changed = [page for page in pages if bool(_values(page, slot)) != had_slot]
    for candidate in changed[:MAX_EARLIER_PAGES]:
        row = collection.page(candidate.row.page_id)
        earlier = collection.earlier_snapshot(row)
        if earlier is None:
            continue
        earlier_page = replace(row, body_hash=earlier)
        _, nodes = page_slot_nodes(view, earlier_page)
        has_slot = slot in nodes
        if has_slot == had_slot:
            return candidate
    return None


def _neighbour(view: AnnotationView, slot: str, page: ExtractedPage) -> str:
    """Return the slot before this one that a page has: this one would follow it."""
    order = view.order
    position = order.index(slot) if slot in order else 0
    for other in reversed(order[:position]):
        if _values(page, other):
            return other
    return ""


def _values(page: ExtractedPage, slot: str) -> Sequence[str]:
    return page.row.slots.get(SlotId.parse(slot).within_page, ())


def _first(pages: Sequence[ExtractedPage]) -> ExtractedPage | None:
    return pages[0] if pages else None


def _last(pages: Sequence[ExtractedPage]) -> ExtractedPage | None:
    return pages[-1] if pages else None


_PATH = "/collections/{name}/annotate/notices"
routes = [
    Route(f"{_PATH}/{{notice:int}}", show_notice),
    Route(_PATH, dismiss, methods=["POST"]),
]
