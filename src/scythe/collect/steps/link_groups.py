"""Groups of links, and what their sampled pages prove them to be: records, index pages,
or neither.

Pages of some kinds tell of themselves whether they are records (a recipe has
ingredients). Of other kinds they do not: there records are the pages with facts
(`pages.facts`), if a list of the site leads to such; else the pages of records are
built alike, and pages that are built in another way are none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scythe.collect.context import RunContext, StateKey
from scythe.collect.links.addresses import url_pattern
from scythe.collect.links.discovery import Decision, LinkGroup, main_groups
from scythe.collect.links.index_pages import html_listing
from scythe.collect.pages.facts import PageLabels, RecordFacts
from scythe.collect.steps.moving.vanished import VanishedRecords
from scythe.collect.steps.other_pages import (
    load_facts,
    page_labels,
    store_facts,
    tells_itself,
)
from scythe.store.collections.pages import PageRow
from scythe.store.states import FetchOutcome, LinkDecision, PageKind, PageStage
from scythe.tree.parse import parse
from scythe.urls import url_key

FIRST_SAMPLE_SIZE = 3
"""Pages of a group that are sampled before anything is known; two of them must agree.
"""
SAMPLE_SIZE = 2
"""Pages of a new group that are sampled once records are known. Not tuned."""
MORE_SAMPLES = 3
"""How many times as many pages are sampled where some could not be read: refused, gone,
on a private machine. Not tuned.
"""
MIN_CLUSTER = 2
"""Pages of records that make a cluster one of records. Not tuned."""
CLEAR_LIST = 20
"""Links of like pages from which on a list is taken for the records of a site without a
look around: menus are shorter. Not tuned.
"""
MUCH_LARGER = 3
"""How many times as long as a list of other pages one may be that is built like it
before it is sampled itself. Not tuned.
"""
MIN_FACTUAL = 0.25
"""How many links to pages with facts there must be, as a share of those to the largest
list of other pages, before they are the records. Not tuned.
"""


@dataclass(frozen=True)
class Verdict:
    """What was decided about a group: its links by address, and the addresses that must
    wait for its samples.
    """

    decided: Mapping[str, Decision]
    waiting: Sequence[str] = ()
    is_provisional: bool = False
    """Whether what the rest of the site has may change it."""


class GroupJudge:
    """Judges groups by sampled pages."""

    def __init__(
        self,
        context: RunContext,
        pages: Mapping[str, PageRow],
        record_patterns: Iterable[str],
        record_clusters: set[int],
    ) -> None:
        self._context = context
        self._pages = pages
        self._record_patterns = set(record_patterns)
        self.record_clusters = record_clusters
        """Clusters that pages of records are known to be in."""
        self.tells_itself = tells_itself(context)
        self.facts = None if self.tells_itself else load_facts(context)
        """The facts that records are told by, if they are."""
        self._has_main_list = False
        self.is_surveying = False
        """Whether no group is decided to be of records yet, because others may be."""
        self._vanished = VanishedRecords(context)
        stored = context.load_state(StateKey.LINK_GROUPS)
        self._groups: dict[str, Any] = dict(stored or {})

    @property
    def _is_first(self) -> bool:
        """Whether no record is known."""
        return not self._record_patterns

    def store(self) -> None:
        """Store what groups proved to be."""
        self._context.store_state(StateKey.LINK_GROUPS, self._groups)

    def store_facts(self) -> None:
        """Store the facts that the first records were told by. Pages that were sampled
        before they were known are other pages now, where they lack them.
        """
        if self.facts is None or load_facts(self._context) is not None:
            return
        others = [
            page
            for page in self._pages.values()
            if page.kind == PageKind.RECORD and not self.is_record(page)
        ]
        outcomes: dict[str, str] = {}
        page_ids: set[int] = set()
        for page in others:
            outcomes[page.url] = PageKind.OTHER
            page_ids.add(page.id)
        context = self._context
        store_facts(context, self.facts)
        context.pages.set_kind(page_ids, PageKind.OTHER)
        context.links.store_outcomes(outcomes)

    def known(self, group: LinkGroup) -> LinkDecision | None:
        """Return what a group proved to be before."""
        found = self._groups.get(group.key)
        return LinkDecision(found["decision"]) if found else None

    def judge(self, group: LinkGroup) -> Verdict:
        """Return what to do with the links of a group."""
        urls = [link.url for link in group.links]
        known = self._groups.get(group.key)
        if known is None or self._needs_own_samples(group, known):
            size = self._sample_size
            samples = self._samples(group, size)
            if samples is not None and not self._are_enough(samples, size):
                size *= MORE_SAMPLES
                samples = self._samples(group, size)
            if samples is None:
                reason = f"one of {len(urls)} like links, to see what they are"
                decision = Decision(LinkDecision.SAMPLE, reason)
                sampled = [link.url for link in group.sample(size)]
                return Verdict(dict.fromkeys(sampled, decision), urls)
            if any(map(is_waiting, samples)):
                return Verdict({}, urls)
            decision = self.judge_pages(samples)
            is_record = decision.decision is LinkDecision.RECORD
            if is_record and group.is_menu and self._has_main_list:
                reason = "a menu of the site, whose records stand in a list"
                decision = Decision(LinkDecision.SKIP, reason)
            if self.is_surveying and decision.decision is not LinkDecision.INDEX:
                return Verdict({}, urls, is_provisional=True)
            known = {
                "decision": str(decision.decision),
                "reason": decision.reason,
                "links": len(urls),
            }
            self._groups[group.key] = known
        decision = Decision(LinkDecision(known["decision"]), known["reason"])
        if decision.decision is LinkDecision.RECORD and self.facts is not None:
            decision = self._verified(group, decision)
        return Verdict(dict.fromkeys(urls, decision))

    def _needs_own_samples(self, group: LinkGroup, known: Mapping[str, Any]) -> bool:
        """Return whether what a group proved to be says little of this one: lists of
        several pages may be built alike, and one lists categories, the other records.
        """
        if known["decision"] == LinkDecision.INDEX:
            return True
        known_links = known.get("links", 0)
        is_larger = len(group.links) > MUCH_LARGER * known_links
        return known["decision"] == LinkDecision.SKIP and is_larger

    def _verified(self, group: LinkGroup, decision: Decision) -> Decision:
        """Return a decision about groups built alike, or another one, where all sampled
        pages of this group are known to be other pages.
        """
        samples = self._samples(group, self._sample_size) or ()
        read = list(filter(_is_read, samples))
        records = list(filter(self.is_record, read))
        if read and not records:
            return self.judge_pages(read)
        return decision

    @property
    def _sample_size(self) -> int:
        return FIRST_SAMPLE_SIZE if self._is_first else SAMPLE_SIZE

    def _are_enough(self, samples: Sequence[PageRow], size: int) -> bool:
        """Return whether so many sampled pages could be read, or may yet be."""
        unread = [
            page for page in samples if not is_waiting(page) and not _is_read(page)
        ]
        return not unread or len(samples) < size

    def _samples(self, group: LinkGroup, size: int) -> list[PageRow] | None:
        """Return the sampled pages of a group, None where some were never fetched."""
        found = []
        for link in group.sample(size):
            page = self._pages.get(url_key(link.url))
            if page is None:
                return None
            found.append(page)
        return found

    def prefer_clusters(self, pages: Iterable[Sequence[LinkGroup]]) -> bool:
        """Before any record is known, of pages that do not tell what they are, take those
        that most links of lists lead to for records; return whether that is clear.

        `pages` are the groups of each index page.
        """
        if self.tells_itself or self.record_clusters:
            return True
        pages = list(pages)
        self.facts = self._preferred_facts(pages)
        urls: dict[int, set[str]] = {}
        together: dict[int, set[int]] = {}
        beside_records: set[int] = set()
        for groups in pages:
            of_records = [group for group in groups if self._sampled_clusters(group)]
            in_main = main_groups(of_records)
            self._has_main_list |= bool(in_main)
            for group in of_records:
                clusters = self._sampled_clusters(group)
                if group not in in_main:
                    beside_records |= clusters
                keys = {url_key(link.url) for link in group.links}
                for cluster in clusters:
                    own_urls = urls.setdefault(cluster, set())
                    own_urls.update(keys)
                    neighbours = together.setdefault(cluster, set())
                    neighbours.update(clusters)

        candidates = urls.keys() - beside_records or urls.keys()
        if not candidates:
            return False
        best = max(sorted(candidates), key=lambda cluster: len(urls[cluster]))
        self.record_clusters = together[best] - beside_records or {best}
        return len(urls[best]) >= CLEAR_LIST

    def _preferred_facts(
        self, pages: Sequence[Sequence[LinkGroup]]
    ) -> RecordFacts | None:
        """Return the facts of the pages that lists lead to, if some have any; other
        lists must not be much longer.
        """
        factual: list[tuple[RecordFacts, LinkGroup, list[PageLabels]]] = []
        longest = 0
        for groups in pages:
            for group in groups:
                labels = self._sampled_labels(group)
                facts = RecordFacts.of_pages(labels)
                if facts.are_enough and not group.is_menu:
                    factual.append((facts, group, labels))
                elif len(labels) > 1:
                    longest = max(longest, len(group.links))
        if not factual:
            return None
        most = 0
        for facts, _, _ in factual:
            count = len(facts.labels)
            most = max(most, count)
        urls: set[str] = set()
        examples: list[PageLabels] = []
        for facts, group, labels in factual:
            count = len(facts.labels)
            if 2 * count < most:
                continue
            examples.extend(labels)
            for link in group.links:
                key = url_key(link.url)
                urls.add(key)
        if len(urls) < MIN_FACTUAL * longest:
            return None
        common = RecordFacts.of_pages(examples)
        return common if common.are_enough else None

    def _sampled_labels(self, group: LinkGroup) -> list[PageLabels]:
        """Return the labels of the pages of a group that were sampled and may be
        records.
        """
        return [
            page_labels(self._context, page)
            for page in self._samples(group, self._sample_size) or ()
            if _is_read(page) and page.kind in (PageKind.RECORD, PageKind.OTHER)
        ]

    def _sampled_clusters(self, group: LinkGroup) -> set[int]:
        """Return the clusters of a group's sampled pages, none unless they may be
        records.
        """
        samples = self._samples(group, self._sample_size) or ()
        if self.judge_pages(samples).decision is not LinkDecision.RECORD:
            return set()
        clusters = set()
        for page in samples:
            if page.cluster is not None and self.is_record(page):
                clusters.add(page.cluster)
        return clusters

    def is_record(self, page: PageRow) -> bool:
        """Return whether a page is a record, as far as that is known."""
        is_judged = page.kind in (PageKind.RECORD, PageKind.OTHER)
        if is_judged and self.facts is not None:
            fits = self.facts.fit(page_labels(self._context, page))
            return fits or self._vanished.is_held_by(page)
        if page.kind != PageKind.RECORD:
            return False
        if self.tells_itself or not self.record_clusters:
            return True
        if page.cluster in self.record_clusters:
            return True
        return self._vanished.is_held_by(page)

    def judge_pages(self, samples: Sequence[PageRow]) -> Decision:
        """Return what pages of a group are, with the reason, by its sampled pages: those
        of them that could be read.
        """
        read = list(filter(_is_read, samples))
        size = len(read) or len(samples)
        records = [page for page in read if self.is_record(page)]
        clusters = {page.cluster for page in records}
        are_alike = len(clusters) < 3 or size < 3 or self.tells_itself
        if self.facts is not None and records:
            return Decision(
                LinkDecision.RECORD,
                f"{len(records)} of {size} pages of this list that were looked at "
                f"have what records have ({self.facts.words}, ...)",
            )
        if len(records) * 2 > size and are_alike:
            return Decision(
                LinkDecision.RECORD,
                f"{len(records)} of {size} pages of this list that were looked at "
                "are records",
            )
        index_pages = [page for page in read if page.kind == PageKind.INDEX]
        if index_pages and len(index_pages) * 2 >= size:
            if self.lists_something_new(index_pages):
                return Decision(
                    LinkDecision.INDEX,
                    f"{len(index_pages)} of {size} like pages that were looked at "
                    "list others",
                )
            reason = "pages like it list only what is known already"
            return Decision(LinkDecision.SKIP, reason)
        return Decision(LinkDecision.SKIP, self._counted(size, read))

    def _counted(self, size: int, read: Sequence[PageRow]) -> str:
        kinds: Counter[str] = Counter()
        for page in read:
            kind = page.kind or "unread"
            if kind == PageKind.RECORD and not self.is_record(page):
                kind = "built unlike records"
                if self.facts is not None:
                    kind = f"without what records have ({self.facts.words}, ...)"
            kinds[kind] += 1
        counts = [f"{kinds[kind]} {kind}" for kind in sorted(kinds)]
        found = ", ".join(counts) or "none could be read"
        return f"{size} pages like it were looked at: {found}"

    def lists_something_new(self, pages: Iterable[PageRow]) -> bool:
        """Return whether index pages list anything like records that is not listed
        elsewhere. Before records are known, all do.
        """
        links = self._context.links
        patterns = set(self._record_patterns)
        patterns.update(map(url_pattern, links.urls(LinkDecision.RECORD)))
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


def _is_read(page: PageRow) -> bool:
    return page.outcome in (FetchOutcome.OK, FetchOutcome.UNCHANGED)


def is_waiting(page: PageRow) -> bool:
    """Return whether it is not known yet what a page is."""
    return page.stage != PageStage.DONE and page.cluster is None
