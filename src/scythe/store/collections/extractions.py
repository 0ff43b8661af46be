"""Extracted pages by cluster, and samples of them: enough to show an operator what a
template extracts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import func, select

from scythe.errors import NotStored
from scythe.store.collection_tables import (
    EXTRACTED,
    PAGES,
    RECORD_VERSIONS,
    RECORDS,
    TEMPLATES,
    ExtractedRow,
    PageRow,
)
from scythe.store.rows import read_first, select_rows
from scythe.store.statements import batches, count_by
from scythe.store.store import Store


@dataclass(frozen=True)
class ClusterRow:
    """Pages of one template."""

    cluster: int
    pages: int
    version: int
    """Of its template."""
    stored_at: datetime | None
    """When the template was stored last, which it is whenever pages are extracted."""


class ExtractedPage(NamedTuple):
    """What was extracted from a page, its address, and the one that it led to."""

    row: ExtractedRow
    url: str
    final_url: str | None = None


class ExtractionRows:
    """The extracted pages of one collection."""

    def __init__(self, store: Store, collection_id: int) -> None:
        self._store = store
        self._collection = collection_id
        self._in_collection = EXTRACTED.c.collection_id == collection_id

    def clusters(self) -> list[ClusterRow]:
        """Return the clusters with extracted pages, the largest first."""
        versions = (
            select(TEMPLATES.c.cluster, TEMPLATES.c.version, TEMPLATES.c.stored_at)
            .where(TEMPLATES.c.collection_id == self._collection)
            .order_by(TEMPLATES.c.version)
        )
        with self._store.reading() as connection:
            pages = count_by(connection, EXTRACTED.c.cluster, self._in_collection)
            latest = {row.cluster: row for row in connection.execute(versions)}
        rows = []
        for cluster, count in pages.items():
            template = latest.get(cluster)
            if template is None:
                rows.append(ClusterRow(cluster, count, 0, None))
            else:
                rows.append(
                    ClusterRow(cluster, count, template.version, template.stored_at)
                )
        return sorted(rows, key=lambda row: (-row.pages, row.cluster))

    def ids(self, cluster: int | None = None) -> list[int]:
        """Return the ids of all extracted pages, of one cluster or of all, in the order
        in which these were first queued.
        """
        query = (
            select(EXTRACTED.c.page_id)
            .where(self._in_collection)
            .order_by(EXTRACTED.c.page_id)
        )
        if cluster is not None:
            query = query.where(EXTRACTED.c.cluster == cluster)
        with self._store.reading() as connection:
            return list(connection.execute(query).scalars())

    def present_ids(self, cluster: int) -> list[int]:
        """Return the ids of the pages of a cluster that are there now, of several
        addresses of one page the latest; all, where none is there any more.
        """
        address = func.coalesce(PAGES.c.final_url, PAGES.c.url)
        query = (
            select(func.max(EXTRACTED.c.page_id))
            .where(self._in_collection & (PAGES.c.id == EXTRACTED.c.page_id))
            .where((EXTRACTED.c.cluster == cluster) & PAGES.c.gone_at.is_(None))
            .group_by(address)
        )
        with self._store.reading() as connection:
            present = sorted(connection.execute(query).scalars())
        return present or self.ids(cluster)

    def read(self, pages: Sequence[int]) -> list[ExtractedPage]:
        """Return what was extracted from these pages, in their order."""
        query = (
            select_rows(EXTRACTED, ExtractedRow)
            .add_columns(PAGES.c.url, PAGES.c.final_url)
            .where(self._in_collection & (PAGES.c.id == EXTRACTED.c.page_id))
        )
        by_id: dict[int, ExtractedPage] = {}
        with self._store.reading() as connection:
            for batch in batches(pages):
                in_batch = query.where(EXTRACTED.c.page_id.in_(batch))
                for *values, url, final_url in connection.execute(in_batch):
                    row = ExtractedRow(*values)
                    by_id[row.page_id] = ExtractedPage(row, url, final_url)
        return [by_id[page] for page in pages if page in by_id]

    def page(self, number: int) -> PageRow:
        """Return a page by its id."""
        is_page = (PAGES.c.collection_id == self._collection) & (PAGES.c.id == number)
        query = select_rows(PAGES, PageRow).where(is_page)
        with self._store.reading() as connection:
            row = read_first(connection, query, PageRow)
        if row is None:
            raise NotStored("There is no such page in this collection.")
        return row

    def earlier_body(self, page: PageRow) -> str | None:
        """Return the hash of the body that a page had before, where the versions of its
        record still have it.
        """
        record_of_page = select(RECORDS.c.id).where(
            (RECORDS.c.collection_id == self._collection)
            & (RECORDS.c.page_id == page.id)
        )
        other_bodies = (
            select(RECORD_VERSIONS.c.body_hash)
            .where(RECORD_VERSIONS.c.collection_id == self._collection)
            .where(RECORD_VERSIONS.c.page_id == page.id)
            .where(RECORD_VERSIONS.c.body_hash.is_not(None))
            .where(RECORD_VERSIONS.c.body_hash != page.body_hash)
            .order_by(RECORD_VERSIONS.c.id.desc())
            .limit(1)
        )
        with self._store.reading() as connection:
            record = connection.execute(record_of_page).scalar()
            if record is None:
                return None
            of_record = other_bodies.where(RECORD_VERSIONS.c.record_id == record)
            return connection.execute(of_record).scalar()


def evenly_spaced(items: Sequence[int], count: int) -> list[int]:
    """Return so many of the items, evenly spaced, the first always among them."""
    if len(items) <= count:
        return list(items)
    return [items[index * len(items) // count] for index in range(count)]
