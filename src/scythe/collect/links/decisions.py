"""Decisions about links that nobody has decided about: records to fetch, index pages to
keep, samples to look at, the rest left alone.

Links that the tests of `discovery` let pass are fetched. Of other links that stand
together in numbers, some are looked at: they may be records (on a first run nothing is
known), or pages that list records. What such a group proved to be is remembered.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from scythe.collect.context import GROUPS, MAX_INDEX_PAGES, NEXT, Work
from scythe.collect.links.addresses import shape
from scythe.collect.links.discovery import (
    Discovery,
    Experience,
    Group,
    Judgement,
    Link,
    first_groups,
    groups_of,
)
from scythe.collect.links.index_pages import html_index
from scythe.store.collections.index_pages import NewIndexPage
from scythe.store.collections.links import LinkRow, NewDecision
from scythe.store.collections.pages import PageRequest, PageRow
from scythe.store.collections.states import (
    FetchOutcome,
    IndexPageKind,
    LinkDecision,
    PageKind,
    PageStage,
)
from scythe.tree.parse import parse
from scythe.urls import url_key

SAMPLES = 3
"""Pages of a group that are looked at before anything is known; two of them must agree."""
LATER_SAMPLES = 2
"""Pages of a new group that are looked at once records are known."""
LEAST_NEW = 5
"""Links that make a group worth looking at once records are known."""


def decide(work: Work) -> int:
    """Decide about all links that can be decided about now; gives how many were."""
    open_links = work.links.pending(LinkDecision.SAMPLE)
    if not open_links:
        return 0
    by_page: dict[int, list[LinkRow]] = {}
    for link in open_links:
        by_page.setdefault(link.index_page_id, []).append(link)
    decider = _Decider(work, open_links)
    made = [
        decision
        for page, links in by_page.items()
        for decision in decider.decide(page, links)
    ]
    before = {link.id: link.decision for link in open_links}
    changed = [
        decision for decision in made if before[decision.link] != decision.decision
    ]
    work.links.decide(changed, work.run)
    decider.save()
    return len(changed)


def want(work: Work) -> int:
    """Ask for the pages of links that are to be followed and are not known yet; gives
    how many.
    """
    fresh: dict[str, PageRequest] = {}
    for link in sorted(
        work.links.unfetched(LinkDecision.RECORD, LinkDecision.SAMPLE),
        key=lambda link: link.decision == LinkDecision.SAMPLE,
    ):
        fresh.setdefault(url_key(link.url), PageRequest(link.url, link.reason))
    for page in work.pages.iterate() if fresh else ():
        fresh.pop(url_key(page.url), None)
    return work.pages.enqueue(fresh.values(), work.run)


def _as_link(row: LinkRow) -> Link:
    return Link(row.url, row.text, row.path, row.outcome)


class _Decider:
    """Decides page by page, with what is known of the whole collection."""

    def __init__(self, work: Work, open_links: Iterable[LinkRow]) -> None:
        self._work = work
        self._experience = Experience.of(map(_as_link, work.links.with_outcome()))
        open_keys = {url_key(link.url) for link in open_links}
        self._pages = {
            address: page
            for page in work.pages.iterate()
            if (address := url_key(page.url)) in open_keys
        }
        self._records = {
            address
            for url in work.links.urls(LinkDecision.RECORD)
            if (address := url_key(url)) in self._pages
        }
        self._groups: dict[str, Any] = dict(work.remembered(GROUPS) or {})
        self._index_pages = {
            url_key(page.url): page.id for page in work.index_pages.all()
        }
        self._next: Mapping[str, Any] = work.remembered(NEXT) or {}
        self._added: list[NewIndexPage] = []

    def save(self) -> None:
        """Keep what groups proved to be, and new index pages."""
        self._work.remember(GROUPS, self._groups)
        room = MAX_INDEX_PAGES - len(self._work.index_pages.all())
        self._work.index_pages.add(self._added[: max(room, 0)])

    def decide(self, page: int, rows: Sequence[LinkRow]) -> list[NewDecision]:
        """Decide about the open links of one index page, as far as that is possible
        now.
        """
        made: dict[int, Judgement] = {}
        on_page = [
            _as_link(link)
            for link in self._work.links.all(index_page=page)
            if link.gone_at is None
        ]
        left: list[LinkRow] = []
        for row in rows:
            judged = self._at_once(row)
            if judged is None:
                left.append(row)
            else:
                made[row.id] = judged
        if not self._experience.is_empty:
            discovery = Discovery(on_page, self._experience)
            judgements = {row.id: discovery.judge(_as_link(row)) for row in left}
            made.update(
                {
                    number: judged
                    for number, judged in judgements.items()
                    if judged.decision == LinkDecision.RECORD
                }
            )
            left = [row for row in left if row.id not in made]
            made.update(
                self._by_groups(
                    left,
                    groups_of([_as_link(row) for row in left], on_page),
                    judgements,
                )
            )
        else:
            made.update(
                self._by_groups(left, first_groups([_as_link(row) for row in left]), {})
            )
        made.update(self._following(page, rows, made))
        return [
            NewDecision(number, judged.decision, judged.reason, judged.score)
            for number, judged in made.items()
        ]

    def _at_once(self, row: LinkRow) -> Judgement | None:
        if not self._work.is_own(row.url):
            return Judgement(LinkDecision.SKIP, "it leads to another site")
        address = url_key(row.url)
        if address in self._index_pages or address == url_key(self._work.row.url):
            return Judgement(LinkDecision.INDEX, "it is an index page already")
        if address in self._records:
            return Judgement(LinkDecision.RECORD, "another index page has it, too")
        return None

    def _following(
        self, page: int, rows: Sequence[LinkRow], made: Mapping[int, Judgement]
    ) -> dict[int, Judgement]:
        """The link to where the list goes on, if this page of it has records."""
        following = self._next.get(str(page))
        if (
            not following
            or not self._work.is_own(following)
            or url_key(following) in self._index_pages
        ):
            return {}
        has_records = any(
            judged.decision == LinkDecision.RECORD for judged in made.values()
        )
        if not has_records:
            return {}
        self._added.append(
            NewIndexPage(following, IndexPageKind.HTML, "the list goes on there")
        )
        told = Judgement(LinkDecision.INDEX, "the list goes on there")
        return {row.id: told for row in rows if url_key(row.url) == url_key(following)}

    def _by_groups(
        self,
        rows: Sequence[LinkRow],
        groups: Sequence[Group],
        judged: Mapping[int, Judgement],
    ) -> dict[int, Judgement]:
        """Decisions for links that the tests do not let pass, by what their groups
        prove to be.
        """
        first = self._experience.is_empty
        ids: dict[str, list[int]] = {}
        for row in rows:
            ids.setdefault(row.url, []).append(row.id)
        made: dict[int, Judgement] = {}
        waiting: set[int] = set()
        for group in groups:
            decided, open_ones = self._group(group, first=first)
            for url, judgement in decided.items():
                made.update(dict.fromkeys(ids.get(url, ()), judgement))
            waiting.update(number for url in open_ones for number in ids.get(url, ()))
        for row in rows:
            if row.id not in made and row.id not in waiting:
                told = judged.get(row.id)
                made[row.id] = told or Judgement(
                    LinkDecision.SKIP, "it does not stand in a list of like links"
                )
        return made

    def _group(
        self, group: Group, *, first: bool
    ) -> tuple[dict[str, Judgement], list[str]]:
        """Decisions for a group, and the addresses that must wait for its samples."""
        known = self._groups.get(group.key)
        if not first and (
            (known is None and len(group.links) < LEAST_NEW)
            or (known and known["decision"] == LinkDecision.RECORD)
        ):
            return {}, []
        if known is None:
            samples = group.samples(SAMPLES if first else LATER_SAMPLES)
            seen = [self._pages.get(url_key(link.url)) for link in samples]
            if any(page is None for page in seen):
                told = Judgement(
                    LinkDecision.SAMPLE,
                    f"one of {len(group.links)} like links, to see what they are",
                )
                return {link.url: told for link in samples}, [
                    link.url for link in group.links
                ]
            if any(
                page is not None
                and page.stage != PageStage.DONE
                and page.cluster is None
                for page in seen
            ):
                return {}, [link.url for link in group.links]
            known = self._groups[group.key] = self._proved(
                [page for page in seen if page is not None]
            )
        judgement = Judgement(LinkDecision(known["decision"]), known["reason"])
        if judgement.decision == LinkDecision.INDEX:
            self._added.extend(
                NewIndexPage(link.url, IndexPageKind.HTML, judgement.reason)
                for link in group.links
            )
        return {link.url: judgement for link in group.links}, []

    def _proved(self, samples: Sequence[PageRow]) -> dict[str, str]:
        """What a group is, by the pages that were looked at."""
        kinds = Counter(
            page.kind
            for page in samples
            if page.outcome in (FetchOutcome.OK, FetchOutcome.UNCHANGED)
        )
        number = len(samples)
        if kinds[PageKind.RECORD] * 2 > number and (
            len({page.cluster for page in samples if page.kind == PageKind.RECORD}) < 3
            or number < 3
        ):
            return {
                "decision": LinkDecision.RECORD,
                "reason": f"{kinds[PageKind.RECORD]} of {number} pages of this list that were looked at are records",
            }
        if kinds[PageKind.INDEX] * 2 >= number and kinds[PageKind.INDEX]:
            if self._lists_something_new(
                page for page in samples if page.kind == PageKind.INDEX
            ):
                return {
                    "decision": LinkDecision.INDEX,
                    "reason": f"{kinds[PageKind.INDEX]} of {number} like pages that were looked at list others",
                }
            return {
                "decision": LinkDecision.SKIP,
                "reason": "pages like it list only what is known already",
            }
        seen = (
            ", ".join(
                f"{count} {kind or 'unread'}" for kind, count in sorted(kinds.items())
            )
            or "none could be read"
        )
        return {
            "decision": LinkDecision.SKIP,
            "reason": f"{number} pages like it were looked at: {seen}",
        }

    def _lists_something_new(self, pages: Iterable[PageRow]) -> bool:
        """Whether index pages list anything like records that is not listed elsewhere.
        Before records are known, all do.
        """
        patterns = set(self._experience.records)
        patterns.update(map(shape, self._work.links.urls(LinkDecision.RECORD)))
        if not patterns:
            return True
        known = set(map(url_key, self._work.links.urls()))
        for page in pages:
            if page.body_hash is None:
                continue
            body = self._work.pages.body(page.body_hash)
            listing = html_index(
                parse(body, charset=page.charset), page.final_url or page.url
            )
            if any(
                shape(link.url) in patterns and url_key(link.url) not in known
                for link in listing.links
            ):
                return True
        return False
