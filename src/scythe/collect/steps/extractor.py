"""The extractor: record pages are read by the templates of their clusters, which grow
page by page as they do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from scythe.collect.context import RunContext, StateKey
from scythe.collect.pages.page_reading import PageReading
from scythe.collect.records.field_values import annotate_template, collection_slot
from scythe.store.collections.pages import PageRow
from scythe.store.collections.runs import NewNotice
from scythe.store.collections.templates import ExtractedRow
from scythe.templates.matching.page_texts import label_part
from scythe.templates.slot import SlotId, SlotSource, shared_slot
from scythe.templates.template.extracted import Extracted
from scythe.templates.template.notices import Notice, NoticeKind
from scythe.templates.template.template import Template
from scythe.tree.tree import Tree

INITIAL_PAGES = 30
"""Pages that the first version of a template is grown from together. Not tuned."""
GROWING_PAGES = 60
"""Pages up to which a template grows by every page. Later it grows by pages that have
something without a slot, or in a slot that is not settled yet. Not tuned.
"""
MAX_GROWN_ALIKE = 5
"""Pages that a mature template grows by because of texts that stand alike: what five
pages did not teach it, it does not learn. A bound on work, not tuned.
"""
MAX_SINGLE_PAGE_SLOTS = 1_000
"""Sections of a single page that are remembered, in case that another page has them,
too: a bound on memory, not tuned.
"""
_MAX_KEY = 400
"""Characters of a notice's key: an arbitrary cap against hostile pages."""


class Extractor:
    """Extracts pages, a batch at a time; what was extracted and the templates that did
    are stored together.
    """

    def __init__(self, context: RunContext, *, rereads: bool = False) -> None:
        """`rereads` says whether pages that lack what a template has learned since are
        queued for reading again.
        """
        self._context = context
        self._rereads = rereads
        self._slot_fields = context.slot_fields
        self._extractors: dict[int, _ClusterExtractor] = {}
        self._grown_by: dict[int, Counter[str]] = {}

    def add(self, page: PageRow, cluster: int, reading: PageReading) -> None:
        """Extract a page by the template of its cluster."""
        if cluster not in self._extractors:
            self._extractors[cluster] = self._cluster_extractor(cluster)
        self._extractors[cluster].add(page, reading)

    def _cluster_extractor(self, cluster: int) -> _ClusterExtractor:
        context = self._context
        stored = context.templates.latest(cluster)
        grown_by = self._grown_by.setdefault(cluster, Counter())
        if stored is None:
            return _ClusterExtractor(cluster, None, grown_by)
        template = Template.from_json(stored.definition)
        annotate_template(template, cluster, self._slot_fields)
        is_known = context.records.has_versions_before(cluster, before=context.run)
        return _ClusterExtractor(cluster, template, grown_by, gives_notices=is_known)

    def store(self, without: Collection[int] = ()) -> None:
        """Store what was extracted, but not of some pages: these are extracted anew.
        Templates that did not grow are kept for the next batch.
        """
        context = self._context
        finished = [
            extractor for extractor in self._extractors.values() if extractor.finish()
        ]
        known_slots = _KnownSlots.load(context)
        with context.store.writing():
            for extractor in finished:
                rows = [row for row in extractor.rows if row.page_id not in without]
                known_slots.add(rows)
                notices = [
                    _new_notice(notice, extractor.cluster)
                    for notice in extractor.notices
                ]
                template = (extractor.cluster, *extractor.grown_template())
                context.templates.store_extracted(template, rows, notices, context.run)
                self._queue_incomplete(extractor)
            known_slots.store(context)
        self._extractors = {
            extractor.cluster: extractor.for_next_batch()
            for extractor in finished
            if not extractor.has_grown
        }

    def _queue_incomplete(self, extractor: _ClusterExtractor) -> None:
        """Queue the pages of a cluster that were read before its template learned what
        it did in this batch: they are read again from their snapshots.
        """
        if not self._rereads or extractor.complete_from is None:
            return
        complete = {row.page_id for row in extractor.rows[extractor.complete_from :]}
        cluster = extractor.cluster
        incomplete = {
            page: cluster
            for page in self._context.extractions.ids(cluster)
            if page not in complete
        }
        self._context.pages.reassign(incomplete)


@dataclass
class _ClusterExtractor:
    """The template of one cluster, and what it extracts in one batch."""

    cluster: int
    template: Template | None
    grown_by: Counter[str]
    """Texts without a slot that the mature template grew by, by where they stand."""
    gives_notices: bool = False
    """Whether an operator gets notices of what is new: not of a template that nobody
    has seen yet.
    """
    rows: list[ExtractedRow] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)
    has_grown: bool = False
    complete_from: int | None = None
    """The first row of the batch with all that the template knows at its end; None
    where it has learned nothing that earlier pages may have.
    """
    _changes: int = 0
    _reason: str = ""
    _waiting: list[tuple[PageRow, PageReading]] = field(default_factory=list)

    def add(self, page: PageRow, reading: PageReading) -> None:
        """Extract a page, and let the template grow by it where it may have something
        new.
        """
        if self.template is None:
            self._waiting.append((page, reading))
            if len(self._waiting) == INITIAL_PAGES:
                self._induce()
            return

        extracted = None
        if self.template.pages >= GROWING_PAGES:
            extracted = self.template.read(reading.view)
        if extracted is None or self._has_news(extracted, reading):
            self._grow(self.template, page, reading)
            extracted = self.template.read(reading.view)
        self._add_row(page, reading, extracted)

    def _grow(self, template: Template, page: PageRow, reading: PageReading) -> None:
        update = template.grow(reading.view, page.url)
        self.has_grown = True
        self._changes += update.changed
        if self.gives_notices:
            self.notices.extend(update.notices)
        is_new = any(notice.kind is NoticeKind.NEW for notice in update.notices)
        if is_new or update.turned_data:
            self.complete_from = len(self.rows)

    def _has_news(self, extracted: Extracted, reading: PageReading) -> bool:
        """Return whether a mature template may learn from a page."""
        assert self.template is not None  # noqa: S101 - it extracted the page
        if not self.template.unsettled_slots.isdisjoint(extracted):
            return True
        positions = {
            _position_of_text(reading.tree, node, text)
            for node, text in extracted.unmatched.items()
        }
        news = [
            position
            for position in positions
            if self.grown_by[position] < MAX_GROWN_ALIKE
        ]
        self.grown_by.update(news)
        return bool(news)

    def _induce(self) -> None:
        """Induce the template from the pages that wait for one."""
        pages = []
        for page, reading in self._waiting:
            pages.append((reading.tree, page.url))
        self.template = Template.induce(pages)
        self._reason = f"grown from its first {len(self._waiting)} pages"
        self.has_grown = True
        for page, reading in self._waiting:
            self._add_row(page, reading, self.template.read(reading.view))
        self._waiting.clear()

    def _add_row(
        self, page: PageRow, reading: PageReading, extracted: Extracted
    ) -> None:
        row = ExtractedRow(
            page.id,
            self.cluster,
            0,
            page.body_hash or "",
            reading.slots(extracted),
            reading.declared(),
        )
        self.rows.append(row)

    def finish(self) -> bool:
        """Extract what waits; return whether there were any pages."""
        if self._waiting:
            self._induce()
        return bool(self.rows)

    def grown_template(self) -> tuple[Mapping[str, Any] | None, str | None]:
        """Return the template, if any page counts in it that did not before, and the
        reason for a new version, if there is one.
        """
        if self.template is None or not self.has_grown:
            return None, None
        reason = self._reason or None
        if reason is None and self._changes:
            reason = f"{self._changes} pages had something new"
        return self.template.as_json(), reason

    def for_next_batch(self) -> _ClusterExtractor:
        """Return an extractor with the same template for the next batch."""
        return _ClusterExtractor(
            self.cluster, self.template, self.grown_by, self.gives_notices
        )


def _position_of_text(tree: Tree, node: int, text: str) -> str:
    """Return what texts that stand alike have in common: the label that they begin
    with, else the element that they are in.
    """
    parent = int(tree.parent[node])
    classes = tree.attributes(parent).get("class", "")
    return label_part(text) or f"{tree.name(parent)} {classes}"


def _new_notice(notice: Notice, cluster: int) -> NewNotice:
    """Return a notice of a template as the collection stores it."""
    slot = collection_slot(cluster, notice.slot) if notice.slot else ""
    data = {
        "slot": slot,
        "message": notice.message,
        "examples": [list(example) for example in notice.examples],
        "cluster": cluster,
        "pages": notice.pages,
    }
    key = f"{notice.kind}/{slot}/{notice.message}"
    return NewNotice(key[:_MAX_KEY], str(notice.kind), data)


@dataclass
class _KnownSlots:
    """Sections and declarations that pages are known to have. An operator gets a notice
    of one when a second page has it, but not in the first run: there all are new, and
    none is news.
    """

    first_run: int | None
    single_pages: dict[str, int]
    """For each slot the only page that has it; 0, where there are several."""
    new: list[str] = field(default_factory=list)

    @classmethod
    def load(cls, context: RunContext) -> _KnownSlots:
        """Return what is known from earlier batches."""
        stored = context.load_state(StateKey.KNOWN_SLOTS)
        if not stored:
            return cls(context.run, {})
        return cls(stored["run"], dict(stored["slots"]))

    def add(self, rows: Sequence[ExtractedRow]) -> None:
        """Add the slots of extracted pages."""
        for row in rows:
            for slot in _sections_and_declarations(row):
                page = self.single_pages.setdefault(slot, row.page_id)
                if page not in (0, row.page_id):
                    self.single_pages[slot] = 0
                    self.new.append(slot)
        on_one_page = [slot for slot, page in self.single_pages.items() if page]
        for slot in on_one_page[:-MAX_SINGLE_PAGE_SLOTS]:
            del self.single_pages[slot]

    def store(self, context: RunContext) -> None:
        """Store what is known, and notices of what is new."""
        if self.first_run != context.run:
            notices = []
            for slot in self.new:
                data = {"slot": slot, "message": f"pages have {slot} now"}
                notices.append(
                    NewNotice(f"new attribute/{slot}", "new attribute", data)
                )
            context.runs.add_notices(notices, context.run)
        state = {"run": self.first_run, "slots": self.single_pages}
        context.store_state(StateKey.KNOWN_SLOTS, state)


def _sections_and_declarations(row: ExtractedRow) -> list[str]:
    """Return the slots of a page that are the same in all clusters."""
    slots = [
        slot
        for slot, values in row.slots.items()
        if values and SlotId.parse(slot).source is SlotSource.SECTION
    ]
    declared = row.declared or ()
    slots.extend(shared_slot(SlotSource.DECLARED, name) for name in declared)
    return slots
