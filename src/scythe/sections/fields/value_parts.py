"""How an element's content is cut into values: taken whole, or in the parts that its
children and its own text make.

The true rows of record pages are cut as a person reads them, not at every tag. `Rating:
<b>86%</b>`, `by <a>Ann</a>` and a snippet with its highlighted words are one value
each; a bar of `<span>`s and `<a>`s is several. Of the true values on 76 sets of record
pages, single text nodes hold 74%, text with its formatting 83%, whole elements with
text of their own 88%, and the rules here 91%; the best possible choice among all of
these holds 93%.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from itertools import pairwise

from scythe.sections.fields.record_tree import BR, RecordTree
from scythe.tree.tags import CODES, HEADING, TEXT

_ONE_VALUE = frozenset(CODES[name] for name in HEADING.names | {"a"})
"""Headings and links are one value, whatever is inside them."""

_SCREEN_READER_CLASSES = frozenset(
    "sr sr-only sr_only srOnly screen-reader-text screen-reader screenreader "
    "screenreader-only visually-hidden visuallyhidden visuallyHidden u-visually-hidden "
    "assistive-text a11y-text offscreen a-offscreen".split()
)
"""Class names of what is said and not shown, as the common style sheets have them."""

_LIST_NUMBER = re.compile(r"[(\[#]?(\d{1,5})[.):\]]?")
_LABEL = re.compile(r"[^\W\d][^:]{0,29}:(?!//)")


class ContentKind(Enum):
    """What a child is to the text it stands in."""

    WORDS = 1
    SYMBOLS = 2
    FORMATTING = 3
    INLINE = 4
    BLOCK = 5
    BREAK = 6
    NUMBER = 7
    """Text that only counts the records; no part of what stands behind it."""


_TEXT_KINDS = (ContentKind.WORDS, ContentKind.SYMBOLS)
_OWN_TEXT_KINDS = (ContentKind.WORDS, ContentKind.SYMBOLS, ContentKind.NUMBER)
_RUN_KINDS = (ContentKind.WORDS, ContentKind.SYMBOLS, ContentKind.FORMATTING)


@dataclass(frozen=True, slots=True)
class ContentItem:
    """A child with something to see, and what kind it is of."""

    kind: ContentKind
    node: int


@dataclass(frozen=True, slots=True)
class ValuePart:
    """An element with the text that stands right before it, or a run of text alone
    (`node` is -1).
    """

    node: int
    text_before: str
    start: int
    """The node that it begins with."""


def content_items(record: RecordTree, node: int) -> list[ContentItem]:
    """Return the children of a node that have text, and the line breaks between them."""
    items = []
    for child in record.children(node):
        kind = _content_kind(record, child)
        if kind is not None:
            items.append(ContentItem(kind, child))
    if any(item.kind in _TEXT_KINDS for item in items):
        return items
    # Where there is no text around it to format, an element stands for itself.
    inline_items = []
    for item in items:
        if item.kind is ContentKind.FORMATTING:
            item = ContentItem(ContentKind.INLINE, item.node)
        inline_items.append(item)
    return inline_items


def _content_kind(record: RecordTree, child: int) -> ContentKind | None:
    tag = record.tags[child]
    if tag == BR:
        return ContentKind.BREAK
    if not record.has_text(child):
        return None
    if tag == TEXT:
        text = record.texts[child]
        has_words = any(map(str.isalnum, text))
        return ContentKind.WORDS if has_words else ContentKind.SYMBOLS
    if record.is_block(child):
        return ContentKind.BLOCK
    if record.is_formatting(child):
        return ContentKind.FORMATTING
    return ContentKind.INLINE


def is_one_value(
    record: RecordTree,
    node: int,
    items: list[ContentItem],
    is_constant: Callable[[int], bool],
) -> bool | None:
    """Return whether an element is one value; None if its content does not say, because
    it has no text of its own.

    `is_constant` tells of a child whether its text is the same in all records, as a
    label is.
    """
    unnumbered = [item for item in items if item.kind is not ContentKind.NUMBER]
    items = unnumbered or items
    kinds = [item.kind for item in items]
    is_link_or_heading = record.tags[node] in _ONE_VALUE
    if ContentKind.BLOCK in kinds:
        return False
    if not any(kind in _OWN_TEXT_KINDS for kind in kinds):
        is_undecided = is_link_or_heading or len(items) < 2
        return None if is_undecided else False
    if ContentKind.BREAK in kinds and _has_element_line(items):
        return False
    if _begins_with_hidden_label(record, items) or _has_copy(record, items):
        return False
    if is_link_or_heading:
        return True
    flow = [item for item in items if item.kind is not ContentKind.BREAK]
    first = flow[0]
    if first.kind is ContentKind.INLINE and not is_constant(first.node):
        return False
    kinds_in_flow = [item.kind for item in flow]
    inline_twice = (ContentKind.INLINE, ContentKind.INLINE)
    return inline_twice not in pairwise(kinds_in_flow)


def _has_element_line(items: list[ContentItem]) -> bool:
    """Return whether a line, up to a break, has inline elements and nothing else."""
    lines: list[set[ContentKind]] = [set()]
    for item in items:
        if item.kind is ContentKind.BREAK:
            lines.append(set())
        else:
            lines[-1].add(item.kind)
    return {ContentKind.INLINE} in lines


def _begins_with_hidden_label(record: RecordTree, items: list[ContentItem]) -> bool:
    """Return whether the first item is a label that only screen readers say: no part
    of the value that a reader sees.
    """
    first = items[0]
    if first.kind is not ContentKind.INLINE:
        return False
    names = (record.classes(first.node) or "").split()
    return not _SCREEN_READER_CLASSES.isdisjoint(names)


def _has_copy(record: RecordTree, items: list[ContentItem]) -> bool:
    """Return whether an inline element says again what the text before it says, as
    scripts keep amounts: `$18.99<span class="data">18.99</span>`.
    """
    for one, following in pairwise(items):
        follows_words = one.kind is ContentKind.WORDS
        is_pair = follows_words and following.kind is ContentKind.INLINE
        if is_pair and record.text(following.node) in record.texts[one.node]:
            return True
    return False


def value_parts(record: RecordTree, items: list[ContentItem]) -> list[ValuePart]:
    """Return the parts of an element that is not one value: text goes with the inline
    element that follows it.
    """
    parts: list[ValuePart] = []
    run: list[int] = []

    def run_text() -> str:
        texts = []
        for node in run:
            is_text = record.tags[node] == TEXT
            texts.append(record.texts[node] if is_text else record.text(node))
        return "".join(texts)

    def end_run() -> None:
        text = " ".join(run_text().split())
        if text:
            parts.append(ValuePart(-1, text, run[0]))
        run.clear()

    for item in items:
        if item.kind in _RUN_KINDS:
            run.append(item.node)
        elif item.kind is ContentKind.NUMBER:
            run.append(item.node)
            end_run()
        elif item.kind is ContentKind.INLINE:
            text_before = run_text()
            if record.text(item.node) in text_before:
                end_run()
                text_before = ""
            parts.append(ValuePart(item.node, text_before, item.node))
            run.clear()
        else:
            end_run()
            if item.kind is ContentKind.BLOCK:
                parts.append(ValuePart(item.node, "", item.node))
    end_run()
    return parts


def is_informative(text: str) -> bool:
    """Return whether text is more than the signs between two values: words, numbers, or
    what is read with the number behind it.
    """
    return any(
        char.isalnum() or char in "#@" or unicodedata.category(char) == "Sc"
        for char in text
    )


def list_number(text: str) -> int | None:
    """Return the number that a text is, as lists count with: `7`, `7.`, `(7)`, `#7`."""
    number = _LIST_NUMBER.fullmatch(text.strip())
    if number is None:
        return None
    return int(number.group(1))


def leading_label(text: str) -> str | None:
    """Return the label that a text begins with: a few words and a colon."""
    label = _LABEL.match(text)
    if label is None:
        return None
    return label.group()
