"""Texts that are put together from parts: what all pages say around their own values.

"Info about crackling" and "Info about mako" share "Info about"; what differs is a value
of its own, and so are both parts of "1920x1080 (446 PPI)". The parts are found from the
texts alone and written as patterns (see `text_parts`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from scythe.collect.records.text_parts import MAX_PATTERN, OTHER_THAN, TextPart

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
MAX_LABEL = 24
"""Characters of a label at the beginning of a line. Not tuned."""
MAX_SHARED = 60
"""Characters that all texts share around several parts: more is a sentence. Not tuned."""
MIN_TAIL = 0.5
"""The share of texts that have a word from which on there is more than their value.
Not tuned.
"""
MAX_DISTINCT = 0.6
"""How many different values there may be before such a word, as a share of the different
texts: values that recur are a field of their own. Not tuned.
"""
MAX_FRAMES = 5
"""Ways to put texts together that are compared: a bound on work, not tuned."""

_TOKEN = re.compile(r"\d+(?:[.,]\d+)*(?!\w)|\w+|[^\w\s]")
_FRAMING = re.compile(r"[^\W\d_]{2}|[()\[\]{}<>|]")
"""What two parts of a text are told apart by: words and brackets, not commas alone."""
_CONJUNCTION = re.compile(r"[a-z]{2,}")
_LABELLED = re.compile(rf"(\w[^:]{{0,{MAX_LABEL - 1}}}): \S.*", re.DOTALL)
_NUMBER = re.compile(r"\d[\d.,]*")

_Pages = Sequence[Sequence[str]]


def shared_parts(pages: _Pages) -> list[str]:
    """Return patterns for the parts of the lines that pages have in one slot; none
    where the lines are not put together from parts.
    """
    if len(pages) < MIN_TEXTS:
        return []
    items: list[str] = []
    for page in pages:
        items.extend(page)
    found = _without_shared_lines(pages) or _behind_labels(items)
    if found:
        return found
    counts = Counter(map(len, pages))
    ((lines, usual),) = counts.most_common(1)
    is_list = usual < MIN_SHARE * len(pages) or lines > MAX_LINES
    if is_list or _are_counted(pages):
        return list(_parts(items, MIN_ITEMS))
    if lines > 1:
        return list(_parts_of_lines(pages, lines))
    texts = _texts_at(pages, 0, lines)
    parts = list(_parts(texts, MIN_SHARE)) or _before_tail(texts)
    return [*parts, *_before_unit(texts)]


def _without_shared_lines(pages: _Pages) -> list[str]:
    """Return a pattern for all lines but one that nearly all pages have among their
    own: it is of the site ("Show all").
    """
    last_lines: Counter[str] = Counter()
    for page in pages:
        if len(page) > 1:
            last_line = page[-1]
            last_lines[last_line] += 1
    if not last_lines:
        return []
    ((line, count),) = last_lines.most_common(1)
    words = line.split()
    pattern = f"{OTHER_THAN}{line}"
    is_shared = count >= MIN_SHARE * len(pages)
    if not is_shared or len(words) < 2:
        return []
    if len(pattern) > MAX_PATTERN:
        return []
    return [pattern]


def _behind_labels(items: Sequence[str]) -> list[str]:
    """Return a pattern for what stands behind labels that recur in a list ("GSM: 900
    MHz", "LTE: 800 MHz").
    """
    labels: Counter[str] = Counter()
    for item in items:
        match = _LABELLED.fullmatch(item)
        if match:
            labels[match[1]] += 1
    recurring = 0
    labelled = 0
    for count in labels.values():
        if count >= MIN_TEXTS:
            recurring += 1
            labelled += count
    is_usual = labelled >= MIN_SHARE * len(items)
    if is_usual and recurring > 1:
        return ["*: {+}"]
    return []


def _are_counted(pages: _Pages) -> bool:
    """Return whether nearly all pages say first how many lines follow."""
    counted = 0
    for page in pages:
        following = len(page) - 1
        counted += page[0] == str(following)
    return counted >= MIN_SHARE * len(pages)


def _before_unit(texts: Sequence[str]) -> list[str]:
    """Return a pattern for the number before the unit that nearly all texts end with,
    behind words that differ ("Li-Ion 2400 mAh").
    """
    units: Counter[str] = Counter()
    for text in texts:
        before, _, unit = text.rpartition(" ")
        words, _, number = before.rpartition(" ")
        has_words = any(map(str.isalpha, words))
        if has_words and unit.isalpha() and _NUMBER.fullmatch(number):
            units[unit] += 1
    least = MIN_SHARE * len(texts)
    for unit, count in units.items():
        if count >= least:
            return [f"** {{}} {unit}"]
    return []


def _before_tail(texts: Sequence[str]) -> list[str]:
    """Return a pattern for what stands before a word that many texts go on with ("4.1
    with A2DP", "4.0"), where values before it recur.
    """
    lengths = map(len, texts)
    if max(lengths) > MAX_SHARED:
        return []
    least = MIN_TAIL * len(texts)
    inner: Counter[str] = Counter()
    for text in texts:
        words = text.split()
        inner_words = set(words[1:-1])
        inner.update(inner_words)
    most = MAX_DISTINCT * len(set(texts))
    for word, count in inner.most_common(MAX_FRAMES):
        if count < least or not _CONJUNCTION.fullmatch(word):
            continue
        pattern = f"{{}} {word} *"
        values = _values(pattern, texts)
        if 1 < len(values) <= most:
            return [pattern]
    return []


def _parts_of_lines(pages: _Pages, lines: int) -> Iterator[str]:
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
    frames: Counter[tuple[str, ...]] = Counter()
    for text in texts:
        frame = tuple(_frame(text, common))
        frames[frame] += 1

    for frame, _ in frames.most_common(MAX_FRAMES):
        gaps = len(frame) - 1
        around = "".join(frame)
        is_short = gaps == 1 or len(around) <= MAX_SHARED
        if not 0 < gaps <= MAX_PARTS or not is_short:
            continue
        if not _FRAMING.search(around):
            continue
        alike = _framed(frame, texts)
        if len(alike) >= least:
            yield from _varying_parts(frame, alike)
            return


def _framed(frame: Sequence[str], texts: Sequence[str]) -> list[str]:
    """Return the texts that have something in each gap of a frame."""
    pieces = map(re.escape, frame)
    regex = re.compile(".+?".join(pieces), re.DOTALL)
    return [text for text in texts if regex.fullmatch(text)]


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
