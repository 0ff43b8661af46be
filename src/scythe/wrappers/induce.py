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
from itertools import product

from scythe.tree.tags import TEXT
from scythe.tree.tree import Tree
from scythe.wrappers.located import Located, Step
from scythe.wrappers.sections.find import Section
from scythe.wrappers.span import Span

EVERYWHERE = Step("html")
CONTAINERS_ABOVE = 4
"""How many elements above the records are tried as their container."""
TOLD_APART = 40
"""Elements inside records that are tried as what all records have."""
WITHOUT_RESULTS = 0.5
"""What a rule loses that finds three records or more on the page without results."""
SAID_AGAIN = 0.9
"""What a rule loses whose records are the same on all sample pages: menus and side
boxes are, results of other queries or pages are not.
"""
NEARLY_ALL = 0.7
"""The share of the sample pages on which a record must be for this."""
SAME_WORTH = 0.02
"""Rules whose worth differs by less are told apart by how well they will last."""
_STABLE = re.compile(r"[A-Za-z_][A-Za-z_-]*")
"""Names without digits: others are often counted up or made anew with every release of
a site.
"""


@dataclass(frozen=True, eq=False)
class Sample:
    """A page to learn from: its tree and the sections that were found on it."""

    tree: Tree
    sections: Sequence[Section]
    _said: dict[Span, str] = field(default_factory=dict, init=False)

    def said(self, span: Span) -> str:
        """What a record says, white space and all; many rules ask for the same one."""
        if span not in self._said:
            self._said[span] = "".join(self.tree.text[span.start : span.stop].tolist())
        return self._said[span]

    def worth(self, spans: Sequence[Span]) -> float:
        """How well records agree with what was found on the page: with the best
        section, weighed by its confidence.
        """
        return max(
            (
                section.confidence * overlap(spans, section.spans)
                for section in self.sections
            ),
            default=0.0,
        )


def overlap(one: Sequence[Span], other: Sequence[Span]) -> float:
    """The F1 of two lists of records: 1 where they are the same."""
    return 2 * len(set(one) & set(other)) / max(len(one) + len(other), 1)


def said_again(samples: Sequence[Sample], cuts: Sequence[Sequence[Span]]) -> float:
    """The share of the records whose text is that of a record on nearly all of the
    sample pages.

    Nearly all, since queries to an engine that has little find the same things again.
    """
    said = [
        [sample.said(span) for span in spans]
        for sample, spans in zip(samples, cuts, strict=True)
    ]
    pages = Counter(text for texts in said for text in set(texts))
    return sum(
        pages[text] > max(NEARLY_ALL * len(samples), 1)
        for texts in said
        for text in texts
    ) / max(sum(map(len, said)), 1)


def induce(samples: Sequence[Sample], no_result: Tree | None = None) -> Located | None:
    """The rule that agrees best with all sample pages, None where no page has records."""
    tried: dict[Located, float] = {}

    def worth(rule: Located) -> float:
        if rule not in tried:
            cuts = [rule.cut(sample.tree) for sample in samples]
            found = sum(
                sample.worth(spans) for sample, spans in zip(samples, cuts, strict=True)
            ) / len(samples)
            lost = (
                min(len(rule.cut(no_result)) / 3, 1.0) * WITHOUT_RESULTS
                if no_result is not None and found
                else 0.0
            )
            tried[rule] = (
                found * (1 - lost) * (1 - SAID_AGAIN * said_again(samples, cuts))
                if found
                else 0.0
            )
        return tried[rule]

    for sample in samples:
        for section in sample.sections:
            for rule in _rules(sample.tree, section.spans):
                worth(rule)
    for rule in sorted(tried, key=worth, reverse=True)[:5]:
        for narrower in _narrower(rule, samples):
            worth(narrower)
    best = max(tried.values(), default=0.0)
    if not best:
        return None
    return max(
        (rule for rule in tried if tried[rule] > best - SAME_WORTH),
        key=lambda rule: (_lasting(rule), tried[rule]),
    )


def _lasting(rule: Located) -> tuple[bool, ...]:
    """What makes a rule likely to fit the next release of the site: names that say
    something, few conditions.
    """
    return (
        rule.contains is None,
        bool(rule.record.classes)
        or rule.container.identity is not None
        or bool(rule.container.classes),
        not rule.record.without,
        rule.path is not None,
        len(rule.path or ()) < 3,
        rule.container.identity is not None,
    )


def _rules(tree: Tree, spans: Sequence[Span]) -> Iterator[Located]:
    """All ways to say where these records stand."""
    heads = [span.start for span in spans]
    together = any(int(tree.end[span.start]) != span.stop for span in spans)
    tags = Counter(tree.name(head) for head in heads)
    tag = next(iter(tags)) if len(tags) == 1 else "*"
    records = [Step(tag, classes=names) for names in _common_classes(tree, heads)]
    for record, (container, path) in product(records, _containers(tree, heads)):
        if path is not None or record.classes or not together:
            yield Located(container, path, record, runs=together)


def _common_classes(tree: Tree, heads: Sequence[int]) -> list[tuple[str, ...]]:
    """No class, and each class that all the elements have."""
    named = [
        (value or "").split() for value in tree.attribute_values("class", list(heads))
    ]
    common = (
        [
            name
            for name in dict.fromkeys(named[0])
            if all(name in names for names in named)
        ]
        if named
        else []
    )
    return [(), *([(name,) for name in common[:4]])]


def _containers(
    tree: Tree, heads: Sequence[int]
) -> Iterator[tuple[Step, tuple[str, ...] | None]]:
    """Elements above all the records, by each of their names, with the path from there
    if it is the same for all.
    """
    container = int(tree.parent[heads[0]])
    while container > 0 and not all(
        container < head < tree.end[container] for head in heads
    ):
        container = int(tree.parent[container])
    yield EVERYWHERE, _path(tree, 0, heads)
    yield EVERYWHERE, None
    for _ in range(CONTAINERS_ABOVE):
        if container <= 0:
            return
        for step in _names(tree, container):
            yield step, _path(tree, container, heads)
            yield step, None
        container = int(tree.parent[container])


def _names(tree: Tree, node: int) -> Iterator[Step]:
    tag, attributes = tree.name(node), tree.attributes(node)
    identity = attributes.get("id", "").strip()
    if identity and _STABLE.fullmatch(identity):
        yield Step(tag, identity=identity)
    for name in attributes.get("class", "").split()[:4]:
        yield Step(tag, classes=(name,))
    if tag in ("main", "table", "tbody", "ol", "ul", "dl"):
        yield Step(tag)


def _path(tree: Tree, container: int, heads: Sequence[int]) -> tuple[str, ...] | None:
    """The tags between a container and all of its records, None where they differ."""
    paths = set()
    for head in heads:
        tags = []
        node = int(tree.parent[head])
        while node != container:
            tags.append(tree.name(node))
            node = int(tree.parent[node])
        paths.add(tuple(reversed(tags)))
    return paths.pop() if len(paths) == 1 else None


def _narrower(rule: Located, samples: Sequence[Sample]) -> Iterator[Located]:
    """The rule with a condition that sets apart the records from what it takes in
    besides them.
    """
    records: list[tuple[Tree, Span]] = []
    others: list[tuple[Tree, Span]] = []
    for sample in samples:
        cut = rule.cut(sample.tree)
        section = max(
            sample.sections,
            key=lambda section: section.confidence * overlap(cut, section.spans),
            default=None,
        )
        if section is None or not overlap(cut, section.spans):
            continue
        wanted = set(section.spans)
        records += [(sample.tree, span) for span in cut if span in wanted]
        others += [(sample.tree, span) for span in cut if span not in wanted]
    if not others or not records:
        return
    unwanted = _class_counts(others)
    wanted_names = _class_counts(records)
    for name in (name for name in unwanted if name not in wanted_names):
        yield replace(rule, record=replace(rule.record, without=(name,)))
    foreign = _contents(others)
    for step, count in _contents(records).most_common(TOLD_APART):
        if count == len(records) and foreign[step] < len(others):
            yield replace(rule, contains=step)


def _class_counts(places: Iterable[tuple[Tree, Span]]) -> Counter[str]:
    classes = (
        tree.attributes(span.start).get("class", "").split() for tree, span in places
    )
    return Counter(name for names in classes for name in dict.fromkeys(names))


def _contents(places: Iterable[tuple[Tree, Span]]) -> Counter[Step]:
    """In how many of the records each kind of element occurs below the first: by tag,
    and by tag and class.

    They are counted in document order, so that of those that tell records apart equally
    well the same one is always taken.
    """
    counts: Counter[Step] = Counter()
    for tree, span in places:
        found: dict[Step, None] = {}
        for node in range(span.start + 1, int(tree.end[span.start])):
            if tree.tag[node] != TEXT:
                tag = tree.name(node)
                found[Step(tag)] = None
                found.update(
                    (Step(tag, classes=(name,)), None)
                    for name in tree.attributes(node).get("class", "").split()[:2]
                )
        counts.update(found.keys())
    return counts
