"""Suggestions that are followed: who has accepted all suggestions once has said that
they are good, and need not say so again of every new design of the site.

The slots of a cluster that is new since then get the fields that are suggested for them,
with a notice, and one undo takes them back. Fields that an operator named by hand are
never given to other slots, and where acceptance was undone nothing is followed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from scythe.collect.context import RunContext, StateKey
from scythe.collect.fields.annotations import (
    AnnotationAction,
    AnnotationChange,
    store_change,
)
from scythe.collect.fields.notices import FOLLOWED
from scythe.collect.fields.slots import accepted_suggestions
from scythe.collect.fields.surveys import survey_cluster
from scythe.errors import Conflict
from scythe.store.collections.annotations import AnnotationRow
from scythe.store.collections.extractions import ClusterRow
from scythe.store.collections.runs import NewNotice
from scythe.templates.slot import SlotId

MIN_PAGES = 3
"""Pages of a cluster from which on its suggestions mean something. Not tuned."""

_Fields = Mapping[str, tuple[str, str]]


def store_accepted(context: RunContext, accepted: _Fields) -> None:
    """Store which slots have their field by suggestion, and that this is true of all
    clusters of now.
    """
    stored = context.load_state(StateKey.ACCEPTED) or {}
    slots = dict(stored.get("slots", {}))
    for slot, given in accepted.items():
        slots[slot] = list(given)
    clusters = {row.cluster for row in context.extractions.clusters()}
    clusters.update(stored.get("clusters", ()))
    state = {"slots": slots, "clusters": sorted(clusters)}
    context.store_state(StateKey.ACCEPTED, state)


def follow_suggestions(context: RunContext) -> dict[str, tuple[str, str]]:
    """Accept the suggestions for clusters that are new since suggestions were accepted;
    return field and type by slot.
    """
    stored = context.load_state(StateKey.ACCEPTED)
    if not stored:
        return {}
    annotation = context.annotations.latest()
    by_suggestion = {
        slot
        for slot, given in stored["slots"].items()
        if slot in annotation.names and annotation.names[slot][0] == given[0]
    }
    if not by_suggestion:
        return {}
    new = [
        row
        for row in context.extractions.clusters()
        if row.cluster not in stored["clusters"] and row.pages >= MIN_PAGES
    ]
    found = _suggested(context, new, annotation, by_suggestion)
    if found and not _store_followed(context, found, annotation.version):
        return {}
    if new:
        store_accepted(context, found)
    return found


def _suggested(
    context: RunContext,
    clusters: Iterable[ClusterRow],
    annotation: AnnotationRow,
    by_suggestion: set[str],
) -> dict[str, tuple[str, str]]:
    """Return what is suggested for slots of clusters as if nothing had been before; what
    operators named stays theirs.
    """
    by_hand = {
        slot: given
        for slot, given in annotation.names.items()
        if slot not in by_suggestion
    }
    taken = {given[0] for given in by_hand.values()}
    schema = context.schema
    found: dict[str, tuple[str, str]] = {}
    for cluster in clusters:
        slots = survey_cluster(context, cluster).slots(by_hand, schema)
        named = {slot.slot: (slot.field or "", "") for slot in slots if slot.field}
        accepted = accepted_suggestions(slots, named, annotation.ignored)
        for slot, given in accepted.items():
            if slot not in annotation.names and given[0] not in taken:
                found[slot] = given
    return found


def _store_followed(context: RunContext, found: _Fields, version: int) -> bool:
    """Store the fields as any other annotation, with a notice; return whether they
    were.
    """
    change = AnnotationChange(AnnotationAction.ACCEPT, tuple(found), accepted=found)
    try:
        stored = store_change(context, change, version)
    except Conflict:
        return False  # an operator annotates just now; the next run tries again
    fields = ", ".join(dict.fromkeys(name for name, _ in found.values()))
    first_slot = next(iter(found))
    data = {
        "message": f"pages look new; suggestions for them are accepted: {fields}",
        "slot": first_slot,
        "cluster": str(SlotId.parse(first_slot).cluster or ""),
    }
    notice = NewNotice(f"{FOLLOWED}/{stored}", FOLLOWED, data)
    context.runs.add_notices([notice], context.run or None)
    return True
