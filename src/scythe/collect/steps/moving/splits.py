"""Records whose pages have become pages to choose from: one of the new pages below such
an address is the record.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from scythe.collect.context import RunContext
from scythe.collect.records.fingerprints import (
    RecordFingerprint,
    RecordWords,
    match_split,
)
from scythe.collect.steps.importer import fetch_time, preprocess_pages, record_url
from scythe.collect.steps.moving.vanished import PRESENT_STATES
from scythe.store.collections.links import NewDecision
from scythe.store.collections.pages import PageRow
from scythe.store.states import LinkDecision, PageStage
from scythe.tree.parse import parse
from scythe.tree.text import visible_text
from scythe.urls import url_key

SPLIT_REASON = "it has become a page to choose from; its record is now"


def follow_splits(context: RunContext) -> int:
    """Move records whose pages have become pages to choose from; return how many did."""
    pages = _pages_above_new_ones(context)
    left = []
    for row in context.records.with_keys(pages):
        fields = row.fields or {}
        latest = max(pages[row.key], key=fetch_time)
        if not _has_record(context, latest, fields):
            fingerprint = RecordFingerprint.from_fields(row.key, row.url, fields)
            left.append(fingerprint)
    if not left:
        return 0

    pairs = match_split(left, new_fingerprints(context))
    new_urls: dict[str, str] = {}
    for old, new in pairs:
        for page in pages[old.key]:
            new_urls[page.url] = new.url
    decisions = []
    for link in context.links.with_decision(LinkDecision.RECORD):
        if link.url in new_urls:
            reason = f"{SPLIT_REASON} {new_urls[link.url]}"
            decision = NewDecision(link.id, LinkDecision.SKIP, reason)
            decisions.append(decision)
    with context.store.writing():
        for old, new in pairs:
            context.records.move(old.key, new.key, new.url, context.run)
        context.pages.mark_gone(new_urls)
        context.links.decide(decisions, context.run)
    return len(pairs)


def _pages_above_new_ones(context: RunContext) -> dict[str, list[PageRow]]:
    """Return the pages of known records that were read now and have other such pages
    below their addresses, by the keys of the records.
    """
    known = set(context.records.keys(*PRESENT_STATES))
    if not known:
        return {}
    pages: dict[str, list[PageRow]] = {}
    folders: set[str] = set()
    for batch in context.pages.batches_in_stage(PageStage.EXTRACTED):
        for page in batch:
            key = url_key(record_url(page))
            if key in known:
                pages.setdefault(key, []).append(page)
            else:
                folders.update(_folders(key))
    return {key: own for key, own in pages.items() if key.rstrip("/") in folders}


def _folders(key: str) -> Iterator[str]:
    """Yield the addresses that another one is below."""
    folder = key.rstrip("/")
    while "/" in folder:
        folder, _, _ = folder.rpartition("/")
        yield folder


def _has_record(context: RunContext, page: PageRow, fields: Mapping[str, Any]) -> bool:
    """Return whether a page still says what its record has."""
    words = RecordWords([fields])
    if page.body_hash is None or not words:
        return True
    body = context.pages.body(page.body_hash)
    tree = parse(body, charset=page.charset)
    text = visible_text(tree)
    return words.are_in(text)


def new_fingerprints(context: RunContext) -> list[RecordFingerprint]:
    """Return pages that were extracted now, are there and are no records yet."""
    links = context.links.with_decision(LinkDecision.RECORD)
    link_texts = {link.url: link.text for link in links}
    fingerprints = []
    for batch in context.pages.batches_in_stage(PageStage.EXTRACTED):
        keyed = []
        for page in batch:
            if page.gone_at is None:
                key = url_key(record_url(page))
                keyed.append((page, key))
        keys = [key for _, key in keyed]
        known = {row.key for row in context.records.with_keys(keys)}
        new_pages = [page for page, key in keyed if key not in known]
        for page, row, preprocessed in preprocess_pages(context, new_pages):
            url = record_url(page)
            title = link_texts.get(page.url, "")
            fingerprint = RecordFingerprint.from_page(
                url_key(url),
                url,
                preprocessed.fields,
                {**row.slots, **(row.declared or {})},
                title,
            )
            fingerprints.append(fingerprint)
    return fingerprints
