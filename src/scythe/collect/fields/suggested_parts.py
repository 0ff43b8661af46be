"""Suggestions for parts of what slots hold: values between texts that all pages share
(`records.shared_text`), each a field of its own beside the whole.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import count

from scythe.collect.fields.surveys import Survey
from scythe.collect.pages.page_reading import NAMED_PARTS
from scythe.collect.records.field_values import SlotFields
from scythe.collect.records.schema import RecordSchema
from scythe.collect.records.shared_text import shared_parts
from scythe.templates.slot import PART_SIGN, SlotId, SlotSource

MAX_PARTS = 6
"""Parts of one slot; what has more is hardly put together from parts. Not tuned."""
_PLAIN_TYPES = ("", "text", "lines")
"""Types of fields whose values are texts, as they are on the page."""
_SOURCES = (SlotSource.LABEL, SlotSource.DECLARED)
"""Slots whose values are told from others by the site itself."""
_NAME = "title"
"""The name of a record, which is one thing but for what a site says around it."""


def suggested_parts(
    survey: Survey,
    accepted: Mapping[str, tuple[str, str]],
    schema: RecordSchema,
    known: SlotFields,
) -> dict[str, tuple[str, str]]:
    """Return field and type by slot for parts of slots with accepted suggestions: the
    parts of `screen` are `screen_1`, `screen_2`, further ones of another design
    `screen_3`. Records whose text is in known parts itself get none.
    """
    if not NAMED_PARTS.isdisjoint(schema.by_name):
        return {}
    taken = {given[0] for given in known.values()}
    parts: dict[str, tuple[str, str]] = {}
    for slot, (field, type_) in accepted.items():
        rule = schema.by_name.get(field)
        own_type = type_ or (rule.type if rule else "")
        is_plain = own_type in _PLAIN_TYPES
        if SlotId.parse(slot).source not in _SOURCES or not is_plain:
            continue
        statistics = survey.statistics.get(slot)
        if statistics is None:
            continue
        patterns = shared_parts(statistics.samples)
        is_name = field == _NAME and len(patterns) != 1
        if len(patterns) > MAX_PARTS or is_name:
            continue
        for pattern in patterns:
            part = f"{slot}{PART_SIGN}{pattern}"
            if part in known:
                continue
            name = _free_name(field, taken)
            taken.add(name)
            parts[part] = (name, "lines" if own_type == "lines" else "")
    return parts


def _free_name(field: str, taken: set[str]) -> str:
    numbers = count(1)
    names = (f"{field}_{number}" for number in numbers)
    return next(name for name in names if name not in taken)
