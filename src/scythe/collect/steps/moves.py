"""Records that moved and records that are gone, found before new pages become records
of their own.

A record has moved where the same content is under a new address, while the old one is
no longer listed. Pairs are sought by name (title, or the last part of the address)
first, and confirmed by content; what has the same content to the greatest part is a
pair whatever it is called. Whether the old address is really gone is asked of the
server.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scythe.collect.context import RunContext
from scythe.collect.links.addresses import url_slug
from scythe.collect.steps.crawler import crawl_pages
from scythe.collect.steps.importer import (
    import_known_records,
    preprocess_pages,
    record_url,
)
from scythe.store.collections.pages import PageRequest
from scythe.store.collections.records import RecordRow
from scythe.store.states import (
    FetchOutcome,
    IndexPageKind,
    LinkDecision,
    PageStage,
    RecordState,
    RuleAction,
)
from scythe.tree.text import letters_and_digits
from scythe.urls import url_key

MIN_SAME_TITLE_AND_SLUG, MIN_SAME_NAME, MIN_SAME_CONTENT = 0.3, 0.5, 0.8
"""Jaccard index of the words that two records must share: where title and last part of
the address agree, where one of them does, and where none does. Recipes of one site that
are not the same share 0.1 to 0.3 of their words; edited ones keep 0.7 and more, and of
249 that moved at once one was rewritten (0.47).
"""
MAX_COMPARED = 300
"""Records without a partner of the same name that are compared with all others: a bound
on work, not tuned.
"""
CHECKED_MOVES = 3
"""Old addresses of records that seem to have moved which are asked for: a site that
renames pages renames them all.
"""

PRESENT_STATES = (
    RecordState.OK,
    RecordState.DRAFT,
    RecordState.REVIEW,
    RecordState.HIDDEN,
)
"""States of records that may be on the site."""

_WORD = re.compile(r"\w+")

_Pair = tuple[float, int, int]
"""How alike a vanished and a new record are, and the index of each."""


@dataclass(frozen=True)
class RecordFingerprint:
    """A record as far as it can be recognised under another address."""

    key: str
    url: str
    title: str
    words: frozenset[str]

    @classmethod
    def from_fields(
        cls, key: str, url: str, fields: Mapping[str, Any], fallback_title: str = ""
    ) -> RecordFingerprint:
        """Return the fingerprint of a record with its fields."""
        title = str(fields.get("title") or fallback_title)
        words = frozenset(_field_words(fields))
        return cls(key, url, letters_and_digits(title), words)

    @property
    def names(self) -> set[str]:
        """What the record may be called by: its title, the last part of its address."""
        return {self.title, url_slug(self.url)} - {""}


def _field_words(fields: Mapping[str, Any]) -> Iterator[str]:
    """Yield the words of all texts, also of those in lists and parts."""
    waiting: list[Any] = list(fields.values())
    while waiting:
        value = waiting.pop()
        if isinstance(value, str):
            for word in _WORD.findall(value):
                yield word.casefold()
        elif isinstance(value, Mapping):
            waiting.extend(value.values())
        elif isinstance(value, Sequence):
            waiting.extend(value)


def record_similarity(first: RecordFingerprint, second: RecordFingerprint) -> float:
    """Return the Jaccard index of the words of two records."""
    union = len(first.words | second.words)
    if not union:
        return 0.0
    common = len(first.words & second.words)
    return common / union


def match_moved(
    vanished: Sequence[RecordFingerprint], new: Sequence[RecordFingerprint]
) -> list[tuple[RecordFingerprint, RecordFingerprint]]:
    """Return which vanished record is which new one; each is in one pair at most, the
    most similar first.
    """
    pairs = _pairs_by_name(vanished, new)
    unmatched_old = set(range(len(vanished)))
    unmatched_new = set(range(len(new)))
    for _, old, index in pairs:
        unmatched_old.discard(old)
        unmatched_new.discard(index)

    is_small = len(unmatched_old) <= MAX_COMPARED
    if is_small and len(unmatched_new) <= 10 * MAX_COMPARED:
        for old in unmatched_old:
            for index in unmatched_new:
                alike = record_similarity(vanished[old], new[index])
                if alike >= MIN_SAME_CONTENT:
                    pairs.append((alike, old, index))

    matches = []
    for old, index in _best_pairs(pairs):
        match = (vanished[old], new[index])
        matches.append(match)
    return matches


def _pairs_by_name(
    vanished: Sequence[RecordFingerprint], new: Sequence[RecordFingerprint]
) -> list[_Pair]:
    """Return the pairs of records that share a name and enough of their words."""
    by_name: dict[str, list[int]] = {}
    for index, record in enumerate(new):
        for name in record.names:
            by_name.setdefault(name, []).append(index)

    pairs: list[_Pair] = []
    for old, record in enumerate(vanished):
        candidates: set[int] = set()
        for name in record.names:
            candidates.update(by_name.get(name, ()))
        for index in candidates:
            other = new[index]
            alike = MIN_SAME_NAME
            if record.words and other.words:
                alike = record_similarity(record, other)
            same_slug = url_slug(record.url) == url_slug(other.url)
            same_both = record.title == other.title and same_slug
            required = MIN_SAME_TITLE_AND_SLUG if same_both else MIN_SAME_NAME
            if alike >= required:
                pairs.append((alike + 1, old, index))
    return pairs


def _best_pairs(pairs: Iterable[_Pair]) -> list[tuple[int, int]]:
    """Return pairs of which no two share a record, chosen from the most similar on."""
    used_old: set[int] = set()
    used_new: set[int] = set()
    chosen: list[tuple[int, int]] = []

    def rank(pair: _Pair) -> _Pair:
        alike, old, index = pair
        return -alike, old, index

    for _, old, index in sorted(pairs, key=rank):
        if old not in used_old and index not in used_new:
            used_old.add(old)
            used_new.add(index)
            chosen.append((old, index))
    return sorted(chosen)


def follow_moves(context: RunContext) -> int:
    """Give records that moved their new addresses; return how many did."""
    moved = _follow_redirects(context)
    vanished = _vanished_records(context)
    if not vanished:
        return moved
    fingerprints = []
    for row in vanished:
        fields = row.fields or row.pending or {}
        fingerprint = RecordFingerprint.from_fields(row.key, row.url, fields)
        fingerprints.append(fingerprint)
    new_fingerprints = _new_fingerprints(context)
    pairs = match_moved(fingerprints, new_fingerprints)

    paired = {old.key: old.url for old, _ in pairs}
    unpaired = [row.url for row in vanished if row.key not in paired]
    sample = _sample_urls(pairs)
    import_known_records(context)
    _fetch_again(context, sample + unpaired)
    must_check_all = any(_is_still_there(context, url) for url in sample)
    if must_check_all:
        all_urls = [old.url for old, _ in pairs]
        _fetch_again(context, all_urls)

    for old, new in pairs:
        if must_check_all and _is_still_there(context, old.url):
            continue
        moved += context.records.move(
            old.key,
            new.key,
            new.url,
            context.run,
        )
    return moved


def _sample_urls(
    pairs: Sequence[tuple[RecordFingerprint, RecordFingerprint]],
) -> list[str]:
    """Return some old addresses of pairs, from the first to the last."""
    last = len(pairs) - 1
    gaps = max(CHECKED_MOVES - 1, 1)
    sample = []
    sample_size = min(CHECKED_MOVES, len(pairs))
    for number in range(sample_size):
        index = number * last // gaps
        old, _ = pairs[index]
        sample.append(old.url)
    return sample


def mark_gone_records(context: RunContext) -> int:
    """Mark records whose pages the server says are gone, or leads to an index page
    instead; return how many.
    """
    index_keys = context.index_keys
    gone = []
    for page in context.pages.enqueued_in(context.run):
        is_gone = page.outcome == FetchOutcome.GONE
        if page.outcome == FetchOutcome.OK:
            final_key = url_key(record_url(page))
            is_gone = final_key in index_keys
        if is_gone:
            gone.append(url_key(page.url))
    return context.records.mark_gone(gone, context.run)


def _follow_redirects(context: RunContext) -> int:
    """Move records whose pages lead to another address now; return how many did."""
    index_keys = context.index_keys
    moved = 0
    for batch in context.pages.batches_in_stage(PageStage.EXTRACTED):
        for page in batch:
            old_key = url_key(page.url)
            url = record_url(page)
            new_key = url_key(url)
            if new_key != old_key and new_key not in index_keys:
                moved += context.records.move(old_key, new_key, url, context.run)
    return moved


def _vanished_records(context: RunContext) -> list[RecordRow]:
    """Return the records that no index page lists any more, where index pages were read
    in this run.
    """
    read = (FetchOutcome.CHANGED, FetchOutcome.UNCHANGED)
    index_pages = context.index_pages.all()
    visited = [
        page
        for page in index_pages
        if page.visited_in == context.run and page.kind != IndexPageKind.RECORDS
    ]
    if not any(page.outcome in read for page in visited):
        return []
    urls = [*context.links.current_urls(), *context.rules.given(RuleAction.RECORD)]
    listed = set(map(url_key, urls))
    keys = context.records.keys(*PRESENT_STATES)
    vanished = [key for key in keys if key not in listed]
    return list(context.records.with_keys(vanished))


def _new_fingerprints(context: RunContext) -> list[RecordFingerprint]:
    """Return pages that were extracted now and are no records yet."""
    links = context.links.with_decision(LinkDecision.RECORD)
    link_texts = {link.url: link.text for link in links}
    fingerprints = []
    for batch in context.pages.batches_in_stage(PageStage.EXTRACTED):
        pages = {page.id: page for page in batch}
        keys = {page.id: url_key(record_url(page)) for page in batch}
        known = {row.key for row in context.records.with_keys(keys.values())}
        for number, key in keys.items():
            if key in known:
                del pages[number]
        new_pages = list(pages.values())
        for page, _, preprocessed in preprocess_pages(context, new_pages):
            url = record_url(page)
            title = link_texts.get(page.url, "")
            key = url_key(url)
            fields = preprocessed.fields
            fingerprint = RecordFingerprint.from_fields(key, url, fields, title)
            fingerprints.append(fingerprint)
    return fingerprints


def _fetch_again(context: RunContext, urls: Sequence[str]) -> None:
    """Fetch known pages, to see whether they are still there."""
    reason = "no index page lists it any more"
    requests = [PageRequest(url, reason) for url in urls]
    context.pages.enqueue(requests, context.run)
    crawl_pages(context)


def _is_still_there(context: RunContext, url: str) -> bool:
    """Return whether a page is still there under its own address."""
    page = context.pages.get(url)
    if page is None:
        return False
    if page.outcome not in (FetchOutcome.OK, FetchOutcome.UNCHANGED):
        return False
    final_key = url_key(record_url(page))
    return final_key == url_key(page.url)
