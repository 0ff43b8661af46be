"""One walk down a record by known places.

Most elements are placed by their tag alone, so that their class is not even read; a
walk of twenty records takes less time than parsing their page did. Everything that
costs more is done only where places of one tag have to be told apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from scythe.align.forest import class_key
from scythe.tree.images import image_source
from scythe.tree.tags import CODES, KNOWN, TEXT
from scythe.wrappers.fields.pieces import label_of, says_something
from scythe.wrappers.fields.place import TEXT_RUN, Place
from scythe.wrappers.fields.region import BR, FORMATTING, Region

Value = str | list[str]
Found = dict[str, Value]

_MOST_CLASSES = 1000


class Step(NamedTuple):
    """An element that stands at a place, with the text that belongs to it but stands
    before it.
    """

    plan: Plan
    node: int
    before: str


class Plan:
    """A place made ready for reading: its children by tag."""

    def __init__(self, place: Place, *, listed: bool, children: Sequence[Plan]) -> None:
        self.place, self.listed, self.children = place, listed, children
        self.takes = bool(
            place.tag != TEXT_RUN and (place.text or place.link or place.image)
        )
        by_tag: dict[int | str, list[Plan]] = {}
        for plan in children:
            by_tag.setdefault(CODES.get(plan.place.tag, plan.place.tag), []).append(
                plan
            )
        runs = by_tag.pop(TEXT, None)
        self.runs = None if runs is None else Likes(runs)
        self.alone = {
            tag: plans[0]
            for tag, plans in by_tag.items()
            if len(plans) == 1 and plans[0].is_sure
        }
        """Where a tag has but one place."""
        self.choices = {
            tag: Choice(plans) for tag, plans in by_tag.items() if tag not in self.alone
        }
        self.has_text = runs is not None or any(plan.place.glued for plan in children)

    @property
    def is_sure(self) -> bool:
        """Whether the tag alone says that an element belongs here."""
        return self.place.plain and not (self.place.optional and self.place.classes)

    def take(self, region: Region, node: int, before: str, found: Found) -> None:
        """Take the values of the place itself."""
        place = self.place
        if place.text:
            own = region.text(node)
            self.put(
                place.text,
                " ".join(f"{before}{own}".split()) if before and own else own,
                found,
            )
        if place.link:
            self.put(
                place.link,
                region.tree.attribute_values("href", [region.start + node])[0],
                found,
            )
        if place.image:
            self.put(
                place.image,
                image_source(region.tree.attributes(region.start + node)),
                found,
            )

    def put(self, name: str, value: str | None, found: Found) -> None:
        """Add a value to a list, or set it if it is the first."""
        if value:
            if self.listed:
                values = found.setdefault(name, [])
                if isinstance(values, list):
                    values.append(value)
            else:
                found.setdefault(name, value)

    def walk(self, region: Region, node: int, found: Found) -> list[Step]:
        """The children of a node that stand at places, each with the text before it;
        runs of text are taken.
        """
        tags, ends, alone = region.tags, region.ends, self.alone
        text = _Text() if self.has_text else None
        below: list[Step] = []
        placed: dict[Plan, int] = {}
        counts: dict[Likes, int] = {}
        child, stop = node + 1, len(tags) if node < 0 else ends[node]
        while child < stop:
            tag = tags[child]
            if tag == TEXT:
                if text is not None:
                    text.before.append(region.texts[child])
                child += 1
                continue
            plan = alone.get(tag)
            if plan is None and (tag in self.choices or tag >= len(KNOWN)):
                plan = self._choose(region, child, counts, text)
            before = text.claim(region, child, plan) if text is not None else ""
            if plan is not None:
                if plan not in placed or plan.place.repeats:
                    placed[plan] = len(below)
                    below.append(Step(plan, child, before))
                elif _fits_better(plan.place, region, child, below[placed[plan]].node):
                    below[placed[plan]] = Step(plan, child, before)
            child = ends[child]
        if self.runs is not None and text is not None:
            text.end_run()
            self._take_runs(self.runs, text.runs, found)
        return below

    def _choose(
        self, region: Region, child: int, counts: dict[Likes, int], text: _Text | None
    ) -> Plan | None:
        tag: int | str = region.tags[child]
        if region.tags[child] >= len(KNOWN):
            tag = region.tree.name(region.start + child)
            if tag not in self.choices:
                return self.alone.get(tag)
        likes = self.choices[tag].of_class(region, child)
        if likes is None or likes.only is not None:
            return None if likes is None else likes.only
        counts[likes] = counts.get(likes, 0) + 1
        content = region.first_inside(child) if likes.by_content else ""
        before = "".join(text.before) if text is not None else ""
        words = (
            " ".join(f"{before}{region.text(child)}".split()) if likes.by_label else ""
        )
        return likes.find(content, words, counts[likes])

    def _take_runs(self, likes: Likes, runs: list[str], found: Found) -> None:
        for number, text in enumerate(runs, 1):
            plan = likes.only or likes.find("", text, number)
            if plan is not None and plan.place.text:
                plan.put(plan.place.text, text, found)


class _Text:
    """The text between the elements of a list of children."""

    def __init__(self) -> None:
        self.before: list[str] = []
        self.runs: list[str] = []

    def end_run(self) -> None:
        """What was gathered is a run of its own."""
        if self.before:
            text = " ".join("".join(self.before).split())
            self.before.clear()
            if says_something(text):
                self.runs.append(text)

    def claim(self, region: Region, child: int, plan: Plan | None) -> str:
        """What stands before an element, if that belongs to it; otherwise the element
        ends the run or is part of it.
        """
        if plan is None and region.tags[child] in FORMATTING:
            self.before.append(region.text(child))
        elif region.tags[child] == BR:
            self.end_run()
        elif self.before and region.text(child):
            if plan is not None and plan.place.glued:
                before = "".join(self.before)
                self.before.clear()
                return before
            self.end_run()
        return ""


class Likes:
    """Places of one tag and class under one parent, told apart by label, content or
    number.
    """

    def __init__(self, plans: Sequence[Plan]) -> None:
        self.only = plans[0] if len(plans) == 1 and plans[0].place.plain else None
        self.by_label = {
            plan.place.label: plan for plan in plans if plan.place.label is not None
        }
        self.by_content = {
            plan.place.content: plan for plan in plans if plan.place.content is not None
        }
        self.by_number = {
            plan.place.number: plan for plan in plans if plan.place.number is not None
        }
        self.rest = next((plan for plan in plans if plan.place.plain), None)

    def find(self, content: str, text: str, number: int) -> Plan | None:
        """The place of the n-th of the likes, which has this content and text."""
        found = self.by_content.get(content) or self.by_number.get(number)
        if found is None and self.by_label:
            found = self.by_label.get(label_of(text) or "")
        return found or self.rest


class Choice:
    """The places of one tag under one parent by class."""

    def __init__(self, plans: Sequence[Plan]) -> None:
        self.groups: dict[tuple[str, ...], list[Plan]] = {}
        for plan in plans:
            self.groups.setdefault(plan.place.classes or ("",), []).append(plan)
        self.likes = {classes: Likes(alike) for classes, alike in self.groups.items()}
        self.known: dict[str | None, Likes | None] = {}
        self.always = (
            next(iter(self.likes.values())) if list(self.likes) == [("",)] else None
        )

    def of_class(self, region: Region, node: int) -> Likes | None:
        """The places for the class of an element."""
        if self.always is not None:
            return self.always
        classes = region.classes(node)
        if classes not in self.known:
            if len(self.known) > _MOST_CLASSES:
                self.known.clear()
            self.known[classes] = self._most_like(class_key(classes))
        return self.known[classes]

    def _most_like(self, key: str) -> Likes | None:
        for classes, likes in self.likes.items():
            if key in classes:
                return likes
        names = set(key.split())
        best = max(self.likes, key=lambda classes: _overlap(names, classes))
        return self.likes[best] if _overlap(names, best) else None


def _overlap(names: set[str], classes: tuple[str, ...]) -> float:
    """How much of the class names is common, at best."""
    return max(
        len(names & set(other.split())) / max(len(names | set(other.split())), 1)
        for other in classes
    )


def _fits_better(place: Place, region: Region, child: int, earlier: int) -> bool:
    """Whether of two elements for one place the later has the class it should have, and
    the earlier has not.
    """
    wanted = place.classes or ("",)
    return (
        class_key(region.classes(earlier)) not in wanted
        and class_key(region.classes(child)) in wanted
    )


def plan_of(root: Place) -> Plan:
    """Plans for a place and all below it, made from the bottom."""
    order: list[tuple[Place, bool]] = []
    waiting = [(root, False)]
    while waiting:
        place, listed = waiting.pop()
        listed = listed or place.repeats
        order.append((place, listed))
        waiting.extend((child, listed) for child in place.children)
    plans: dict[int, Plan] = {}
    for place, listed in reversed(order):
        plans[id(place)] = Plan(
            place,
            listed=listed,
            children=[plans[id(child)] for child in place.children],
        )
    return plans[id(root)]
