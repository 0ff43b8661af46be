"""Templates of a collection's clusters, every version of them, and what they extracted
from pages, also where it has no name yet.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, func, insert, select, update

from scythe.store.collection_tables import (
    EXTRACTED,
    PAGES,
    TEMPLATES,
    ExtractedRow,
    TemplateRow,
)
from scythe.store.collections.runs import NewNotice, add_notices
from scythe.store.columns import now
from scythe.store.rows import (
    read_all,
    read_first,
    row_values,
    select_rows,
    stream,
)
from scythe.store.statements import batches, rows_by_value, upsert_all
from scythe.store.states import PageStage
from scythe.store.store import Store

__all__ = ["ExtractedRow", "TemplateRow", "TemplateRows"]


class TemplateRows:
    """The templates of one collection."""

    def __init__(self, store: Store, collection_id: int) -> None:
        self._store = store
        self._collection = collection_id
        self._in_collection = TEMPLATES.c.collection_id == collection_id
        self._templates = select_rows(TEMPLATES, TemplateRow).where(self._in_collection)
        self._extracted = select_rows(EXTRACTED, ExtractedRow).where(
            EXTRACTED.c.collection_id == collection_id
        )

    def latest(self, cluster: int) -> TemplateRow | None:
        """Return the template of a cluster in its last version."""
        query = (
            self._templates.where(TEMPLATES.c.cluster == cluster)
            .order_by(TEMPLATES.c.version.desc())
            .limit(1)
        )
        with self._store.reading() as connection:
            return read_first(connection, query, TemplateRow)

    def clusters(self) -> list[int]:
        """Return the clusters that have a template."""
        query = (
            select(TEMPLATES.c.cluster)
            .where(self._in_collection)
            .distinct()
            .order_by(TEMPLATES.c.cluster)
        )
        with self._store.reading() as connection:
            return list(connection.execute(query).scalars())

    def versions(self, cluster: int) -> list[TemplateRow]:
        """Return every version of the template of a cluster, the first one first."""
        query = self._templates.where(TEMPLATES.c.cluster == cluster).order_by(
            TEMPLATES.c.version
        )
        with self._store.reading() as connection:
            return read_all(connection, query, TemplateRow)

    def save(self, cluster: int, definition: Mapping[str, Any], reason: str) -> int:
        """Store a new version of a template; return its number."""
        with self._store.writing() as connection:
            return self._save(connection, cluster, definition, reason)

    def store_extracted(
        self,
        template: tuple[int, Mapping[str, Any] | None, str | None],
        pages: Iterable[ExtractedRow],
        notices: Iterable[NewNotice] = (),
        run: int | None = None,
    ) -> int:
        """Store what a template extracted from pages, with the template as it is after
        that; return its version.

        `template` is cluster, definition and the reason for a new version. Where there
        is no reason, the last version is replaced: it has only counted more pages;
        where there is no definition, it stays as it is. The rows' own `version` is
        ignored. Classified pages move to the next stage.
        """
        cluster, definition, reason = template
        with self._store.writing() as connection:
            version = self._save(connection, cluster, definition, reason)
            extracted_at = now()
            rows = []
            for page in pages:
                values = row_values(page)
                values["version"] = version
                values["collection_id"] = self._collection
                values["extracted_at"] = extracted_at
                rows.append(values)
            upsert_all(connection, EXTRACTED, ("page_id",), rows)

            page_ids = [row["page_id"] for row in rows]
            for batch in batches(page_ids):
                is_classified = PAGES.c.stage == PageStage.CLASSIFIED
                is_classified &= PAGES.c.id.in_(batch)
                statement = update(PAGES).where(is_classified)
                connection.execute(statement.values(stage=PageStage.EXTRACTED))
            add_notices(connection, self._collection, notices, run)
            return version

    def _save(
        self,
        connection: Connection,
        cluster: int,
        definition: Mapping[str, Any] | None,
        reason: str | None,
    ) -> int:
        in_cluster = self._in_collection & (TEMPLATES.c.cluster == cluster)
        last_version = select(func.max(TEMPLATES.c.version)).where(in_cluster)
        last: int | None = connection.execute(last_version).scalar()
        values: dict[str, Any] = {"stored_at": now()}
        if definition is not None:
            values["definition"] = dict(definition)

        if last and reason is None:
            is_last = in_cluster & (TEMPLATES.c.version == last)
            statement = update(TEMPLATES).where(is_last)
            connection.execute(statement.values(**values))
            return last
        version = (last or 0) + 1
        connection.execute(
            insert(TEMPLATES).values(
                collection_id=self._collection,
                cluster=cluster,
                version=version,
                reason=reason or "first pages",
                **values,
            )
        )
        return version

    def extracted_from(
        self, pages: Iterable[int], since: datetime | None = None
    ) -> dict[int, ExtractedRow]:
        """Return what was extracted from these pages, or what was since some time, by
        page.
        """
        query = self._extracted
        if since is not None:
            query = query.where(EXTRACTED.c.extracted_at >= since)
        with self._store.reading() as connection:
            rows = rows_by_value(connection, query, EXTRACTED.c.page_id, pages)
        return {page: ExtractedRow(*row) for page, row in rows.items()}

    def extracted(self, page: int) -> ExtractedRow | None:
        """Return what was extracted from a page."""
        is_of_page = EXTRACTED.c.page_id == page
        query = select_rows(EXTRACTED, ExtractedRow).where(is_of_page)
        with self._store.reading() as connection:
            return read_first(connection, query, ExtractedRow)

    def extracted_in_cluster(self, cluster: int) -> Iterator[ExtractedRow]:
        """Yield what was extracted from all pages of a cluster, in the order in which
        these were first queued.
        """
        query = self._extracted.where(EXTRACTED.c.cluster == cluster).order_by(
            EXTRACTED.c.page_id
        )
        with self._store.reading() as connection:
            yield from stream(connection, query, ExtractedRow)
