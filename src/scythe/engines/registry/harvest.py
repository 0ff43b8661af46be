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
from typing import Any
from urllib.parse import urldefrag

from scythe.engines.asking.results import ANSWERED, Results, SearchStatus
from scythe.engines.asking.search import (
    SEARCH_FAILURES,
    fetch_page,
    read_results,
    refused_results,
    session_form,
)
from scythe.engines.asking.sender import Sender, sender_for
from scythe.engines.forms.form import Request
from scythe.engines.metasearch.duplicates import echo_parameters, result_key
from scythe.engines.metasearch.search import engine_answer
from scythe.engines.registry.registry import Registry, StoredEngine
from scythe.engines.registry.relearn import RepairOutcome, repair
from scythe.engines.registry.vocabulary import Vocabulary
from scythe.errors import UsageError
from scythe.sections.record import Record
from scythe.store.engines.harvests import QueryRow

IDLE_QUERIES = 10
"""Queries in a row that bring nothing new before a harvest ends: what is left then
costs more than it gives.
"""
IDLE_PAGES = 3
"""The same for the pages of one query."""
MAX_FAILURES = 3
"""Queries in a row that the engine does not answer before a harvest ends: a bound on
requests, not tuned.
"""
SEED_RECORDS = 30
"""Records that the next queries are chosen from; until then they are the queries that
the engine was learned from.
"""
_STOPPING = frozenset(
    {
        SearchStatus.LIMITED,
        SearchStatus.BLOCKED,
        SearchStatus.ROBOTS,
        SearchStatus.LOGIN,
        SearchStatus.DRIFTED,
    }
)
"""Statuses that end a harvest."""


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
class HarvestedQuery:
    """The result of one query."""

    query: str
    pages: int
    records: int
    new_records: int
    """Records that no query had brought before."""
    status: SearchStatus
    note: str = ""


@dataclass(frozen=True)
class HarvestSummary:
    """The result of a harvest."""

    records: int
    """All records that are stored."""
    new_records: int
    """Those that this run has added."""
    queries: int
    """Queries of this run."""
    end_reason: str
    failed: bool = False
    """Whether the engine ended it, rather than the budget or the lack of anything new."""


HarvestProgress = Callable[[HarvestedQuery], None]
"""Called with the result of each query."""


def harvest(
    registry: Registry,
    stored: StoredEngine,
    options: HarvestOptions,
    progress: HarvestProgress | None = None,
) -> HarvestSummary:
    """Collect records until the budget is used up, nothing new comes, or the engine
    refuses.
    """
    with sender_for(stored.engine.home) as sender:
        run = _Harvest(registry, stored, options, sender)
        return run.run(progress or _no_progress)


def _no_progress(_query: HarvestedQuery) -> None:
    """Ignore the progress."""


class _Harvest:
    def __init__(
        self,
        registry: Registry,
        stored: StoredEngine,
        options: HarvestOptions,
        sender: Sender,
    ) -> None:
        self._registry = registry
        self._stored = stored
        self._options = options
        self._sender = sender
        self._rows = registry.harvest(stored)
        self._queries: dict[str, QueryRow] = {}
        self._unfinished: list[str] = []
        for row in self._rows.queries():
            self._queries[row.query] = row
            if row.next_page:
                self._unfinished.append(row.query)
        self._vocabulary = Vocabulary(self._queries)
        self._ignored: set[str] = set()
        """Parameters that only repeat a query; see `echo_parameters`."""
        self._load_records()

    def _load_records(self) -> None:
        """Load what earlier runs have stored."""
        links: dict[str, list[str]] = {}
        for row in self._rows.records():
            self._vocabulary.add(row.key, row.record, row.times)
            query_links = links.setdefault(row.query, [])
            link = row.record.get("link")
            if link:
                query_links.append(link)
        for query, addresses in links.items():
            self._ignored |= echo_parameters(addresses, query)

    def run(self, progress: HarvestProgress) -> HarvestSummary:
        new_records = queries = idle = failures = 0
        end_reason, failed = "", False
        while not end_reason:
            query = self._next_query()
            if query is None:
                end_reason = self._no_query_reason()
                continue
            result = self._harvest_query(query)
            progress(result)
            queries += 1
            new_records += result.new_records
            idle = 0 if result.new_records else idle + 1
            is_failure = result.status is SearchStatus.UNREACHABLE
            failures = failures + 1 if is_failure else 0

            if result.status in _STOPPING or failures == MAX_FAILURES:
                end_reason, failed = result.note, True
            elif idle == IDLE_QUERIES:
                end_reason = f"The last {IDLE_QUERIES} queries brought nothing new."
        return HarvestSummary(
            self._rows.count(), new_records, queries, end_reason, failed
        )

    def _next_query(self) -> str | None:
        """Return an unfinished query, else a new one.

        Those that the engine was learned from come first, then the most promising word.
        """
        if self._unfinished:
            return self._unfinished.pop(0)
        if len(self._queries) >= self._options.queries:
            return None
        if len(self._vocabulary) < SEED_RECORDS:
            for query in self._stored.engine.queries:
                if query not in self._queries:
                    return query
        return self._vocabulary.best_word()

    def _no_query_reason(self) -> str:
        limit = self._options.queries
        if not limit:
            return "No query was asked."
        if len(self._queries) >= limit:
            return f"All {limit} queries are asked. Allow more to go on."
        return "There is no word left to ask for."

    def _harvest_query(self, query: str) -> HarvestedQuery:
        """Read a query to its end. An engine that has changed is learned again first."""
        result = self._read_query(query)
        if result.status is not SearchStatus.DRIFTED:
            return result
        repaired = repair(self._registry, self._stored)
        self._stored = repaired.stored
        if repaired.outcome is RepairOutcome.RELEARNED:
            return self._read_query(query)
        if repaired.outcome is RepairOutcome.FITS:
            self._rows.add_page(query, {}, None, result.note)
            return replace(result, status=SearchStatus.EMPTY)
        return replace(result, note=repaired.note)

    def _read_query(self, query: str) -> HarvestedQuery:
        """Read the pages of a query, and store each as it comes.

        What is not answered is not stored: the next run asks again.
        """
        self._vocabulary.mark_used(query)
        row = self._queries.setdefault(query, QueryRow(query))
        pages = records = new_records = idle = 0
        for results, next_page in self._pages(query, row.next_page):
            if results.status not in ANSWERED:
                return HarvestedQuery(
                    query, pages, records, new_records, results.status, results.note
                )
            keyed = self._keyed(query, results)
            has_new = any(key not in self._vocabulary for key in keyed)
            idle = 0 if has_new else idle + 1
            pages += 1
            is_last = row.pages + pages >= self._options.pages
            if is_last or idle >= IDLE_PAGES:
                next_page = None

            new_records += self._rows.add_page(query, keyed, next_page, results.note)
            records += len(keyed)
            for key, record in keyed.items():
                self._vocabulary.add(key, record)
            if next_page is None:
                break
        status = SearchStatus.OK if records else SearchStatus.EMPTY
        return HarvestedQuery(query, pages, records, new_records, status)

    def _keyed(self, query: str, results: Results) -> dict[str, dict[str, Any]]:
        links = [record.link for record in results if record.link]
        self._ignored |= echo_parameters(links, query)
        return keyed_records(results, self._ignored)

    def _pages(
        self, query: str, start: str | None
    ) -> Iterator[tuple[Results, str | None]]:
        """Yield result pages, each with the address of the next one not read yet."""
        visited: set[str] = set()
        address = start
        while True:
            started = time.monotonic()
            results = self._page(query, address, first=not visited)
            if not visited:
                seconds = time.monotonic() - started
                answer = engine_answer(self._stored.engine, results, seconds)
                self._registry.store_answers([(self._stored, query, answer)])

            for url in (address or "", *results.pages):
                visited.add(urldefrag(url).url)
            address = results.next_page
            if address and urldefrag(address).url in visited:
                address = None
            yield results, address or None
            if not address:
                return

    def _page(self, query: str, address: str | None, *, first: bool) -> Results:
        """Return one result page: the first of a query, or the one at an address."""
        engine = self._stored.engine
        try:
            form = engine.form
            if first and engine.session:
                form = session_form(engine, self._sender)
            request = form.request(query) if address is None else Request(address)
            page = fetch_page(request, self._sender, rendered=engine.rendered)
            return read_results(engine, page)
        except SEARCH_FAILURES as error:
            return refused_results(error)


def keyed_records(
    records: Sequence[Record], ignored: Collection[str] = ()
) -> dict[str, dict[str, Any]]:
    """Return records by what identifies each: where it leads, and its text where several
    lead to the same address.

    `ignored` are parameters that do not count; see `duplicates.echo_parameters`.
    """
    addresses = []
    for record in records:
        if record.link:
            addresses.append(result_key(record.link, fragment=True, ignored=ignored))
        else:
            addresses.append("")

    counts = Counter(addresses)
    keyed = {}
    for address, record in zip(addresses, records, strict=True):
        key = address
        if not address or counts[address] > 1:
            digest = sha256(record.text.encode("utf-8", "replace")).hexdigest()
            key = f"{address} {digest[:16]}".strip()
        keyed[key] = record.as_json()
    return keyed
