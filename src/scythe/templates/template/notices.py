"""What an operator should know after an update, as data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from scythe.templates.slot import Example


class NoticeKind(StrEnum):
    """What happened to a template."""

    NEW = "new attribute"
    REPEATABLE = "attribute turned repeatable"
    VANISHED = "attribute vanished"
    RETURNED = "attribute returned"
    MOVED = "order changed"
    SPLIT = "template split"
    MERGED = "templates merged"
    UNFIT = "page fits nothing"


@dataclass(frozen=True, slots=True)
class Notice:
    """One thing that happened, with values and pages that show it."""

    kind: NoticeKind
    slot: str | None
    message: str
    examples: Sequence[Example] = ()
    pages: int = 0
    """How many pages had it when the notice was given, 0 where that says nothing."""
    affects_named: bool = False
    """Whether it is about something that an operator named."""


@dataclass(frozen=True, slots=True)
class Update:
    """What a page did to a template."""

    page: str
    fit: float
    """The share of the page's texts for which the template had a slot."""
    notices: Sequence[Notice] = ()
    new_slots: Sequence[str] = ()
    changed: bool = False
    """Whether the template has positions or slots that it did not have before."""
    turned_data: Sequence[str] = ()
    """Slots that had the same value on all pages before, and so were no data: what was
    read of these pages lacks it.
    """
