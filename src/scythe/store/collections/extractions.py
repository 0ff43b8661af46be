"""Some pages of a cluster, spread evenly over all of them: enough to show an operator
what its template found.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import func, select

from scythe.errors import NotStored
from scythe.store.collections.pages import PageRow
from scythe.store.collections.tables import (
    EXTRACTED,
    PAGES,
    RECORD_VERSIONS,
    RECORDS,
    TEMPLATES,
)
from scythe.store.collections.templates import ExtractedRow
from scythe.store.statements import batches, columns_of
from scythe.store.store import Store


@dataclass(frozen=True)
class ClusterRow:
    """Pages of one template."""

    cluster: int
    pages: int
    version: int
    """Of its template."""
    stored_at: datetime | None
    """When the template was stored last, which it is whenever pages are read."""


class ExtractedPage(NamedTuple):
    """What was read from a page, and where the page is."""

    row: ExtractedRow
    url: str


class ExtractionRows:
    """The read pages of one collection."""

    def __init__(self, store: Store, collection_id: int) -> None:
        self._store = store
        self._collection = collection_id
        self._own = EXTRACTED.c.collection_id == collection_id

    def clusters(self) -> list[ClusterRow]:
        """The clusters with read pages, the largest first."""
        counted = (
            select(EXTRACTED.c.cluster, func.count())
            .where(self._own)
            .group_by(EXTRACTED.c.cluster)
        )
        own = TEMPLATES.c.collection_id == self._collection
        last = (
            select(TEMPLATES.c.cluster, func.max(TEMPLATES.c.version))
            .where(own)
            .group_by(TEMPLATES.c.cluster)
        )
        found = []
        with self._store.reading() as connection:
            versions = {row[0]: row[1] for row in connection.execute(last)}
            for cluster, pages in connection.execute(counted):
                version = versions.get(cluster, 0)
                this = (
                    own
                    & (TEMPLATES.c.cluster == cluster)
                    & (TEMPLATES.c.version == version)
                )
                stored = connection.execute(
                    select(TEMPLATES.c.stored_at).where(this)
                ).scalar()
                found.append(ClusterRow(cluster, pages, version, stored))
        return sorted(found, key=lambda row: (-row.pages, row.cluster))

    def ids(self, cluster: int | None = None) -> list[int]:
        """The numbers of all read pages, of one cluster or of all, in the order they
        were first wanted.
        """
        own = (
            self._own
            if cluster is None
            else self._own & (EXTRACTED.c.cluster == cluster)
        )
        with self._store.reading() as connection:
            return list(
                connection.execute(
                    select(EXTRACTED.c.page_id).where(own).order_by(EXTRACTED.c.page_id)
                ).scalars()
            )

    def read(self, pages: Sequence[int]) -> list[ExtractedPage]:
        """What was read from these pages, in their order."""
        found: dict[int, ExtractedPage] = {}
        wanted = select(*columns_of(EXTRACTED, ExtractedRow), PAGES.c.url).where(
            self._own & (PAGES.c.id == EXTRACTED.c.page_id)
        )
        with self._store.reading() as connection:
            for batch in batches(pages):
                for row in connection.execute(
                    wanted.where(EXTRACTED.c.page_id.in_(batch))
                ).mappings():
                    values = dict(row)
                    found[row["page_id"]] = ExtractedPage(
                        url=values.pop("url"), row=ExtractedRow(**values)
                    )
        return [found[page] for page in pages if page in found]

    def page(self, number: int) -> PageRow:
        """A page by its number."""
        own = (PAGES.c.collection_id == self._collection) & (PAGES.c.id == number)
        with self._store.reading() as connection:
            row = (
                connection.execute(select(*columns_of(PAGES, PageRow)).where(own))
                .mappings()
                .first()
            )
        if row is None:
            raise NotStored("There is no such page in this collection.")
        return PageRow(**row)

    def earlier_body(self, page: PageRow) -> str | None:
        """The hash of the bytes that a page had before, as far as its record still has
        them.
        """
        own = (RECORD_VERSIONS.c.collection_id == self._collection) & (
            RECORD_VERSIONS.c.page_id == page.id
        )
        other = (
            own
            & RECORD_VERSIONS.c.body_hash.is_not(None)
            & (RECORD_VERSIONS.c.body_hash != page.body_hash)
        )
        wanted = (
            select(RECORD_VERSIONS.c.body_hash)
            .where(other)
            .order_by(RECORD_VERSIONS.c.id.desc())
            .limit(1)
        )
        record = select(RECORDS.c.id).where(
            (RECORDS.c.collection_id == self._collection)
            & (RECORDS.c.page_id == page.id)
        )
        with self._store.reading() as connection:
            found = connection.execute(record).scalar()
            wanted = wanted.where(RECORD_VERSIONS.c.record_id == found)
            return None if found is None else connection.execute(wanted).scalar()


def evenly_spaced(items: Sequence[int], number: int) -> list[int]:
    """So many of the items, evenly spread over all, the first always among them."""
    if len(items) <= number:
        return list(items)
    return [items[place * len(items) // number] for place in range(number)]
