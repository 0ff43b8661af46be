"""Deep-web crawling: the records behind a search form, query by query, page by page,
each record stored once.

Every result page is stored with how far its query has come, so that a harvest that was
stopped or killed goes on where it was.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import TYPE_CHECKING, Any
from urllib.parse import urldefrag

from scythe.engines.asking.answers import fetch, read_answer, refused, session_form
from scythe.engines.asking.requests import Sender, sender_for
from scythe.engines.asking.results import Results, SearchStatus
from scythe.engines.forms.form import Request
from scythe.engines.metasearch.duplicates import echoing, url_key
from scythe.engines.metasearch.search import answer_of
from scythe.engines.registry.relearn import Done, tend
from scythe.engines.registry.vocabulary import Vocabulary
from scythe.errors import EngineError, FetchError, RenderError, UsageError
from scythe.store.engines.harvests import QueryRow

if TYPE_CHECKING:
    from scythe.engines.registry.registry import KnownEngine, Registry
    from scythe.wrappers.record import Record

NOTHING_NEW = 10
"""Queries in a row that bring nothing new before a harvest ends: what is left then
costs more than it gives.
"""
PAGES_WITHOUT_NEWS = 3
"""The same for the pages of one query."""
FAILURES = 3
"""Queries in a row that the engine does not answer before a harvest ends."""

SEEDED = 30
"""Records that the words to ask are chosen from; until then the queries that the engine
was learned from are asked.
"""

_ASK_TO_STOP = (
    SearchStatus.LIMITED,
    SearchStatus.BLOCKED,
    SearchStatus.ROBOTS,
    SearchStatus.LOGIN,
)


@dataclass(frozen=True, slots=True)
class HarvestOptions:
    """The budget of a harvest."""

    queries: int = 50
    """Queries in all, those of earlier runs included."""
    pages: int = 10
    """Result pages of one query."""

    def __post_init__(self) -> None:
        if self.queries < 0 or self.pages < 1:
            raise UsageError(
                "HarvestOptions: give 0 or more queries, and at least one page."
            )


@dataclass(frozen=True)
class Brought:
    """What one query has brought."""

    query: str
    pages: int
    records: int
    fresh: int
    """Records that no query had brought before."""
    status: SearchStatus
    note: str = ""


@dataclass(frozen=True)
class Harvested:
    """What a harvest has come to."""

    records: int
    """All records that are stored."""
    fresh: int
    """Those that this run has added."""
    queries: int
    """Queries of this run."""
    ended: str
    """Why it ended."""
    failed: bool = False
    """Whether the engine ended it, rather than the budget or the lack of anything new."""


Listener = Callable[[Brought], None]


def harvest(
    registry: Registry,
    known: KnownEngine,
    options: HarvestOptions,
    listener: Listener | None = None,
) -> Harvested:
    """Collect records until the budget is used up, nothing new comes, or the engine
    refuses; `listener` hears of each query.
    """
    with sender_for(known.engine.home) as sender:
        return _Harvest(registry, known, options, sender).run(
            listener or (lambda _: None)
        )


class _Harvest:
    def __init__(
        self,
        registry: Registry,
        known: KnownEngine,
        options: HarvestOptions,
        sender: Sender,
    ) -> None:
        self._registry, self._known = registry, known
        self._options, self._sender = options, sender
        self._rows = registry.harvest(known)
        self._begun = {row.query: row for row in self._rows.queries()}
        self._open = [row.query for row in self._begun.values() if row.next_page]
        self._words = Vocabulary(self._begun)
        self._echoed: set[str] = set()
        links: dict[str, list[str]] = {}
        for stored in self._rows.records():
            self._words.add(stored.key, stored.record, stored.times)
            links.setdefault(stored.query, []).append(stored.record.get("link") or "")
        for query, addresses in links.items():
            self._echoed |= echoing(filter(None, addresses), query)

    def run(self, listener: Listener) -> Harvested:
        fresh = queries = idle = failures = 0
        ended, failed = "", False
        while not ended:
            query = self._next()
            if query is None:
                ended = self._why_none()
                continue
            brought = self._ask(query)
            listener(brought)
            queries += 1
            fresh += brought.fresh
            idle = 0 if brought.fresh else idle + 1
            failures = failures + 1 if brought.status is SearchStatus.UNREACHABLE else 0
            if (
                brought.status in (*_ASK_TO_STOP, SearchStatus.DRIFTED)
                or failures == FAILURES
            ):
                ended, failed = brought.note, True
            elif idle == NOTHING_NEW:
                ended = f"The last {NOTHING_NEW} queries brought nothing new."
        return Harvested(self._rows.count(), fresh, queries, ended, failed)

    def _next(self) -> str | None:
        """A query that was begun, else a new one: those that the engine was learned
        from first, then the most promising word.
        """
        if self._open:
            return self._open.pop(0)
        if len(self._begun) >= self._options.queries:
            return None
        known = [
            query for query in self._known.engine.queries if query not in self._begun
        ]
        return known[0] if known and len(self._words) < SEEDED else self._words.choose()

    def _why_none(self) -> str:
        if not self._options.queries:
            return "No query was asked."
        if len(self._begun) >= self._options.queries:
            return (
                f"All {self._options.queries} queries are asked. Allow more to go on."
            )
        return "There is no word left to ask for."

    def _ask(self, query: str) -> Brought:
        """One query to its end. Where the engine has changed, it is learned again
        first.
        """
        brought = self._read(query)
        if brought.status is not SearchStatus.DRIFTED:
            return brought
        tended = tend(self._registry, self._known)
        self._known = tended.known
        if tended.done is Done.RELEARNED:
            return self._read(query)
        if tended.done is Done.FITS:
            self._rows.add_page(query, {}, None, brought.note)
            return replace(brought, status=SearchStatus.EMPTY)
        return replace(brought, note=tended.note)

    def _read(self, query: str) -> Brought:
        """The pages of a query, each stored as it comes. What is not answered is not
        stored: the next run asks again.
        """
        self._words.ask(query)
        row = self._begun.setdefault(query, QueryRow(query))
        pages = records = fresh = idle = 0
        for found, following in self._pages(query, row.next_page):
            if found.status not in (
                SearchStatus.OK,
                SearchStatus.EMPTY,
                SearchStatus.JUMPED,
            ):
                return Brought(query, pages, records, fresh, found.status, found.note)
            self._echoed |= echoing(
                (record.link for record in found if record.link), query
            )
            keyed = keyed_records(found, self._echoed)
            idle = 0 if any(key not in self._words for key in keyed) else idle + 1
            pages += 1
            more = (
                following
                if row.pages + pages < self._options.pages and idle < PAGES_WITHOUT_NEWS
                else None
            )
            fresh += self._rows.add_page(query, keyed, more, found.note)
            records += len(keyed)
            for key, record in keyed.items():
                self._words.add(key, record)
            if more is None:
                break
        return Brought(
            query,
            pages,
            records,
            fresh,
            SearchStatus.OK if records else SearchStatus.EMPTY,
        )

    def _pages(
        self, query: str, start: str | None
    ) -> Iterator[tuple[Results, str | None]]:
        """Result pages, each with the address of the next one that was not read yet."""
        read: set[str] = set()
        address = start
        while True:
            started = time.monotonic()
            found = self._page(query, address, first=not read)
            if not read:
                answer = answer_of(
                    self._known.engine, found, time.monotonic() - started
                )
                self._registry.note([(self._known, query, answer)])
            read |= {urldefrag(one).url for one in (address or "", *found.pages)}
            address = (
                found.next_page
                if found.next_page and urldefrag(found.next_page).url not in read
                else None
            )
            yield found, address
            if address is None:
                return

    def _page(self, query: str, address: str | None, *, first: bool) -> Results:
        """One result page: the first of a query, or the one at an address."""
        engine = self._known.engine
        try:
            form = (
                session_form(engine, self._sender)
                if first and engine.session
                else engine.form
            )
            request = form.request(query) if address is None else Request(address)
            answer, tree = fetch(request, self._sender, rendered=engine.rendered)
            return read_answer(engine, answer, tree)
        except (EngineError, FetchError, RenderError) as error:
            return refused(error)


def keyed_records(
    found: Sequence[Record], echoed: Collection[str] = ()
) -> dict[str, dict[str, Any]]:
    """Records by what makes each of them one: where it leads, and its words where
    several lead to the same place.

    `echoed` are parameters that do not count; see `sameness.echoing`.
    """
    addresses = [
        url_key(record.link, place=True, without=echoed) if record.link else ""
        for record in found
    ]
    shared = {address for address, count in Counter(addresses).items() if count > 1} | {
        ""
    }
    keys = [
        f"{address} {sha256(record.text.encode('utf-8', 'replace')).hexdigest()[:16]}".strip()
        if address in shared
        else address
        for address, record in zip(addresses, found, strict=True)
    ]
    return dict(zip(keys, (record.as_json() for record in found), strict=True))
