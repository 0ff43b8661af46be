"""Other pages: those that stand among links to records and are none.

Where the records of a collection are full of facts (`pages.facts`), a page without them
is doubtful: a guide, a how-to, a page to choose from. It is a record all the same where
it declares one, where a vanished record has come to it, and where half or more of the
links in its list lead to records, unless it only leads on to records below its own
address. What an operator said, and what is a record already, is never asked about.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from scythe.collect.context import RunContext, StateKey
from scythe.collect.links.addresses import url_family
from scythe.collect.links.discovery import MIN_SHARE, is_framed
from scythe.collect.links.index_pages import html_listing
from scythe.collect.links.link_lists import LinkLists, path_pattern
from scythe.collect.pages.facts import PageLabels, RecordFacts
from scythe.collect.pages.page_reading import NAMED_PARTS, PageReading
from scythe.collect.steps.moving.vanished import VanishedRecords
from scythe.store.collections.extractions import evenly_spaced
from scythe.store.collections.links import LinkRow, NewDecision
from scythe.store.collections.pages import PageRow
from scythe.store.states import IndexPageKind, LinkDecision, PageKind, RecordState
from scythe.templates.slot import SlotId, SlotSource
from scythe.tree.parse import parse
from scythe.urls import url_key

SAMPLE_SIZE = 60
"""Records that facts are found on: a bound on work, not tuned."""
MIN_NEIGHBOURS = 4
"""Records in a list that speak for a page among them. Not tuned."""
MIN_BELOW = 2
"""Records below a page's own address that it leads to, if it is a page to choose from."""
_PRESENT = (RecordState.OK, RecordState.DRAFT, RecordState.REVIEW)

_Position = tuple[int, str, str, str]
"""The index page, the list, the position in its entries, and the part of the site."""


def tells_itself(context: RunContext) -> bool:
    """Return whether pages of the collection's kind tell whether they are records."""
    kind = context.kind
    if kind is None:
        return False
    return not NAMED_PARTS.isdisjoint(kind.essential)


def load_facts(context: RunContext) -> RecordFacts | None:
    """Return the facts that records are told by, if they are."""
    labels = context.load_state(StateKey.RECORD_FACTS)
    return RecordFacts(tuple(labels)) if labels else None


def store_facts(context: RunContext, facts: RecordFacts | None) -> None:
    """Store the facts that records are told by."""
    labels: list[str] = []
    if facts is not None and facts.are_enough:
        labels.extend(facts.labels)
    stored = context.load_state(StateKey.RECORD_FACTS)
    before = stored or []
    if labels != before:
        context.store_state(StateKey.RECORD_FACTS, labels)


def update_facts(context: RunContext) -> None:
    """Store the facts that the records of the collection have now."""
    if tells_itself(context):
        return
    present = context.records.keys(*_PRESENT)
    keys = list(present)
    numbers = range(len(keys))
    sample = evenly_spaced(numbers, SAMPLE_SIZE)
    chosen = [keys[number] for number in sample]
    page_ids: dict[int, None] = {}
    for record in context.records.with_keys(chosen):
        if record.page_id is not None:
            page_ids[record.page_id] = None

    pages = context.extractions.read(list(page_ids))
    labels = []
    for page in pages:
        own = _slot_labels(page.row.slots)
        labels.append(own)
    facts = None
    if labels:
        facts = RecordFacts.of_pages(labels)
    store_facts(context, facts)


def _slot_labels(slots: Mapping[str, Sequence[str]]) -> PageLabels:
    labels: dict[str, Sequence[str]] = {}
    for slot, values in slots.items():
        slot_id = SlotId.parse(slot)
        if slot_id.source is SlotSource.LABEL:
            labels[slot_id.name] = values
    return labels


def page_labels(context: RunContext, page: PageRow) -> PageLabels:
    """Return the labels of a stored page; each version is read once in a run."""
    if page.body_hash is None:
        return {}
    known = context.page_labels.get(page.body_hash)
    if known is None:
        body = context.pages.body(page.body_hash)
        url = page.final_url or page.url
        reading = PageReading(body, url, page.charset, context.kind)
        known = context.page_labels[page.body_hash] = reading.labels
    return known


class RecordEvidence:
    """Whether pages are records of the collection, as far as their facts tell."""

    def __init__(self, context: RunContext) -> None:
        self._context = context
        self._facts = None if tells_itself(context) else load_facts(context)
        self._vanished = VanishedRecords(context)
        self._known = set(context.records.keys(*RecordState))

    @property
    def has_facts(self) -> bool:
        """Whether records are told by their facts."""
        return self._facts is not None

    def is_doubtful(self, page: PageRow, reading: PageReading) -> bool:
        """Return whether a page lacks the facts of records, and nothing else is known of
        it.
        """
        is_known = url_key(page.url) in self._known
        if self._facts is None or is_known:
            return False
        if reading.is_record():
            return False
        return not self._facts.fit(reading.labels)

    def confirms(self, page: PageRow, reading: PageReading) -> bool:
        """Return whether a page is a record although it may lack the facts of one."""
        if not self.is_doubtful(page, reading):
            return True
        if self._vanished.is_held_by(page):
            return True
        return self._stands_among_records(page) and not self._leads_on(page)

    @property
    def reason(self) -> str:
        """Why a page is none."""
        words = self._facts.words if self._facts else ""
        return f"another page: it has nothing of what records have ({words}, ...)"

    def refuse(self, pages: Iterable[PageRow]) -> None:
        """Skip the links to pages that are no records, with the reason."""
        keys: set[str] = set()
        for page in pages:
            key = url_key(page.url)
            keys.add(key)
        if not keys or self._facts is None:
            return
        links = self._context.links
        decisions: dict[int, NewDecision] = {}
        for link in links.with_decision(LinkDecision.RECORD):
            key = url_key(link.url)
            if key not in keys:
                continue
            decision = NewDecision(link.id, LinkDecision.SKIP, self.reason, None)
            decisions[link.id] = decision
        links.decide(decisions.values(), self._context.run)

    def _stands_among_records(self, page: PageRow) -> bool:
        """Return whether half or more of the links beside a link to the page lead to
        records.
        """
        for position in self._positions_of.get(url_key(page.url), ()):
            records, others = self._neighbours[position]
            if records >= max(MIN_NEIGHBOURS, MIN_SHARE * (records + others)):
                return True
        return False

    def _leads_on(self, page: PageRow) -> bool:
        """Return whether it leads to several records below its own address."""
        if page.body_hash is None:
            return False
        body = self._context.pages.body(page.body_hash)
        tree = parse(body, charset=page.charset)
        url = page.final_url or page.url
        own = _folder(url)
        listing = html_listing(tree, url)
        below: set[str] = set()
        for link in listing.links:
            folder = _folder(link.url)
            if folder.startswith(own) and folder in self._record_folders:
                below.add(folder)
        below.discard(own)
        return len(below) >= MIN_BELOW

    @cached_property
    def _record_keys(self) -> set[str]:
        """The keys of pages that links to records lead to."""
        return set(map(url_key, self._context.links.urls(LinkDecision.RECORD)))

    @cached_property
    def _record_folders(self) -> set[str]:
        """The same as folders: links name one with and without the last slash."""
        return set(map(_folder, self._context.links.urls(LinkDecision.RECORD)))

    @cached_property
    def _neighbours(self) -> dict[_Position, tuple[int, int]]:
        """How many links of each position lead to records, and how many to other pages."""
        kinds: dict[str, str] = {}
        for page in self._context.pages.iterate():
            if page.kind is None:
                continue
            key = url_key(page.url)
            kinds[key] = page.kind

        records: Counter[_Position] = Counter()
        others: Counter[_Position] = Counter()
        for key, positions in self._positions_of.items():
            kind = kinds.get(key)
            is_known = key in self._known
            is_read = key in self._record_keys and kind == PageKind.RECORD
            if is_known or is_read:
                records.update(positions)
            elif kind is not None:
                others.update(positions)

        found: dict[_Position, tuple[int, int]] = {}
        for positions in self._positions_of.values():
            for position in positions:
                found[position] = (records[position], others[position])
        return found

    @cached_property
    def _positions_of(self) -> dict[str, set[_Position]]:
        """Where links to each page stand, menus left out."""
        by_page: dict[int, list[LinkRow]] = {}
        for link in self._context.links.all():
            if link.gone_at is None:
                own = by_page.setdefault(link.index_page_id, [])
                own.append(link)
        positions: dict[str, set[_Position]] = {}
        for index_page in self._context.index_pages.all():
            if index_page.kind == IndexPageKind.RECORDS:
                continue
            links = by_page.get(index_page.id, [])
            lists = LinkLists(link.path for link in links)
            for link in links:
                if is_framed(link.path):
                    continue
                position = (
                    index_page.id,
                    lists.find(link.path),
                    path_pattern(link.path),
                    url_family(link.url),
                )
                key = url_key(link.url)
                own_positions = positions.setdefault(key, set())
                own_positions.add(position)
        return positions


def _folder(url: str) -> str:
    """Return the key of an address as that of a folder."""
    return url_key(url).rstrip("/") + "/"
