"""From records on sample pages to the rule that finds them there and on later pages.

This is the wrapper building and integration of ViNTs with other evidence: instead of
the differences of tag paths, every way to say where the records stand is tried (an
identity, a class, the path; children or any descendants), and the one that agrees best
with what was found on all sample pages wins. Where it takes in too much, what sets the
rest apart is added.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from scythe.sections.section import Section
from scythe.sections.span import Span
from scythe.tree.tags import TEXT
from scythe.tree.tree import Tree
from scythe.wrappers.rule import ANY_TAG, ANYWHERE, ElementSelector, LocatedRule

CONTAINERS_ABOVE = 4
"""How many elements above the records are tried as their container: a bound on work,
not tuned.
"""
MAX_CONTENTS = 40
"""Kinds of elements inside records that are tried as what all records have: a bound on
work, not tuned.
"""
MAX_CLASSES = 4
"""Class names of records or of a container that are tried: a bound on work, not tuned."""
MAX_CUT_RECORDS = 100_000
"""Records that all rules together may cut out of the sample pages: a bound on work, one
to two seconds. Of 49 record sets one needs more, and has the same wrapper all the same;
of a page with 100,000 like elements the first rule of its best section is tried.
"""
MAX_COMPARED_RECORDS = 500
"""Records of a page whose contents are compared: a bound on work, not tuned."""
MAX_COMPARED_NODES = 100_000
"""Nodes in records that are compared; of the best rules beyond, none is tried with what
its records have inside. A bound on work: a second.
"""
MAX_NARROWED = 5
"""The best rules that are tried with a further condition: a bound on work, not tuned."""
NO_RESULT_PENALTY = 0.5
"""What a rule loses that finds three records or more on the page without results; not
tuned.
"""
REPEATED_PENALTY = 0.9
"""What a rule loses whose records are the same on all sample pages: menus and side
boxes are, results of other queries or pages are not. Not tuned.
"""
NEARLY_ALL = 0.7
"""The share of the sample pages on which a record must be for this; not tuned."""
SAME_SCORE = 0.02
"""Rules whose scores differ by less are told apart by how well they will last; not
tuned.
"""
_STABLE = re.compile(r"[A-Za-z_][A-Za-z_-]*")
"""Names without digits: others are often counted up or made anew with every release of
a site.
"""
_LIST_TAGS = ("main", "table", "tbody", "ol", "ul", "dl")
"""Tags that say by themselves that an element holds records."""

Path = tuple[str, ...]
LocatedSpan = tuple[Tree, Span]


@dataclass(frozen=True, eq=False)
class SamplePage:
    """A page to learn from: its tree and the sections that were found on it."""

    tree: Tree
    sections: Sequence[Section]
    is_given: bool = False
    """Whether a person said which sections can be right: a rule must find one of them."""
    _texts: dict[Span, str] = field(default_factory=dict, init=False)

    def text(self, span: Span) -> str:
        """Return the text of a record, white space and all; many rules ask for the same
        one.
        """
        if span not in self._texts:
            texts = self.tree.text[span.start : span.stop]
            self._texts[span] = "".join(texts.tolist())
        return self._texts[span]

    def agreement(self, spans: Sequence[Span]) -> float:
        """Return how well records agree with what was found on the page: with the best
        section, weighed by its confidence.
        """
        scores = [_agreement(spans, section) for section in self.sections]
        return max(scores, default=0.0)


def _agreement(spans: Sequence[Span], section: Section) -> float:
    return section.confidence * overlap(spans, section.spans)


def overlap(one: Sequence[Span], other: Sequence[Span]) -> float:
    """Return the F1 of two lists of records: 1 where they are the same."""
    if tuple(one) == tuple(other):
        return 1.0 if one else 0.0
    common = len(set(one) & set(other))
    total = len(one) + len(other)
    return 2 * common / max(total, 1)


def repeated_share(
    samples: Sequence[SamplePage], cuts: Sequence[Sequence[Span]]
) -> float:
    """Return the share of the records whose text is that of a record on nearly all of
    the sample pages.

    Nearly all, since queries to an engine that has little find the same records again.
    """
    texts: list[str] = []
    page_counts: Counter[str] = Counter()
    for sample, spans in zip(samples, cuts, strict=True):
        page_texts = [sample.text(span) for span in spans]
        texts += page_texts
        page_counts.update(set(page_texts))
    most_pages = max(NEARLY_ALL * len(samples), 1)
    repeated = [text for text in texts if page_counts[text] > most_pages]
    return len(repeated) / max(len(texts), 1)


def induce_rule(
    samples: Sequence[SamplePage], no_result: Tree | None = None
) -> LocatedRule | None:
    """Return the rule that agrees best with all sample pages, None where no page has
    records.
    """
    induction = _Induction(samples, no_result)
    for sample in samples:
        for section in sample.sections:
            for rule in _candidate_rules(sample.tree, section.spans):
                if induction.records_left > 0:
                    induction.score(rule)
    contents = _Contents()
    for rule in induction.best_rules(MAX_NARROWED):
        for narrower in _narrower_rules(rule, samples, contents):
            if induction.records_left > 0:
                induction.score(narrower)
    return induction.chosen()


class _Induction:
    """The rules that were tried, with their scores on the sample pages."""

    def __init__(self, samples: Sequence[SamplePage], no_result: Tree | None) -> None:
        self.samples = samples
        self.no_result = no_result
        self.scores: dict[LocatedRule, float] = {}
        self.records_left = MAX_CUT_RECORDS
        """Records that rules may still be tried on."""

    def score(self, rule: LocatedRule) -> float:
        """Return how well a rule agrees with all sample pages, computed once."""
        if rule not in self.scores:
            self.scores[rule] = self._computed_score(rule)
        return self.scores[rule]

    def _computed_score(self, rule: LocatedRule) -> float:
        cuts = [rule.cut(sample.tree) for sample in self.samples]
        self.records_left -= sum(map(len, cuts))
        total = 0.0
        for sample, spans in zip(self.samples, cuts, strict=True):
            agreement = sample.agreement(spans)
            if sample.is_given and not agreement:
                return 0.0
            total += agreement
        agreement = total / len(self.samples)
        if not agreement:
            return 0.0

        lost = 0.0
        if self.no_result is not None:
            false_records = len(rule.cut(self.no_result))
            lost = min(false_records / 3, 1.0) * NO_RESULT_PENALTY
        repeated_lost = REPEATED_PENALTY * repeated_share(self.samples, cuts)
        return agreement * (1 - lost) * (1 - repeated_lost)

    def best_rules(self, number: int) -> list[LocatedRule]:
        """Return the rules with the highest scores so far."""
        ranked = sorted(self.scores, key=self.score, reverse=True)
        return ranked[:number]

    def chosen(self) -> LocatedRule | None:
        """Return the rule that will last best among those with the best score."""
        best = max(self.scores.values(), default=0.0)
        if not best:
            return None
        least = best - SAME_SCORE
        ranks = {}
        for rule, score in self.scores.items():
            if score > least:
                ranks[rule] = (_durability(rule), score)
        return max(ranks, key=ranks.__getitem__)


def _durability(rule: LocatedRule) -> tuple[bool, ...]:
    """Return what makes a rule likely to fit the next release of the site: names that
    say something, few conditions.
    """
    container = rule.container
    has_identity = container.identity is not None
    has_container_name = has_identity or bool(container.classes)
    path_length = len(rule.path or ())
    return (
        rule.contains is None,
        bool(rule.record.classes) or has_container_name,
        not rule.record.without,
        rule.path is not None,
        path_length < 3,
        has_identity,
    )


def _candidate_rules(tree: Tree, spans: Sequence[Span]) -> Iterator[LocatedRule]:
    """Yield all ways to say where these records stand."""
    heads = [span.start for span in spans]
    are_runs = any(tree.end[start] != stop for start, stop in spans)
    tags = {tree.name(head) for head in heads}
    tag = ANY_TAG
    if len(tags) == 1:
        tag = tags.pop()
    containers = list(_containers(tree, heads))
    for classes in _common_classes(tree, heads):
        record = ElementSelector(tag, classes=classes)
        for container, path in containers:
            is_found_anywhere = path is None and not record.classes
            if not are_runs or not is_found_anywhere:
                yield LocatedRule(container, path, record, runs=are_runs)


def _common_classes(tree: Tree, heads: Sequence[int]) -> list[tuple[str, ...]]:
    """Return no class, and each class that all the elements have."""
    values = tree.attribute_values("class", list(heads))
    names_of_heads = [(value or "").split() for value in values]
    if not names_of_heads:
        return [()]
    first_names = names_of_heads[0]
    common = set(first_names).intersection(*names_of_heads)
    names = [name for name in dict.fromkeys(first_names) if name in common]
    single_classes = [(name,) for name in names[:MAX_CLASSES]]
    return [(), *single_classes]


def _containers(
    tree: Tree, heads: Sequence[int]
) -> Iterator[tuple[ElementSelector, Path | None]]:
    """Yield elements above all the records, by each of their names, with the path from
    there if it is the same for all, and without.
    """
    yield ANYWHERE, _common_path(tree, 0, heads)
    yield ANYWHERE, None
    container = _common_ancestor(tree, heads)
    for _ in range(CONTAINERS_ABOVE):
        if container <= 0:
            return
        for selector in _container_selectors(tree, container):
            yield selector, _common_path(tree, container, heads)
            yield selector, None
        container = int(tree.parent[container])


def _common_ancestor(tree: Tree, heads: Sequence[int]) -> int:
    """Return the lowest element above all the records."""
    ancestor = int(tree.parent[heads[0]])
    while ancestor > 0:
        end = tree.end[ancestor]
        if all(ancestor < head < end for head in heads):
            break
        ancestor = int(tree.parent[ancestor])
    return ancestor


def _container_selectors(tree: Tree, node: int) -> Iterator[ElementSelector]:
    tag = tree.name(node)
    attributes = tree.attributes(node)
    identity = attributes.get("id", "").strip()
    if identity and _STABLE.fullmatch(identity):
        yield ElementSelector(tag, identity=identity)
    names = attributes.get("class", "").split()
    for name in names[:MAX_CLASSES]:
        yield ElementSelector(tag, classes=(name,))
    if tag in _LIST_TAGS:
        yield ElementSelector(tag)


def _common_path(tree: Tree, container: int, heads: Sequence[int]) -> Path | None:
    """Return the tags between a container and all of its records, None where they
    differ.
    """
    paths = set()
    for parent in np.unique(tree.parent[list(heads)]).tolist():
        tags = []
        node = parent
        while node != container:
            tags.append(tree.name(node))
            node = int(tree.parent[node])
        path = tuple(reversed(tags))
        paths.add(path)
    if len(paths) != 1:
        return None
    return paths.pop()


def _narrower_rules(
    rule: LocatedRule, samples: Sequence[SamplePage], contents: _Contents
) -> Iterator[LocatedRule]:
    """Yield the rule with a condition that sets apart the records from what it takes in
    besides them.
    """
    records, others = _true_and_false_records(rule, samples)
    if not others or not records:
        return

    record_classes = _class_counts(records)
    for name in _class_counts(others):
        if name not in record_classes:
            record = replace(rule.record, without=(name,))
            yield replace(rule, record=record)

    if contents.nodes > MAX_COMPARED_NODES:
        return
    other_contents = contents.counts(others)
    for selector, count in contents.counts(records).most_common(MAX_CONTENTS):
        other_count = other_contents[selector]
        if count == len(records) and other_count < len(others):
            yield replace(rule, contains=selector)


def _true_and_false_records(
    rule: LocatedRule, samples: Sequence[SamplePage]
) -> tuple[list[LocatedSpan], list[LocatedSpan]]:
    """Return the records of a rule that the best sections of the pages have, and the
    others.
    """
    records: list[LocatedSpan] = []
    others: list[LocatedSpan] = []
    for sample in samples:
        cut = rule.cut(sample.tree)
        if not sample.sections:
            continue
        scores = [_agreement(cut, section) for section in sample.sections]
        best = scores.index(max(scores))
        section = sample.sections[best]
        if not overlap(cut, section.spans):
            continue
        section_spans = set(section.spans)
        for span in cut[:MAX_COMPARED_RECORDS]:
            found = records if span in section_spans else others
            found.append((sample.tree, span))
    return records, others


def _class_counts(spans: Iterable[LocatedSpan]) -> Counter[str]:
    """Return how many of the records have each class."""
    counts: Counter[str] = Counter()
    for tree, span in spans:
        value = tree.attributes(span.start).get("class", "")
        names = dict.fromkeys(value.split())
        counts.update(names.keys())
    return counts


class _Contents:
    """What is inside records, read once: many rules cut the same ones."""

    def __init__(self) -> None:
        self.nodes = 0
        """Nodes that were read so far."""
        self._inside: dict[tuple[int, Span], tuple[ElementSelector, ...]] = {}

    def counts(self, spans: Iterable[LocatedSpan]) -> Counter[ElementSelector]:
        """Return in how many of the records each kind of element occurs below the
        first: by tag, and by tag and class.

        They are counted in document order, so that of those that tell records apart
        equally well the same one is always taken.
        """
        counts: Counter[ElementSelector] = Counter()
        for tree, span in spans:
            key = (id(tree), span)
            if key not in self._inside:
                self._inside[key] = self._selectors(tree, span)
            counts.update(self._inside[key])
        return counts

    def _selectors(self, tree: Tree, span: Span) -> tuple[ElementSelector, ...]:
        selectors: dict[ElementSelector, None] = {}
        last = int(tree.end[span.start])
        self.nodes += last - span.start
        for node in range(span.start + 1, last):
            if tree.tag[node] == TEXT:
                continue
            tag = tree.name(node)
            selectors[ElementSelector(tag)] = None
            names = tree.attributes(node).get("class", "").split()
            for name in names[:2]:
                selectors[ElementSelector(tag, classes=(name,))] = None
        return tuple(selectors)
