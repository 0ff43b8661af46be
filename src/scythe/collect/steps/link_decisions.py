"""Link decisions: records to fetch, index pages to visit, samples to fetch and see, the
rest skipped.

Links that the tests of `discovery` let pass are fetched. Of other links that stand
together in numbers, some are sampled: they may be records (on a first run nothing is
known), or pages that list records. What such a group proved to be is stored.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from scythe.collect.context import MAX_INDEX_PAGES, RunContext, StateKey
from scythe.collect.links.addresses import url_pattern
from scythe.collect.links.discovery import (
    Decision,
    Link,
    LinkDiscovery,
    LinkGroup,
    LinkHistory,
    first_groups,
    group_links,
)
from scythe.collect.links.index_pages import html_listing
from scythe.store.collections.index_pages import NewIndexPage
from scythe.store.collections.links import LinkRow, NewDecision
from scythe.store.collections.pages import PageRequest, PageRow
from scythe.store.states import (
    FetchOutcome,
    IndexPageKind,
    LinkDecision,
    PageKind,
    PageStage,
)
from scythe.tree.parse import parse
from scythe.urls import url_key

FIRST_SAMPLE_SIZE = 3
"""Pages of a group that are sampled before anything is known; two of them must agree.
"""
SAMPLE_SIZE = 2
"""Pages of a new group that are sampled once records are known. Not tuned."""
MIN_GROUP_SIZE = 5
"""Links that make a group worth sampling once records are known. Not tuned."""


def decide_links(context: RunContext) -> int:
    """Decide about all links that can be decided about now; return how many were."""
    pending = context.links.pending(LinkDecision.SAMPLE)
    if not pending:
        return 0
    by_page: dict[int, list[LinkRow]] = {}
    for link in pending:
        by_page.setdefault(link.index_page_id, []).append(link)

    decider = _LinkDecider(context, pending)
    decided: dict[int, Decision] = {}
    for page, links in by_page.items():
        decisions = decider.decide(page, links)
        decided.update(decisions)

    before = {link.id: link.decision for link in pending}
    changed = []
    for link_id, decision in decided.items():
        if before[link_id] != decision.decision:
            new_decision = NewDecision(
                link_id, decision.decision, decision.reason, decision.score
            )
            changed.append(new_decision)
    context.links.decide(changed, context.run)
    decider.store()
    return len(changed)


def enqueue_links(context: RunContext) -> int:
    """Enqueue the pages of links that are to be followed and are not known yet, records
    before samples; return how many.
    """
    unfetched = context.links.unfetched(LinkDecision.RECORD, LinkDecision.SAMPLE)
    in_order = sorted(unfetched, key=lambda link: link.decision == LinkDecision.SAMPLE)
    requests: dict[str, PageRequest] = {}
    for link in in_order:
        request = PageRequest(link.url, link.reason)
        requests.setdefault(url_key(link.url), request)
    if requests:
        for page in context.pages.iterate():
            requests.pop(url_key(page.url), None)
    return context.pages.enqueue(requests.values(), context.run)


def _as_link(row: LinkRow) -> Link:
    return Link(row.url, row.text, row.path, row.outcome)


class _LinkDecider:
    """Decides page by page, with what is known of the whole collection."""

    def __init__(self, context: RunContext, pending: Iterable[LinkRow]) -> None:
        self._context = context
        with_outcome = context.links.with_outcome()
        self._history = LinkHistory.from_links(map(_as_link, with_outcome))

        pending_keys = set()
        for link in pending:
            pending_keys.add(url_key(link.url))
        self._pages: dict[str, PageRow] = {}
        for page in context.pages.iterate():
            key = url_key(page.url)
            if key in pending_keys:
                self._pages[key] = page

        record_urls = context.links.urls(LinkDecision.RECORD)
        record_keys = set(map(url_key, record_urls))
        self._record_keys = record_keys & self._pages.keys()
        self._index_keys = set()
        for index_page in context.index_pages.all():
            self._index_keys.add(url_key(index_page.url))

        groups = context.load_state(StateKey.LINK_GROUPS)
        self._groups: dict[str, Any] = dict(groups or {})
        next_pages = context.load_state(StateKey.NEXT_PAGES)
        self._next_pages: Mapping[str, Any] = next_pages or {}
        self._new_index_pages: list[NewIndexPage] = []

    def store(self) -> None:
        """Store what groups proved to be, and new index pages."""
        self._context.store_state(StateKey.LINK_GROUPS, self._groups)
        index_pages = self._context.index_pages
        room = MAX_INDEX_PAGES - len(index_pages.all())
        added = self._new_index_pages[: max(room, 0)]
        index_pages.add(added)

    def decide(self, page: int, rows: Sequence[LinkRow]) -> dict[int, Decision]:
        """Return decisions about the pending links of one index page, as far as that is
        possible now, by the number of the link.
        """
        decided: dict[int, Decision] = {}
        open_rows: list[LinkRow] = []
        for row in rows:
            decision = self._decide_known(row)
            if decision is None:
                open_rows.append(row)
            else:
                decided[row.id] = decision

        if self._history.is_empty:
            open_links = list(map(_as_link, open_rows))
            groups = first_groups(open_links)
            by_groups = self._decide_groups(open_rows, groups, {})
            decided.update(by_groups)
        else:
            by_tests = self._decide_by_tests(page, open_rows)
            decided.update(by_tests)

        next_page = self._decide_next_page(page, rows, decided)
        decided.update(next_page)
        return decided

    def _decide_by_tests(
        self, page: int, rows: Sequence[LinkRow]
    ) -> dict[int, Decision]:
        """Return decisions by the tests of `discovery`, and by groups about links that
        these do not let pass.
        """
        rows_of_page = self._context.links.all(index_page=page)
        on_page = [_as_link(row) for row in rows_of_page if row.gone_at is None]
        discovery = LinkDiscovery(on_page, self._history)
        decided: dict[int, Decision] = {}
        refused: dict[int, Decision] = {}
        open_rows: list[LinkRow] = []
        for row in rows:
            decision = discovery.decide(_as_link(row))
            if decision.decision is LinkDecision.RECORD:
                decided[row.id] = decision
            else:
                refused[row.id] = decision
                open_rows.append(row)

        open_links = list(map(_as_link, open_rows))
        groups = group_links(open_links, on_page)
        by_groups = self._decide_groups(open_rows, groups, refused)
        decided.update(by_groups)
        return decided

    def _decide_known(self, row: LinkRow) -> Decision | None:
        """Return the decision about a link that its address alone tells."""
        if not self._context.is_own(row.url):
            return Decision(LinkDecision.SKIP, "it leads to another site")
        key = url_key(row.url)
        home_key = url_key(self._context.row.url)
        if key in self._index_keys or key == home_key:
            return Decision(LinkDecision.INDEX, "it is an index page already")
        if key in self._record_keys:
            return Decision(LinkDecision.RECORD, "another index page has it, too")
        return None

    def _decide_next_page(
        self, page: int, rows: Sequence[LinkRow], decided: Mapping[int, Decision]
    ) -> dict[int, Decision]:
        """Return the decision about the link to where the list goes on, if this page of
        it has records.
        """
        next_url = self._next_pages.get(str(page))
        if not next_url or not self._context.is_own(next_url):
            return {}
        key = url_key(next_url)
        decisions = [decision.decision for decision in decided.values()]
        has_records = LinkDecision.RECORD in decisions
        if key in self._index_keys or not has_records:
            return {}

        reason = "the list goes on there"
        index_page = NewIndexPage(next_url, IndexPageKind.HTML, reason)
        self._new_index_pages.append(index_page)
        decision = Decision(LinkDecision.INDEX, reason)
        return {row.id: decision for row in rows if url_key(row.url) == key}

    def _decide_groups(
        self,
        rows: Sequence[LinkRow],
        groups: Sequence[LinkGroup],
        by_tests: Mapping[int, Decision],
    ) -> dict[int, Decision]:
        """Return decisions about links that the tests do not let pass, by what their
        groups prove to be.
        """
        ids: dict[str, list[int]] = {}
        for row in rows:
            ids.setdefault(row.url, []).append(row.id)

        decided: dict[int, Decision] = {}
        waiting: set[int] = set()
        for group in groups:
            by_url, waiting_urls = self._decide_group(group)
            for url, decision in by_url.items():
                link_ids = ids.get(url, ())
                decided.update(dict.fromkeys(link_ids, decision))
            for url in waiting_urls:
                link_ids = ids.get(url, ())
                waiting.update(link_ids)

        alone = Decision(LinkDecision.SKIP, "it does not stand in a list of like links")
        for row in rows:
            is_open = row.id not in decided and row.id not in waiting
            if is_open:
                decided[row.id] = by_tests.get(row.id) or alone
        return decided

    def _decide_group(self, group: LinkGroup) -> tuple[dict[str, Decision], list[str]]:
        """Return decisions about the links of a group by address, and the addresses
        that must wait for its samples.
        """
        is_first = self._history.is_empty
        urls = [link.url for link in group.links]
        known = self._groups.get(group.key)
        if not is_first:
            if known is None and len(urls) < MIN_GROUP_SIZE:
                return {}, []
            if known and known["decision"] == LinkDecision.RECORD:
                return {}, []

        if known is None:
            size = FIRST_SAMPLE_SIZE if is_first else SAMPLE_SIZE
            sample = group.sample(size)
            pages: list[PageRow] = []
            for link in sample:
                page = self._pages.get(url_key(link.url))
                if page is None:
                    reason = f"one of {len(urls)} like links, to see what they are"
                    decision = Decision(LinkDecision.SAMPLE, reason)
                    return {sampled.url: decision for sampled in sample}, urls
                pages.append(page)
            if any(map(_is_waiting, pages)):
                return {}, urls
            known = self._judge_samples(pages)
            self._groups[group.key] = known

        kind = LinkDecision(known["decision"])
        decision = Decision(kind, known["reason"])
        if kind is LinkDecision.INDEX:
            for url in urls:
                index_page = NewIndexPage(url, IndexPageKind.HTML, decision.reason)
                self._new_index_pages.append(index_page)
        return dict.fromkeys(urls, decision), []

    def _judge_samples(self, samples: Sequence[PageRow]) -> dict[str, str]:
        """Return what a group is, with the reason, by its sampled pages."""
        size = len(samples)
        kinds: Counter[str] = Counter()
        clusters: set[int | None] = set()
        index_pages: list[PageRow] = []
        for page in samples:
            if page.outcome in (FetchOutcome.OK, FetchOutcome.UNCHANGED):
                kinds[page.kind] += 1
            if page.kind == PageKind.RECORD:
                clusters.add(page.cluster)
            elif page.kind == PageKind.INDEX:
                index_pages.append(page)

        records = kinds[PageKind.RECORD]
        indexes = kinds[PageKind.INDEX]
        are_alike = len(clusters) < 3 or size < 3
        if records * 2 > size and are_alike:
            return _group_decision(
                LinkDecision.RECORD,
                f"{records} of {size} pages of this list that were looked at are records",
            )
        if indexes and indexes * 2 >= size:
            if self._list_something_new(index_pages):
                return _group_decision(
                    LinkDecision.INDEX,
                    f"{indexes} of {size} like pages that were looked at list others",
                )
            return _group_decision(
                LinkDecision.SKIP,
                "pages like it list only what is known already",
            )

        counts = []
        for kind, count in sorted(kinds.items()):
            name = kind or "unread"
            counts.append(f"{count} {name}")
        found = ", ".join(counts) or "none could be read"
        return _group_decision(
            LinkDecision.SKIP,
            f"{size} pages like it were looked at: {found}",
        )

    def _list_something_new(self, pages: Iterable[PageRow]) -> bool:
        """Return whether index pages list anything like records that is not listed
        elsewhere. Before records are known, all do.
        """
        links = self._context.links
        patterns = set(self._history.record_patterns)
        record_urls = links.urls(LinkDecision.RECORD)
        patterns.update(map(url_pattern, record_urls))
        if not patterns:
            return True

        known = set(map(url_key, links.urls()))
        for page in pages:
            if page.body_hash is None:
                continue
            body = self._context.pages.body(page.body_hash)
            tree = parse(body, charset=page.charset)
            listing = html_listing(tree, page.final_url or page.url)
            for link in listing.links:
                is_like_record = url_pattern(link.url) in patterns
                if is_like_record and url_key(link.url) not in known:
                    return True
        return False


def _is_waiting(page: PageRow) -> bool:
    """Return whether it is not known yet what a page is."""
    return page.stage != PageStage.DONE and page.cluster is None


def _group_decision(decision: LinkDecision, reason: str) -> dict[str, str]:
    """Return a decision about a group as it is stored."""
    return {"decision": str(decision), "reason": reason}
