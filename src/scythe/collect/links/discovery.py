"""Semantic link discovery: which links of an index page lead to records, each with its
reason (RecipeCrawler, section 4.1 and figure 3).

What is known of earlier links is asked in the paper's order:

1. Address: is there a known record whose address has the same pattern?
2. Position: of these records, what share stands in the same subtree (list) of the index
   page? Half or more: a record. None: none.
3. Words: is it named with words that known records are named with?

Beyond the paper, links of one list are judged together, however deep their addresses
are: addresses of one part of a site count as alike there, and so do lists that are
built alike. Where most links of a list are unknown, the tests leave it open, and some
are sampled. A score that is learned from what earlier links turned out to be, for every
collection anew, decides only what the tests leave open. Where a site has renamed all
its pages, records are known by their names. Before any record is known, `first_groups`
goes by structure alone.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from scythe.collect.links.addresses import last_word, url_family, url_pattern
from scythe.collect.links.link_lists import LinkLists, path_pattern
from scythe.store.states import LinkDecision, PageKind
from scythe.tree.text import letters_and_digits
from scythe.wrappers.paging_terms import AROUND_WORDS, NEXT_SIGNS, NEXT_WORDS

MIN_SHARE = 0.5
"""The paper's threshold of test 2."""
HIGH_SCORE = 0.9
"""From this score on a link is followed though the tests have nothing to go by. Not
tuned: nine of ten like links led to records.
"""
MIN_OUTCOMES = 5
"""Outcomes of like links from which on a score means something. Not tuned."""
MIN_NEIGHBOURS = 3
"""Known records in a list that speak for the rest of it, wherever other records are."""
MAX_OTHERS = 0.25
"""How many other pages there may be in such a list, for each record. Not tuned."""
SMALL_LIST = 5
"""Links of a list below which the list is no group of its own on a first run, while
there are larger ones built like it. Not tuned.
"""
MAX_FIRST_GROUPS = 12
"""Groups that are sampled on a first run: a bound on work, not tuned."""

MIN_KEYWORDS = 0.5
"""The share of a link's words that must be words of known records: one alone may be
"with". Not tuned.
"""
SUFFIX_SHARE = 0.8
"""The share of a group's addresses that must end with words of several of them, for the
group to be divided by these: `a_info`, `a_build`, `b_info`, `b_build`. Not tuned.
"""
MIN_SUFFIX = 3
"""Addresses that must end with one word. Not tuned."""

UNKNOWN_ADDRESS = "no known record has an address like it"
"""The reason to skip a link of which nothing is known: more may be known later."""

_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
)
"""Letters of scripts that put no spaces between words: Thai, Lao, Burmese, Khmer,
Japanese, Chinese.
"""
_WORD = re.compile(rf"[^\W\d_{_UNSPACED}]{{3,}}")
_RUN = re.compile(rf"[{_UNSPACED}]+")
_FRAME = re.compile(r"/(?:nav|header|footer|aside)[.#\[]")
"""A step of a path that leads into the frame of a page."""


_BACK_WORDS = frozenset(
    "prev previous back newer zurück vorherige précédent précédente anterior "
    "precedente vorige föregående предыдущая назад 上一页 上一頁 上一篇 下一篇 前へ 이전".split()
)
"""Words of links that lead back in a list, or to the page before."""


def is_framed(path: str) -> bool:
    """Return whether a link stands in the frame of a page: its menus, its footer."""
    return _FRAME.search(path) is not None


def is_paging_link(text: str) -> bool:
    """Return whether a link leads to the page before or after, by what it shows."""
    plain = text.strip(AROUND_WORDS).casefold()
    if not plain:
        sign = text.strip()
        return sign in NEXT_SIGNS or sign in ("<", "«", "←")
    if plain in NEXT_WORDS:
        return True
    first_word = plain.split()[0]
    return first_word in _BACK_WORDS and len(plain) < 20


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
    """Return the words of a text by which links are compared; of scripts without spaces,
    all pairs of neighbouring signs.
    """
    words = {word.casefold() for word in _WORD.findall(text)}
    for run in _RUN.findall(text):
        last_start = max(len(run) - 1, 1)
        words.update(run[start : start + 2] for start in range(last_start))
    return words


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


_ListCounts = Counter[tuple[str, str]]
"""How many links there are by the part of the site and the list, or its build."""


@dataclass(frozen=True)
class _Tested:
    """What the tests say of a link: None, where they leave it open."""

    passes: bool | None
    reason: str
    needs_samples: bool = False
    """Whether like links say nothing either: they are of one list with it."""


class LinkDiscovery:
    """Decides about the new links of one index page."""

    def __init__(self, page: Sequence[Link], history: LinkHistory) -> None:
        self._history = history
        self._lists = LinkLists(link.path for link in page)
        known = [link for link in page if link.is_record]
        self._is_renamed = False
        if not known:
            # The site may have moved all its pages: then records are known by name.
            known = self._known_by_name(page)
            self._is_renamed = bool(known)

        others = [link for link in page if link.outcome and not link.is_record]
        self._known_in_list: _ListCounts = Counter()
        self._known_of_family: Counter[str] = Counter()
        self._known_alike: _ListCounts = Counter()
        for link in known:
            family = url_family(link.url)
            self._known_of_family[family] += 1
            self._known_in_list[self._family_and_list(link)] += 1
            self._known_alike[_family_and_path(link)] += 1
        self._others_in_list: _ListCounts = Counter()
        self._others_alike: _ListCounts = Counter()
        for link in others:
            self._others_in_list[self._family_and_list(link)] += 1
            self._others_alike[_family_and_path(link)] += 1
        self._list_sizes: _ListCounts = Counter()
        for link in page:
            self._list_sizes[self._family_and_list(link)] += 1

    def _known_by_name(self, page: Sequence[Link]) -> list[Link]:
        """Return the unknown links with names of known records, if some list has mostly
        such: one alone may be a namesake.
        """
        sizes: _ListCounts = Counter(map(self._family_and_list, page))
        named: dict[tuple[str, str], list[Link]] = {}
        for link in page:
            name = letters_and_digits(link.text)
            if link.outcome is not None:
                continue
            if name in self._history.record_names:
                key = self._family_and_list(link)
                named.setdefault(key, []).append(link)

        found: list[Link] = []
        is_renamed = False
        for key, links in named.items():
            found.extend(links)
            if len(links) >= MIN_SHARE * sizes[key]:
                is_renamed = True
        return found if is_renamed else []

    def _family_and_list(self, link: Link) -> tuple[str, str]:
        return url_family(link.url), self._lists.find(link.path)

    def decide(self, link: Link) -> Decision | None:
        """Return what to do with a link that is new, None where only its page can tell."""
        score = self._history.score(link)
        tested = self._test(link)
        if tested.passes is not None:
            decision = LinkDecision.RECORD if tested.passes else LinkDecision.SKIP
            return Decision(decision, tested.reason, score)
        is_certain = score is not None and score >= HIGH_SCORE
        if is_certain and not tested.needs_samples:
            reason = f"links like it led to records ({score:.2f}); {tested.reason}"
            return Decision(LinkDecision.RECORD, reason, score)
        return None

    def open_lists(self, links: Sequence[Link]) -> list[LinkGroup]:
        """Return links of lists that have records, while most of their links are
        unknown, each list a group: samples of it tell.
        """
        by_list: dict[tuple[str, str], list[Link]] = {}
        for link in links:
            if not self._test(link).needs_samples:
                continue
            family_and_list = self._family_and_list(link)
            by_list.setdefault(family_and_list, []).append(link)
        groups: list[LinkGroup] = []
        for (family, path), members in by_list.items():
            for suffix, part in _by_last_word(members).items():
                key = f"{family} {path_pattern(path)}{suffix}"
                groups.append(LinkGroup(key, tuple(part)))
        return groups

    def refusal(self, link: Link) -> Decision:
        """Return why a link is skipped that no test lets pass."""
        return Decision(
            LinkDecision.SKIP, self._test(link).reason, self._history.score(link)
        )

    def _test(self, link: Link) -> _Tested:
        """Return what the tests say: position, address, words."""
        key = self._family_and_list(link)
        in_list = self._known_in_list[key]
        if self._is_renamed and self._known_of_family[key[0]]:
            size = self._list_sizes[key]
            reason = (
                f"{in_list} of the {size} links in its list have names of known records"
            )
            if in_list >= MIN_SHARE * size:
                return _Tested(passes=True, reason=reason)
            return _Tested(None, reason, needs_samples=True)
        if in_list:
            return self._test_list(link, key)

        family_and_path = _family_and_path(link)
        alike = self._known_alike[family_and_path]
        others = self._others_alike[family_and_path]
        if alike and alike >= others:
            return _Tested(
                passes=True,
                reason=f"{alike} known records are in lists built like its own",
            )
        similar = self._known_of_family[key[0]]
        if similar:
            return _Tested(
                passes=False,
                reason=f"{similar} known records with such addresses are in other lists",
            )
        elsewhere = self._history.record_patterns[url_pattern(link.url)]
        if not elsewhere:
            return _Tested(None, UNKNOWN_ADDRESS)
        reason = f"{elsewhere} known records have addresses like it, none on this page"
        return self._test_words(link, reason)

    def _test_list(self, link: Link, key: tuple[str, str]) -> _Tested:
        """Return what the known links of its own list say."""
        family, _ = key
        in_list = self._known_in_list[key]
        others = self._others_in_list[key]
        size = self._list_sizes[key]
        similar = self._known_of_family[family]
        reason = (
            f"{in_list} of {similar} known records with such addresses "
            "are in the same list"
        )
        if in_list < others:
            return _Tested(None, f"{reason}, and {others} other pages")
        if in_list < MIN_SHARE * similar:
            is_known_list = in_list >= max(MIN_NEIGHBOURS, MIN_SHARE * size)
            if not is_known_list or others > MAX_OTHERS * in_list:
                return self._test_words(link, reason)
            reason = f"{in_list} of the {size} links in its list are known records"
            return _Tested(passes=True, reason=reason)
        if in_list + others < MIN_SHARE * size:
            reason = f"{reason}, but most of its links are unknown"
            return _Tested(None, reason, needs_samples=True)
        return _Tested(passes=True, reason=reason)

    def _test_words(self, link: Link, reason: str) -> _Tested:
        words = link_words(link.text)
        common = sorted(words & self._history.keywords)
        if common and len(common) >= MIN_KEYWORDS * len(words):
            shown = ", ".join(common[:3])
            return _Tested(
                passes=True,
                reason=f"{reason}; it is named with words of known records: {shown}",
            )
        return _Tested(None, f"{reason}; no known record is named with its words")


def _family_and_path(link: Link) -> tuple[str, str]:
    return url_family(link.url), path_pattern(link.path)


@dataclass(frozen=True)
class LinkGroup:
    """Links that stand in one list, or in lists built alike, and have addresses of one
    part of the site.
    """

    key: str
    links: tuple[Link, ...]

    @property
    def is_menu(self) -> bool:
        """Whether most of the links stand in the frame of the page."""
        framed = [link for link in self.links if is_framed(link.path)]
        return len(framed) > MIN_SHARE * len(self.links)

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
    """Return links by list and part of the site, the largest group first.

    Lists that are small although larger ones are built like them are left out; where
    all lists are small, those that are built alike are one group.
    """
    lists = LinkLists(link.path for link in (page or links))
    by_list: dict[tuple[str, str, str], list[Link]] = {}
    for link in links:
        family, path = _family_and_path(link)
        key = family, path, lists.find(link.path)
        members = by_list.setdefault(key, [])
        members.append(link)

    built_alike: dict[tuple[str, str], list[list[Link]]] = {}
    for (family, path, _), members in by_list.items():
        alike = built_alike.setdefault((family, path), [])
        alike.append(members)

    groups: list[LinkGroup] = []
    for (family, path), several in built_alike.items():
        has_large = max(map(len, several)) >= SMALL_LIST
        chosen: list[Link] = []
        for members in several:
            if not has_large or len(members) >= SMALL_LIST:
                chosen.extend(members)
        parts = _by_last_word(chosen)
        for suffix, part in parts.items():
            group_key = f"{family} {path}{suffix}"
            group = LinkGroup(group_key, tuple(part))
            groups.append(group)
    return sorted(groups, key=lambda group: -len(group.links))


def _by_last_word(links: Sequence[Link]) -> dict[str, list[Link]]:
    """Return links by the word that their addresses end with, where a few such words
    are what several pages of one thing are told apart by; else all together.
    """
    endings = Counter(last_word(link.url) for link in links)
    common = {word for word, count in endings.items() if word and count >= MIN_SUFFIX}
    covered = sum(endings[word] for word in common)
    if len(common) < 2 or covered < SUFFIX_SHARE * len(links):
        return {"": list(links)}
    parts: dict[str, list[Link]] = {}
    for link in links:
        word = last_word(link.url)
        suffix = f" *{word}" if word in common else ""
        parts.setdefault(suffix, []).append(link)
    return parts


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


def main_groups(groups: Sequence[LinkGroup]) -> list[LinkGroup]:
    """Return the groups of a page without menus, and without those in the entries of
    others: what each entry of a list is tagged with, or by whom it is, are no records
    of their own.
    """
    paths: list[str] = []
    for group in groups:
        paths.extend(link.path for link in group.links)
    lists = LinkLists(paths)

    found: list[LinkGroup] = []
    for group in groups:
        if group.is_menu:
            continue
        for other in groups:
            if _stands_in(group, other, lists):
                break
        else:
            found.append(group)
    return found


def _stands_in(inner: LinkGroup, outer: LinkGroup, lists: LinkLists) -> bool:
    """Return whether most links of one group stand in entries of the list of another,
    and in fewer of them.
    """
    outer_lists = Counter(lists.find(link.path) for link in outer.links)
    ((path, count),) = outer_lists.most_common(1)
    if count < MIN_SHARE * len(outer.links):
        return False
    inner_entries = _entries(inner, path)
    if len(inner_entries) < MIN_SHARE * len(inner.links):
        return False
    outer_entries = _entries(outer, path)
    return len(set(inner_entries)) < len(set(outer_entries))


def _entries(group: LinkGroup, path: str) -> list[str]:
    """Return the entries of a list that links of a group stand in."""
    start = f"{path}/"
    entries = []
    for link in group.links:
        if not link.path.startswith(start):
            continue
        below = link.path.removeprefix(start)
        entry, _, _ = below.partition("/")
        entries.append(entry)
    return entries


def _groups_from(groups: Sequence[LinkGroup], size: float) -> list[LinkGroup]:
    """Return the groups with at least so many links."""
    return [group for group in groups if len(group.links) >= size]
