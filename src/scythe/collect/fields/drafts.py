"""Drafts: until an operator has accepted or dismissed suggestions, those that are sure
fill the fields that have no name, so that the first run ends with readable records.
"""

from __future__ import annotations

from collections.abc import Sequence

from scythe.collect.context import RunContext, StateKey
from scythe.collect.fields.slots import accepted_suggestions
from scythe.collect.fields.suggested_parts import suggested_parts
from scythe.collect.fields.surveys import Survey, survey_clusters
from scythe.collect.records.field_values import schema_with_fields


def certain_suggestions(
    context: RunContext, surveys: Sequence[Survey]
) -> dict[str, tuple[str, str]]:
    """Return field and type by slot for the suggestions of surveys that are sure,
    cluster by cluster: fields that a slot of the cluster has by name are left alone.
    """
    annotation = context.annotations.latest()
    schema = schema_with_fields(context.plain_schema, annotation.names)
    certain: dict[str, tuple[str, str]] = {}
    for survey in surveys:
        known = {**annotation.names, **certain}
        slots = survey.slots(known, schema)
        named: dict[str, tuple[str, str]] = {}
        for slot in slots:
            if slot.field:
                named[slot.slot] = (slot.field, "")
        found = accepted_suggestions(slots, named, annotation.ignored)
        certain.update(found)
        parts = suggested_parts(survey, found, schema, certain)
        certain.update(parts)
    return certain


def update_drafts(context: RunContext) -> bool:
    """Store the suggestions that make drafts; return whether records have yet to get
    their values, also where a run was killed before they did. Of settled collections
    nothing is a draft.
    """
    if context.annotations.latest().settled:
        return False
    suggestions = certain_suggestions(context, survey_clusters(context))
    certain = {slot: list(given) for slot, given in suggestions.items()}
    if certain != (context.load_state(StateKey.DRAFTS) or {}):
        with context.store.writing():
            context.store_state(StateKey.DRAFTS, certain)
            context.store_state(StateKey.DRAFTS_WAIT, state=True)
    return bool(context.load_state(StateKey.DRAFTS_WAIT))


def mark_drafts_applied(context: RunContext) -> None:
    """Store that all records have the values of drafts."""
    context.store_state(StateKey.DRAFTS_WAIT, state=False)
