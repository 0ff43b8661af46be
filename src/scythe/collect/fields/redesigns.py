"""Names that survive a redesign: slots of a new template get the names of those that
gave the same values before.

Sections and declarations keep their slots in any design; places of a template do not.
But the pages of a redesigned site have records already, whose values are known: a place
of the new template that has the values of a field on nearly all of them is that field.
It is only done for clusters of which nobody has said anything, and the operator is
told.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scythe.collect.context import Work
from scythe.collect.fields.annotations import ACCEPT, Change, say
from scythe.collect.fields.names import Names, in_cluster
from scythe.collect.records.schema import RecordSchema
from scythe.collect.records.standardize.types import Malformed, read_field
from scythe.errors import Conflict
from scythe.store.collections.extractions import (
    ExtractedPage,
    ExtractionRows,
    evenly_spaced,
)
from scythe.store.collections.runs import NewNotice
from scythe.templates.slot import SlotId
from scythe.urls import url_key

LOOKED = 40
"""Pages of a new cluster that are compared with their records."""
LEAST, SAME = 3, 0.8
"""Pages that must have the values of a field, with different ones among them, and the
share of those with the field.
"""

CARRIED = "carried_names"
"""Under which name clusters are remembered that got their names: an operator who undoes
that has the last word.
"""

Fields = Mapping[str, Any]


def carry_names(work: Work) -> dict[str, tuple[str, str]]:
    """Name the slots of clusters that nobody has seen after what their pages' records
    say; gives the names by slot.
    """
    words = work.annotations.latest()
    named = {
        slot: said for slot, said in words.names.items() if _cluster(slot) is not None
    }
    if not named:
        return {}
    done: list[int] = work.remembered(CARRIED) or []
    spoken_of = {*done, *(_cluster(slot) for slot in (*named, *words.ignored))}
    rows = ExtractionRows(work.store, work.row.id)
    carried: dict[str, tuple[str, str]] = {}
    for cluster in rows.clusters():
        if cluster.cluster not in spoken_of:
            pages = [
                (page, fields)
                for page in rows.read(evenly_spaced(rows.ids(cluster.cluster), LOOKED))
                if (fields := _known(work, page))
            ]
            carried.update(_same_values(pages, named, work.schema, cluster.cluster))
    if carried and _say(work, carried, words.version):
        work.remember(
            CARRIED,
            sorted({*done, *(SlotId.parse(slot).cluster or 0 for slot in carried)}),
        )
    return carried


def _cluster(slot: str) -> int | None:
    return SlotId.parse(slot).cluster


def _known(work: Work, page: ExtractedPage) -> Fields | None:
    """The good values of the record of a page."""
    record = work.records.get(url_key(page.url))
    return record.fields if record is not None else None


def _same_values(
    pages: Sequence[tuple[ExtractedPage, Fields]],
    named: Names,
    schema: RecordSchema,
    cluster: int,
) -> dict[str, tuple[str, str]]:
    """For each field the first slot that has its values on nearly all pages."""
    slots = dict.fromkeys(
        slot for page, _ in pages for slot in page.row.slots if ":" not in slot
    )
    found: dict[str, tuple[str, str]] = {}
    for name, type_ in dict.fromkeys((said[0], said[1]) for said in named.values()):
        having = [
            (page, fields[name])
            for page, fields in pages
            if fields.get(name) not in (None, "", [])
        ]
        for slot in slots:
            same = [
                value
                for page, value in having
                if _read(page, slot, name, schema) == value
            ]
            if len(same) >= max(LEAST, SAME * len(having)) and any(
                value != same[0] for value in same
            ):
                found.setdefault(in_cluster(cluster, slot), (name, type_))
                break
    return found


def _read(page: ExtractedPage, slot: str, name: str, schema: RecordSchema) -> Any:
    """What a slot of a page gives for a field."""
    try:
        return read_field(
            list(page.row.slots.get(slot, ())), schema.by_name[name], page.url
        ).get(name)
    except Malformed:
        return None


def _say(work: Work, carried: Mapping[str, tuple[str, str]], version: int) -> bool:
    """Store the names as any other, so that they can be undone, and tell the operator."""
    try:
        said = say(work, Change(ACCEPT, tuple(carried), names=carried), version)
    except Conflict:
        return False  # an operator is at it just now; the next run looks again
    told = ", ".join(dict.fromkeys(name for name, _ in carried.values()))
    data = {
        "message": f"pages look new; their names are carried over: {told}",
        "slot": next(iter(carried)),
    }
    data["cluster"] = str(SlotId.parse(data["slot"]).cluster)
    work.runs.add_notices(
        [NewNotice(f"names carried over/{said}", "names carried over", data)],
        work.run or None,
    )
    return True
