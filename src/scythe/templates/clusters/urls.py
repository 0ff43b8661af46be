"""What addresses say of the templates of a site: pages of one template mostly have one
pattern of address.

A pattern cannot be read off one address: in `/m/alien` and `/tags/bean` the first part
is a word of the site, in `/bean-salad` it is the name of a page. So a site counts the
words that its addresses have at each place; those that come back are fixed words, the
others are names. Counts change as pages come, and with them what two addresses have in
common.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlsplit

MAX_WORDS = 2_000
"""Words kept for each place of a site's addresses; beyond it those that came only once
are forgotten, which are names.
"""
FIXED_PAGES, FIXED_SHARE = 3, 0.02
"""How often a word must come back at its place to be one of the site's: on that many
pages, and on that share of them.
"""

_EXTENSION = re.compile(r"\.([A-Za-z]{2,5})$")
_FRONT = re.compile(r"(?:index|default)\.[a-z]{2,5}", re.IGNORECASE)
_MARK = re.compile(r"[@~!$+*:;,.=_-]")
"""What a site puts before names of one kind: `/@beef`, `/~ann`."""
_NUMBER = re.compile(r"[\d\W_]+")


class Address(NamedTuple):
    """An address in the parts that patterns are made of."""

    site: str
    parts: tuple[str, ...]
    extension: str
    keys: tuple[str, ...]


def address(url: str | None) -> Address:
    """Take an address apart; none, or one that is broken, has no parts."""
    try:
        split = urlsplit(url or "")
        host = split.hostname or ""
    except ValueError:
        return Address("", (), "", ())
    parts = [part for part in split.path.split("/") if part]
    if parts and _FRONT.fullmatch(parts[-1]):
        parts.pop()
    found = _EXTENSION.search(parts[-1]) if parts else None
    if found:
        parts[-1] = parts[-1][: found.start()]
    keys = tuple(
        sorted(
            {key for key, _ in parse_qsl(split.query[:2_000], keep_blank_values=True)}
        )
    )
    return Address(
        host.removeprefix("www."),
        tuple(part[:80] for part in parts[:20]),
        found[1].lower() if found else "",
        keys[:20],
    )


@dataclass
class Words:
    """How often each word stands at each place of a site's addresses; a place is
    (number of parts, which of them).
    """

    counts: dict[tuple[int, int], Counter[str]] = field(default_factory=dict)
    totals: Counter[int] = field(default_factory=Counter)

    def add(self, one: Address) -> None:
        """Count the words of an address."""
        size = len(one.parts)
        self.totals[size] += 1
        for place, word in enumerate(one.parts):
            words = self.counts.setdefault((size, place), Counter())
            words[word] += 1
            if len(words) > MAX_WORDS:
                self.counts[size, place] = Counter(
                    {word: count for word, count in words.items() if count > 1}
                )

    def fixed(self, one: Address, place: int) -> bool:
        """Whether a part of an address is a word of the site rather than the name of a
        page.
        """
        size = len(one.parts)
        words = self.counts.get((size, place))
        count = words[one.parts[place]] if words else 0
        return count >= FIXED_PAGES and count >= FIXED_SHARE * self.totals[size]

    def likeness(self, one: Address, other: Address) -> float:
        """From 0 to 1, how much two addresses look like pages of one pattern: the least
        of all places counts.
        """
        if len(one.parts) != len(other.parts) or one.extension != other.extension:
            return 0.1
        places = [
            self._part_likeness(one, other, place) for place in range(len(one.parts))
        ]
        return min([1.0 if one.keys == other.keys else 0.6, *places])

    def _part_likeness(self, one: Address, other: Address, place: int) -> float:
        if one.parts[place] == other.parts[place]:
            return 1.0
        fixed = self.fixed(one, place), self.fixed(other, place)
        if any(fixed):
            return 0.4 if all(fixed) else 0.3
        marks = [bool(_MARK.match(each.parts[place])) for each in (one, other)]
        if marks[0] != marks[1]:
            return 0.3
        numbers = [
            _NUMBER.fullmatch(each.parts[place]) is not None for each in (one, other)
        ]
        return 1.0 if numbers[0] == numbers[1] else 0.8

    def as_json(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "totals": {str(size): count for size, count in self.totals.items()},
            "words": {
                f"{size} {place}": dict(words)
                for (size, place), words in self.counts.items()
            },
        }

    @classmethod
    def from_json(cls, stored: dict[str, Any]) -> Words:
        """What `as_json` gave."""
        counts = {
            (int(key.split()[0]), int(key.split()[1])): Counter(words)
            for key, words in stored["words"].items()
        }
        return cls(
            counts,
            Counter({int(size): count for size, count in stored["totals"].items()}),
        )
