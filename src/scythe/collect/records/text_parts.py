"""Parts of texts: where a field is only a part of what a slot holds, a pattern says
which, as a person would write it.

    Info about {}       what follows "Info about "
    {} (*               what stands before the first " ("; `{+} (*`: before the last
    ** {} mAh           the last word before " mAh"; `* {} mAh`: all but the first word
    2: {}               the second of the slot's values
    {}!=Show all        all values but "Show all"

`{}` is the part, `*` any text, as short as possible, and `**` as long as possible.
Values that the pattern does not fit are left out; where it fits none, they stay whole.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple, TypeVar

from scythe.errors import UsageError

MAX_PATTERN = 200
"""Characters of a pattern: an arbitrary cap."""
MAX_TEXT = 5_000
"""Characters of a value that a pattern is tried on: an arbitrary cap against hostile
pages.
"""
MAX_WILDCARDS = 4
"""Parts of a pattern that fit any text: a bound on the time that it takes."""
LEARNED_EXAMPLES = 8
"""Examples that patterns are made from, the others judge them: a bound on work, not
tuned.
"""

OTHER_THAN = "{}!="
"""How patterns begin that leave a value out."""

Page = TypeVar("Page", int, str)
_TOKEN = re.compile(r"\{\+?\}|\*\*?")
_AS_REGEX = {"{}": "(.+?)", "{+}": "(.+)", "*": ".*?", "**": ".*"}
_LINE = re.compile(r"([1-9][0-9]?): ?(.*)", re.DOTALL)
_LEFT_EDGE = re.compile(r"(\w*)(\W+)$")
_RIGHT_EDGE = re.compile(r"^(\W+)(\w*)")
_WORDS = re.compile(r"\w+")
_ANYTHING = re.compile("(.+)", re.DOTALL)


class PartExample(NamedTuple):
    """The values of a slot on one page, and what of them a field is."""

    values: Sequence[str]
    expected: Sequence[str]


class TextPart(NamedTuple):
    """A pattern, ready for use."""

    line: int | None
    """Which of the values it is about, None: all."""
    regex: re.Pattern[str]
    left_out: str = ""
    """A value that is none."""

    @classmethod
    def parse(cls, pattern: str) -> TextPart:
        """Return the part that a pattern says; what is wrong with it is said."""
        return _parse(pattern)

    def of(self, values: Sequence[str]) -> list[str]:
        """Return the part of values."""
        chosen = list(values)
        if self.line is not None:
            chosen = chosen[self.line - 1 : self.line]
        if self.left_out:
            return [value for value in chosen if value != self.left_out]
        found = []
        for value in chosen:
            match = self.regex.fullmatch(value[:MAX_TEXT])
            part = match[1].strip() if match else ""
            if part:
                found.append(part)
        return found or chosen


@lru_cache(maxsize=1 << 10)
def _parse(pattern: str) -> TextPart:
    if pattern.startswith(OTHER_THAN) and len(pattern) <= MAX_PATTERN:
        return TextPart(None, _ANYTHING, pattern.removeprefix(OTHER_THAN).strip())
    numbered = _LINE.fullmatch(pattern)
    line = int(numbered[1]) if numbered else None
    rest = numbered[2] if numbered else pattern
    tokens = _TOKEN.findall(rest)
    parts = sum(token.startswith("{") for token in tokens)
    if parts != 1 or len(tokens) > MAX_WILDCARDS or len(pattern) > MAX_PATTERN:
        raise UsageError(
            f"{pattern!r} is no pattern: write the text around the part and {{}} for "
            f"the part itself, as in 'Info about {{}}', with at most "
            f"{MAX_WILDCARDS - 1} times * for any text."
        )
    regex = "".join(_AS_REGEX.get(piece, re.escape(piece)) for piece in _pieces(rest))
    return TextPart(line, re.compile(regex, re.DOTALL))


def _pieces(pattern: str) -> Iterator[str]:
    start = 0
    for token in _TOKEN.finditer(pattern):
        yield pattern[start : token.start()]
        yield token[0]
        start = token.end()
    yield pattern[start:]


def learn_part(examples: Sequence[PartExample]) -> tuple[str, float]:
    """Return the pattern that gives the expected texts of all examples best, with the
    mean F1 of their words; an empty one where nothing is better than the whole values.
    """
    best, best_score = "", _mean_f1(None, examples)
    candidates: Counter[str] = Counter()
    for example in examples[:LEARNED_EXAMPLES]:
        candidates.update(set(_candidates(example)))
    least = min(2, len(examples))
    usual = [pattern for pattern, count in candidates.items() if count >= least]
    for pattern in sorted(usual, key=lambda pattern: (len(pattern), pattern)):
        score = _mean_f1(TextPart.parse(pattern), examples)
        if score > best_score + 1e-9:
            best, best_score = pattern, score
    return best, best_score


def _mean_f1(part: TextPart | None, examples: Sequence[PartExample]) -> float:
    scores = []
    for example in examples:
        found = part.of(example.values) if part else example.values
        one = _word_counts(found)
        two = _word_counts(example.expected)
        common = one & two
        total = one.total() + two.total()
        score = 2 * common.total() / total if total else 1.0
        scores.append(score)
    count = max(len(scores), 1)
    return sum(scores) / count


def _word_counts(texts: Sequence[str]) -> Counter[str]:
    text = " ".join(texts)
    words = _WORDS.findall(text.casefold())
    return Counter(words)


def _candidates(example: PartExample) -> Iterator[str]:
    """Yield patterns that give a expected text of an example."""
    for expected in example.expected[:3]:
        for number, value in enumerate(example.values[:10], 1):
            start = value.find(expected)
            if start < 0 or len(value) > MAX_TEXT:
                continue
            end = start + len(expected)
            before = value[:start]
            after = value[end:]
            for pattern in _around(before, after):
                wildcards = _TOKEN.findall(pattern)
                numbered = f"{number}: {pattern}"
                if len(numbered) <= MAX_PATTERN and len(wildcards) < MAX_WILDCARDS:
                    yield pattern
                    yield numbered


def _around(before: str, after: str) -> Iterator[str]:
    """Yield patterns for a part by what stands before and after it."""
    lefts = [before]
    edge = _LEFT_EDGE.search(before)
    if edge:
        ends = dict.fromkeys((edge[2], edge[1] + edge[2]))
        for end in ends:
            lefts.append(f"*{end}")
            lefts.append(f"**{end}")
    rights = [after]
    edge = _RIGHT_EDGE.search(after)
    if edge:
        begins = dict.fromkeys((edge[1], edge[1] + edge[2]))
        rights.extend(f"{begin}*" for begin in begins)
    for left in lefts:
        for right in rights:
            yield f"{left}{{}}{right}"
            if right.endswith("*"):
                yield f"{left}{{+}}{right}"


def examples_by_page(
    values: Mapping[Page, Sequence[str]], expected: Mapping[Page, Sequence[str]]
) -> list[PartExample]:
    """Return examples from the values of a slot and the expected texts, both by page."""
    return [
        PartExample(values[page], texts)
        for page, texts in expected.items()
        if values.get(page) and texts
    ]
