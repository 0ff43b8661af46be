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
    if usual < MIN_SHARE * len(pages) or lines > MAX_LINES:
        items = [line for page in pages for line in page]
        return list(_parts(items, MIN_ITEMS, ""))
    found: list[str] = []
    for number in range(lines):
        texts = [page[number] for page in pages if len(page) == lines]
        line = f"{number + 1}: " if lines > 1 else ""
        parts = list(_parts(texts, MIN_SHARE, line))
        if not parts and lines > 1 and len(set(texts)) > 1:
            parts = [f"{line}{{+}}"]
        found.extend(parts)
    return found


def _parts(texts: Sequence[str], share: float, line: str) -> Iterator[str]:
    """Yield patterns for the parts between the words that texts share."""
    if max(map(len, texts), default=0) > MAX_TEXT:
        return
    has_word: Counter[str] = Counter()
    for text in texts:
        has_word.update(set(_TOKEN.findall(text)))
    common = {word for word, count in has_word.items() if count >= share * len(texts)}
    common = {word for word in common if not word.isdigit()}
    frames: Counter[tuple[str, ...]] = Counter()
    for text in texts:
        frames[tuple(_frame(text, common))] += 1
    ((frame, count),) = frames.most_common(1)
    is_framed = _FRAMING.search("".join(frame))
    if count < share * len(texts) or len(frame) < 2 or not is_framed:
        return
    chosen = [text for text in texts if tuple(_frame(text, common)) == frame]
    gaps = len(frame) - 1
    if frame[0] or frame[-1] or gaps > 1:
        yield from _varying_parts(frame, chosen, line)


def _frame(text: str, common: set[str]) -> Iterator[str]:
    """Yield what stands around the parts of a text: before the first, between each two,
    and behind the last; empty, where nothing does. The unit of a number is of its part.
    """
    start = 0
    has_number = False
    for token in _TOKEN.finditer(text):
        between = text[start : token.start()]
        is_unit = has_number and not between.strip() and token[0].isalpha()
        if token[0] in common and not is_unit:
            continue
        if start == 0 or between.strip():
            yield between
        start = token.end()
        has_number = token[0][0].isdigit()
    yield text[start:]


def _varying_parts(
    frame: Sequence[str], texts: Sequence[str], line: str
) -> Iterator[str]:
    """Yield patterns for the parts that differ from text to text."""
    gaps = len(frame) - 1
    if gaps > MAX_PARTS:
        return
    for number in range(gaps):
        before = frame[0] if number == 0 else f"*{frame[number]}"
        after = frame[number + 1] if number == gaps - 1 else f"{frame[number + 1]}*"
        pattern = f"{before}{{}}{after}"
        is_short = len(line) + len(pattern) <= MAX_PATTERN
        if is_short and len(_values(pattern, texts)) > 1:
            yield f"{line}{pattern}"


def _values(pattern: str, texts: Sequence[str]) -> set[str]:
    """Return the different texts that a pattern gives."""
    part = TextPart.parse(pattern)
    values: set[str] = set()
    for text in texts:
        values.update(part.of([text]))
    return values
