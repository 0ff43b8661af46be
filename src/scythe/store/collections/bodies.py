"""Bytes that were fetched, compressed and each stored once: the bodies of pages, and the
stylesheets with which an operator sees pages as they look, without any request.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping

from sqlalchemy import Connection, delete, exists, select

from scythe.errors import NotStored
from scythe.store.collection_tables import (
    BODIES,
    EXTRACTED,
    PAGES,
    RECORD_VERSIONS,
    STYLES,
)
from scythe.store.columns import now
from scythe.store.statements import batches, insert_all, rows_by_value, upsert_all
from scythe.store.store import Store

try:
    from isal import isal_zlib as zlib  # in the extras of collections
except ImportError:
    import zlib  # type: ignore[no-redef]

_COMPRESSION_LEVEL = 2
"""60 pages shrink to 0.33 of their size in 0.24 ms each; with the standard library,
whose format it is, to 0.32 in 1.4 ms.
"""

_BODIES_AT_ONCE = 25
"""Bodies that are read at once: one statement costs as much as unpacking a page."""


class BodyRows:
    """The bodies of one collection's pages, by their hashes."""

    def __init__(self, store: Store, collection_id: int) -> None:
        self._store = store
        self._collection = collection_id
        self._in_collection = BODIES.c.collection_id == collection_id

    def load(self, hashes: Iterable[str]) -> Iterator[bytes]:
        """Yield bodies in the order of their hashes; some are read at once, and none is
        kept in memory.
        """
        query = select(BODIES.c.hash, BODIES.c.packed).where(self._in_collection)
        for batch in batches(hashes, _BODIES_AT_ONCE):
            with self._store.reading() as connection:
                rows = rows_by_value(connection, query, BODIES.c.hash, batch)
            for body_hash in batch:
                if body_hash not in rows:
                    raise NotStored(
                        "The bytes of this page are not kept any more. "
                        "Run the collection to fetch it again."
                    )
                yield zlib.decompress(rows[body_hash].packed)

    def add(
        self, connection: Connection, bodies: Mapping[int, bytes]
    ) -> dict[int, str]:
        """Store the bodies of pages that are not there yet; return the hash of each
        page's body.
        """
        hashes = {}
        by_hash = {}
        for page, body in bodies.items():
            hashes[page] = hashlib.sha256(body).hexdigest()
            by_hash[hashes[page]] = body

        query = select(BODIES.c.hash).where(self._in_collection)
        known = rows_by_value(connection, query, BODIES.c.hash, by_hash)
        stored_at = now()
        rows = []
        for body_hash, body in by_hash.items():
            if body_hash in known:
                continue
            rows.append(
                {
                    "collection_id": self._collection,
                    "hash": body_hash,
                    "size": len(body),
                    "packed": zlib.compress(body, _COMPRESSION_LEVEL),
                    "stored_at": stored_at,
                }
            )
        insert_all(connection, BODIES, rows)
        return hashes

    def delete_unused(self, connection: Connection, body_hash: str) -> None:
        """Delete a body that no page has any more and no record comes from: a page may
        change on every visit.
        """
        is_unused = self._in_collection & (BODIES.c.hash == body_hash)
        for table in (PAGES, RECORD_VERSIONS, EXTRACTED):
            user = select(1).where(
                (table.c.collection_id == self._collection)
                & (table.c.body_hash == body_hash)
            )
            is_unused &= ~exists(user)
        connection.execute(delete(BODIES).where(is_unused))


class StyleRows:
    """The stylesheets of one collection, by their addresses."""

    def __init__(self, store: Store, collection_id: int) -> None:
        self._store = store
        self._collection = collection_id
        self._in_collection = STYLES.c.collection_id == collection_id

    def known(self, urls: Iterable[str]) -> set[str]:
        """Return those of the addresses that were requested, whatever came of it."""
        query = select(STYLES.c.url).where(self._in_collection)
        with self._store.reading() as connection:
            return set(rows_by_value(connection, query, STYLES.c.url, urls))

    def texts(self, urls: Iterable[str]) -> dict[str, str]:
        """Return the stylesheets at these addresses that there are."""
        query = (
            select(STYLES.c.url, STYLES.c.packed)
            .where(self._in_collection)
            .where(STYLES.c.packed.is_not(None))
        )
        with self._store.reading() as connection:
            rows = rows_by_value(connection, query, STYLES.c.url, urls)
        texts = {}
        for url, row in rows.items():
            text = zlib.decompress(row.packed)
            texts[url] = text.decode("utf-8", "replace")
        return texts

    def store(self, results: Mapping[str, tuple[str | None, str]]) -> None:
        """Store what came of requests: the stylesheet, or a note why there is none."""
        fetched_at = now()
        rows = []
        for url, (text, note) in results.items():
            packed = None
            if text is not None:
                packed = zlib.compress(text.encode("utf-8", "replace"))
            rows.append(
                {
                    "collection_id": self._collection,
                    "url": url,
                    "packed": packed,
                    "note": note,
                    "fetched_at": fetched_at,
                }
            )
        with self._store.writing() as connection:
            upsert_all(connection, STYLES, ("collection_id", "url"), rows)
