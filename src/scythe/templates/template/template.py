"""A template: what the pages of one kind have in common, grown page by page, and the
slots in which they differ.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence, Set
from typing import Any, ClassVar, NamedTuple, Self

from scythe.errors import UsageError
from scythe.serialization import Serializable
from scythe.templates.examples import example_slots
from scythe.templates.matching.cache import MatchingCache
from scythe.templates.matching.node import Node
from scythe.templates.matching.page_view import PageView
from scythe.templates.slot import MAX_EXAMPLES, Example, FieldName, Slot, Suggestion
from scythe.templates.template.extracted import Extracted
from scythe.templates.template.growth import Growth
from scythe.templates.template.growth_notices import growth_notices, is_named
from scythe.templates.template.notices import Notice, NoticeKind, Update
from scythe.templates.template.page_recorder import PageInfo
from scythe.templates.template.reader import Reader
from scythe.templates.template.saved_form import (
    annotation_records,
    annotations_from_records,
    count_from,
    texts_from,
    tree_from_records,
    tree_records,
)
from scythe.templates.template.slots import (
    Annotation,
    Interest,
    ReadingMarks,
    reading_marks,
    slot_at,
    slot_positions,
    unsettled_slots,
)
from scythe.tree import Tree, parse

MIN_FIT = 0.3
MIN_FIT_PAGES = 3
"""The share of a page's texts with a slot below which an operator is notified, and the
pages beyond which that means something. Not tuned.
"""

VERSION = 1
MAX_KNOWN_PAGES = 1_000
"""Pages that a template recognises when they come again. A bound on its size."""


class TemplatePage(NamedTuple):
    """A page and its address."""

    html: bytes | str | Tree
    url: str | None = None


PageInput = bytes | str | Tree | TemplatePage | tuple[bytes | str | Tree, str | None]


def view_page(page: PageInput) -> tuple[PageView, str | None]:
    """Return a page as templates see it, and its address."""
    html, url = page if isinstance(page, tuple) else (page, None)
    tree = html if isinstance(html, Tree) else parse(html)
    return PageView(tree), url


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
        """What operators said about slots, and suggestions, by slot id."""
        self.known_pages: dict[str, None] = {}
        """Fingerprints of the last pages, oldest first."""
        self._last_slot = 0
        self._epoch = 0
        self._cache = MatchingCache()
        self._unsettled: Set[str] | None = None
        self._slots: list[Slot] | None = None
        self._marks: ReadingMarks | None = None
        self._readers: dict[Interest, Reader] = {}

    @classmethod
    def induce(
        cls, pages: Iterable[PageInput], examples: Mapping[str, str] | None = None
    ) -> Self:
        """Return a template from some pages of one kind; the largest is the seed.

        `examples` are values that you see on one of the pages, by the names that their
        slots are to have.
        """
        views = [view_page(page) for page in pages]
        if not views:
            raise UsageError("A template needs a page to grow from. Give one or more.")
        template = cls()
        largest_first = sorted(views, key=lambda item: -len(item[0]))
        for view, url in largest_first:
            template.grow(view, url)
        template.initial = template.pages
        if examples is not None:
            values = [template.read(view) for view, _ in views]
            for name, slot in example_slots(values, examples).items():
                template.name(slot, name)
        return template

    def update(self, page: PageInput) -> Update:
        """Grow by one page. A page that it was grown from before changes nothing."""
        view, url = view_page(page)
        return self.grow(view, url)

    def grow(self, view: PageView, url: str | None = None) -> Update:
        """Grow by one page that is prepared already."""
        fingerprint = view.fingerprint
        if fingerprint in self.known_pages:
            return Update(url or "", 1.0)

        self._forget_slots()
        self.known_pages[fingerprint] = None
        if len(self.known_pages) > MAX_KNOWN_PAGES:
            del self.known_pages[next(iter(self.known_pages))]
        self.pages += 1
        name = url or str(self.pages)
        page = PageInfo(self.pages, name)
        growth = Growth(view, page, self._cache, self._new_slot, self._is_named)
        growth.grow(self.root, self._epoch)
        self._epoch = growth.epoch

        total = len(view.text_nodes)
        fit = 1 - growth.new_texts / total if total else 1.0
        notices = growth_notices(self.root, growth, self.annotations, self.initial)
        if fit < MIN_FIT and self.pages > MIN_FIT_PAGES:
            notices.insert(0, _unfit_notice(view, page, fit))
        recorder = growth.recorder
        return Update(
            page.name,
            fit,
            notices,
            recorder.new_slots,
            growth.changed,
            recorder.turned_data,
        )

    def extract(self, page: PageInput, *, template_text: bool = False) -> Extracted:
        """Return the values that a page has in the slots of this template; with
        `template_text` also what all pages share.
        """
        view, _ = view_page(page)
        return self.read(view, Interest.ALL if template_text else Interest.DATA)

    def record(self, page: PageInput) -> dict[str, list[str]]:
        """Return the values of what an operator named, by name. Of the page no more is
        looked at than that takes.
        """
        view, _ = view_page(page)
        return self.read(view, Interest.NAMED).record

    def read(self, view: PageView, interest: Interest = Interest.DATA) -> Extracted:
        """Return the values of a page that is prepared already."""
        names = {
            slot: annotation.name
            for slot, annotation in self.annotations.items()
            if annotation.name
        }

        def find_unmatched() -> tuple[dict[int, str], int]:
            return self._reader(Interest.DATA).unmatched(view)

        return self._reader(interest).read(view, names, find_unmatched)

    def _reader(self, interest: Interest) -> Reader:
        if interest not in self._readers:
            marks = self._reading_marks()
            self._readers[interest] = Reader(self.root, interest, marks, self._cache)
        return self._readers[interest]

    def _reading_marks(self) -> ReadingMarks:
        if self._marks is None:
            self._marks = reading_marks(self.root, self.annotations, self._cache)
        return self._marks

    @property
    def slots(self) -> list[Slot]:
        """Where pages differ, in document order, and what an operator named."""
        return [slot for slot in self.all_slots if not slot.constant or slot.name]

    @property
    def all_slots(self) -> list[Slot]:
        """All slots, also those with the same value on all pages."""
        if self._slots is None:
            self._reading_marks()  # counts at every node
            self._slots = [
                slot_at(position, self.annotations)
                for position in slot_positions(self.root)
            ]
        return self._slots

    @property
    def unsettled_slots(self) -> Set[str]:
        """Slots that are new and that nobody was notified of yet, or that had one value
        so far: a template learns from a page that has a value in one.
        """
        if self._unsettled is None:
            self._unsettled = unsettled_slots(self.root, self.initial)
        return self._unsettled

    def _forget_slots(self) -> None:
        self._unsettled = None
        self._slots = None
        self._marks = None
        self._readers = {}

    def slot(self, slot_id: str) -> Slot:
        """Return one slot by its id."""
        for slot in self.all_slots:
            if slot.id == slot_id:
                return slot
        raise UsageError(
            f"The template has no slot {slot_id}. `scythe template show` lists them."
        )

    def name(self, slot: str, name: FieldName, type: str | None = None) -> None:  # noqa: A002 - the word operators use
        """Give a slot a name and a type, which stay whatever pages come."""
        self.slot(slot)
        annotation = self.annotations.setdefault(slot, Annotation())
        annotation.name = name
        annotation.type = type
        self._forget_slots()

    def add_suggestions(self, suggestions: Sequence[Suggestion]) -> None:
        """Store suggestions with their slots; names that an operator gave stand above
        them.
        """
        for suggestion in suggestions:
            annotation = self.annotations.setdefault(suggestion.slot, Annotation())
            annotation.suggestion = suggestion
        self._forget_slots()

    def as_json(self) -> dict[str, Any]:
        """Return the template as plain values, for a file that a person can read and
        compare.
        """
        self._cache.flush_below(self.root)
        return {
            "scythe": "template",
            "version": VERSION,
            "pages": self.pages,
            "initial": self.initial,
            "last_slot": self._last_slot,
            "slots": annotation_records(self.annotations),
            "known": list(self.known_pages),
            "tree": list(tree_records(self.root)),
        }

    @classmethod
    def from_json(cls, values: Any) -> Self:
        """Return the template that `as_json` wrote."""
        if not isinstance(values, Mapping) or values.get("scythe") != "template":
            raise UsageError(
                "This is not a template. Make one with `scythe template induce`."
            )
        if values.get("version") != VERSION:
            raise UsageError(
                f"This template has version {values.get('version')}, not {VERSION}: "
                "grow it again with this scythe."
            )
        template = cls()
        try:
            template.root = tree_from_records(values["tree"])
            template.annotations = annotations_from_records(values["slots"])
            template.pages = count_from(values["pages"])
            template.initial = count_from(values["initial"])
            template._last_slot = count_from(values["last_slot"])
            template.known_pages = dict.fromkeys(texts_from(values["known"]))
        except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
            raise UsageError(
                f"This template is damaged ({error!r}). Grow it again."
            ) from error
        return template

    def as_text(self) -> str:
        """Return the template as JSON, one line a node, so that versions can be
        compared.
        """
        values = self.as_json()
        records = values.pop("tree")
        lines = [json.dumps(record, ensure_ascii=False) for record in records]
        tree = ",\n  ".join(lines)
        head = json.dumps(values, ensure_ascii=False, indent=1).removesuffix("\n}")
        return f'{head},\n "tree": [\n  {tree}\n ]\n}}\n'

    def _new_slot(self) -> str:
        self._last_slot += 1
        return f"s{self._last_slot}"

    def _is_named(self, node: Node) -> bool:
        return is_named(node, self.annotations)


def _unfit_notice(view: PageView, page: PageInfo, fit: float) -> Notice:
    examples = [
        Example(view.texts[text_node], page.name)
        for text_node in view.text_nodes[:MAX_EXAMPLES]
    ]
    message = f"only {fit:.0%} of the page has a place in the template"
    return Notice(NoticeKind.UNFIT, None, message, examples)
