"""Pictures of records that are kept in the database, where the settings ask for it."""

from __future__ import annotations

from dataclasses import replace

from scythe.collect.context import RunContext
from scythe.collect.crawl.fetcher import fetch_pages
from scythe.collect.crawl.options import CrawlRequest
from scythe.collect.pages.media import IMAGES
from scythe.errors import ScytheError
from scythe.store.states import FetchOutcome

MAX_TOTAL_BYTES = 5_000_000_000
"""Bytes of all pictures of a collection: a bound on the database, not tuned."""
MAX_PICTURES = 2_000
"""Pictures that one run fetches; the rest waits for the next one. Not tuned."""


def store_media(context: RunContext) -> list[str]:
    """Fetch the pictures of records that are not stored yet; return what went wrong.
    What a server does not give is left at that.
    """
    if not context.row.settings.get("keep_media"):
        return []
    addresses: dict[str, None] = {}
    for record in context.records.all():
        pictures = (record.fields or {}).get(IMAGES) or ()
        addresses.update(dict.fromkeys(pictures))
    urls = context.media.unknown(addresses)[:MAX_PICTURES]
    left = MAX_TOTAL_BYTES - context.media.size()
    if not urls or left <= 0:
        return []

    max_bytes = min(context.max_media_bytes, left)
    options = replace(
        context.options, max_bytes=max_bytes, retries=0, accepts_media=True
    )
    requests = [CrawlRequest(number, url) for number, url in enumerate(urls)]
    try:
        for result in fetch_pages(requests, options, context.robots_txt):
            type_ = result.content_type or ""
            is_picture = type_.startswith("image/")
            note = result.note or str(result.outcome)
            data = None
            if result.outcome == FetchOutcome.OK:
                data = result.body if is_picture else None
                note = "" if is_picture else f"it is {result.content_type}"
            url = urls[result.page]
            context.media.store(url, data, type_, note)
    except ScytheError as error:
        return [f"pictures: {error}"]
    return []
