"""Texts that are put together from parts: what all pages say around their own values.

"Info about crackling" and "Info about mako" share "Info about"; what differs is a value
of its own, and so are both parts of "1920x1080 (446 PPI)". The parts are found from the
texts alone and written as patterns (see `text_parts`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from scythe.collect.records.text_parts import MAX_PATTERN, TextPart

MIN_TEXTS = 5
"""Texts from which on it means something what they share. Not tuned."""
MIN_SHARE = 0.8
"""The share of texts that must be put together in one way, and that must have a word
for it to be shared. Not tuned.
"""
MIN_ITEMS = 0.6
"""The share of the items of lists that must be: lists often begin with a count. Not
tuned.
"""
MAX_TEXT = 300
"""Characters of a text; longer ones are prose. Not tuned."""
MAX_LINES = 4
"""Lines of a value that are told apart by their order. Not tuned."""
MAX_PARTS = 3
"""Parts of one text; more are prose. Not tuned."""

_TOKEN = re.compile(r"\d+(?:[.,]\d+)*(?!\w)|\w+|[^\w\s]")
_FRAMING = re.compile(r"[^\W\d_]{2}|[()\[\]{}<>|]")
"""What two parts of a text are told apart by: words and brackets, not commas alone."""


def shared_parts(pages: Sequence[Sequence[str]]) -> list[str]:
    """Return patterns for the parts of the lines that pages have in one slot; none
    where the lines are not put together from parts.
    """
    if len(pages) < MIN_TEXTS:
        return []
    counts = Counter(map(len, pages))
    ((lines, usual),) = counts.most_common(1)
    least = MIN_SHARE * len(pages)
    if usual < least or lines > MAX_LINES:
        items: list[str] = []
        for page in pages:
            items.extend(page)
        found = _parts(items, MIN_ITEMS)
        return list(found)
    if lines == 1:
        texts = _texts_at(pages, 0, lines)
        found = _parts(texts, MIN_SHARE)
        return list(found)
    return list(_parts_of_lines(pages, lines))


def _parts_of_lines(pages: Sequence[Sequence[str]], lines: int) -> Iterator[str]:
    """Yield patterns for the parts of lines that are told apart by their order; a line
    without parts is one itself.
    """
    for index in range(lines):
        number = index + 1
        texts = _texts_at(pages, index, lines)
        parts = list(_parts(texts, MIN_SHARE))
        different = set(texts)
        if not parts and len(different) > 1:
            parts.append("{+}")
        for part in parts:
            pattern = f"{number}: {part}"
            if len(pattern) <= MAX_PATTERN:
                yield pattern


def _texts_at(pages: Sequence[Sequence[str]], index: int, lines: int) -> list[str]:
    """Return one line of each page that has so many."""
    usual = [page for page in pages if len(page) == lines]
    return [page[index] for page in usual]


def _parts(texts: Sequence[str], share: float) -> Iterator[str]:
    """Yield patterns for the parts between the words that texts share."""
    lengths = map(len, texts)
    longest = max(lengths, default=0)
    if longest > MAX_TEXT:
        return
    least = share * len(texts)
    common = _common_words(texts, least)
    by_frame: dict[tuple[str, ...], list[str]] = {}
    for text in texts:
        pieces = _frame(text, common)
        frame = tuple(pieces)
        alike = by_frame.setdefault(frame, [])
        alike.append(text)

    chosen: list[str] = []
    best: tuple[str, ...] = ()
    for frame, alike in by_frame.items():
        if len(alike) > len(chosen):
            best = frame
            chosen = alike
    around = "".join(best)
    is_framed = _FRAMING.search(around)
    if is_framed and len(chosen) >= least:
        yield from _varying_parts(best, chosen)


def _common_words(texts: Sequence[str], least: float) -> set[str]:
    """Return the words and signs that so many texts have; numbers are values."""
    texts_with: Counter[str] = Counter()
    for text in texts:
        tokens = _TOKEN.findall(text)
        different = set(tokens)
        texts_with.update(different)
    common: set[str] = set()
    for word, count in texts_with.items():
        if count < least or word.isdigit():
            continue
        common.add(word)
    return common


def _frame(text: str, common: set[str]) -> Iterator[str]:
    """Yield what stands around the parts of a text: before the first, between each two,
    and behind the last; empty, where nothing does. The unit of a number is of its part.
    """
    start = 0
    has_number = False
    for token in _TOKEN.finditer(text):
        word = token[0]
        between = text[start : token.start()]
        is_apart = bool(between.strip())
        is_unit = has_number and word.isalpha() and not is_apart
        if word in common and not is_unit:
            continue
        if start == 0 or is_apart:
            yield between
        start = token.end()
        first = word[0]
        has_number = first.isdigit()
    yield text[start:]


def _varying_parts(frame: Sequence[str], texts: Sequence[str]) -> Iterator[str]:
    """Yield patterns for the parts that differ from text to text."""
    gaps = len(frame) - 1
    if gaps > MAX_PARTS:
        return
    last = gaps - 1
    for number in range(gaps):
        before = frame[number]
        after = frame[number + 1]
        if number > 0:
            before = f"*{before}"
        if number < last:
            after = f"{after}*"
        pattern = f"{before}{{}}{after}"
        if len(pattern) > MAX_PATTERN:
            continue
        values = _values(pattern, texts)
        if len(values) > 1:
            yield pattern


def _values(pattern: str, texts: Sequence[str]) -> set[str]:
    """Return the different texts that a pattern gives."""
    part = TextPart.parse(pattern)
    values: set[str] = set()
    for text in texts:
        found = part.of([text])
        values.update(found)
    return values
