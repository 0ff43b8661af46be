"""The extractor: record pages read through the templates of their clusters, which grow
page by page as they do.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from scythe.collect.context import NOTED, Work
from scythe.collect.fields.names import in_cluster, tell_names
from scythe.collect.pages.reading import PageReading
from scythe.store.collections.pages import PageRow
from scythe.store.collections.runs import NewNotice
from scythe.store.collections.templates import ExtractedRow
from scythe.templates.slot import SlotId, SlotSource
from scythe.templates.template.extracted import Extracted
from scythe.templates.template.notices import Notice
from scythe.templates.template.template import Template

INITIAL = 30
"""Pages that the first version of a template is grown from together."""
GROWING, CHECKED = 60, 10
"""Pages up to which a template grows by every page; later so many pages of a batch are
looked at, which costs as much as reading three, and the template grows where something
on one has no place.
"""
MOST_WAITING = 1_000
"""Sections of a single page that are remembered, in case that another page has them,
too.
"""


class Extractor:
    """Reads pages, some at a time; what was read and the templates that did are stored
    together.
    """

    def __init__(self, work: Work) -> None:
        self._work = work
        self._names = work.names
        self._readers: dict[int, _Reader] = {}

    def add(self, page: PageRow, cluster: int, reading: PageReading) -> None:
        """Read a page by the template of its cluster."""
        if cluster not in self._readers:
            self._readers[cluster] = self._reader(cluster)
        self._readers[cluster].add(page, reading)

    def _reader(self, cluster: int) -> _Reader:
        work = self._work
        stored = work.templates.latest(cluster)
        if stored is None:
            return _Reader(cluster, None)
        template = Template.from_json(stored.definition)
        tell_names(template, cluster, self._names)
        return _Reader(
            cluster,
            template,
            tells=work.records.has_versions_before(cluster, before=work.run),
        )

    def store(self, without: Collection[int] = ()) -> None:
        """Store what was read, but not of some pages: these are read anew. Templates
        that did not grow are kept.
        """
        work, read = (
            self._work,
            [reader for reader in self._readers.values() if reader.finish()],
        )
        noted = _Noted.of(work)
        with work.store.writing():
            for reader in read:
                rows = [row for row in reader.rows if row.page_id not in without]
                noted.add(rows)
                told = [_as_notice(notice, reader.cluster) for notice in reader.notices]
                work.templates.store_extracted(
                    (reader.cluster, *reader.grown_template()), rows, told, work.run
                )
            noted.store(work)
        self._readers = {
            reader.cluster: reader.again() for reader in read if not reader.touched
        }


@dataclass
class _Reader:
    """The template of one cluster, and what it reads in one step."""

    cluster: int
    template: Template | None
    tells: bool = False
    """Whether an operator is told what is new: not of a template that nobody has seen
    yet.
    """
    rows: list[ExtractedRow] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)
    touched: bool = False
    _grown: int = 0
    _looked: int = 0
    _reason: str = ""
    _waiting: list[tuple[PageRow, PageReading]] = field(default_factory=list)

    def add(self, page: PageRow, reading: PageReading) -> None:
        """Read a page, and let the template grow by it where it may have something new."""
        if self.template is None:
            self._waiting.append((page, reading))
            if len(self._waiting) == INITIAL:
                self._induce()
            return
        found = None
        if self.template.pages >= GROWING:
            found = self.template.read(reading.view)
            is_new = self._looked < CHECKED and found.fit < 1.0
            self._looked += 1
        if found is None or is_new:
            update = self.template.grow(reading.view, page.url)
            self.touched = True
            self._grown += update.changed
            self.notices.extend(update.notices if self.tells else ())
            found = self.template.read(reading.view)
        self._keep(page, reading, found)

    def _induce(self) -> None:
        """Begin the template with the pages that wait for one."""
        self.template = Template.induce(
            [(reading.tree, page.url) for page, reading in self._waiting]
        )
        self._reason, self.touched = (
            f"grown from its first {len(self._waiting)} pages",
            True,
        )
        for page, reading in self._waiting:
            self._keep(page, reading, self.template.read(reading.view))
        self._waiting.clear()

    def _keep(self, page: PageRow, reading: PageReading, found: Extracted) -> None:
        row = ExtractedRow(
            page.id,
            self.cluster,
            0,
            page.body_hash or "",
            reading.slots(found),
            reading.declared(),
        )
        self.rows.append(row)

    def finish(self) -> bool:
        """Read what waits; gives whether there were any pages."""
        if self._waiting:
            self._induce()
        return bool(self.rows)

    def grown_template(self) -> tuple[Mapping[str, Any] | None, str | None]:
        """The template, if any page counts in it that did not before, and the reason
        for a new version, if there is one.
        """
        if self.template is None or not self.touched:
            return None, None
        return self.template.as_json(), self._reason or (
            f"{self._grown} pages had something new" if self._grown else None
        )

    def again(self) -> _Reader:
        """For the next step."""
        return _Reader(self.cluster, self.template, self.tells)


def _as_notice(notice: Notice, cluster: int) -> NewNotice:
    slot = in_cluster(cluster, notice.slot) if notice.slot else ""
    examples = [list(example) for example in notice.examples]
    data = {
        "slot": slot,
        "message": notice.message,
        "examples": examples,
        "cluster": cluster,
    }
    return NewNotice(
        f"{notice.kind}/{slot}/{notice.message}"[:400], str(notice.kind), data
    )


@dataclass
class _Noted:
    """Sections and declarations that pages are known to have. An operator is told of
    one when a second page has it, but not in the first run: there all are new, and none
    is news.
    """

    first_run: int | None
    slots: dict[str, int]
    """For each the only page that has it; 0, where there are several."""
    fresh: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, work: Work) -> _Noted:
        stored = work.remembered(NOTED) or {"run": work.run, "slots": {}}
        return cls(stored["run"], dict(stored["slots"]))

    def add(self, rows: list[ExtractedRow]) -> None:
        for row in rows:
            found = [
                slot
                for slot, values in row.slots.items()
                if values and SlotId.parse(slot).source is SlotSource.SECTION
            ]
            for name in row.declared or ():
                found.append(str(SlotId(SlotSource.DECLARED, name)))
            for slot in found:
                only = self.slots.setdefault(slot, row.page_id)
                if only not in (0, row.page_id):
                    self.slots[slot] = 0
                    self.fresh.append(slot)
        waiting = [slot for slot, page in self.slots.items() if page]
        for slot in waiting[:-MOST_WAITING]:
            del self.slots[slot]

    def store(self, work: Work) -> None:
        if self.first_run != work.run:
            news = [
                NewNotice(
                    f"new attribute/{slot}",
                    "new attribute",
                    {"slot": slot, "message": f"pages have {slot} now"},
                )
                for slot in self.fresh
            ]
            work.runs.add_notices(news, work.run)
        work.remember(NOTED, {"run": self.first_run, "slots": self.slots})
