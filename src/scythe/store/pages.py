"""Pages of a collection on their way from wanted to done. Each step moves pages on and stores what it made, in one transaction.

    wanted -> fetched -> classified -> extracted -> done

Where a run is killed, every page stands at the last step that was finished for it, and the next run goes on from there. Pages are
always taken in the order in which they were first wanted, so that a run ends alike however often it was interrupted.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Select, delete, exists, func, select, true, update

from scythe.errors import NotStored
from scythe.store.collection_tables import BODIES, EXTRACTED, PAGES, RECORD_VERSIONS
from scythe.store.collections import remember
from scythe.store.columns import now
from scythe.store.statements import batches, columns_of, counted, found_by, insert_all, update_all
from scythe.store.store import Store

try:
    from isal import isal_zlib as zlib  # in the extras of collections
except ImportError:
    import zlib  # type: ignore[no-redef]

WANTED, FETCHED, CLASSIFIED, EXTRACTED_, DONE = "wanted", "fetched", "classified", "extracted", "done"
STAGES = (WANTED, FETCHED, CLASSIFIED, EXTRACTED_, DONE)

OK, UNCHANGED, GONE = "ok", "unchanged", "gone"
"""What can come of a request besides failures, whose names the crawler gives."""

_LEVEL = 2
"""60 pages shrink to 0.33 of their size in 0.24 ms each; with the standard library, whose format it is, to 0.32 in 1.4 ms."""

_BODIES = 25
"""Bodies that are read at once: one statement costs as much as unpacking a page."""

_AT_ONCE = 1_000

_ANSWERED = (
    *("stage", "body_hash", "etag", "last_modified", "charset", "content_type", "rendered", "changed_at"),
    *("visits", "changes", "failures", "gone_at", "cluster"),
)
"""What the next state of a page depends on."""


@dataclass(frozen=True)
class Wanted:
    """A page to fetch."""

    url: str
    reason: str = ""
    kind: str = ""
    """What it is expected to be; what it is, once it was classified."""


@dataclass(frozen=True)
class Fetched:
    """What came of a request."""

    page: int
    fate: str
    """`ok` (with a body), `unchanged` (the server said so), `gone`, or what went wrong."""
    body: bytes | None = None
    status: int | None = None
    final_url: str | None = None
    etag: str | None = None
    last_modified: str | None = None
    charset: str | None = None
    content_type: str | None = None
    rendered: bool = False
    note: str = ""


@dataclass(frozen=True)
class PageRow:
    """A page."""

    id: int
    url: str
    kind: str
    reason: str
    stage: str
    wanted_in: int
    """The run that wanted it last."""
    fate: str
    note: str
    status: int | None
    final_url: str | None
    etag: str | None
    last_modified: str | None
    body_hash: str | None
    charset: str | None
    content_type: str | None
    rendered: bool
    """Whether the body is what a browser made of the page."""
    fetched_at: datetime | None
    changed_at: datetime | None
    visits: int
    changes: int
    failures: int
    """Requests in a row that failed."""
    cluster: int | None
    gone_at: datetime | None


class PageRows:
    """The pages of one collection."""

    def __init__(self, store: Store, collection_id: int) -> None:
        self._store = store
        self._collection = collection_id
        self._own = PAGES.c.collection_id == collection_id

    def want(self, pages: Iterable[Wanted], run: int) -> int:
        """Ask for pages, new ones or known ones again; gives how many were not asked for in this run before.

        A page that is on its way keeps its place, so that nothing is fetched twice in a run.
        """
        wanted: dict[str, Wanted] = {}
        for page in pages:
            wanted.setdefault(page.url, page)
        counts = {"visits": 0, "changes": 0, "failures": 0, "rendered": False, "fate": "", "note": ""}
        new, again = [], {}
        with self._store.writing() as connection:
            columns = (PAGES.c.id, PAGES.c.url, PAGES.c.stage, PAGES.c.wanted_in)
            known = found_by(connection, columns, self._own, (PAGES.c.url, wanted))
            for page in wanted.values():
                values = {"reason": page.reason, "stage": WANTED, "wanted_in": run}
                row = known.get(page.url)
                if row is None:
                    new.append({"collection_id": self._collection, "url": page.url, "kind": page.kind, **values, **counts})
                elif row.stage == DONE and row.wanted_in != run:
                    again[row.id] = values
            insert_all(connection, PAGES, new)
            update_all(connection, PAGES, again)
        return len(new) + len(again)

    def at(self, stage: str, limit: int | None = None) -> list[PageRow]:
        """Pages that stand at a stage, in the order they were first wanted."""
        wanted = self._wanted().where(PAGES.c.stage == stage)
        return self._rows(wanted if limit is None else wanted.limit(limit))

    def waiting(self, stage: str) -> Iterator[list[PageRow]]:
        """All pages that stand at a stage, in the same order, some at a time."""
        return self._batches(PAGES.c.stage == stage)

    def asked(self, run: int) -> Iterator[PageRow]:
        """All pages that a run wanted."""
        return chain.from_iterable(self._batches(PAGES.c.wanted_in == run))

    def each(self) -> Iterator[PageRow]:
        """As `all`, without having them all at once."""
        return chain.from_iterable(self._batches(true()))

    def _batches(self, chosen: ColumnElement[bool]) -> Iterator[list[PageRow]]:
        last = 0
        while batch := self._rows(self._wanted().where(chosen & (PAGES.c.id > last)).limit(_AT_ONCE)):
            yield batch
            last = batch[-1].id

    def count(self, stage: str) -> int:
        """How many pages stand at a stage."""
        with self._store.reading() as connection:
            return connection.execute(select(func.count()).where(self._own & (PAGES.c.stage == stage))).scalar_one()

    def all(self) -> list[PageRow]:
        """All pages, in the order they were first wanted."""
        return self._rows(self._wanted())

    def get(self, url: str) -> PageRow | None:
        """A page by its address."""
        return next(iter(self._rows(self._wanted().where(PAGES.c.url == url))), None)

    def of_clusters(self, clusters: Iterable[int]) -> Iterator[tuple[int, str, int]]:
        """Number, address and cluster of all pages of some clusters."""
        wanted = select(PAGES.c.id, PAGES.c.url, PAGES.c.cluster).where(self._own & PAGES.c.cluster.in_(list(clusters)))
        with self._store.reading() as connection:
            for row in connection.execute(wanted.order_by(PAGES.c.id).execution_options(yield_per=_AT_ONCE)):
                yield row.id, row.url, row.cluster

    def body(self, hash: str) -> bytes:  # noqa: A002 - what it is called everywhere
        """The bytes of a page as they came."""
        return next(self.bodies([hash]))

    def bodies(self, hashes: Iterable[str]) -> Iterator[bytes]:
        """The bytes of pages as they came, in the order of their hashes; some are read at once, and none is kept."""
        own = BODIES.c.collection_id == self._collection
        for batch in batches(hashes, _BODIES):
            with self._store.reading() as connection:
                found = found_by(connection, [BODIES.c.hash, BODIES.c.packed], own, (BODIES.c.hash, batch))
            for hashed in batch:
                if hashed not in found:
                    raise NotStored("The bytes of this page are not kept any more. Run the collection to fetch it again.")
                yield zlib.decompress(found[hashed].packed)

    def arrive(self, answers: Iterable[Fetched]) -> None:
        """Store what came of requests. A changed body waits to be classified, a page that is back waits to be read; all else is
        done with. Only the first answer of a page that is wanted counts.
        """
        first: dict[int, Fetched] = {}
        for answer in answers:
            first.setdefault(answer.page, answer)
        with self._store.writing() as connection:
            columns = [PAGES.c.id, *(PAGES.c[name] for name in _ANSWERED)]
            known = found_by(connection, columns, self._own & (PAGES.c.stage == WANTED), (PAGES.c.id, first))
            hashes = self._keep(connection, [first[page] for page in known])
            after = {page: _after(row, first[page], hashes.get(page)) for page, row in known.items()}
            update_all(connection, PAGES, after)
            for page, row in known.items():
                if row.body_hash is not None and after[page]["body_hash"] != row.body_hash:
                    self._drop(connection, row.body_hash)

    def _keep(self, connection: Connection, answers: Sequence[Fetched]) -> dict[int, str]:
        """Store the bodies of answers that are not there yet; gives the hash of each page's body."""
        bodies = {answer.page: answer.body for answer in answers if answer.fate == OK and answer.body is not None}
        hashes = {page: hashlib.sha256(body).hexdigest() for page, body in bodies.items()}
        own = BODIES.c.collection_id == self._collection
        known = found_by(connection, [BODIES.c.hash], own, (BODIES.c.hash, hashes.values()))
        missing = {hashed: bodies[page] for page, hashed in hashes.items() if hashed not in known}
        same = {"collection_id": self._collection, "stored_at": now()}
        rows = [
            {"hash": hashed, "size": len(body), "packed": zlib.compress(body, _LEVEL), **same} for hashed, body in missing.items()
        ]
        insert_all(connection, BODIES, rows)
        return hashes

    def _drop(self, connection: Connection, hashed: str) -> None:
        """Let go of bytes that no page has any more and no record comes from: a page may change on every visit."""
        own = (BODIES.c.collection_id == self._collection) & (BODIES.c.hash == hashed)
        for table in (PAGES, RECORD_VERSIONS, EXTRACTED):
            own &= ~exists(select(1).where((table.c.collection_id == self._collection) & (table.c.body_hash == hashed)))
        connection.execute(delete(BODIES).where(own))

    def classify(self, placed: Mapping[int, tuple[int, str]], name: str, state: Any) -> None:
        """Store the cluster and the kind of pages, with the state of the clustering that placed them (under a name that
        `CollectionRows.remembered` gives back). Only pages that wait for it move on.
        """
        with self._store.writing() as connection:
            waiting = found_by(connection, [PAGES.c.id], self._own & (PAGES.c.stage == FETCHED), (PAGES.c.id, placed))
            values = {page: {"cluster": placed[page][0], "kind": placed[page][1], "stage": CLASSIFIED} for page in waiting}
            update_all(connection, PAGES, values)
            remember(connection, self._collection, name, state)

    def place(self, moved: Mapping[int, int]) -> None:
        """Pages that proved to belong to another cluster: each goes there, and is read anew where it was read."""
        with self._store.writing() as connection:
            for batch in batches(moved):
                read = self._own & PAGES.c.id.in_(batch) & PAGES.c.stage.in_((EXTRACTED_, DONE))
                connection.execute(update(PAGES).where(read).values(stage=CLASSIFIED))
            update_all(connection, PAGES, {page: {"cluster": cluster} for page, cluster in moved.items()})

    def move_on(self, pages: Iterable[int], stage: str) -> None:
        """Put pages at a stage, where there is nothing to store with it."""
        with self._store.writing() as connection:
            update_all(connection, PAGES, {page: {"stage": stage} for page in pages})

    def fates(self, run: int) -> dict[str, int]:
        """What came of the pages that a run wanted: how many of each fate."""
        wanted = select(PAGES.c.fate, func.count()).where(self._own & (PAGES.c.wanted_in == run)).group_by(PAGES.c.fate)
        with self._store.reading() as connection:
            return counted(connection, wanted)

    def _wanted(self) -> Select[Any]:
        return select(*columns_of(PAGES, PageRow)).where(self._own).order_by(PAGES.c.id)

    def _rows(self, wanted: Select[Any]) -> list[PageRow]:
        with self._store.reading() as connection:
            return [PageRow(*row) for row in connection.execute(wanted)]


def _after(row: Row[Any], answer: Fetched, hashed: str | None) -> dict[str, Any]:
    """The row of a page after a request: what could not be read leaves what is known of its last good state."""
    at = now()
    values = {name: getattr(row, name) for name in _ANSWERED}
    values.update(fate=answer.fate, note=answer.note, status=answer.status, final_url=answer.final_url, fetched_at=at)
    values.update(stage=DONE, visits=row.visits + 1)
    if hashed is not None:
        names = ("etag", "last_modified", "charset", "content_type", "rendered")
        values.update({name: getattr(answer, name) for name in names}, body_hash=hashed)
        if hashed != row.body_hash:
            values.update(stage=FETCHED, changed_at=at, changes=row.changes + (row.body_hash is not None))
    if answer.fate in (OK, UNCHANGED):
        values.update(failures=0, gone_at=None)
        if row.gone_at is not None and row.body_hash is not None and values["stage"] == DONE:
            values["stage"] = FETCHED if row.cluster is None else CLASSIFIED
    else:
        values["failures"] = row.failures + 1
        if answer.fate == GONE:
            values["gone_at"] = row.gone_at or at
    return values
