"""Collections as programs use them: add a site once, run it from time to time, read its
records.

with Collection.open("recipes") as recipes:
    print(recipes.run())
    for record in recipes.records():
        print(record.fields["title"])
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from types import TracebackType
from typing import Any, Self

from scythe.collect.context import Report, Work, _silent
from scythe.collect.crawl.styles import save_styles
from scythe.collect.fields.annotations import ACCEPT, NAME, SPLIT, Change, finish, say
from scythe.collect.fields.names import Attribute, accepted
from scythe.collect.fields.survey import all_attributes
from scythe.collect.publish.export import publish
from scythe.collect.records.schema import RecordSchema, schema_of
from scythe.collect.run import Run, Summary
from scythe.errors import NotStored, UsageError
from scythe.store.collections.annotations import AnnotationRow
from scythe.store.collections.collections import CollectionRow, CollectionRows
from scythe.store.collections.index_pages import IndexPageRow, NewIndexPage
from scythe.store.collections.links import LinkRow
from scythe.store.collections.records import RecordRow
from scythe.store.collections.runs import NoticeRow, RunRow
from scythe.store.collections.states import IndexPageKind
from scythe.store.store import Store
from scythe.urls import fetchable_url, site


class Collection:
    """One collection of a database."""

    def __init__(
        self, store: Store, row: CollectionRow, *, own_store: bool = False
    ) -> None:
        self._work = Work(store, row)
        self._own_store = own_store

    @classmethod
    def add(
        cls,
        url: str,
        name: str | None = None,
        kind: str = "record",
        *,
        db: str | None = None,
        **settings: Any,
    ) -> Self:
        """Begin a collection of the site at an address. `settings` are those of
        `CrawlOptions`, and `schema` as TOML.
        """
        address = fetchable_url(url)
        if address is None:
            raise UsageError(
                f"{url} is not an address of the web. Give one that begins with http:// or https://."
            )
        schema_of(kind, settings.get("schema"))
        store = Store.open(db)
        rows = CollectionRows(store)
        try:
            rows.add(name or default_name(address), address, kind, settings)
            row = rows.get(name or default_name(address))
            made = cls(store, row, own_store=True)
            made._work.options  # noqa: B018 - wrong settings are found now
            made._work.index_pages.add(
                [
                    NewIndexPage(
                        address, IndexPageKind.HTML, "the address that was given"
                    )
                ]
            )
        except BaseException:
            store.close()
            raise
        return made

    @classmethod
    def open(cls, name: str, *, db: str | None = None) -> Self:
        """A collection that was added before."""
        store = Store.open(db)
        try:
            return cls(store, CollectionRows(store).get(name), own_store=True)
        except BaseException:
            store.close()
            raise

    @property
    def row(self) -> CollectionRow:
        """Its name, address, kind and settings."""
        return self._work.row

    def run(
        self,
        *,
        everything: bool = False,
        due_only: bool = False,
        report: Report = _silent,
    ) -> Summary:
        """Bring it up to date: look at all index pages (with `due_only` at those whose
        time has come), and fetch new pages and known ones whose time has come (with
        `everything` all known ones that are still listed).
        """
        self._work.everything, self._work.due_only, self._work.report = (
            everything,
            due_only,
            report,
        )
        summary = Run(self._work).execute()
        finish(self._work)
        save_styles(self._work)
        self.publish()
        return summary

    def publish(self) -> str:
        """Bring the plain table that other programs read in step with the schema; gives
        its name.
        """
        return publish(self._work.store, self.row, self._work.schema)

    @property
    def schema(self) -> RecordSchema:
        """The fields of its records, with those that an operator named."""
        return self._work.schema

    @property
    def store(self) -> Store:
        """The database it is in."""
        return self._work.store

    def next_visit(self) -> datetime | None:
        """When the next index page is due; None where one was never visited."""
        due = [page.due_at for page in self.index_pages() if page.gone_at is None]
        return (
            None if None in due or not due else min(at for at in due if at is not None)
        )

    def records(self, *states: str) -> Iterator[RecordRow]:
        """The records in the order they were found; in some states only (`ok`,
        `review`, `gone`), if any are given.
        """
        return self._work.records.all(*states)

    def counts(self) -> dict[str, int]:
        """How many records there are in each state."""
        return self._work.records.counts()

    def has_names(self) -> bool:
        """Whether any slot has been named."""
        return bool(self._work.names)

    def links(self) -> Iterator[LinkRow]:
        """Every link that index pages have or had, with what was decided about it and
        why.
        """
        return self._work.links.all()

    def index_pages(self) -> list[IndexPageRow]:
        """The pages that are watched."""
        return self._work.index_pages.all()

    def notices(self) -> list[NoticeRow]:
        """What an operator should look at."""
        return self._work.runs.notices()

    def settle(self, notices: Sequence[NoticeRow]) -> None:
        """Put notices aside."""
        self._work.runs.dismiss([notice.id for notice in notices])

    def runs(self) -> list[RunRow]:
        """All runs, the first one first."""
        return self._work.runs.all()

    def attributes(self) -> list[Attribute]:
        """All slots that pages have, with examples, names and proposals: those with
        names first, then those of most pages.
        """
        return all_attributes(self._work)

    def name(self, slot: str, name: str, type: str | None = None) -> None:  # noqa: A002 - the word operators use
        """Give a slot the name of a field, and a type if the schema does not know the
        field; records follow at once.
        """
        if slot not in {attribute.slot for attribute in self.attributes()}:
            raise NotStored(
                f"There is no attribute {slot}. `scythe collect attributes {self.row.name}` lists them."
            )
        self.annotate(Change(NAME, (slot,), name, type or ""))

    def unname(self, slot: str) -> None:
        """Take the name of a slot back."""
        self.annotate(Change(SPLIT, (slot,)))

    def accept(self) -> dict[str, str]:
        """Take all proposals that are sure; gives the names by slot."""
        said = self.words
        chosen = accepted(self.attributes(), said.names, said.ignored)
        if chosen:
            self.annotate(Change(ACCEPT, tuple(chosen), names=chosen))
        return {slot: name for slot, (name, _) in chosen.items()}

    @property
    def words(self) -> AnnotationRow:
        """What operators said about attributes, in its latest version."""
        return self._work.annotations.latest()

    def annotate(self, change: Change, expected: int | None = None) -> int:
        """Say something about attributes; all records follow. Gives the new version;
        raises `Conflict` where `expected` is not the latest one.
        """
        version = say(self._work, change, expected)
        finish(self._work)
        return version

    def accept_record(self, key: str) -> RecordRow:
        """Take the values of a record in review as good."""
        return self._work.records.accept(key)

    def remove(self) -> None:
        """Forget the collection with all that belongs to it."""
        CollectionRows(self._work.store).remove(self.row.name)

    def close(self) -> None:
        """Close the database, if it was opened for this collection."""
        if self._own_store:
            self._work.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def default_name(url: str) -> str:
    """What a collection is called that was given no name: the host of its address."""
    return re.sub(r"[^a-z0-9]+", "-", site(url)).strip("-") or "collection"
