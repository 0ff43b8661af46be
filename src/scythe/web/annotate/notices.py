"""Notices as a list of things to do: each leads to the place in question, as it was
beside as it is, and can be put aside.
"""

from __future__ import annotations

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
from scythe.web.annotate.frame import places_of
from scythe.web.annotate.rows import Desk, desk
from scythe.web.server.context import collection_of
from scythe.web.server.forms import form, whole_number
from scythe.web.server.rendering import page, see_other, segment

LOOKED, CANDIDATES = 200, 4
"""Pages among which those are looked for that show a notice best, and those of them
whose earlier bytes are looked at.
"""

WORDS: Mapping[str, tuple[str, str, str]] = {
    NoticeKind.NEW: (
        "New on these pages. Give it a name, or ignore it.",
        "A page without it",
        "A page that has it",
    ),
    NoticeKind.REPEATABLE: (
        "A page can have several of these now. A field of lines keeps them all.",
        "A page with one value",
        "A page with several",
    ),
    NoticeKind.VANISHED: (
        "The last pages have none. The site may have given it up, or moved it.",
        "A page that had it",
        "A page without it",
    ),
    NoticeKind.RETURNED: (
        "It is back after it was missing.",
        "A page without it",
        "A page that has it",
    ),
    NoticeKind.MOVED: (
        "It stands in another order than on other pages.",
        "A page from before",
        "A page from now",
    ),
    NoticeKind.SPLIT: (
        "Pages of one kind have become two.",
        "A page of the first kind",
        "A page of the other",
    ),
    NoticeKind.MERGED: (
        "Pages of two kinds have become one.",
        "A page from before",
        "A page from now",
    ),
    "names carried over": (
        "Look whether they are right: the pages have a new look.",
        "A page of this look",
        "Another of this look",
    ),
    NoticeKind.UNFIT: (
        "A page that is like no other. If it is no record, nothing is lost.",
        "A usual page",
        "The odd page",
    ),
}
"""For each kind what it means, and what the two pages show."""
_CHANGES: Mapping[str, bool] = {
    NoticeKind.NEW: False,
    NoticeKind.RETURNED: False,
    NoticeKind.VANISHED: True,
}
"""Kinds that a single page can show by what it was before, and whether it had the slot
then.
"""
_OTHER = ("Look at it, and put it aside.", "A page from before", "A page from now")


@dataclass(frozen=True)
class Sides:
    """The two pages that show a notice, as far as there are any."""

    cluster: int | None
    slot: str
    old: ExtractedPage | None
    new: ExtractedPage | None
    near: str = ""
    """A slot beside the one in question, which the old page has."""
    before: bool = False
    """Whether the old page is the new one as it was before it changed."""


def told(notice: NoticeRow) -> str:
    """A notice in one line: what happened, and a value that shows it."""
    slot, words = (
        str(notice.data.get("slot", "")),
        str(notice.data.get("message") or notice.key),
    )
    if words.startswith("#text "):
        words = f"a text{words.removeprefix('#text')}"
    if SlotId.parse(slot).source is not SlotSource.TEMPLATE:
        words = words.replace(slot, describe_slot(slot))
    example = next(
        (str(value) for value, *_ in notice.data.get("examples") or () if value), ""
    )
    return f"{words}: “{example[:80]}”" if example else words


def show(request: Request) -> Response:
    """One notice: what it means, and both pages."""
    collection = collection_of(request)
    notice = _notice(collection, whole_number(str(request.path_params["notice"])) or 0)
    found = _desk_of(collection, notice)
    sides = (
        sides_of(notice, found) if found is not None else Sides(None, "", None, None)
    )
    meaning, was, now = WORDS.get(notice.kind, _OTHER)
    was, now = ("This page before", "The same page now") if sides.before else (was, now)
    row = (
        next((row for row in found.rows if row.slot == sides.slot), None)
        if found is not None
        else None
    )
    home = f"/collections/{segment(collection.row.name)}"
    values: dict[str, Any] = {
        "collection": collection.row,
        "home": home,
        "at": f"{home}/annotate",
        "notices": collection.notices(),
        "review": collection.counts().get("review", 0),
        "notice": notice,
        "sides": sides,
        "row": row,
        "desk": found,
        "told": told(notice),
        "meaning": meaning,
        "was": was,
        "now": now,
        "page_id": None,
    }
    return page(request, "annotate/notice.html", **values)


def settle(request: Request) -> Response:
    """Put one notice aside, or those that were chosen."""
    collection, sent = collection_of(request), form(request)
    chosen = {
        number
        for each in sent.all("notice")
        if (number := whole_number(each)) is not None
    }
    collection.dismiss_notices(
        [notice for notice in collection.notices() if notice.id in chosen]
    )
    return see_other(f"/collections/{segment(collection.row.name)}/annotate")


def _notice(collection: Collection, number: int) -> NoticeRow:
    for notice in collection.notices():
        if notice.id == number:
            return notice
    raise NotStored("This notice was put aside already.")


def _desk_of(collection: Collection, notice: NoticeRow) -> Desk | None:
    """The cluster that a notice is about; of one about all pages, the largest. None,
    where these pages are no more.
    """
    try:
        return desk(collection, whole_number(str(notice.data.get("cluster", ""))))
    except NotStored:
        return None


def sides_of(notice: NoticeRow, desk: Desk) -> Sides:
    """The pages that show a notice best: one as it was and as it is, else two of the
    cluster.
    """
    collection = desk.collection
    slot, cluster = str(notice.data.get("slot", "")), desk.cluster.cluster
    pages = collection.extracted_pages(
        evenly_spaced(collection.extracted_page_ids(cluster), LOOKED)
    )
    changed = _changed_page(notice, desk, slot, pages)
    if changed is not None:
        return Sides(
            cluster, slot, changed, changed, _near(desk, slot, changed), before=True
        )
    old, new = _pair(notice, slot, pages)
    near = _near(desk, slot, old) if old is not None and not _values(old, slot) else ""
    return Sides(cluster, slot, old, new, near)


def _pair(
    notice: NoticeRow, slot: str, pages: Sequence[ExtractedPage]
) -> tuple[ExtractedPage | None, ExtractedPage | None]:
    """A page that shows what was, and one that shows what is."""
    told = {
        str(page)
        for _, page, *_ in (
            each for each in notice.data.get("examples") or () if len(each) > 1
        )
    }
    having = [page for page in pages if _values(page, slot)]
    without = [page for page in pages if not _values(page, slot)]
    named = [page for page in pages if page.url in told]
    if notice.kind == NoticeKind.VANISHED:
        return _first(having), _last(without)
    if notice.kind == NoticeKind.REPEATABLE:
        several = [page for page in having if len(_values(page, slot)) > 1]
        return _first([page for page in having if page not in several]), _last(several)
    if notice.kind == NoticeKind.UNFIT:
        return _first([page for page in pages if page not in named]), _last(named)
    if notice.kind in (NoticeKind.NEW, NoticeKind.RETURNED):
        return _first(without), _last(
            [page for page in named if page in having] or having
        )
    return _first(pages), _last(named or pages[1:])


def _changed_page(
    notice: NoticeRow, desk: Desk, slot: str, pages: Sequence[ExtractedPage]
) -> ExtractedPage | None:
    """A page whose earlier bytes show the change: they have the slot that it lost, or
    lack what it got.
    """
    had = _CHANGES.get(notice.kind)
    if had is None:
        return None
    for example in [each for each in pages if bool(_values(each, slot)) != had][
        :CANDIDATES
    ]:
        found = desk.collection.page(example.row.page_id)
        earlier = desk.collection.earlier_snapshot(found)
        if (
            earlier is not None
            and (slot in places_of(desk, replace(found, body_hash=earlier))[1]) == had
        ):
            return example
    return None


def _near(desk: Desk, slot: str, page: ExtractedPage) -> str:
    """The slot before this one that a page has: there it would stand."""
    place = desk.order.index(slot) if slot in desk.order else 0
    return next(
        (other for other in reversed(desk.order[:place]) if _values(page, other)), ""
    )


def _values(page: ExtractedPage, slot: str) -> Sequence[str]:
    return page.row.slots.get(SlotId.parse(slot).within_page, ())


def _first(pages: Sequence[ExtractedPage]) -> ExtractedPage | None:
    return pages[0] if pages else None


def _last(pages: Sequence[ExtractedPage]) -> ExtractedPage | None:
    return pages[-1] if pages else None


_AT = "/collections/{name}/annotate/notices"
routes = [Route(f"{_AT}/{{notice:int}}", show), Route(_AT, settle, methods=["POST"])]
