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
from scythe.store.collections.states import RecordChange
from scythe.store.store import Store

TOLD = (
    RecordChange.NEW,
    RecordChange.CHANGED,
    RecordChange.MOVED,
    RecordChange.BACK,
    RecordChange.GONE,
)
"""What a feed can tell. What was only read in another way, and what waits for a person,
is no news of the site.
"""
USUAL = (RecordChange.NEW, RecordChange.CHANGED)
ENTRIES = 50
_SUMMARY = 600
"""Characters that an entry tells of a new record."""
_NOT_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True)
class Entry:
    """One thing that happened to a record."""

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
        lines = (
            f"{name}: {'; '.join(map(as_text, value)) if isinstance(value, list) else as_text(value)}"
            for name, value in self.fields.items()
        )
        text = "\n".join(line for line in lines if "_parsed: " not in line)
        return text if len(text) <= _SUMMARY else text[: _SUMMARY - 1] + "…"


def entries(
    store: Store,
    collection: CollectionRow,
    changes: Sequence[str] = USUAL,
    limit: int = ENTRIES,
    among: Sequence[int] | None = None,
) -> list[Entry]:
    """The last changes of a collection's records, the newest first; of those with these
    numbers only, if any are given.

    A change of nothing but the order of lists is left out.
    """
    records = RecordRows(store, collection.id)
    found = []
    last = (
        records.latest_changes(changes, limit)
        if among is None
        else records.latest_changes_among(among, changes, limit)
    )
    for version in last:
        before = (
            _before(records, version)
            if version.change == RecordChange.CHANGED
            else None
        )
        differences = field_changes(before.fields, version.fields) if before else []
        if version.change != RecordChange.CHANGED or differences:
            found.append(_entry(collection, version, differences))
    return found


def rss(collection: CollectionRow, told: Sequence[Entry], title: str = "") -> str:
    """The feed as RSS 2.0, under the name of its collection or another title."""
    items = "".join(_item(entry) for entry in told)
    built = (
        f"<lastBuildDate>{format_datetime(told[0].at)}</lastBuildDate>" if told else ""
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0"><channel>'
        f"<title>{_xml(title or collection.name)}</title><link>{_xml(collection.url)}</link>"
        f"<description>{_xml(_description(collection))}</description>{built}<generator>Scythe</generator>\n{items}</channel></rss>\n"
    )


def json_feed(collection: CollectionRow, told: Sequence[Entry], title: str = "") -> str:
    """The feed as JSON Feed 1.1; what Scythe knows beyond it stands under `_scythe`."""
    feed = {
        "version": "https://jsonfeed.org/version/1.1",
        "title": title or collection.name,
        "home_page_url": collection.url,
        "description": _description(collection),
        "items": [_json_item(entry) for entry in told],
    }
    return json.dumps(feed, ensure_ascii=False, indent=2) + "\n"


def _before(records: RecordRows, version: RecordVersionRow) -> RecordVersionRow | None:
    """How a record was before, the last time that its values were good."""
    earlier = [
        each
        for each in records.history(version.record_id)
        if each.number < version.number and each.state != "review"
    ]
    return earlier[-1] if earlier else None


def _entry(
    collection: CollectionRow,
    version: RecordVersionRow,
    differences: Sequence[FieldChange],
) -> Entry:
    fields = dict(version.fields or {})
    name = f"urn:scythe:{collection.id}:{version.id}"
    title = as_text(
        fields.get("title")
        or next(
            (value for value in fields.values() if isinstance(value, str)), version.url
        )
    )
    return Entry(
        name, title, version.url, version.change, version.stored_at, fields, differences
    )


def _item(entry: Entry) -> str:
    title = (
        entry.title
        if entry.change == RecordChange.NEW
        else f"{entry.title} ({entry.change})"
    )
    return (
        f"<item><title>{_xml(title)}</title><link>{_xml(entry.url)}</link>"
        f'<guid isPermaLink="false">{_xml(entry.id)}</guid><pubDate>{format_datetime(entry.at)}</pubDate>'
        f"<category>{_xml(entry.change)}</category><description>{_xml(_as_html(entry.text))}</description></item>\n"
    )


def _json_item(entry: Entry) -> dict[str, Any]:
    differences = [
        {"field": each.field, "before": list(each.before), "after": list(each.after)}
        for each in entry.differences
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
    """Feed readers take the description for HTML: what a page said must stay text
    there.
    """
    return escape(text).replace("\n", "<br>")


def _xml(text: str) -> str:
    return escape(_NOT_XML.sub("\ufffd", text), {'"': "&quot;"})
