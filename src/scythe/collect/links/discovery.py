"""Semantic link discovery: which links of an index page lead to records, each with its
reason (RecipeCrawler, section 4.1 and figure 3).

What is known of earlier links is asked in the paper's order:

1. Address: is there a known record whose address has the same pattern?
2. Position: of these records, what share stands in the same subtree (list) of the index
   page? Half or more: a record. None: none.
3. Words: is it named with words that known records are named with?

Beyond the paper, a score is learned from what earlier links turned out to be, for every
collection anew: it decides where the tests have nothing to go by, and it overrules what
they let pass against all experience. Where a site has renamed all its pages, records
are known by their names. Before any record is known, `first_groups` goes by structure
alone.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from scythe.collect.links.addresses import url_pattern
from scythe.collect.links.link_lists import LinkLists, path_pattern
from scythe.store.states import LinkDecision, PageKind
from scythe.tree.text import letters_and_digits

MIN_SHARE = 0.5
"""The paper's threshold of test 2."""
HIGH_SCORE = 0.9
"""From this score on a link is followed though the tests have nothing to go by. Not
tuned: nine of ten like links led to records.
"""
LOW_SCORE = 0.05
"""Below this score a link is skipped though the tests let it pass. Not tuned: one of
twenty like links led to a record.
"""
MIN_OUTCOMES = 5
"""Outcomes of like links from which on a score means something. Not tuned."""
SMALL_LIST = 5
"""Links of a list below which the list is no group of its own on a first run, while
there are larger ones built like it. Not tuned.
"""
MAX_FIRST_GROUPS = 12
"""Groups that are sampled on a first run: a bound on work, not tuned."""

_WORD = re.compile(r"[^\W\d_]{3,}")


@dataclass(frozen=True)
class Link:
    """A link as far as the decision about it depends on it."""

    url: str
    text: str
    path: str
    outcome: str | None = None
    """What its page turned out to be, if that is known: `record`, or anything else."""

    @property
    def is_record(self) -> bool:
        """Whether it leads to a known record."""
        return self.outcome == PageKind.RECORD


@dataclass(frozen=True)
class Decision:
    """What to do with a link, and why."""

    decision: LinkDecision
    reason: str
    score: float | None = None


def link_words(text: str) -> set[str]:
    """Return the words of a text by which links are compared."""
    return {word.casefold() for word in _WORD.findall(text)}


@dataclass
class LinkHistory:
    """What earlier links of a collection turned out to be."""

    record_patterns: Counter[str] = field(default_factory=Counter)
    """How many records have an address of each pattern."""
    record_names: set[str] = field(default_factory=set)
    """What links to records are called."""
    keywords: set[str] = field(default_factory=set)
    """Words that links to records have more often than others."""
    good: Counter[str] = field(default_factory=Counter)
    bad: Counter[str] = field(default_factory=Counter)
    """How many links with each trait led to a record, and how many did not."""

    @classmethod
    def from_links(cls, links: Iterable[Link]) -> LinkHistory:
        """Return what is known from links with an outcome."""
        history = cls()
        good_words: Counter[str] = Counter()
        bad_words: Counter[str] = Counter()
        for link in links:
            if link.outcome is None:
                continue
            words = link_words(link.text)
            if link.is_record:
                history.good.update(_traits(link))
                good_words.update(words)
                history.record_patterns[url_pattern(link.url)] += 1
                history.record_names.add(letters_and_digits(link.text))
            else:
                history.bad.update(_traits(link))
                bad_words.update(words)

        history.record_names.discard("")
        history.keywords = {
            word for word, count in good_words.items() if count > bad_words[word]
        }
        return history

    @property
    def is_empty(self) -> bool:
        """Whether no record is known."""
        return not self.record_patterns

    def score(self, link: Link) -> float | None:
        """Return how likely a link leads to a record, by the links with the same
        traits; None where there are too few.
        """
        for trait in _traits(link):
            good = self.good[trait]
            bad = self.bad[trait]
            if good + bad >= MIN_OUTCOMES:
                return (good + 0.5) / (good + bad + 1)
        return None


def _traits(link: Link) -> tuple[str, str]:
    """Return by what links are compared with earlier ones, the most telling first:
    address and path, the address alone.
    """
    pattern = url_pattern(link.url)
    return f"{pattern} {path_pattern(link.path)}", pattern


class LinkDiscovery:
    """Decides about the new links of one index page."""

    def __init__(self, page: Sequence[Link], history: LinkHistory) -> None:
        self._history = history
        self._lists = LinkLists(link.path for link in page)
        known = [link for link in page if link.is_record]
        self._is_renamed = False
        if not known:
            # The site may have moved all its pages: then records are known by name.
            known = list(filter(self._has_known_name, page))
            self._is_renamed = bool(known)

        self._known_in_list = Counter(map(self._pattern_and_list, known))
        self._list_sizes = Counter(map(self._pattern_and_list, page))
        self._known_of_pattern: Counter[str] = Counter()
        for link in known:
            self._known_of_pattern[url_pattern(link.url)] += 1

    def _has_known_name(self, link: Link) -> bool:
        name = letters_and_digits(link.text)
        return link.outcome is None and name in self._history.record_names

    def _pattern_and_list(self, link: Link) -> tuple[str, str]:
        return url_pattern(link.url), self._lists.find(link.path)

    def decide(self, link: Link) -> Decision:
        """Return what to do with a link that is new."""
        score = self._history.score(link)
        tested = self._test(link)
        if score is None:
            return tested

        passes = tested.decision is LinkDecision.RECORD
        if passes and score < LOW_SCORE:
            reason = f"{tested.reason}; but links like it led to no records"
            return Decision(LinkDecision.SKIP, reason, score)
        if not passes and score >= HIGH_SCORE and not self._is_renamed:
            reason = f"links like it led to records ({score:.2f}); {tested.reason}"
            return Decision(LinkDecision.RECORD, reason, score)
        return Decision(tested.decision, tested.reason, score)

    def _test(self, link: Link) -> Decision:
        """Return the decision by the paper's three tests."""
        pattern = url_pattern(link.url)
        similar = self._known_of_pattern[pattern]
        if not similar:
            elsewhere = self._history.record_patterns[pattern]
            if not elsewhere:
                reason = "no known record has an address like it"
                return Decision(LinkDecision.SKIP, reason)
            reason = (
                f"{elsewhere} known records have addresses like it, none on this page"
            )
            return self._test_words(link, reason)

        in_list = self._known_in_list[self._pattern_and_list(link)]
        if self._is_renamed:
            size = self._list_sizes[self._pattern_and_list(link)]
            is_record = in_list >= MIN_SHARE * size
            return Decision(
                LinkDecision.RECORD if is_record else LinkDecision.SKIP,
                f"{in_list} of the {size} links in its list have names of known records",
            )

        reason = (
            f"{in_list} of {similar} known records with such addresses "
            "are in the same list"
        )
        if not in_list:
            return Decision(LinkDecision.SKIP, reason)
        if in_list >= MIN_SHARE * similar:
            return Decision(LinkDecision.RECORD, reason)
        return self._test_words(link, reason)

    def _test_words(self, link: Link, reason: str) -> Decision:
        common = sorted(link_words(link.text) & self._history.keywords)
        if common:
            words = ", ".join(common[:3])
            return Decision(
                LinkDecision.RECORD,
                f"{reason}; it is named with words of known records: {words}",
            )
        return Decision(
            LinkDecision.SKIP,
            f"{reason}; no known record is named with its words",
        )


@dataclass(frozen=True)
class LinkGroup:
    """Links that stand in one list and have addresses of one pattern."""

    key: str
    links: tuple[Link, ...]

    def sample(self, size: int) -> list[Link]:
        """Return some of the links, from the beginning to the end of the list."""
        last = len(self.links) - 1
        gaps = max(size - 1, 1)
        indexes = set()
        for number in range(min(size, len(self.links))):
            indexes.add(round(number * last / gaps))
        return [self.links[index] for index in sorted(indexes)]


def group_links(
    links: Sequence[Link], page: Sequence[Link] | None = None
) -> list[LinkGroup]:
    """Return links by list and pattern of address, the largest group first.

    Lists that are small although larger ones are built like them are left out; where
    all lists are small, those that are built alike are one group.
    """
    lists = LinkLists(link.path for link in (page or links))
    by_list: dict[tuple[str, str, str], list[Link]] = {}
    for link in links:
        key = (
            url_pattern(link.url),
            path_pattern(link.path),
            lists.find(link.path),
        )
        by_list.setdefault(key, []).append(link)

    built_alike: dict[tuple[str, str], list[list[Link]]] = {}
    for (pattern, path, _), members in by_list.items():
        built_alike.setdefault((pattern, path), []).append(members)

    groups: list[LinkGroup] = []
    for (pattern, path), several in built_alike.items():
        has_large = max(map(len, several)) >= SMALL_LIST
        chosen: list[Link] = []
        for members in several:
            if not has_large or len(members) >= SMALL_LIST:
                chosen.extend(members)
        groups.append(LinkGroup(f"{pattern} {path}", tuple(chosen)))
    return sorted(groups, key=lambda group: -len(group.links))


def first_groups(links: Sequence[Link]) -> list[LinkGroup]:
    """Return the groups that may be the records of a site, before any record is known:
    by structure alone.
    """
    groups = group_links(links)
    chosen = _groups_from(groups, SMALL_LIST)
    if not chosen:
        total = sum(len(group.links) for group in groups)
        chosen = _groups_from(groups, total / 4)
    return (chosen or groups)[:MAX_FIRST_GROUPS]


def _groups_from(groups: Sequence[LinkGroup], size: float) -> list[LinkGroup]:
    """Return the groups with at least so many links."""
    return [group for group in groups if len(group.links) >= size]
