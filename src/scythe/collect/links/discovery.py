"""Semantic link discovery: which links of an index page lead to records (paper 001,
section 4.1 and figure 3), each with its reason.

What is known of earlier links is asked in the paper's order:

1. Address: is there a known record whose address has the same pattern?
2. Place: of these records, what share stands in the same subtree (list) of the index
   page? Half or more: a record. None: none.
3. Words: is it named with words that known records are named with?

Beyond the paper, a score is learned from what earlier links turned out to be, for every
collection anew: it decides where the tests have nothing to go by, and it takes back
what they let pass against all experience. Where a site has renamed all its pages,
records are known by their names. Before any record is known, `first_groups` goes by
structure alone.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from scythe.collect.links.addresses import shape
from scythe.collect.links.places import Lists, form
from scythe.store.collections.states import LinkDecision, PageKind
from scythe.tree.text import letters_and_digits

SHARE = 0.5
"""The paper's threshold of test 2."""
CERTAIN, AGAINST = 0.9, 0.05
"""Scores from which on a link is followed though the tests have nothing to say, and
below which it is not though they have.
"""
LEAST_SEEN = 5
"""Outcomes of like links from which on a score means something."""
SMALL_LIST = 5
"""Links of a list below which the list is no group of its own on a first run, while
there are larger ones built like it.
"""

_WORD = re.compile(r"[^\W\d_]{3,}")


@dataclass(frozen=True)
class Link:
    """A link as far as its fate depends on it."""

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
class Judgement:
    """What to do with a link, and why."""

    decision: LinkDecision
    reason: str
    score: float | None = None


def link_words(text: str) -> set[str]:
    """The words of a text by which links are compared."""
    return {word.casefold() for word in _WORD.findall(text)}


@dataclass
class Experience:
    """What earlier links of a collection turned out to be."""

    records: Counter[str] = field(default_factory=Counter)
    """Addresses of records by pattern."""
    names: set[str] = field(default_factory=set)
    """What links to records are called."""
    keywords: set[str] = field(default_factory=set)
    good: Counter[str] = field(default_factory=Counter)
    bad: Counter[str] = field(default_factory=Counter)

    @classmethod
    def of(cls, links: Iterable[Link]) -> Experience:
        """Gather what is known."""
        made = cls()
        counts: dict[bool, Counter[str]] = {True: Counter(), False: Counter()}
        for link in links:
            if link.outcome is None:
                continue
            side = made.good if link.is_record else made.bad
            side.update(_traits(link))
            counts[link.is_record].update(link_words(link.text))
            if link.is_record:
                made.records[shape(link.url)] += 1
                made.names.add(letters_and_digits(link.text))
        made.names.discard("")
        made.keywords = {
            word for word, count in counts[True].items() if count > counts[False][word]
        }
        return made

    @property
    def is_empty(self) -> bool:
        """Whether no record is known."""
        return not self.records

    def score(self, link: Link) -> float | None:
        """How likely a link leads to a record, by the links with the same traits; None
        where there are too few.
        """
        for trait in _traits(link):
            good, bad = self.good[trait], self.bad[trait]
            if good + bad >= LEAST_SEEN:
                return (good + 0.5) / (good + bad + 1)
        return None


def _traits(link: Link) -> tuple[str, str]:
    """By what links are compared with earlier ones, the most telling first: address and
    place, the address alone.
    """
    pattern, place = shape(link.url), form(link.path)
    return f"{pattern} {place}", pattern


class Discovery:
    """Decides about the new links of one index page."""

    def __init__(self, page: Sequence[Link], experience: Experience) -> None:
        self._experience = experience
        self._lists = Lists(link.path for link in page)
        known = [link for link in page if link.is_record]
        self._renamed = False
        if not known:  # the site may have moved all its pages: then records are known by their names
            known = [
                link
                for link in page
                if link.outcome is None
                and letters_and_digits(link.text) in experience.names
            ]
            self._renamed = bool(known)
        self._known = [(shape(link.url), self._lists.of(link.path)) for link in known]
        self._in_list: Counter[tuple[str, str]] = Counter(self._known)
        self._of_shape: Counter[str] = Counter(pattern for pattern, _ in self._known)
        self._size: Counter[tuple[str, str]] = Counter(
            (shape(link.url), self._lists.of(link.path)) for link in page
        )

    def judge(self, link: Link) -> Judgement:
        """What to do with a link that is new."""
        score = self._experience.score(link)
        tested = self._tested(link)
        if (
            tested.decision == LinkDecision.RECORD
            and score is not None
            and score < AGAINST
        ):
            return Judgement(
                LinkDecision.SKIP,
                f"{tested.reason}; but links like it led to no records",
                score,
            )
        if (
            tested.decision == LinkDecision.SKIP
            and score is not None
            and score >= CERTAIN
            and not self._renamed
        ):
            return Judgement(
                LinkDecision.RECORD,
                f"links like it led to records ({score:.2f}); {tested.reason}",
                score,
            )
        return Judgement(tested.decision, tested.reason, score)

    def _tested(self, link: Link) -> Judgement:
        pattern = shape(link.url)
        similar = self._of_shape[pattern]
        if not similar:
            elsewhere = self._experience.records[pattern]
            if not elsewhere:
                return Judgement(
                    LinkDecision.SKIP, "no known record has an address like it"
                )
            return self._by_words(
                link,
                f"{elsewhere} known records have addresses like it, none on this page",
            )
        place = self._lists.of(link.path)
        inside = self._in_list[pattern, place]
        if self._renamed:
            size = self._size[pattern, place]
            named = inside >= SHARE * size
            return Judgement(
                LinkDecision.RECORD if named else LinkDecision.SKIP,
                f"{inside} of the {size} links in its list have names of known records",
            )
        told = f"{inside} of {similar} known records with such addresses are in the same list"
        if not inside:
            return Judgement(LinkDecision.SKIP, told)
        if inside >= SHARE * similar:
            return Judgement(LinkDecision.RECORD, told)
        return self._by_words(link, told)

    def _by_words(self, link: Link, told: str) -> Judgement:
        common = sorted(link_words(link.text) & self._experience.keywords)
        if common:
            return Judgement(
                LinkDecision.RECORD,
                f"{told}; it is named with words of known records: {', '.join(common[:3])}",
            )
        return Judgement(
            LinkDecision.SKIP, f"{told}; no known record is named with its words"
        )


@dataclass(frozen=True)
class Group:
    """Links that stand in one list and have addresses of one pattern."""

    key: str
    links: tuple[Link, ...]

    def samples(self, number: int) -> list[Link]:
        """Some of them, from the beginning to the end of the list."""
        count = len(self.links)
        places = sorted(
            {
                round(place * (count - 1) / max(number - 1, 1))
                for place in range(min(number, count))
            }
        )
        return [self.links[place] for place in places]


def groups_of(links: Sequence[Link], page: Sequence[Link] | None = None) -> list[Group]:
    """Links by list and pattern of address, the largest group first. Lists that are
    small although larger ones are built like them are left out; where all lists are
    small, those that are built alike are one group.
    """
    lists = Lists(link.path for link in (page or links))
    by_list: dict[tuple[str, str, str], list[Link]] = {}
    for link in links:
        by_list.setdefault(
            (shape(link.url), form(link.path), lists.of(link.path)), []
        ).append(link)
    alike: dict[tuple[str, str], list[list[Link]]] = {}
    for (pattern, place, _), members in by_list.items():
        alike.setdefault((pattern, place), []).append(members)
    found: list[Group] = []
    for (pattern, place), several in alike.items():
        large = [members for members in several if len(members) >= SMALL_LIST]
        kept = [link for members in (large or several) for link in members]
        found.append(Group(f"{pattern} {place}", tuple(kept)))
    return sorted(found, key=lambda group: -len(group.links))


def first_groups(links: Sequence[Link], most: int = 12) -> list[Group]:
    """Groups that may be the records of a site, before any record is known: by
    structure alone.
    """
    groups = groups_of(links)
    total = sum(len(group.links) for group in groups)
    large = [group for group in groups if len(group.links) >= SMALL_LIST]
    return (
        large or [group for group in groups if 4 * len(group.links) >= total] or groups
    )[:most]
