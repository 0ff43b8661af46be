"""Bytes that were fetched, each stored once: the bodies of pages, the stylesheets with
which an operator sees pages as they look without any request, and pictures of records.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping

from sqlalchemy import Connection, delete, exists, func, select

from scythe.errors import NotStored
from scythe.store.collection_tables import (
    BODIES,
    EXTRACTED,
    PAGES,
    RECORD_VERSIONS,
    STYLES,
)
from scythe.store.columns import now
from scythe.store.operator_tables import MEDIA, MediaRow
from scythe.store.rows import read_first, select_rows
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


class MediaRows:
    """The kept media of one collection."""

    def __init__(self, store: Store, collection_id: int) -> None:
        self._store = store
        self._collection = collection_id
        self._in_collection = MEDIA.c.collection_id == collection_id

    def unknown(self, urls: Iterable[str]) -> list[str]:
        """Return those of some addresses that nothing is stored about, each once."""
        distinct = list(dict.fromkeys(urls))
        known: set[str] = set()
        with self._store.reading() as connection:
            for batch in batches(distinct):
                query = select(MEDIA.c.url).where(
                    self._in_collection & MEDIA.c.url.in_(batch)
                )
                known.update(connection.execute(query).scalars())
        return [url for url in distinct if url not in known]

    def store(
        self, url: str, data: bytes | None, content_type: str = "", note: str = ""
    ) -> None:
        """Store the bytes of an address, or why there are none."""
        row = {
            "collection_id": self._collection,
            "url": url,
            "hash": hashlib.sha256(data).hexdigest() if data is not None else None,
            "content_type": content_type,
            "size": len(data or b""),
            "data": data,
            "note": note,
            "fetched_at": now(),
        }
        with self._store.writing() as connection:
            upsert_all(connection, MEDIA, ("collection_id", "url"), [row])

    def get(self, url: str) -> tuple[MediaRow, bytes] | None:
        """Return what is kept of an address and its bytes, None where there are none."""
        is_url = self._in_collection & (MEDIA.c.url == url)
        is_url &= MEDIA.c.data.is_not(None)
        with self._store.reading() as connection:
            row = read_first(
                connection, select_rows(MEDIA, MediaRow).where(is_url), MediaRow
            )
            if row is None:
                return None
            of_data = select(MEDIA.c.data).where(is_url)
            data = connection.execute(of_data).scalar_one()
        return row, bytes(data)

    def size(self) -> int:
        """Return how many bytes are kept."""
        total = select(func.sum(MEDIA.c.size)).where(self._in_collection)
        with self._store.reading() as connection:
            size = connection.execute(total).scalar()
        return int(size or 0)
