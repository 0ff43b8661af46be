"""Link decisions: records to fetch, index pages to visit, samples to fetch and see, the
rest skipped.

What operators said comes first. Links that the tests of `discovery` let pass are
fetched. Of other links that stand together in numbers, some are sampled: they may be
records (on a first run nothing is known), or pages that list records. Links of a start
page that stand alone are looked at one by one, within bounds: one of them may be the
list. What a group proved to be is stored.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from scythe.collect.context import MAX_INDEX_PAGES, RunContext, StateKey
from scythe.collect.links.discovery import (
    UNKNOWN_ADDRESS,
    Decision,
    Link,
    LinkDiscovery,
    LinkGroup,
    LinkHistory,
    first_groups,
    group_links,
    is_paging_link,
)
from scythe.collect.links.rules import RULE_REASON, rule_decision
from scythe.collect.steps.link_groups import (
    MIN_CLUSTER,
    GroupJudge,
    is_waiting,
)
from scythe.collect.steps.other_pages import tells_itself
from scythe.store.collections.index_pages import NewIndexPage
from scythe.store.collections.links import LinkRow, NewDecision
from scythe.store.collections.pages import PageRequest, PageRow
from scythe.store.states import (
    FetchOutcome,
    IndexPageKind,
    LinkDecision,
    PageKind,
    RecordState,
    RuleAction,
)
from scythe.urls import url_key

MIN_GROUP_SIZE = 5
"""Links that make a group worth sampling once records are known. Not tuned."""
MAX_SINGLES = 15
"""Links of a start page that stand alone and are looked at in one run: a bound on
requests, not tuned.
"""
_PRESENT = (RecordState.OK, RecordState.DRAFT, RecordState.REVIEW)
"""States of records that links lead to."""
SINGLE_REASON = "a link of a start page, to see whether it lists records"


def decide_links(context: RunContext) -> int:
    """Decide about all links that can be decided about now; return how many were."""
    pending = context.links.pending(LinkDecision.SAMPLE)
    if not pending:
        return 0
    by_page: dict[int, list[LinkRow]] = {}
    for link in pending:
        by_page.setdefault(link.index_page_id, []).append(link)

    decider = _LinkDecider(context, pending)
    changed = decider.decide_all(by_page)
    with context.store.writing():
        context.links.decide(changed, context.run)
        decider.store(changed)
    return len(changed)


def reconsider_links(context: RunContext) -> int:
    """Decide anew about links that were skipped because nothing was known of addresses
    like theirs, where records of this run say more; return how many are records now.
    """
    by_page: dict[int, list[LinkRow]] = {}
    for row in context.links.pending(LinkDecision.SKIP):
        if row.reason == UNKNOWN_ADDRESS:
            by_page.setdefault(row.index_page_id, []).append(row)
    if not by_page:
        return 0

    known = _KnownLinks(context)
    history = known.history()
    decisions = []
    for page, rows in by_page.items():
        discovery = LinkDiscovery(known.on_page(page), history)
        for row, link in zip(rows, known.read(rows), strict=True):
            found = discovery.decide(link)
            if found is None or found.decision is not LinkDecision.RECORD:
                continue
            decision = NewDecision(
                row.id,
                found.decision,
                found.reason,
                found.score,
            )
            decisions.append(decision)
    context.links.decide(decisions, context.run)
    return len(decisions)


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
    for url in context.rules.given(RuleAction.RECORD):
        request = PageRequest(url, f"{RULE_REASON}{url} leads to a record")
        requests.setdefault(url_key(url), request)
    if requests:
        for page in context.pages.iterate():
            requests.pop(url_key(page.url), None)
    enqueued = context.pages.enqueue(requests.values(), context.run)
    context.tracker.add("links", known=enqueued)
    return enqueued


class _KnownLinks:
    """The links of a collection with what their pages turned out to be.

    A page that looks like a record is none where its link is skipped, by an operator or
    for its build; where pages do not tell what they are, it is one once some link to it
    is decided to lead to a record. A known record that has come to another index page
    is known there.
    """

    def __init__(self, context: RunContext) -> None:
        self._rows = context.links
        self._is_certain = tells_itself(context)
        self.record_urls = set(context.links.urls(LinkDecision.RECORD))
        self._confirmed: set[str] = set()
        for row in context.links.with_outcome():
            is_record = row.outcome == PageKind.RECORD
            if is_record and row.decision == LinkDecision.RECORD:
                self._confirmed.add(row.url)

    def read(self, rows: Iterable[LinkRow]) -> list[Link]:
        """Return links with their outcomes."""
        links = []
        for row in rows:
            outcome = row.outcome
            if outcome == PageKind.RECORD and row.decision == LinkDecision.SKIP:
                outcome = PageKind.OTHER
            elif outcome == PageKind.RECORD and not self._is_record(row):
                outcome = None
            elif outcome is None and row.url in self._confirmed:
                outcome = PageKind.RECORD
            link = Link(row.url, row.text, row.path, outcome)
            links.append(link)
        return links

    def _is_record(self, row: LinkRow) -> bool:
        return self._is_certain or row.url in self.record_urls

    def history(self) -> LinkHistory:
        """Return what is known from all of them."""
        links = self.read(self._rows.with_outcome())
        return LinkHistory.from_links(links)

    def on_page(self, page: int) -> list[Link]:
        """Return the links that an index page has now."""
        rows = self._rows.all(index_page=page)
        present = [row for row in rows if row.gone_at is None]
        return self.read(present)


class _LinkAlone(NamedTuple):
    """A link that stands in no list, and why it would be skipped."""

    row: LinkRow
    refusal: Decision
    is_on_start_page: bool


class _LinkDecider:
    """Decides page by page, with what is known of the whole collection."""

    def __init__(self, context: RunContext, pending: Iterable[LinkRow]) -> None:
        self._context = context
        self._links = _KnownLinks(context)
        self._history = self._links.history()
        self._index_urls: dict[int, str] = {}
        for index_page in context.index_pages.all():
            self._index_urls[index_page.id] = index_page.url
        self._index_keys = set(map(url_key, self._index_urls.values()))
        self._start_keys = context.start_keys()

        pending_keys = {url_key(link.url) for link in pending}
        record_keys = set(map(url_key, self._links.record_urls))
        self._pages: dict[str, PageRow] = {}
        clusters: Counter[int] = Counter()
        for page in context.pages.iterate():
            key = url_key(page.url)
            if key in pending_keys:
                self._pages[key] = page
            is_record = page.kind == PageKind.RECORD
            is_current = page.queued_in == context.run
            if key not in record_keys or page.cluster is None:
                continue
            if is_record and is_current:
                clusters[page.cluster] += 1
        self._record_keys = record_keys & self._pages.keys()
        self._known_keys = pending_keys.intersection(context.records.keys(*_PRESENT))
        of_records = set()
        for cluster, count in clusters.items():
            if count >= MIN_CLUSTER:
                of_records.add(cluster)
        self._is_first = self._history.is_empty
        if not tells_itself(context):
            self._is_first |= not record_keys
        patterns = () if self._is_first else self._history.record_patterns
        self._judge = GroupJudge(
            context,
            self._pages,
            patterns,
            of_records,
        )
        self._rules = context.rules
        next_pages = context.load_state(StateKey.NEXT_PAGES)
        self._next_pages: Mapping[str, Any] = next_pages or {}
        self._new_index_pages: list[NewIndexPage] = []
        self._singles = sum(link.reason == SINGLE_REASON for link in pending)
        self._is_waiting = False
        self._alone: list[_LinkAlone] = []

    def decide_all(self, by_page: Mapping[int, Sequence[LinkRow]]) -> list[NewDecision]:
        """Return decisions about pending links that are other than before.

        On a first run to pages that do not tell whether they are records, one looks
        around first, unless a long list is clear: records are what most links of all
        lists lead to, and these may be a page away from the start.
        """
        if self._is_first:
            self._judge.is_surveying = not self._prefer_clusters(by_page)
        changed = self._changed(by_page)
        if self._judge.is_surveying and not changed and not self._has_unread_pages:
            self._judge.is_surveying = False
            changed = self._changed(by_page)
        return changed

    def _prefer_clusters(self, by_page: Mapping[int, Sequence[LinkRow]]) -> bool:
        """Find out which pages are records where that is not certain; return whether
        that is clear.
        """
        pages: list[list[LinkGroup]] = []
        for rows in by_page.values():
            own = [row for row in rows if self._decide_known(row) is None]
            groups = first_groups(self._links.read(own))
            pages.append(groups)
        return self._judge.prefer_clusters(pages)

    @property
    def _has_unread_pages(self) -> bool:
        """Whether pages of pending links, or index pages, are still to be read."""
        if self._new_index_pages:
            return True
        if any(map(is_waiting, self._pages.values())):
            return True
        for page in self._context.index_pages.all():
            is_fetched = page.kind != IndexPageKind.RECORDS
            if is_fetched and page.visited_in is None:
                return True
        return False

    def _changed(self, by_page: Mapping[int, Sequence[LinkRow]]) -> list[NewDecision]:
        """Return decisions that are other than before: page by page, and then about
        links that stand alone.
        """
        decided: dict[int, Decision] = {}
        before: dict[int, LinkDecision | None] = {}
        self._alone.clear()
        for page, rows in by_page.items():
            before.update((row.id, row.decision) for row in rows)
            decided.update(self._decide_page(page, rows))
        decisions = [found.decision for found in decided.values()]
        if not self._is_first or LinkDecision.RECORD not in decisions:
            decided.update(self._decide_alone())

        changed = []
        for link, found in decided.items():
            if before[link] == found.decision:
                continue
            new_decision = NewDecision(
                link,
                found.decision,
                found.reason,
                found.score,
            )
            changed.append(new_decision)
        return changed

    def store(self, changed: Sequence[NewDecision]) -> None:
        """Store what groups proved to be, new index pages, and with the first records
        what they are told by.
        """
        self._judge.store()
        if any(link.decision is LinkDecision.RECORD for link in changed):
            self._judge.store_facts()
        index_pages = self._context.index_pages
        room = MAX_INDEX_PAGES - len(index_pages.all())
        added = self._new_index_pages[: max(room, 0)]
        index_pages.add(added)

    def _decide_page(self, page: int, rows: Sequence[LinkRow]) -> dict[int, Decision]:
        """Return decisions about the pending links of one index page, as far as that is
        possible now, by the number of the link.
        """
        decided: dict[int, Decision] = {}
        open_rows: list[LinkRow] = []
        ruled = self._decide_by_rules(page)
        for row in rows:
            decision = ruled.get(row.id) or self._decide_known(row)
            if decision is None:
                open_rows.append(row)
            else:
                decided[row.id] = decision

        if self._is_first:
            groups = first_groups(self._links.read(open_rows))
            by_groups = self._decide_groups(page, open_rows, groups, {})
            decided.update(by_groups)
        else:
            by_tests = self._decide_by_tests(page, open_rows)
            decided.update(by_tests)

        next_page = self._decide_next_page(
            page,
            rows,
            decided,
        )
        decided.update(next_page)
        return decided

    def _decide_by_tests(
        self, page: int, rows: Sequence[LinkRow]
    ) -> dict[int, Decision]:
        """Return decisions by the tests of `discovery`, and by groups about links that
        these do not let pass.
        """
        on_page = self._links.on_page(page)
        discovery = LinkDiscovery(on_page, self._history)
        decided: dict[int, Decision] = {}
        refused: dict[int, Decision] = {}
        open_rows: list[LinkRow] = []
        for row, link in zip(rows, self._links.read(rows), strict=True):
            decision = discovery.decide(link)
            if decision is not None and decision.decision is LinkDecision.RECORD:
                decided[row.id] = decision
            else:
                refused[row.id] = decision or discovery.refusal(link)
                open_rows.append(row)

        open_links = self._links.read(open_rows)
        run = self._context.run
        lists = [
            replace(group, key=f"{group.key} in run {run}")
            for group in discovery.open_lists(open_links)
        ]
        in_lists = {link.url for group in lists for link in group.links}
        others = [link for link in open_links if link.url not in in_lists]
        groups = [*lists, *group_links(others, on_page)]
        by_groups = self._decide_groups(
            page,
            open_rows,
            groups,
            refused,
        )
        decided.update(by_groups)
        return decided

    def _decide_by_rules(self, page: int) -> dict[int, Decision]:
        """Return what operators said of the links of an index page."""
        if not self._rules:
            return {}
        links = list(self._context.links.all(index_page=page))
        rules = self._rules.of_links(self._index_urls[page], links)
        for link in links:
            rule = rules.get(link.id)
            if rule is not None and rule.action is RuleAction.WATCH:
                self._watch(link.url, rule.words)
        return {number: rule_decision(rule) for number, rule in rules.items()}

    def _watch(self, url: str, reason: str) -> None:
        self._new_index_pages.append(NewIndexPage(url, IndexPageKind.HTML, reason))

    def _decide_known(self, row: LinkRow) -> Decision | None:
        """Return the decision about a link that its address alone tells."""
        if not self._context.is_own(row.url):
            return Decision(LinkDecision.SKIP, "it leads to another site")
        key = url_key(row.url)
        if key in self._index_keys or key in self._start_keys:
            return Decision(LinkDecision.INDEX, "it is an index page already")
        if key in self._record_keys:
            return Decision(
                LinkDecision.RECORD,
                "another index page has it, too",
            )
        if key in self._known_keys:
            return Decision(LinkDecision.RECORD, "a known record is there")
        if is_paging_link(row.text):
            return Decision(LinkDecision.SKIP, "it leads back and forth in a list")
        return None

    def _decide_next_page(
        self, page: int, rows: Sequence[LinkRow], decided: Mapping[int, Decision]
    ) -> dict[int, Decision]:
        """Return the decision about the link to where the list goes on, if this page of
        it has records. What leads on from record to record is no list.
        """
        next_url = self._next_pages.get(str(page))
        if not next_url or not self._context.is_own(next_url):
            return {}
        key = url_key(next_url)
        is_listed = False
        for row in rows:
            known = decided.get(row.id)
            is_record = known is not None and known.decision is LinkDecision.RECORD
            is_listed |= is_record and url_key(row.url) == key
        if is_listed or key in self._record_keys or key in self._known_keys:
            return {}
        decisions = [decision.decision for decision in decided.values()]
        has_records = LinkDecision.RECORD in decisions
        if key in self._index_keys or not has_records:
            return {}

        reason = "the list goes on there"
        self._watch(next_url, reason)
        decision = Decision(LinkDecision.INDEX, reason)
        return {row.id: decision for row in rows if url_key(row.url) == key}

    def _decide_groups(
        self,
        page: int,
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
            if not self._is_worth_sampling(group):
                continue
            verdict = self._judge.judge(group)
            if verdict.waiting and not verdict.is_provisional:
                self._is_waiting = True
            for url, decision in verdict.decided.items():
                decided.update(dict.fromkeys(ids.get(url, ()), decision))
                if decision.decision is LinkDecision.INDEX:
                    self._watch(url, decision.reason)
            for url in verdict.waiting:
                waiting.update(ids.get(url, ()))

        is_start = url_key(self._index_urls[page]) in self._start_keys
        alone = Decision(LinkDecision.SKIP, "it does not stand in a list of like links")
        for row in rows:
            if row.id in decided or row.id in waiting:
                continue
            refusal = by_tests.get(row.id) or alone
            self._alone.append(_LinkAlone(row, refusal, is_start))
        return decided

    def _decide_alone(self) -> dict[int, Decision]:
        """Return decisions about links that stand in no list. Those of start pages are
        looked at, once no list waits for its samples.
        """
        decided: dict[int, Decision] = {}
        for row, refusal, is_start in self._alone:
            single: Decision | None = refusal
            if is_start and self._is_waiting:
                continue
            if is_start:
                single = self._decide_single(row, refusal)
            elif self._judge.is_surveying:
                continue
            if single is not None:
                decided[row.id] = single
        return decided

    def _is_worth_sampling(self, group: LinkGroup) -> bool:
        is_open_list = group.key.endswith(f" in run {self._context.run}")
        if self._is_first or is_open_list:
            return True
        known = self._judge.known(group)
        if known is None:
            return len(group.links) >= MIN_GROUP_SIZE
        return known is not LinkDecision.RECORD

    def _decide_single(self, row: LinkRow, refusal: Decision) -> Decision | None:
        """Return what its page proves a link of a start page to be that stands alone;
        None where that is not known yet.
        """
        page = self._pages.get(url_key(row.url))
        if page is None and self._singles < MAX_SINGLES:
            self._singles += 1
            return Decision(LinkDecision.SAMPLE, SINGLE_REASON)
        if page is None:
            return None if self._judge.is_surveying else refusal
        if is_waiting(page):
            return None
        is_read = page.outcome in (FetchOutcome.OK, FetchOutcome.UNCHANGED)
        is_index = is_read and page.kind == PageKind.INDEX
        if is_index and self._judge.lists_something_new([page]):
            reason = "it lists pages like records"
            self._watch(row.url, reason)
            return Decision(LinkDecision.INDEX, reason)
        if self._judge.is_surveying:
            return None
        is_known_kind = self._judge.tells_itself or self._judge.record_clusters
        if is_read and is_known_kind and self._judge.is_record(page):
            return Decision(LinkDecision.RECORD, "its page is a record")
        return refusal
