"""A template: what the pages of one kind have in common, grown page by page, and the
slots in which they differ.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple, Self

from scythe.errors import UsageError
from scythe.serialization import Serializable
from scythe.templates.matching.node import Entry, Group, Node
from scythe.templates.matching.page_view import PageView
from scythe.templates.slot import MOST_EXAMPLES, Example, Slot, Suggestion
from scythe.templates.template.extracted import Extracted
from scythe.templates.template.growth import Growth
from scythe.templates.template.notices import Notice, NoticeKind, Update
from scythe.templates.template.reading import Reader
from scythe.templates.template.regions import attributes
from scythe.templates.template.saving import given_as_json, given_of, lines, tree_of
from scythe.templates.template.slots import (
    Annotation,
    Interest,
    entries_below,
    mark,
    shown,
    slot_of,
)
from scythe.tree import Tree, parse

UNFIT, ENOUGH = 0.3, 3
"""The share of a page's texts with a place below which an operator is told, and the
pages from which on that means something.
"""

VERSION = 1
MOST_PAGES_KNOWN = 1_000
"""Pages that a template recognises when they come again."""


class Page(NamedTuple):
    """A page and where it is from."""

    html: bytes | str | Tree
    url: str | None = None


AnyPage = bytes | str | Tree | Page | tuple[bytes | str | Tree, str | None]


def view_of(page: AnyPage) -> tuple[PageView, str | None]:
    """A page as templates see it, and its address."""
    html, url = page if isinstance(page, tuple) else (page, None)
    return PageView(html if isinstance(html, Tree) else parse(html)), url


class Template(Serializable):
    """Grown from pages of one kind; it reads the attributes of others, and goes on
    growing.
    """

    LABEL: ClassVar[str] = "template"

    def __init__(self) -> None:
        self.root = Node("html")
        self.pages = 0
        """How many different pages it was grown from."""
        self.initial = 0
        """How many of these an operator saw at first."""
        self.annotations: dict[str, Annotation] = {}
        self.known: dict[str, None] = {}
        self._last_slot = 0
        self._epoch = 0
        self._slots: list[Slot] | None = None
        self._readers: dict[Interest, Reader] = {}

    @classmethod
    def induce(cls, pages: Iterable[AnyPage]) -> Self:
        """A template from some pages of one kind; the largest is the seed."""
        views = [view_of(page) for page in pages]
        if not views:
            raise UsageError("A template needs a page to grow from. Give one or more.")
        template = cls()
        for view, url in sorted(views, key=lambda item: -len(item[0])):
            template.grow(view, url)
        template.initial = template.pages
        return template

    def update(self, page: AnyPage) -> Update:
        """Grow by one page. A page that it was grown from before changes nothing."""
        view, url = view_of(page)
        return self.grow(view, url)

    def grow(self, view: PageView, url: str | None = None) -> Update:
        """As `update`, for a page that is prepared already."""
        fingerprint = view.fingerprint
        if fingerprint in self.known:
            return Update(url or "", 1.0)
        self._forget_slots()
        self.known[fingerprint] = None
        if len(self.known) > MOST_PAGES_KNOWN:
            del self.known[next(iter(self.known))]
        self.pages += 1
        name = url or str(self.pages)
        growth = Growth(
            view, (self.pages, name), self._epoch, self._new_slot, self._is_named
        )
        growth.grow(self.root)
        self._epoch = growth.epoch
        total = len(view.text_nodes)
        fit = 1 - growth.new_texts / total if total else 1.0
        notices = self._notices(growth)
        if fit < UNFIT and self.pages > ENOUGH:
            most = [
                Example(view.texts[at], name) for at in view.text_nodes[:MOST_EXAMPLES]
            ]
            notices.insert(
                0,
                Notice(
                    NoticeKind.UNFIT,
                    None,
                    f"only {fit:.0%} of the page has a place in the template",
                    most,
                ),
            )
        return Update(name, fit, notices, growth.new_slots, growth.changed)

    def extract(self, page: AnyPage, *, template_text: bool = False) -> Extracted:
        """The values that a page has in the slots of this template; with
        `template_text` also what all pages share.
        """
        return self.read(
            view_of(page)[0], Interest.ALL if template_text else Interest.DATA
        )

    def record(self, page: AnyPage) -> dict[str, list[str]]:
        """The values of what an operator named, by name. Of the page no more is looked
        at than that takes.
        """
        return self.read(view_of(page)[0], Interest.NAMED).record

    def read(self, view: PageView, interest: Interest = Interest.DATA) -> Extracted:
        """As `extract`, for a page that is prepared already."""
        names = {
            slot: said.name for slot, said in self.annotations.items() if said.name
        }
        return self._reader(interest).read(
            view, names, lambda: self._reader(Interest.ALL).rest(view)
        )

    def _reader(self, interest: Interest) -> Reader:
        if interest not in self._readers:
            self._mark()
            self._readers[interest] = Reader(self.root, interest)
        return self._readers[interest]

    @property
    def slots(self) -> list[Slot]:
        """Where pages differ, in document order, and what an operator named."""
        return [slot for slot in self.all_slots if not slot.constant or slot.name]

    @property
    def all_slots(self) -> list[Slot]:
        """All places with values, also those with the same on all pages."""
        if self._slots is None:
            self._mark()
            self._slots = [
                slot_of(place, self.annotations) for place in shown(self.root)
            ]
        return self._slots

    def _mark(self) -> None:
        if self._slots is None and not self._readers:
            mark(self.root, self.annotations)

    def _forget_slots(self) -> None:
        self._slots, self._readers = None, {}

    def slot(self, identity: str) -> Slot:
        """One slot by its id."""
        for slot in self.all_slots:
            if slot.id == identity:
                return slot
        raise UsageError(
            f"The template has no slot {identity}. `scythe template show` lists them."
        )

    def name(self, slot: str, name: str, type: str | None = None) -> None:  # noqa: A002 - the word operators use
        """Give a slot a name and a type, which stay whatever pages come."""
        self.slot(slot)
        said = self.annotations.setdefault(slot, Annotation())
        said.name, said.type = name, type
        self._forget_slots()

    def add_suggestions(self, suggestions: Sequence[Suggestion]) -> None:
        """Keep proposals with their slots; names that an operator gave stand above
        them.
        """
        for suggestion in suggestions:
            self.annotations.setdefault(
                suggestion.slot, Annotation()
            ).suggestion = suggestion
        self._forget_slots()

    def settle(self) -> None:
        """Count everywhere what was only counted above."""
        waiting: list[Node] = [self.root]
        while waiting:
            node = waiting.pop()
            node.flush()
            for entry in node.children:
                waiting.extend(entry.nodes() if isinstance(entry, Group) else (entry,))

    def as_json(self) -> dict[str, Any]:
        """The template as plain values, for a file that a person can read and compare."""
        self.settle()
        return {
            "scythe": "template",
            "version": VERSION,
            "pages": self.pages,
            "initial": self.initial,
            "last_slot": self._last_slot,
            "slots": given_as_json(self.annotations),
            "known": list(self.known),
            "tree": list(lines(self.root)),
        }

    @classmethod
    def from_json(cls, values: Any) -> Self:
        """The template that `as_json` wrote."""
        if not isinstance(values, Mapping) or values.get("scythe") != "template":
            raise UsageError(
                "This is not a template. Make one with `scythe template induce`."
            )
        if values.get("version") != VERSION:
            raise UsageError(
                f"This template has version {values.get('version')}, not {VERSION}: grow it again with this scythe."
            )
        template = cls()
        try:
            template.root = tree_of(values["tree"])
            template.annotations = given_of(values["slots"])
            template.pages, template.initial = (
                int(values["pages"]),
                int(values["initial"]),
            )
            template._last_slot = int(values["last_slot"])
            template.known = dict.fromkeys(map(str, values["known"]))
        except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
            raise UsageError(
                f"This template is damaged ({error!r}). Grow it again."
            ) from error
        return template

    def as_text(self) -> str:
        """The template as JSON, one line a node, so that versions can be compared."""
        values = self.as_json()
        tree = ",\n  ".join(
            json.dumps(line, ensure_ascii=False) for line in values.pop("tree")
        )
        head = json.dumps(values, ensure_ascii=False, indent=1).removesuffix("\n}")
        return f'{head},\n "tree": [\n  {tree}\n ]\n}}\n'

    def _new_slot(self) -> str:
        self._last_slot += 1
        return f"s{self._last_slot}"

    def _is_named(self, node: Node) -> bool:
        if not self.annotations:
            return False
        nodes = [
            node,
            *(entry for entry in entries_below(node) if isinstance(entry, Node)),
        ]
        return any(
            (said := self.annotations.get(v.slot)) and said.name
            for each in nodes
            for _, v in each.values()
        )

    def _notices(self, growth: Growth) -> list[Notice]:
        later = [
            (node, values)
            for node, values in growth.identified
            if node.born > max(self.initial, 1)
        ]
        notices = [
            Notice(
                NoticeKind.NEW,
                values.slot,
                f"{self._called(node)} has values now",
                values.examples,
            )
            for node, values in (attributes(self.root, later) if later else ())
        ]
        kinds = (
            (NoticeKind.REPEATABLE, growth.repeatable, "can have several values"),
            (NoticeKind.VANISHED, growth.vanished, "is missing on the last pages"),
            (NoticeKind.RETURNED, growth.returned, "is back"),
            (NoticeKind.MOVED, growth.moved, "stands in another order"),
        )
        for kind, entries, what in kinds:
            notices.extend(self._notice(kind, entry, what) for entry in entries)
        return notices

    def _notice(self, kind: NoticeKind, entry: Entry, what: str) -> Notice:
        nodes = (
            [entry, *entries_below(entry)]
            if isinstance(entry, Node)
            else [*entry.shown, *entry.nodes()]
        )
        values = [
            v for node in nodes if isinstance(node, Node) for _, v in node.values()
        ]
        named = [
            v for v in values if (said := self.annotations.get(v.slot)) and said.name
        ]
        first = next(
            iter(named or [v for v in values if v.distinct > 1] or values), None
        )
        examples: list[Example] = list(first.examples) if first else []
        return Notice(
            kind,
            first.slot if first else None,
            f"{self._called(entry)} {what}",
            examples,
        )

    def _called(self, entry: Entry) -> str:
        return entry.head or entry.label
