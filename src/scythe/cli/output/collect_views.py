"""Collections as lines and tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from scythe.cli.output.messages import one_line

if TYPE_CHECKING:
    from scythe.collect.collection import Collection
    from scythe.collect.run import RunSummary
    from scythe.collect.views import IndexPageRow

MAX_FIELDS = 5
CELL_CHARACTERS = 80
MAX_LINES = 10
MAX_REASONS = 3
"""Fields of a record, characters of a cell, and index pages or notices that are shown:
choices of layout, not tuned.
"""

_RECORD_CHANGES = ("new", "changed", "moved", "gone", "back", "corrected")


@dataclass(frozen=True)
class TableView:
    """A table for a person, and the same as plain values."""

    columns: Sequence[str]
    cells: Sequence[Sequence[str]]
    values: Sequence[Mapping[str, Any]]

    @classmethod
    def from_values(
        cls, columns: Mapping[str, str], values: Sequence[Mapping[str, Any]]
    ) -> Self:
        """Return a view whose columns show some of the values: their names by key."""
        keys = list(columns)
        cells = [_row_cells(row, keys) for row in values]
        return cls(list(columns.values()), cells, values)


def _row_cells(row: Mapping[str, Any], keys: Sequence[str]) -> list[str]:
    return [_cell(row[key]) for key in keys]


def _cell(value: object) -> str:
    if value is None:
        return ""
    text = str(value)
    if isinstance(value, (list, tuple)):
        text = " | ".join(map(str, value))
    return one_line(text)[:CELL_CHARACTERS]


def summary_lines(collection: Collection, summary: RunSummary) -> list[str]:
    """Return the result of a run, for a person."""
    name = collection.row.name
    counts = summary.records
    changes = [
        f"{counts[change]} {change}" for change in _RECORD_CHANGES if counts.get(change)
    ]
    pages = counts_text(summary.pages)
    index_pages = counts_text(summary.index_pages)
    lines = [f"{name}, run {summary.number}: {summary.state}"]
    if summary.reason:
        lines.append(f"  {one_line(summary.reason)}")
    lines += [
        f"  records: {', '.join(changes) or 'nothing new'}",
    ]
    if counts.get("review"):
        lines.append(f"  to review: {counts['review']} (scythe collect review {name})")
    lines.append(f"  pages: {pages}; index pages: {index_pages}")
    if summary.links:
        lines.append(f"  links: {counts_text(summary.links)}")
    if summary.notices:
        lines.append(f"  notices: {summary.notices} (scythe collect slots {name})")
    skipped = list(collection.skipped_links().items())
    for why, count in skipped[:MAX_REASONS]:
        reason = one_line(why)
        lines.append(f"    {count} skipped: {reason}")
    drafts = collection.counts().get("draft", 0)
    if drafts:
        lines.append(
            f"  {drafts} records are drafts by suggestion. "
            f"Look at them: scythe collect records {name}"
        )
        lines.append(f"  Accept them: scythe collect accept {name}")
    elif not collection.has_annotations():
        lines.append(
            f"  No field has a name yet. See the slots: scythe collect slots {name}"
        )
    lines.extend(f"  limit: {one_line(message)}" for message in summary.limits)
    lines.extend(f"  refused: {one_line(message)}" for message in summary.trouble)
    return lines


def counts_text(counts: Mapping[Any, int]) -> str:
    """Return numbers by name as text."""
    parts = [f"{number} {name}" for name, number in sorted(counts.items()) if name]
    return ", ".join(parts) or "none"


def status_lines(collection: Collection) -> list[str]:
    """Return a collection as it is now, for a person."""
    row = collection.row
    pages = collection.index_pages()
    lines = [
        f"{row.name}: {row.kind} of {row.url} ({row.state})",
        f"  records: {counts_text(collection.counts())}",
        f"  table: {row.table_name or 'none yet'}",
    ]
    lines.extend(_index_page_line(page) for page in pages[:MAX_LINES])
    if len(pages) > MAX_LINES:
        lines.append(f"  and {len(pages) - MAX_LINES} index pages more")

    decisions = Counter(link.decision or "undecided" for link in collection.links())
    lines.append(f"  links: {counts_text(decisions)}")
    runs = collection.runs()
    if runs:
        last = runs[-1]
        ended = "not ended: run it again to resume it"
        if last.ended_at:
            ended = f"{last.ended_at:%Y-%m-%d %H:%M}"
        lines.append(f"  last run: {last.number}, {last.state}, {ended}")
        reason = one_line(str(last.summary.get("reason") or ""))
        if reason:
            lines.append(f"  {reason}")
    for group in collection.notice_groups()[:MAX_LINES]:
        first_notice = group.notices[0]
        message = one_line(str(first_notice.data.get("message", "")))
        lines.append(f"  notices: {group.summary}, first: {message}")
    return lines


def _index_page_line(page: IndexPageRow) -> str:
    due = f", next visit {page.due_at:%Y-%m-%d %H:%M}" if page.due_at else ""
    outcome = page.outcome or "not visited yet"
    return (
        f"  watches {page.kind} {page.url}: "
        f"{outcome}, {page.visits} visits, {page.changes} changes{due}"
    )


def link_view(collection: Collection, decision: str | None) -> TableView:
    """Return the links with their decisions."""
    columns = {
        "decision": "decision",
        "link": "link",
        "text": "text",
        "reason": "reason",
        "turned out": "result",
        "gone": "gone",
    }
    values = [
        {
            "decision": link.decision,
            "link": link.url,
            "text": link.text,
            "reason": link.reason,
            "turned out": link.outcome,
            "gone": link.gone_at,
            "score": link.score,
            "path": link.path,
        }
        for link in collection.links()
        if decision is None or link.decision == decision
    ]
    return TableView.from_values(columns, values)


def rule_view(collection: Collection) -> TableView:
    """Return the link rules that operators gave."""
    columns = {"number": "number", "rule": "rule", "by": "by", "at": "at"}
    values = [
        {"number": rule.id, "rule": rule.words, "by": rule.made_by, "at": rule.made_at}
        for rule in collection.link_rules()
    ]
    return TableView.from_values(columns, values)


def link_rule_lines(
    collection: Collection, given: tuple[str, str, str], *, preview: bool
) -> list[str]:
    """Return what a rule would do, for a person; give it, unless that is all."""
    action, value, scope = given
    effect = collection.preview_link_rule(action, value, scope)
    lines = [f"{effect.words}: {effect.links} known links, {effect.changed} change"]
    if effect.new_pages:
        lines.append(f"  {effect.new_pages} pages will be fetched by the next run")
    if effect.hidden_records:
        lines.append(f"  {effect.hidden_records} records are hidden")
    if not preview:
        rule = collection.add_link_rule(action, value, scope)
        undo = f"scythe collect links {collection.row.name} --undo {rule.id}"
        lines.append(f"  rule {rule.id}; take it back: {undo}")
    return lines


def slot_view(collection: Collection) -> TableView:
    """Return the slots with their fields and suggestions."""
    columns = {
        "slot": "slot",
        "field": "field",
        "proposal": "suggestion",
        "pages": "pages",
        "label": "label",
        "example": "example",
    }
    values = []
    for slot in collection.slots():
        suggestion = None
        if slot.suggestion:
            suggestion = f"{slot.suggestion} ({slot.evidence})"
        values.append(
            {
                "slot": slot.slot,
                "field": slot.field,
                "proposal": suggestion,
                "pages": slot.support,
                "label": slot.label,
                "example": slot.examples[0] if slot.examples else "",
                "examples": slot.examples,
            }
        )
    return TableView.from_values(columns, values)


def record_table(collection: Collection, state: str) -> TableView:
    """Return the records with their first fields."""
    states = (state,) if state else ("ok", "draft")
    records = list(collection.records(*states))
    used: set[str] = set()
    for record in records:
        for field, value in (record.fields or {}).items():
            if value not in (None, [], ""):
                used.add(field)
    shown: list[str] = []
    for column in collection.schema.columns:
        is_parsed = column.name.endswith("_parsed")
        if column.name in used and not is_parsed:
            shown.append(column.name)
    shown = shown[:MAX_FIELDS]

    cells = []
    values = []
    for record in records:
        record_fields = record.fields or {}
        field_cells = [_cell(record_fields.get(field)) for field in shown]
        cells.append([*field_cells, _cell(record.url), str(record.state)])
        values.append(
            {
                "url": record.url,
                "state": record.state,
                "fields": record.fields,
                "moved_from": record.moved_from,
            }
        )
    return TableView([*shown, "url", "state"], cells, values)


def review_view(collection: Collection) -> TableView:
    """Return the records that need review, with the reasons."""
    values = []
    for record in collection.records("review"):
        reasons = [reason["message"] for reason in record.reasons]
        values.append(
            {
                "key": record.key,
                "url": record.url,
                "reasons": reasons,
                "values": record.pending,
            }
        )
    columns = {"key": "key", "url": "url", "reasons": "reasons"}
    return TableView.from_values(columns, values)
