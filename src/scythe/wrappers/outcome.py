"""What a wrapper's records are worth: a status that says whether they can be trusted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, Self

from scythe.tree.tree import Tree
from scythe.wrappers.record import Page, Record, Records, RecordsStatus

TRUSTED_SHARE = 0.5
"""A wrapper has drifted where the records fill less than this share of the columns they
filled when it was learned.
"""
LOOKED_AT = 5
"""Records, evenly over the page, whose fields are looked at for drift."""


@dataclass(frozen=True)
class Expectation:
    """What the pages looked like that a wrapper was learned from."""

    records: tuple[int, int]
    """The least and the greatest number of records on a page."""
    filled: float
    """How many of the columns a record filled, on average."""
    linked: bool
    """Whether records had links."""

    @classmethod
    def of(cls, pages: Sequence[Records], columns: int) -> Self:
        """What these pages show."""
        counts = [len(rows) for rows in pages]
        rows = [row for rows in pages for row in rows]
        linked = sum(row.link is not None for row in rows) * 2 > len(rows)
        return cls(
            (min(counts, default=0), max(counts, default=0)),
            _filled(rows, columns),
            linked,
        )

    def as_json(self) -> dict[str, Any]:
        """As plain values."""
        return {
            "records": list(self.records),
            "filled": round(self.filled, 3),
            "linked": self.linked,
        }

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """What `as_json` wrote."""
        least, most = values["records"]
        return cls(
            (int(least), int(most)), float(values["filled"]), bool(values["linked"])
        )


def _filled(rows: Sequence[Record], columns: int) -> float:
    return fmean(len(row.fields) / columns for row in rows) if rows and columns else 0.0


def judged(page: Page, expected: Expectation) -> Records:
    """The records that a wrapper found, if they can be trusted; else none, and why."""
    if not page.spans:
        return without_records(page.tree)
    found = Records.of(page, "wrapper", 1.0)
    seen = found.rows[:: max(len(found) // LOOKED_AT, 1)]
    share = (
        _filled(seen, len(page.fields.columns)) / expected.filled
        if expected.filled
        else 1.0
    )
    if share < TRUSTED_SHARE or (expected.linked and not any(row.link for row in seen)):
        return _none(
            RecordsStatus.DRIFTED,
            "The records found have lost most of their fields: learn the wrapper again.",
        )
    return Records(found.rows, RecordsStatus.OK, "wrapper", min(share, 1.0))


def without_records(tree: Tree) -> Records:
    """Why a wrapper finds nothing on a page."""
    from scythe.content.status import (
        is_blocked,  # loads a model, which only pages without records need
    )
    from scythe.wrappers.sections import find_sections

    if is_blocked(tree):
        return _none(
            RecordsStatus.BLOCKED, "The page is a bot check or an access wall."
        )
    best = next(iter(find_sections(tree)), None)
    if best is not None and best.is_certain:
        return _none(
            RecordsStatus.DRIFTED,
            "The page has a list that the wrapper does not know: learn the wrapper again.",
        )
    return _none(RecordsStatus.EMPTY, "The page has no records.")


def _none(status: RecordsStatus, note: str) -> Records:
    return Records((), status, "wrapper", 0.0, note)
