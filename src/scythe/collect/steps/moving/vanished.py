"""Records that no index page lists any more, and pages that hold one of them under
another address.

A site that is built anew and renames its pages has no page that is built like a known
record. But its new pages say what the old ones said.
"""

from __future__ import annotations

from functools import cached_property

from scythe.collect.context import RunContext
from scythe.collect.records.fingerprints import RecordWords
from scythe.collect.steps.importer import record_url
from scythe.store.collections.extractions import evenly_spaced
from scythe.store.collections.pages import PageRow
from scythe.store.collections.records import RecordRow
from scythe.store.states import FetchOutcome, IndexPageKind, RecordState, RuleAction
from scythe.tree.parse import parse
from scythe.tree.text import visible_text
from scythe.urls import url_key

PRESENT_STATES = (
    RecordState.OK,
    RecordState.DRAFT,
    RecordState.REVIEW,
    RecordState.HIDDEN,
)
"""States of records that may be on the site."""
MAX_COMPARED = 300
"""Vanished records that a page is compared with: a bound on work, not tuned."""


def vanished_records(context: RunContext) -> list[RecordRow]:
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
    listed = _listed_keys(context)
    keys = context.records.keys(*PRESENT_STATES)
    vanished = [key for key in keys if key not in listed]
    return list(context.records.with_keys(vanished))


def _listed_keys(context: RunContext) -> set[str]:
    """Return the keys of what index pages list, and of where its pages led to."""
    current = context.links.current_urls()
    given = context.rules.given(RuleAction.RECORD)
    listed = {url_key(url) for url in (*current, *given)}
    for page in context.pages.iterate():
        if page.final_url and url_key(page.url) in listed:
            key = url_key(record_url(page))
            listed.add(key)
    return listed


class VanishedRecords:
    """The records that vanished in this run, for pages to be compared with. What an
    operator has hidden is no example.
    """

    def __init__(self, context: RunContext) -> None:
        self._context = context
        self._held: dict[int, bool] = {}

    @cached_property
    def _words(self) -> RecordWords:
        vanished = vanished_records(self._context)
        rows = [row for row in vanished if row.state != RecordState.HIDDEN]
        chosen = evenly_spaced(range(len(rows)), MAX_COMPARED)
        return RecordWords(rows[number].fields or {} for number in chosen)

    def is_held_by(self, page: PageRow) -> bool:
        """Return whether a page says what one of the records said."""
        if page.id not in self._held:
            self._held[page.id] = self._has_record(page)
        return self._held[page.id]

    def _has_record(self, page: PageRow) -> bool:
        if page.body_hash is None or not self._words:
            return False
        body = self._context.pages.body(page.body_hash)
        tree = parse(body, charset=page.charset)
        text = visible_text(tree)
        return self._words.are_in(text)
