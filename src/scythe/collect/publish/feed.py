"""The change feed of a collection: new and changed records, as RSS 2.0 and as JSON Feed
1.1.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from email.utils import format_datetime
from typing import Any
from xml.sax.saxutils import escape

from scythe.collect.records.differences import FieldChange, as_text, field_changes
from scythe.store.collections.collections import CollectionRow
from scythe.store.collections.records import RecordRows, RecordVersionRow
from scythe.store.states import RecordChange, RecordState
from scythe.store.store import Store

FEED_CHANGES = (
    RecordChange.NEW,
    RecordChange.CHANGED,
    RecordChange.MOVED,
    RecordChange.BACK,
    RecordChange.GONE,
)
"""What a feed can have. What was only read in another way, and what waits for a person,
is no news of the site.
"""
DEFAULT_CHANGES = (RecordChange.NEW, RecordChange.CHANGED)
MAX_ENTRIES = 50
"""Entries of a feed: a bound on what is shown, not tuned."""
_MAX_SUMMARY = 600
"""Characters that an entry says of a new record: a bound on what is shown, not tuned."""
_NOT_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True)
class FeedEntry:
    """A change of a record."""

    id: str
    """Stays the same for ever: readers know by it what they have shown already."""
    title: str
    url: str
    change: str
    at: datetime
    fields: Mapping[str, Any]
    differences: Sequence[FieldChange] = ()

    @property
    def text(self) -> str:
        """What happened, in words."""
        if self.differences:
            return "\n".join(map(str, self.differences))
        lines = []
        for name, value in self.fields.items():
            values = value if isinstance(value, list) else [value]
            texts = "; ".join(map(as_text, values))
            line = f"{name}: {texts}"
            if "_parsed: " not in line:
                lines.append(line)
        text = "\n".join(lines)
        if len(text) > _MAX_SUMMARY:
            text = text[: _MAX_SUMMARY - 1] + "…"
        return text


def feed_entries(
    store: Store,
    collection: CollectionRow,
    changes: Sequence[str] = DEFAULT_CHANGES,
    limit: int = MAX_ENTRIES,
    among: Sequence[int] | None = None,
) -> list[FeedEntry]:
    """Return the last changes of a collection's records, the newest first; of those
    with these numbers only, if any are given.

    A change of nothing but the order of lists is left out.
    """
    records = RecordRows(store, collection.id)
    if among is None:
        latest = records.latest_changes(changes, limit)
    else:
        latest = records.latest_changes_among(among, changes, limit)

    entries = []
    for version in latest:
        differences: list[FieldChange] = []
        if version.change == RecordChange.CHANGED:
            before = _previous_version(records, version)
            if before is not None:
                differences = field_changes(before.fields, version.fields)
            if not differences:
                continue
        entries.append(_feed_entry(collection, version, differences))
    return entries


def rss_feed(
    collection: CollectionRow, entries: Sequence[FeedEntry], title: str = ""
) -> str:
    """Return the feed as RSS 2.0, under the name of its collection or another title."""
    items = "".join(map(_rss_item, entries))
    built = ""
    if entries:
        built = f"<lastBuildDate>{format_datetime(entries[0].at)}</lastBuildDate>"
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0"><channel>'
        f"<title>{_xml(title or collection.name)}</title>"
        f"<link>{_xml(collection.url)}</link>"
        f"<description>{_xml(_description(collection))}</description>{built}"
        f"<generator>Scythe</generator>\n{items}</channel></rss>\n"
    )


def json_feed(
    collection: CollectionRow, entries: Sequence[FeedEntry], title: str = ""
) -> str:
    """Return the feed as JSON Feed 1.1; what Scythe knows beyond it stands under
    `_scythe`.
    """
    feed = {
        "version": "https://jsonfeed.org/version/1.1",
        "title": title or collection.name,
        "home_page_url": collection.url,
        "description": _description(collection),
        "items": list(map(_json_item, entries)),
    }
    return json.dumps(feed, ensure_ascii=False, indent=2) + "\n"


def _previous_version(
    records: RecordRows, version: RecordVersionRow
) -> RecordVersionRow | None:
    """Return how a record was before, the last time that its values were good."""
    earlier = [
        row
        for row in records.history(version.record_id)
        if row.number < version.number and row.state != RecordState.REVIEW
    ]
    return earlier[-1] if earlier else None


def _feed_entry(
    collection: CollectionRow,
    version: RecordVersionRow,
    differences: Sequence[FieldChange],
) -> FeedEntry:
    fields = dict(version.fields or {})
    texts = (value for value in fields.values() if isinstance(value, str))
    title = fields.get("title") or next(texts, version.url)
    return FeedEntry(
        f"urn:scythe:{collection.id}:{version.id}",
        as_text(title),
        version.url,
        version.change,
        version.stored_at,
        fields,
        differences,
    )


def _rss_item(entry: FeedEntry) -> str:
    title = entry.title
    if entry.change != RecordChange.NEW:
        title = f"{title} ({entry.change})"
    return (
        f"<item><title>{_xml(title)}</title><link>{_xml(entry.url)}</link>"
        f'<guid isPermaLink="false">{_xml(entry.id)}</guid>'
        f"<pubDate>{format_datetime(entry.at)}</pubDate>"
        f"<category>{_xml(entry.change)}</category>"
        f"<description>{_xml(_as_html(entry.text))}</description></item>\n"
    )


def _json_item(entry: FeedEntry) -> dict[str, Any]:
    differences = [
        {
            "field": change.field,
            "before": list(change.before),
            "after": list(change.after),
        }
        for change in entry.differences
    ]
    return {
        "id": entry.id,
        "url": entry.url,
        "title": entry.title,
        "content_text": entry.text,
        "date_published": entry.at.isoformat(),
        "tags": [entry.change],
        "_scythe": {
            "change": entry.change,
            "fields": dict(entry.fields),
            "differences": differences,
        },
    }


def _description(collection: CollectionRow) -> str:
    return f"New and changed records of {collection.url}"


def _as_html(text: str) -> str:
    """Return text as HTML: feed readers take the description for it, and what a page
    said must stay text there.
    """
    return escape(text).replace("\n", "<br>")


def _xml(text: str) -> str:
    return escape(_NOT_XML.sub("\ufffd", text), {'"': "&quot;"})
