"""A wrapper: all that is needed to read the records of any later page of the same kind,
without a browser, and to notice when a page no longer fits.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil
from statistics import fmean
from typing import Any, ClassVar, Self

from scythe.errors import UsageError
from scythe.sections.fields import Fields
from scythe.sections.record import ListPage, Record
from scythe.serialization import Serializable
from scythe.tree import Limits, Tree, parse
from scythe.tree.parse import DEFAULT_LIMITS
from scythe.wrappers.record import Records, RecordsStatus
from scythe.wrappers.rule import LocatedRule, Rule
from scythe.wrappers.vints.rule import SeparatedRule

VERSION = 1
RULES: Mapping[str, type[Rule]] = {
    rule.KIND: rule for rule in (LocatedRule, SeparatedRule)
}

TRUSTED_SHARE = 0.5
"""A wrapper has drifted where the records fill less than this share of the columns they
filled when it was learned; not tuned.
"""
EXPECTATION_SAMPLE = 500
"""Records of a page, evenly over it, that expectations are made of: a bound on work."""
DRIFT_SAMPLE = 5
"""Records, evenly over the page, whose fields are read to notice drift: a bound on work,
not tuned.
"""


@dataclass(frozen=True)
class Expectation:
    """What the pages looked like that a wrapper was learned from."""

    records: tuple[int, int]
    """The least and the greatest number of records on a page."""
    filled: float
    """The share of the columns that a record filled, on average."""
    linked: bool
    """Whether most records had links."""

    @classmethod
    def from_pages(cls, pages: Sequence[Records], columns: int) -> Self:
        """Return what pages with these records lead to expect."""
        rows: list[Record] = []
        for page in pages:
            step = ceil(len(page) / EXPECTATION_SAMPLE) or 1
            rows.extend(page.rows[::step])
        counts = [len(page) for page in pages]
        links = sum(row.link is not None for row in rows)
        least = min(counts, default=0)
        most = max(counts, default=0)
        return cls(
            records=(least, most),
            filled=_filled_share(rows, columns),
            linked=links * 2 > len(rows),
        )

    def as_json(self) -> dict[str, Any]:
        """Return the expectation as plain values."""
        return {
            "records": list(self.records),
            "filled": round(self.filled, 3),
            "linked": self.linked,
        }

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """Return what `as_json` wrote."""
        least, most = values["records"]
        return cls(
            records=(int(least), int(most)),
            filled=float(values["filled"]),
            linked=bool(values["linked"]),
        )


def _filled_share(rows: Sequence[Record], columns: int) -> float:
    if not rows or not columns:
        return 0.0
    shares = [len(row.fields) / columns for row in rows]
    return fmean(shares)


@dataclass(frozen=True)
class Wrapper(Serializable):
    """A rule that cuts a page into records, the columns of those records, and what to
    expect of a page that fits.
    """

    LABEL: ClassVar[str] = "wrapper"

    rule: Rule
    fields: Fields
    expected: Expectation

    def extract(
        self,
        html: bytes | str,
        url: str | None = None,
        limits: Limits = DEFAULT_LIMITS,
        charset: str | None = None,
    ) -> Records:
        """Return the records of a page. `url` makes links absolute; `charset` is what
        the transport declared.
        """
        tree = parse(html, limits, charset)
        return self.read(tree, url)

    def read(self, tree: Tree, url: str | None = None) -> Records:
        """Return the records of a page that is parsed already.

        A wrapper that no longer fits says so: the status is never `ok` where the
        records cannot be trusted.
        """
        spans = self.rule.cut(tree)
        page = ListPage(tree, spans, self.fields, url)
        return trusted_records(page, self.expected)

    def rename(self, column: str, name: str) -> Self:
        """Return the wrapper with another name for a column."""
        return replace(self, fields=self.fields.rename(column, name))

    def as_json(self) -> dict[str, Any]:
        """Return the wrapper as plain values, for a file that a person can read and
        compare.
        """
        return {
            "scythe": "wrapper",
            "version": VERSION,
            "rule": {"kind": self.rule.KIND, **self.rule.as_json()},
            "fields": self.fields.as_json(),
            "expected": self.expected.as_json(),
        }

    @classmethod
    def from_json(cls, values: Any) -> Self:
        """Return the wrapper that `as_json` wrote."""
        is_wrapper = isinstance(values, Mapping) and values.get("scythe") == "wrapper"
        if not is_wrapper:
            raise UsageError(
                "This is not a wrapper. Make one with `scythe wrapper learn`."
            )
        version = values.get("version")
        if version != VERSION:
            raise UsageError(
                f"This wrapper has version {version}, not {VERSION}: "
                "learn it again with this scythe."
            )
        try:
            rule = values["rule"]
            kind = RULES[rule["kind"]]
            return cls(
                kind.from_json(rule),
                Fields.from_json(values["fields"]),
                Expectation.from_json(values["expected"]),
            )
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise UsageError(
                f"This wrapper is damaged ({error!r}). Learn it again."
            ) from error


def trusted_records(page: ListPage, expected: Expectation) -> Records:
    """Return the records that a wrapper found, if they can be trusted; else none, and
    why.
    """
    if not page.spans:
        return _no_records_found(page.tree)
    records = Records.from_page(page, "wrapper", 1.0)
    step = max(len(records) // DRIFT_SAMPLE, 1)
    sample = records.rows[::step]

    share = 1.0
    if expected.filled:
        column_count = len(page.fields.columns)
        share = _filled_share(sample, column_count) / expected.filled
    has_lost_links = expected.linked and not any(row.link for row in sample)
    if share < TRUSTED_SHARE or has_lost_links:
        return _without_records(
            RecordsStatus.DRIFTED,
            "The records found have lost most of their fields: learn the wrapper again.",
        )
    confidence = min(share, 1.0)
    return Records(records.rows, RecordsStatus.OK, "wrapper", confidence)


def _no_records_found(tree: Tree) -> Records:
    """Return why a wrapper finds nothing on a page."""
    # Both load a model, which only pages without records need.
    from scythe.content.status import is_blocked
    from scythe.sections import main_section

    if is_blocked(tree):
        return _without_records(
            RecordsStatus.BLOCKED, "The page is a bot check or an access wall."
        )
    best = main_section(tree)
    if best is not None and best.is_certain:
        return _without_records(
            RecordsStatus.DRIFTED,
            "The page has a list that the wrapper does not know: "
            "learn the wrapper again.",
        )
    return _without_records(RecordsStatus.EMPTY, "The page has no records.")


def _without_records(status: RecordsStatus, note: str) -> Records:
    return Records((), status, "wrapper", 0.0, note)
