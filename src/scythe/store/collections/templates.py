"""Templates of a collection's clusters, every version of them, and what they read from
pages, also where it has no name yet.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, func, insert, select, update

from scythe.store.collections.runs import NewNotice, add_notices
from scythe.store.collections.states import PageStage
from scythe.store.collections.tables import EXTRACTED, PAGES, TEMPLATES
from scythe.store.columns import now
from scythe.store.statements import batches, columns_of, found_by, upsert_all
from scythe.store.store import Store

_AT_ONCE = 500


@dataclass(frozen=True)
class TemplateRow:
    """One version of the template of a cluster."""

    cluster: int
    version: int
    definition: Mapping[str, Any]
    reason: str
    stored_at: datetime


@dataclass(frozen=True)
class ExtractedRow:
    """What was read from a page."""

    page_id: int
    cluster: int
    version: int
    """Of the template that read it."""
    body_hash: str
    slots: Mapping[str, Sequence[str]]
    """The values of all slots, by slot."""
    declared: Mapping[str, Any] | None = None
    """What the page declares of itself in structured data."""
    unplaced: Sequence[str] | None = None
    """Texts that the template has no place for."""
    fit: float = 1.0


class TemplateRows:
    """The templates of one collection."""

    def __init__(self, store: Store, collection_id: int) -> None:
        self._store = store
        self._collection = collection_id
        self._own = TEMPLATES.c.collection_id == collection_id

    def latest(self, cluster: int) -> TemplateRow | None:
        """The template of a cluster in its last version."""
        wanted = select(*columns_of(TEMPLATES, TemplateRow)).where(
            self._own & (TEMPLATES.c.cluster == cluster)
        )
        with self._store.reading() as connection:
            row = connection.execute(
                wanted.order_by(TEMPLATES.c.version.desc()).limit(1)
            ).first()
            return TemplateRow(*row) if row else None

    def clusters(self) -> list[int]:
        """The clusters that have a template."""
        with self._store.reading() as connection:
            return list(
                connection.execute(
                    select(TEMPLATES.c.cluster)
                    .where(self._own)
                    .distinct()
                    .order_by("cluster")
                ).scalars()
            )

    def versions(self, cluster: int) -> list[TemplateRow]:
        """Every version of the template of a cluster, the first one first."""
        wanted = select(*columns_of(TEMPLATES, TemplateRow)).where(
            self._own & (TEMPLATES.c.cluster == cluster)
        )
        with self._store.reading() as connection:
            return [
                TemplateRow(*row)
                for row in connection.execute(wanted.order_by(TEMPLATES.c.version))
            ]

    def save(self, cluster: int, definition: Mapping[str, Any], reason: str) -> int:
        """Store a new version of a template, as an operator's naming makes it; gives
        its number.
        """
        with self._store.writing() as connection:
            return self._save(connection, cluster, definition, reason)

    def store_extracted(
        self,
        template: tuple[int, Mapping[str, Any] | None, str | None],
        pages: Iterable[ExtractedRow],
        notices: Iterable[NewNotice] = (),
        run: int | None = None,
    ) -> int:
        """Store what a template read from pages, with the template as that left it;
        gives its version.

        `template` is cluster, definition and the reason for a new version. Where there
        is no reason, the last version is replaced: it has only counted more pages;
        where there is no definition, it stays as it is. The rows' own `version` is not
        looked at. Pages that wait to be read move on.
        """
        cluster, definition, reason = template
        with self._store.writing() as connection:
            version = self._save(connection, cluster, definition, reason)
            own = {
                "version": version,
                "collection_id": self._collection,
                "extracted_at": now(),
            }
            rows = [
                {
                    **{
                        name: getattr(page, name)
                        for name in ExtractedRow.__dataclass_fields__
                    },
                    **own,
                }
                for page in pages
            ]
            upsert_all(connection, EXTRACTED, ("page_id",), rows)
            for batch in batches(row["page_id"] for row in rows):
                waiting = PAGES.c.id.in_(batch) & (
                    PAGES.c.stage == PageStage.CLASSIFIED
                )
                connection.execute(
                    update(PAGES).where(waiting).values(stage=PageStage.EXTRACTED)
                )
            add_notices(connection, self._collection, notices, run)
            return version

    def _save(
        self,
        connection: Connection,
        cluster: int,
        definition: Mapping[str, Any] | None,
        reason: str | None,
    ) -> int:
        own = self._own & (TEMPLATES.c.cluster == cluster)
        last: int = (
            connection.execute(
                select(func.max(TEMPLATES.c.version)).where(own)
            ).scalar()
            or 0
        )
        values = (
            {"stored_at": now()}
            if definition is None
            else {"definition": dict(definition), "stored_at": now()}
        )
        if last and reason is None:
            connection.execute(
                update(TEMPLATES)
                .where(own & (TEMPLATES.c.version == last))
                .values(**values)
            )
            return last
        first = {
            "collection_id": self._collection,
            "cluster": cluster,
            "version": last + 1,
            "reason": reason or "first pages",
        }
        connection.execute(insert(TEMPLATES).values(**first, **values))
        return last + 1

    def extracted_from(self, pages: Iterable[int]) -> dict[int, ExtractedRow]:
        """What was read from these pages, by page."""
        own = EXTRACTED.c.collection_id == self._collection
        with self._store.reading() as connection:
            rows = found_by(
                connection,
                columns_of(EXTRACTED, ExtractedRow),
                own,
                (EXTRACTED.c.page_id, pages),
            )
            return {page: ExtractedRow(*row) for page, row in rows.items()}

    def extracted(self, page: int) -> ExtractedRow | None:
        """What was read from a page."""
        wanted = select(*columns_of(EXTRACTED, ExtractedRow)).where(
            EXTRACTED.c.page_id == page
        )
        with self._store.reading() as connection:
            row = connection.execute(wanted).first()
            return ExtractedRow(*row) if row else None

    def extracted_in_cluster(self, cluster: int) -> Iterator[ExtractedRow]:
        """What was read from all pages of a cluster, in the order these were first
        wanted.
        """
        own = (EXTRACTED.c.collection_id == self._collection) & (
            EXTRACTED.c.cluster == cluster
        )
        wanted = (
            select(*columns_of(EXTRACTED, ExtractedRow))
            .where(own)
            .order_by(EXTRACTED.c.page_id)
        )
        with self._store.reading() as connection:
            for row in connection.execute(wanted.execution_options(yield_per=_AT_ONCE)):
                yield ExtractedRow(*row)
