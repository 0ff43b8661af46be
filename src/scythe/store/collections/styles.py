"""Stylesheets of example pages, so that an operator sees them as they look without any
request.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping

from scythe.store.collections.tables import STYLES
from scythe.store.columns import now
from scythe.store.statements import found_by, upsert_all
from scythe.store.store import Store


class StyleRows:
    """The stylesheets of one collection."""

    def __init__(self, store: Store, collection_id: int) -> None:
        self._store = store
        self._collection = collection_id
        self._own = STYLES.c.collection_id == collection_id

    def known(self, urls: Iterable[str]) -> set[str]:
        """The addresses among these that were asked for, whatever came of it."""
        with self._store.reading() as connection:
            return set(
                found_by(connection, [STYLES.c.url], self._own, (STYLES.c.url, urls))
            )

    def texts(self, urls: Iterable[str]) -> dict[str, str]:
        """The stylesheets at these addresses that are there."""
        with self._store.reading() as connection:
            rows = found_by(
                connection,
                [STYLES.c.url, STYLES.c.packed],
                self._own,
                (STYLES.c.url, urls),
            )
        return {
            url: zlib.decompress(row.packed).decode("utf-8", "replace")
            for url, row in rows.items()
            if row.packed is not None
        }

    def put(self, found: Mapping[str, tuple[str | None, str]]) -> None:
        """Keep what came of requests: the style, or why there is none."""
        same = {"collection_id": self._collection, "fetched_at": now()}
        rows = [
            {
                "url": url,
                "packed": None
                if text is None
                else zlib.compress(text.encode("utf-8", "replace")),
                "note": note,
                **same,
            }
            for url, (text, note) in found.items()
        ]
        with self._store.writing() as connection:
            upsert_all(connection, STYLES, ("collection_id", "url"), rows)
