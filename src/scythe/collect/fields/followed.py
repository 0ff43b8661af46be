"""Suggestions that are followed: who has accepted all suggestions once has said that
they are good, and need not say so again of every new design of the site.

Slots that are new since then get the fields that are suggested for them, with a notice,
and one undo takes them back. Fields that an operator named by hand are
never given to other slots, and where acceptance was undone nothing is followed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scythe.collect.context import RunContext, StateKey
from scythe.collect.fields.annotations import (
    AnnotationAction,
    AnnotationChange,
    store_change,
)
from scythe.collect.fields.notices import FOLLOWED
from scythe.collect.fields.slots import accepted_suggestions
from scythe.collect.fields.suggested_parts import suggested_parts
from scythe.collect.fields.surveys import Survey, survey_cluster
from scythe.collect.records.field_values import SlotFields
from scythe.errors import Conflict
from scythe.store.collections.runs import NewNotice
from scythe.templates.slot import PART_SIGN, SlotId

TITLE = "title"
"""The field whose slot may have been needless before: a heading that said what the
declared title did may say more since the site changed.
"""
MIN_PAGES = 3
"""Pages of a cluster from which on its suggestions mean something. Not tuned."""

_Fields = Mapping[str, tuple[str, str]]


def store_accepted(
    context: RunContext, accepted: _Fields, surveys: Sequence[Survey]
) -> None:
    """Store which slots have their field by suggestion, and which ones there are by
    surveys: those that have none are not asked about again.
    """
    stored = context.load_state(StateKey.ACCEPTED) or {}
    before = stored.get("slots", {})
    slots = dict(before)
    for slot, given in accepted.items():
        slots[slot] = list(given)
    seen_before = stored.get("seen", ())
    seen = set(seen_before)
    for survey in surveys:
        seen.update(survey.statistics)
    versions_before = stored.get("versions", {})
    versions = dict(versions_before)
    for row in context.extractions.clusters():
        cluster = str(row.cluster)
        versions[cluster] = row.version
    in_order = sorted(seen)
    state = {"slots": slots, "seen": in_order, "versions": versions}
    context.store_state(StateKey.ACCEPTED, state)


def follow_suggestions(context: RunContext) -> dict[str, tuple[str, str]]:
    """Accept the suggestions for slots that are new since suggestions were accepted;
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
    surveys = []
    versions = stored["versions"]
    for row in context.extractions.clusters():
        known_version = versions.get(str(row.cluster))
        is_grown = known_version != row.version
        if is_grown and row.pages >= MIN_PAGES:
            surveys.append(survey_cluster(context, row))
    by_hand = {
        slot: given
        for slot, given in annotation.names.items()
        if slot not in by_suggestion
    }
    parted = {
        SlotId.parse(slot).whole for slot in annotation.names if PART_SIGN in slot
    }
    new: dict[str, tuple[str, str]] = {}
    for survey in surveys:
        is_new_design = str(survey.cluster) not in stored["versions"]
        known = {**annotation.names, **new}
        found = _suggested(context, survey, by_hand, known)
        for slot, given in found.items():
            slot_id = SlotId.parse(slot)
            is_new = slot_id.whole not in stored["seen"]
            has_no_parts = slot_id.whole not in parted
            is_new_part = slot_id.part and (is_new_design or has_no_parts)
            was_taken_back = slot in stored["slots"]
            if was_taken_back:
                continue
            if is_new or is_new_part or given[0] == TITLE:
                new[slot] = given
    if new and not _store_followed(context, new, annotation.version):
        return {}
    if surveys:
        store_accepted(context, new, surveys)
    return new


def _suggested(
    context: RunContext, survey: Survey, by_hand: SlotFields, known: SlotFields
) -> dict[str, tuple[str, str]]:
    """Return what is suggested for the slots of a cluster as if nothing had been before;
    what operators named stays theirs.
    """
    taken = {given[0] for given in by_hand.values()}
    schema = context.schema
    slots = survey.slots(by_hand, schema)
    named = {slot.slot: (slot.field or "", "") for slot in slots if slot.field}
    ignored = context.annotations.latest().ignored
    accepted = accepted_suggestions(slots, named, ignored)
    parts = suggested_parts(survey, accepted, schema, known)
    accepted.update(parts)
    found: dict[str, tuple[str, str]] = {}
    for slot, given in accepted.items():
        field, _ = given
        if slot in known or field in taken:
            continue
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
    names = [name for name, _ in found.values()]
    fields = ", ".join(dict.fromkeys(names))
    first_slot = next(iter(found))
    data = {
        "message": f"pages look new; suggestions for them are accepted: {fields}",
        "slot": first_slot,
        "cluster": str(SlotId.parse(first_slot).cluster or ""),
    }
    notice = NewNotice(f"{FOLLOWED}/{stored}", FOLLOWED, data)
    context.runs.add_notices([notice], context.run or None)
    return True
