"""What stands beside the example page: the fields with their values on it, the slot
that is chosen, and what a change did.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Any
from urllib.parse import unquote, urlsplit

from starlette.requests import Request

from scythe.collect.collection import Collection
from scythe.collect.views import evenly_spaced
from scythe.web.annotate import notices
from scythe.web.annotate.annotation_view import AnnotationView, SlotState, SlotView
from scythe.web.annotate.fields import FieldState, FieldView, field_views
from scythe.web.server.forms import whole_number
from scythe.web.server.jobs import jobs_of
from scythe.web.server.record_updates import update_key
from scythe.web.server.rendering import segment

MAX_HISTORY = 8
"""Changes that the page lists: what fits, not tuned."""
MAX_UNUSED = 60
"""Slots of "Unused data" that are listed at once; the filter box finds the others. A
bound on what a page holds, not tuned.
"""
MAX_KINDS, NAMING_PAGES = 12, 3
"""Kinds of pages that are listed, and pages of each that are asked for its name: bounds
on work, not tuned.
"""
MAX_NAME = 30
"""Characters of what a kind of pages is called after: what fits a button, not tuned."""
MAX_FIND = 100
"""Characters of the filter box: a bound on work."""


def collection_values(request: Request, collection: Collection) -> dict[str, Any]:
    """Return what every page of annotation shows of its collection."""
    name = collection.row.name
    home = f"/collections/{segment(name)}"
    return {
        "collection": collection.row,
        "at": f"{home}/annotate",
        "home": home,
        "notices": collection.notices(),
        "notice_groups": collection.notice_groups(),
        "notice_title": notices.notice_title,
        "notice_text": notices.notice_text,
        "review": collection.counts().get("review", 0),
        "update": jobs_of(request).of(update_key(name)),
    }


def page_values(
    request: Request, view: AnnotationView, number: int | None = None
) -> dict[str, Any]:
    """Return what the page shows of a cluster: one of its pages, the fields with their
    values there, and which slot is chosen.
    """
    query = request.query_params
    pages = list(view.survey.pages)
    chosen = view.find(query.get("slot", ""))
    number = number if number is not None else whole_number(query.get("page"))
    if number not in pages:
        number = _page_with_slot(chosen) or _fullest_page(view)
    position = pages.index(number)
    row = view.collection.page(number)
    fields = shown_fields(view, number)
    return {
        "view": view,
        "cluster_names": cluster_names(view),
        "slot": chosen,
        "page_id": number,
        "page_url": row.final_url or row.url,
        "previous_page": pages[position - 1] if position else None,
        "next_page": pages[position + 1] if position + 1 < len(pages) else None,
        "position": position + 1,
        "fields": [field for field in fields if field.state != FieldState.MISSING],
        "missing": [field for field in fields if field.state == FieldState.MISSING],
        "has_suggestions": any(field.state == FieldState.SUGGESTED for field in fields),
        "ignored": view.in_state(SlotState.IGNORED),
        "history": view.collection.annotation_history(MAX_HISTORY),
        "records_are_current": view.collection.records_are_current(),
        "saved": _saved(request, view),
        **unused_values(request, view),
    }


def cluster_names(view: AnnotationView) -> dict[int, str]:
    """Return what people call the kinds of pages: by the folder that their addresses
    share, the largest by the kind of its records, others by one of them.
    """
    names: dict[int, str] = {}
    for cluster in view.clusters[:MAX_KINDS]:
        folder, example = _address_words(view.collection, cluster.cluster)
        if not folder and not names:
            folder = view.collection.row.kind.lower()
        name = f"{folder} pages"
        if not folder or name in names.values():
            name = f"pages like “{example}”"
        names[cluster.cluster] = name
    return names


def _address_words(collection: Collection, cluster: int) -> tuple[str, str]:
    """Return the folder that the addresses of some pages share, empty where there is
    none, and how one of them ends, both in words.
    """
    ids = evenly_spaced(collection.extracted_page_ids(cluster), NAMING_PAGES)
    folders: set[str] = set()
    example = ""
    for page in collection.extracted_pages(ids):
        *path, last = unquote(urlsplit(page.url).path).strip("/").split("/")
        folders.add(path[0] if path else "")
        example = example or last.partition(".")[0]
    folder = folders.pop() if len(folders) == 1 else ""
    letters = re.sub(r"[^a-zA-Z]+", " ", folder).strip().lower()
    example = re.sub(r"[\W_]+", " ", example).strip()
    return letters[:MAX_NAME], example[:MAX_NAME] or "the home page"


def shown_fields(view: AnnotationView, page: int) -> list[FieldView]:
    """Return the fields with their values in the record of a page, those that are only
    suggested as if they were accepted.
    """
    is_suggested = bool(view.in_state(SlotState.SUGGESTED))
    change = view.accept_suggestions() if is_suggested else None
    return field_views(view, view.collection.page_record(page, change, view.order))


def unused_values(request: Request, view: AnnotationView) -> dict[str, Any]:
    """Return the slots that no field uses: those whose values or labels have the words
    of the filter box.
    """
    query = request.query_params
    find = query.get("find", "").strip()[:MAX_FIND]
    unused = unused_slots(view)
    found = [slot for slot in unused if _has_words(slot, find.casefold())]
    is_open = bool(find) or "unused" in query
    return {
        "find": find,
        "unused_count": len(unused),
        "found_count": len(found),
        "unused": found[:MAX_UNUSED] if is_open else [],
        "is_unused_open": is_open,
    }


def unused_slots(view: AnnotationView) -> list[SlotView]:
    """Return the slots that are neither named nor ignored nor suggested: those of most
    pages first.
    """
    return view.in_state(SlotState.UNUSED)


def _has_words(slot: SlotView, words: str) -> bool:
    texts = (slot.title, slot.slot.label, *slot.slot.examples)
    return any(words in text.casefold() for text in texts)


def _saved(request: Request, view: AnnotationView) -> dict[str, Any] | None:
    """Return what the last change did, where the address says that it was just made."""
    query = request.query_params
    if whole_number(query.get("saved")) != view.annotation.version:
        return None
    return saved_line(
        view,
        whole_number(query.get("changed")),
        whole_number(query.get("of")),
    )


def saved_line(
    view: AnnotationView, changed: int | None, sampled: int | None
) -> dict[str, Any]:
    """Return what to say after a change: what it was, and how many records it changed
    of how many that were looked at.
    """
    total = view.survey.total
    is_sample = sampled is not None and sampled < total
    return {
        "what": view.annotation.what,
        "changed": changed,
        "of": sampled if is_sample else None,
    }


def _fullest_page(view: AnnotationView) -> int:
    """Return the number of the page that is an example of most fields and suggestions:
    one without any would show nothing to name.
    """
    counts: Counter[int] = Counter()
    for slot in view.slots:
        if slot.state in (SlotState.NAMED, SlotState.SUGGESTED):
            counts.update(set(slot.slot.pages))
    return max(view.survey.pages, key=lambda number: counts[number])


def _page_with_slot(slot: SlotView | None) -> int | None:
    """Return the number of a page that has a slot."""
    if slot is None or not slot.slot.pages:
        return None
    return slot.slot.pages[0]
