"""Collections as lines and tables."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from scythe.cli.output.messages import one_line

if TYPE_CHECKING:
    from scythe.collect.collection import Collection
    from scythe.collect.run import Summary

Rows = tuple[list[str], list[list[str]], list[dict[str, Any]]]
"""Names of columns, cells, and the same as plain values."""

SHOWN_FIELDS = 5
CELL = 80


def _cell(value: object) -> str:
    text = (
        " | ".join(map(str, value))
        if isinstance(value, (list, tuple))
        else ""
        if value is None
        else str(value)
    )
    return one_line(text)[:CELL]


def summary_lines(collection: Collection, summary: Summary) -> list[str]:
    """What came of a run, for a person."""
    changes = summary.records
    lines = [f"{collection.row.name}, run {summary.number}"]
    told = [
        f"{changes[name]} {name}"
        for name in ("new", "changed", "moved", "gone", "back", "corrected")
        if changes.get(name)
    ]
    lines.append("  records: " + (", ".join(told) or "nothing new"))
    if changes.get("review"):
        lines.append(
            f"  to review: {changes['review']} (scythe collect review {collection.row.name})"
        )
    lines.append(
        "  pages: "
        + _counts(summary.pages)
        + "; index pages: "
        + _counts(summary.index_pages)
    )
    if summary.links:
        lines.append("  links: " + _counts(summary.links))
    if summary.notices:
        lines.append(
            f"  notices: {summary.notices} (scythe collect attributes {collection.row.name})"
        )
    if not collection.has_names():
        lines.append(
            f"  No attribute has a name yet. See them: scythe collect attributes {collection.row.name}"
        )
        lines.append(
            f"  Take all proposals: scythe collect accept {collection.row.name}"
        )
    lines += [f"  refused: {one_line(line)}" for line in summary.trouble]
    return lines


def _counts(counts: Any) -> str:
    return (
        ", ".join(f"{number} {name}" for name, number in sorted(counts.items()) if name)
        or "none"
    )


def status_lines(collection: Collection) -> list[str]:
    """A collection as it is now, for a person."""
    row = collection.row
    pages = collection.index_pages()
    lines = [
        f"{row.name}: {row.kind} of {row.url} ({row.state})",
        f"  records: {_counts(collection.counts())}",
    ]
    lines.append(f"  table: {row.table_name or 'none yet'}")
    for page in pages[:10]:
        due = f", next visit {page.due_at:%Y-%m-%d %H:%M}" if page.due_at else ""
        told = f"{page.fate or 'not visited yet'}, {page.visits} visits, {page.changes} changes{due}"
        lines.append(f"  watches {page.kind} {page.url}: {told}")
    if len(pages) > 10:
        lines.append(f"  and {len(pages) - 10} index pages more")
    lines.append(
        "  links: "
        + _counts(Counter(link.decision or "undecided" for link in collection.links()))
    )
    runs = collection.runs()
    if runs:
        last = runs[-1]
        ended = (
            f"{last.ended_at:%Y-%m-%d %H:%M}"
            if last.ended_at
            else "not ended: run it again to go on"
        )
        lines.append(f"  last run: {last.number}, {last.state}, {ended}")
    lines += [
        f"  notice: {notice.kind}: {one_line(str(notice.data.get('message', '')))}"
        for notice in collection.notices()[:10]
    ]
    return lines


def link_rows(collection: Collection, decision: str | None) -> Rows:
    """Links with decisions."""
    found = [
        link
        for link in collection.links()
        if decision is None or link.decision == decision
    ]
    names = ["decision", "link", "text", "reason", "turned out", "gone"]
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
        for link in found
    ]
    return names, [[_cell(value[name]) for name in names] for value in values], values


def attribute_rows(collection: Collection) -> Rows:
    """Attributes with names and proposals."""
    names = ["slot", "field", "proposal", "pages", "label", "example"]
    values = [
        {
            "slot": attribute.slot,
            "field": attribute.name,
            "proposal": f"{attribute.proposal} ({attribute.evidence})"
            if attribute.proposal
            else None,
            "pages": attribute.support,
            "label": attribute.label,
            "example": attribute.examples[0] if attribute.examples else "",
            "examples": attribute.examples,
        }
        for attribute in collection.attributes()
    ]
    return names, [[_cell(value[name]) for name in names] for value in values], values


def record_rows(collection: Collection, state: str) -> Rows:
    """Records with their first fields."""
    columns = [column.name for column in collection.schema.columns]
    found = list(collection.records(state))
    used = [
        name
        for name in columns
        if any(
            (record.fields or {}).get(name) not in (None, [], "") for record in found
        )
    ]
    shown = [name for name in used if not name.endswith("_parsed")][:SHOWN_FIELDS]
    cells = [
        [_cell((record.fields or {}).get(name)) for name in shown] + [_cell(record.url)]
        for record in found
    ]
    names = ("url", "state", "fields", "moved_from")
    values = [{name: getattr(record, name) for name in names} for record in found]
    return [*shown, "url"], cells, values


def review_rows(collection: Collection) -> Rows:
    """Records that wait for a person."""
    found = list(collection.records("review"))
    names = ["key", "url", "reasons"]
    values = [
        {
            "key": record.key,
            "url": record.url,
            "reasons": [reason["message"] for reason in record.reasons],
            "values": record.pending,
        }
        for record in found
    ]
    return names, [[_cell(value[name]) for name in names] for value in values], values
