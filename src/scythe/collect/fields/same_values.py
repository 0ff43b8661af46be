"""Fields that have come to say the same of all records: a slot that told records apart
holds something else since the site changed, such as the first heading of every page.

Nothing is missing there, so no template notices it. What records had before does.
"""

from __future__ import annotations

import json
from collections import Counter

from scythe.collect.context import RunContext, StateKey
from scythe.collect.fields.notices import SAME_VALUES
from scythe.store.collections.extractions import evenly_spaced
from scythe.store.collections.runs import NewNotice
from scythe.store.states import RecordState

SAMPLE_SIZE = 200
"""Records that are compared: a bound on work, not tuned."""
MIN_RECORDS = 10
"""Records that must have a field: fewer may agree by chance. Not tuned."""
DISTINCT = 0.5
"""The share of different values from which on a field tells records apart. Not tuned."""
SAME = 0.9
"""The share of records with one value from which on a field tells nothing. Not tuned."""


def notice_same_values(context: RunContext) -> list[str]:
    """Give notices of fields that told records apart before and say the same of nearly
    all now; return these fields.
    """
    values = _values_by_field(context)
    distinct_before = set(context.load_state(StateKey.DISTINCT_FIELDS) or ())
    distinct: list[str] = []
    same: list[str] = []
    notices = []
    for name, counts in values.items():
        total = counts.total()
        if total < MIN_RECORDS:
            continue
        ((value, count),) = counts.most_common(1)
        if len(counts) >= DISTINCT * total:
            distinct.append(name)
        elif name in distinct_before and count >= SAME * total:
            same.append(name)
            text = f"{name} is the same in {count} of {total} records: {value}"
            slot = _slot_of(context, name)
            data = {"slot": slot, "message": text, "pages": count}
            key = f"{SAME_VALUES}/{name}/{context.run}"
            notice = NewNotice(key, SAME_VALUES, data)
            notices.append(notice)
    context.runs.add_notices(notices, context.run or None)
    if values:
        context.store_state(StateKey.DISTINCT_FIELDS, distinct)
    return same


def _values_by_field(context: RunContext) -> dict[str, Counter[str]]:
    """Return how often a sample of records has each value of a field."""
    keys = list(context.records.keys(RecordState.OK, RecordState.DRAFT))
    numbers = evenly_spaced(range(len(keys)), SAMPLE_SIZE)
    values: dict[str, Counter[str]] = {}
    for record in context.records.with_keys(keys[number] for number in numbers):
        for name, value in (record.fields or {}).items():
            if value in (None, "", []):
                continue
            text = json.dumps(value, ensure_ascii=False)
            counts = values.setdefault(name, Counter())
            counts[text] += 1
    return values


def _slot_of(context: RunContext, field: str) -> str:
    """Return the first slot that gives a field."""
    for slot, given in context.slot_fields.items():
        if given[0] == field:
            return slot
    return ""
