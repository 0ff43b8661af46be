"""Settings of a collection, checked before they are stored: its name, its kind, how it
is crawled, when it is run, whom it notifies.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from scythe.collect.crawl.options import CrawlOptions
from scythe.collect.publish.notify import Notification
from scythe.collect.records.schema import collection_schema
from scythe.collect.timetable import Timetable
from scythe.errors import UsageError

MAX_NAME = 100
"""Characters of a name: an arbitrary cap."""
MAX_TEXT = 300
"""Characters of a kind and of a user agent: an arbitrary cap, above those of browsers."""
MAX_PAGES_LIMIT = 100_000_000
"""The most pages that one run may be allowed to fetch: a bound against slips of the
pen, not tuned.
"""

_OWN = frozenset(
    {
        "max_pages",
        "render",
        "schema",
        "schedule",
        "notify",
        "media",
        "keep_media",
        "media_bytes",
    }
)
_CRAWL = frozenset(field.name for field in fields(CrawlOptions)) - {
    "home",
    "accepts_media",
}
_SWITCHES = frozenset({"render", "media", "keep_media", "robots", "private"})
_NOT_IN_NAMES = re.compile(r"[/\\\x00-\x1f\x7f]")


def check_name(name: str) -> str:
    """Return a name without spaces around it, if a collection may have it: it is a part
    of addresses and of commands, and a file may be called by it.
    """
    plain = name.strip()
    is_path = not plain.strip(".") or _NOT_IN_NAMES.search(plain)
    is_option = plain.startswith("-")
    if is_path or is_option or len(plain) > MAX_NAME:
        raise UsageError(
            f"{name!r} cannot be the name of a collection. Use up to {MAX_NAME} "
            "letters, digits, spaces and marks, but no slash, and no dash first."
        )
    return plain


def check_settings(url: str, kind: str, settings: Mapping[str, Any]) -> None:
    """Raise `UsageError` where a setting is unknown, or is not what it should be."""
    for name in settings:
        if name not in _OWN and name not in _CRAWL:
            known = ", ".join(sorted(_OWN | _CRAWL))
            raise UsageError(f"There is no setting {name}. There are: {known}.")
    for name in _SWITCHES & settings.keys():
        if not isinstance(settings[name], bool):
            raise UsageError(f"{name} is true or false, not {settings[name]!r}.")
    _check_text("kind", kind)
    _check_text("user_agent", settings.get("user_agent", ""))
    CrawlOptions.from_settings(url, settings)
    collection_schema(kind, settings.get("schema"))
    Timetable.parse(str(settings.get("schedule", "")))
    notifications(settings)
    _check_number(settings, "max_pages", MAX_PAGES_LIMIT)
    _check_number(settings, "media_bytes", 1_000_000_000)


def notifications(settings: Mapping[str, Any]) -> list[Notification]:
    """Return whom the settings of a collection want to be notified."""
    given = settings.get("notify") or ()
    if not isinstance(given, (list, tuple)):
        raise UsageError(f"notify is a list of notifications, not {given!r}.")
    return [Notification.from_json(values) for values in given]


def _check_text(name: str, value: object) -> None:
    """Refuse what would not stay in its line: a header, a heading."""
    is_text = isinstance(value, str) and value.isprintable()
    if not is_text or len(str(value)) > MAX_TEXT:
        shown = str(value)[:MAX_NAME]
        raise UsageError(
            f"{name} has up to {MAX_TEXT} printable characters, not {shown!r}."
        )


def _check_number(settings: Mapping[str, Any], name: str, most: int) -> None:
    value = settings.get(name, 1)
    is_number = isinstance(value, int) and not isinstance(value, bool)
    if not is_number or not 1 <= value <= most:
        raise UsageError(f"{name} must be a number from 1 to {most:,}, not {value!r}.")
