"""Notices in the order in which an operator should look at them, with those that say
the same put together.

What was named comes first: where a field is missing, records are wrong. Data that is
new comes next, that of most pages first. The rest concerns nothing that was named, and
says so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum

from scythe.collect.records.field_values import SlotFields
from scythe.store.collections.runs import NoticeRow
from scythe.templates.slot import SlotId
from scythe.templates.template.notices import NoticeKind

CARRIED_OVER = "names carried over"
"""The kind of notices about a redesign: it is about all fields."""
FOLLOWED = "suggestions accepted"
"""The kind of notices about a new design whose suggestions were followed."""
SAME_VALUES = "same values"
"""The kind of notices about fields that no longer tell records apart."""

_DESCRIPTIONS: Mapping[str, str] = {
    NoticeKind.NEW: "new on these pages",
    NoticeKind.REPEATABLE: "several values on a page",
    NoticeKind.VANISHED: "missing on the last pages",
    NoticeKind.RETURNED: "back after it was missing",
    NoticeKind.MOVED: "in another order",
    NoticeKind.UNFIT: "pages like no other",
    SAME_VALUES: "the same in all records now",
}
"""What notices of a kind say of fields; other kinds say it by their name."""
_COUNTED: Mapping[str, tuple[str, str]] = {
    NoticeKind.NEW: ("new text", "new texts"),
    NoticeKind.REPEATABLE: (
        "text can have several values now",
        "texts can have several values now",
    ),
    NoticeKind.VANISHED: (
        "text is missing on the latest pages",
        "texts are missing on the latest pages",
    ),
    NoticeKind.RETURNED: ("text is back", "texts are back"),
    NoticeKind.MOVED: ("text stands in another order", "texts stand in another order"),
    NoticeKind.UNFIT: ("unusual page", "unusual pages"),
}
"""What one notice and what several of a kind say where no field is affected."""


class NoticeRank(IntEnum):
    """How much a notice matters; the smallest number first."""

    NAMED = 1
    """It is about a field: records may be wrong or lack values."""
    NEW = 2
    """Data that nobody has named yet."""
    OTHER = 3
    """Nothing that was named is affected."""


@dataclass(frozen=True)
class NoticeGroup:
    """Notices of one kind about pages of one cluster, or about pages of all."""

    group: str
    """The same for all notices of the group, in all runs."""
    kind: str
    rank: NoticeRank
    fields: tuple[str, ...]
    """The named fields that are affected."""
    notices: tuple[NoticeRow, ...]
    """The notices, those of most pages first."""

    @property
    def affects_named(self) -> bool:
        """Whether anything that an operator named is affected."""
        return self.rank is NoticeRank.NAMED

    @property
    def summary(self) -> str:
        """The group in one line."""
        description = _DESCRIPTIONS.get(self.kind, self.kind)
        if self.fields:
            return f"{description}: {', '.join(self.fields)}"
        if self.affects_named:
            return description
        number = len(self.notices)
        singular, plural = _COUNTED.get(self.kind, (description, description))
        counted = singular if number == 1 else plural
        return f"{number} {counted}; nothing that you named is affected"


def group_notices(
    notices: Sequence[NoticeRow], slot_fields: SlotFields
) -> list[NoticeGroup]:
    """Return notices in groups, what matters most first."""
    members: dict[tuple[NoticeRank, str], list[NoticeRow]] = {}
    for notice in notices:
        rank = notice_rank(notice, slot_fields)
        key = (rank, _group_of(notice, rank))
        members.setdefault(key, []).append(notice)

    groups = []
    for (rank, group), found in members.items():
        found.sort(key=lambda notice: (-_pages(notice), notice.id))
        fields: dict[str, None] = {}
        for notice in found:
            slot = _slot(notice)
            if slot in slot_fields:
                fields[slot_fields[slot][0]] = None
        kind = found[0].kind
        groups.append(NoticeGroup(group, kind, rank, tuple(fields), tuple(found)))

    def importance(group: NoticeGroup) -> tuple[int, int]:
        first = group.notices[0]
        pages = _pages(first)
        return group.rank, -pages

    groups.sort(key=importance)
    return groups


def notice_rank(notice: NoticeRow, slot_fields: SlotFields) -> NoticeRank:
    """Return how much a notice matters to an operator who named these slots."""
    is_about_fields = notice.kind in (CARRIED_OVER, FOLLOWED, SAME_VALUES)
    if is_about_fields or _slot(notice) in slot_fields:
        return NoticeRank.NAMED
    if notice.kind == NoticeKind.NEW:
        return NoticeRank.NEW
    return NoticeRank.OTHER


def _group_of(notice: NoticeRow, rank: NoticeRank) -> str:
    """Return the name of the group of a notice: template slots by their cluster, since
    each has its own pages, and all others by where they come from.
    """
    slot_id = SlotId.parse(_slot(notice))
    pages = slot_id.cluster if slot_id.cluster is not None else slot_id.source
    return f"{rank.name.lower()}/{notice.kind}/{pages}"


def _slot(notice: NoticeRow) -> str:
    return str(notice.data.get("slot", ""))


def _pages(notice: NoticeRow) -> int:
    """Return how many pages a notice is known to be about."""
    pages = notice.data.get("pages")
    return pages if isinstance(pages, int) else 0
