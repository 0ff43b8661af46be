"""What addresses say of the templates of a site: pages of one template mostly have one
pattern of address.

A pattern cannot be read off one address: in `/m/alien` and `/tags/bean` the first part
is a word of the site, in `/bean-salad` it is the name of a page. So a site counts the
words that its addresses have at each position; those that come back are fixed words,
the others are names. Counts change as pages come, and with them what two addresses have
in common.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlsplit

MAX_WORDS = 2_000
"""Words kept for each position of a site's addresses; beyond it those that came only
once are forgotten, which are names.
"""
MIN_FIXED_PAGES = 3
MIN_FIXED_SHARE = 0.02
"""How often a word must come back at its position to be one of the site's: on that many
pages, and on that share of them. Not tuned.
"""
MAX_PARTS = 20
MAX_PART = 80
MAX_QUERY = 2_000
"""Parts of an address, characters of a part and of a query that are looked at. Arbitrary
caps against hostile pages.
"""

OTHER_SHAPE = 0.1
"""Likeness of addresses with another number of parts or another extension."""
OTHER_KEYS = 0.6
"""The most for addresses with other query keys."""
TWO_WORDS = 0.4
WORD_AND_NAME = 0.3
TWO_KINDS_OF_NAMES = 0.3
NUMBER_AND_NAME = 0.8
"""Likeness of parts that differ: two words of the site, a word and a name, names of which
one has a mark before it, a number and a name. Like those above, set by hand.
"""

_EXTENSION = re.compile(r"\.([A-Za-z]{2,5})$")
_HOME_PAGE = re.compile(r"(?:index|default)\.[a-z]{2,5}", re.IGNORECASE)
_MARK = re.compile(r"[@~!$+*:;,.=_-]")
"""What a site puts before names of one kind: `/@beef`, `/~ann`."""
_NUMBER = re.compile(r"[\d\W_]+")


class UrlParts(NamedTuple):
    """An address in the parts that patterns are made of."""

    site: str
    parts: tuple[str, ...]
    """The steps of its path, without the extension."""
    extension: str
    keys: tuple[str, ...]
    """The keys of its query, sorted."""


NO_PARTS = UrlParts("", (), "", ())


def split_url(url: str | None) -> UrlParts:
    """Return the parts of an address; none, or one that is broken, has no parts."""
    try:
        split = urlsplit(url or "")
        host = split.hostname or ""
    except ValueError:
        return NO_PARTS

    parts = [part for part in split.path.split("/") if part]
    if parts and _HOME_PAGE.fullmatch(parts[-1]):
        parts.pop()
    extension = ""
    found = _EXTENSION.search(parts[-1]) if parts else None
    if found:
        name = parts[-1]
        parts[-1] = name[: found.start()]
        extension = found[1].lower()

    pairs = parse_qsl(split.query[:MAX_QUERY], keep_blank_values=True)
    keys = sorted({key for key, _ in pairs})
    short_parts = [part[:MAX_PART] for part in parts[:MAX_PARTS]]
    return UrlParts(
        site=host.removeprefix("www."),
        parts=tuple(short_parts),
        extension=extension,
        keys=tuple(keys[:MAX_PARTS]),
    )


@dataclass
class UrlWords:
    """How often each word stands at each position of a site's addresses; a position is
    (number of parts, index of the part).
    """

    counts: dict[tuple[int, int], Counter[str]] = field(default_factory=dict)
    totals: Counter[int] = field(default_factory=Counter)

    def add(self, url: UrlParts) -> None:
        """Count the words of an address."""
        size = len(url.parts)
        self.totals[size] += 1
        for index, word in enumerate(url.parts):
            words = self.counts.setdefault((size, index), Counter())
            words[word] += 1
            if len(words) > MAX_WORDS:
                repeated = {word: count for word, count in words.items() if count > 1}
                self.counts[size, index] = Counter(repeated)

    def is_fixed(self, url: UrlParts, index: int) -> bool:
        """Return whether a part of an address is a word of the site rather than the
        name of a page.
        """
        size = len(url.parts)
        words = self.counts.get((size, index))
        count = words[url.parts[index]] if words else 0
        least = MIN_FIXED_SHARE * self.totals[size]
        return count >= MIN_FIXED_PAGES and count >= least

    def likeness(self, one: UrlParts, other: UrlParts) -> float:
        """Return from 0 to 1 how much two addresses look like pages of one pattern: the
        least like position counts.
        """
        if len(one.parts) != len(other.parts):
            return OTHER_SHAPE
        if one.extension != other.extension:
            return OTHER_SHAPE
        least = 1.0 if one.keys == other.keys else OTHER_KEYS
        for index in range(len(one.parts)):
            least = min(least, self._part_likeness(one, other, index))
        return least

    def _part_likeness(self, one: UrlParts, other: UrlParts, index: int) -> float:
        part = one.parts[index]
        other_part = other.parts[index]
        if part == other_part:
            return 1.0
        is_fixed = self.is_fixed(one, index)
        other_is_fixed = self.is_fixed(other, index)
        if is_fixed and other_is_fixed:
            return TWO_WORDS
        if is_fixed or other_is_fixed:
            return WORD_AND_NAME
        has_mark = _MARK.match(part) is not None
        other_has_mark = _MARK.match(other_part) is not None
        if has_mark != other_has_mark:
            return TWO_KINDS_OF_NAMES
        is_number = _NUMBER.fullmatch(part) is not None
        other_is_number = _NUMBER.fullmatch(other_part) is not None
        if is_number == other_is_number:
            return 1.0
        return NUMBER_AND_NAME

    def as_json(self) -> dict[str, Any]:
        """Return the counts as plain values."""
        words = {}
        for (size, index), counted in self.counts.items():
            words[f"{size} {index}"] = dict(counted)
        totals = {str(size): count for size, count in self.totals.items()}
        return {"totals": totals, "words": words}

    @classmethod
    def from_json(cls, stored: dict[str, Any]) -> UrlWords:
        """Return the counts that `as_json` gave."""
        words = cls()
        for key, counted in stored["words"].items():
            size, index = key.split()[:2]
            position = (int(size), int(index))
            words.counts[position] = Counter(counted)
        for size, count in stored["totals"].items():
            words.totals[int(size)] = count
        return words
