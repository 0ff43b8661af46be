"""A real site made larger: its saved pages again and again, each time with other words.

What all pages of a site say is its template's; words that most pages do not have are
the content. In every copy of a page the letters and digits of such words are exchanged
for others, by an order of its own: a page has the size, the mark-up and the structure
of a real one, and says what no other page says.
"""

from __future__ import annotations

import gzip
import random
import re
import string
from collections import Counter
from functools import cached_property
from pathlib import Path

from benchmarks.common import require

COMMON = 0.5
"""Share of a site's pages from which on a word is of the template."""
_PARTS = re.compile(
    rb"<(script|style)\b.*?</\1\s*>|<!--.*?-->|<[^>]*>|&#?\w+;|(?<![\w&#])[A-Za-z0-9]+(?!\w)",
    re.IGNORECASE | re.DOTALL,
)
_LETTERS, _DIGITS = string.ascii_lowercase, string.digits


class GrownSite:
    """Pages by number; the first ones are those that were saved."""

    def __init__(self, folder: Path) -> None:
        self.pages = [
            gzip.decompress(path.read_bytes())
            for path in sorted(require(folder).glob("*.html.gz"))
        ]

    @cached_property
    def _pieces(self) -> list[tuple[list[bytes], list[bytes]]]:
        """Every page as what is the same in all its copies, and the words that stand
        between.
        """
        split = [_split(page) for page in self.pages]
        seen: Counter[bytes] = Counter()
        for _, words in split:
            seen.update({word.lower() for word in words})
        common = {
            word for word, pages in seen.items() if pages >= COMMON * len(self.pages)
        }
        return [_without(fixed, words, common) for fixed, words in split]

    def page(self, number: int) -> bytes:
        """Return a page."""
        copy, index = divmod(number, len(self.pages))
        if not copy:
            return self.pages[index]
        fixed, words = self._pieces[index]
        changed = b"\0".join(words).translate(_exchange(copy)).split(b"\0")
        return (
            b"".join(
                part for pair in zip(fixed, changed, strict=False) for part in pair
            )
            + fixed[-1]
        )


def _split(page: bytes) -> tuple[list[bytes], list[bytes]]:
    fixed, words, last = [], [], 0
    for found in _PARTS.finditer(page):
        if not page[found.start() : found.start() + 1].isalnum():
            continue
        fixed.append(page[last : found.start()])
        words.append(found.group())
        last = found.end()
    return [*fixed, page[last:]], words


def _without(
    fixed: list[bytes], words: list[bytes], common: set[bytes]
) -> tuple[list[bytes], list[bytes]]:
    """Return the same with common words as parts of what is fixed."""
    kept, changing, waiting = [], [], fixed[0]
    for word, after in zip(words, fixed[1:], strict=True):
        if word.lower() in common:
            waiting += word + after
        else:
            kept.append(waiting)
            changing.append(word)
            waiting = after
    return [*kept, waiting], changing


def _exchange(copy: int) -> bytes:
    """Return a table of letters and digits for others, of its own for every copy."""
    chance = random.Random(copy)
    letters, digits = (
        "".join(chance.sample(_LETTERS, 26)),
        "".join(chance.sample(_DIGITS, 10)),
    )
    return bytes.maketrans(
        (_LETTERS + _LETTERS.upper() + _DIGITS).encode(),
        (letters + letters.upper() + digits).encode(),
    )
