"""Texts as people mean them: one kind of space, no bullets before lines, no control
characters.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence

LONGEST = 200_000
"""Characters of one value: more than any field of a page that a person wrote."""
MOST_LINES = 2_000
_SHORT = 60
"""Values up to this length are names and keywords, which stand side by side with
commas; longer ones are paragraphs.
"""

_INVISIBLE = re.compile(
    "[\u0000-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\ufeff\ud800-\udfff]"
)
_SPACES = re.compile(r"\s+")
_BULLET = re.compile(r"(?:[•◦▪▫●○■□▢☐☑✓✔‣⁃∙·*–—]|-(?=\s))\s*")  # noqa: RUF001


def clean_text(text: str) -> str:
    """Text on one line, composed (NFC), without what nobody sees."""
    if text.isascii() and text.isprintable():
        return " ".join(text[:LONGEST].split())
    return _SPACES.sub(
        " ", _INVISIBLE.sub("", unicodedata.normalize("NFC", text[:LONGEST]))
    ).strip()


def clean_line(text: str) -> str:
    """A line of a list without its bullet."""
    cleaned = clean_text(text)
    bullet = _BULLET.match(cleaned)
    return (
        cleaned[bullet.end() :] if bullet and bullet.end() < len(cleaned) else cleaned
    )


def clean_lines(values: Iterable[str]) -> list[str]:
    """The lines of a list in their order, without empty ones; values with several lines
    are split.
    """
    lines: list[str] = []
    for value in values:
        for part in value[:LONGEST].splitlines():
            if len(lines) >= MOST_LINES:
                return lines
            if line := clean_line(part):
                lines.append(line)
    return lines


def joined(values: Sequence[str]) -> str:
    """Several values of one field as one text, each once: names with commas, paragraphs
    on lines of their own.
    """
    texts = list(dict.fromkeys(filter(None, map(clean_text, values[:MOST_LINES]))))
    return (", " if all(len(text) <= _SHORT for text in texts) else "\n").join(texts)


_BY = re.compile(
    r"(?:(?:written|posted|recipe|published)\s+)?by\s*:?\s+|(?:author|autor|autore|auteur|von|par|por|di)\s*:\s*",
    re.IGNORECASE,
)


def person(values: Sequence[str]) -> str:
    """Names of people or companies without the "by" before them."""
    return joined(
        [
            _BY.sub("", clean_text(value), count=1)
            if _BY.match(clean_text(value))
            else value
            for value in values
        ]
    )
