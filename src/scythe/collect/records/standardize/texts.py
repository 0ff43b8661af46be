"""Texts as people mean them: one kind of space, no bullets before lines, no control
characters.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence

MAX_LENGTH = 200_000
"""Characters of one value: more than any field of a page that a person wrote."""
MAX_LINES = 2_000
"""Lines of one value: an arbitrary cap against hostile pages."""
_SHORT = 60
"""Values up to this length are names and keywords, which stand side by side with
commas; longer ones are paragraphs. Not tuned.
"""

_INVISIBLE = re.compile(
    "[\u0000-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f\u00ad\u200b\u200e\u200f"
    "\u202a-\u202e\u2060-\u2064\ufeff\ud800-\udfff]"
)
_SPACES = re.compile(r"\s+")
_BULLET = re.compile(r"(?:[•◦▪▫●○■□▢☐☑✓✔‣⁃∙·*–—]|-(?=\s))\s*")  # noqa: RUF001
_BY = re.compile(
    r"(?:(?:written|posted|recipe|published)\s+)?by\s*:?\s+"
    r"|(?:author|autor|autore|auteur|von|par|por|di)\s*:\s*",
    re.IGNORECASE,
)


def normalize_text(text: str) -> str:
    """Return text on one line, composed (NFC), without what nobody sees."""
    text = text[:MAX_LENGTH] if len(text) > MAX_LENGTH else text
    if text.isascii() and text.isprintable():
        return " ".join(text.split())
    visible = _INVISIBLE.sub("", unicodedata.normalize("NFC", text))
    return _SPACES.sub(" ", visible).strip()


def clean_line(text: str) -> str:
    """Return a line of a list without its bullet."""
    cleaned = normalize_text(text)
    bullet = _BULLET.match(cleaned)
    if bullet and bullet.end() < len(cleaned):
        return cleaned[bullet.end() :]
    return cleaned


def clean_lines(values: Iterable[str]) -> list[str]:
    """Return the lines of a list in their order, without empty ones; values with
    several lines are split.
    """
    lines: list[str] = []
    for value in values:
        for part in value[:MAX_LENGTH].splitlines():
            if len(lines) >= MAX_LINES:
                return lines
            line = clean_line(part)
            if line:
                lines.append(line)
    return lines


def join_texts(values: Sequence[str]) -> str:
    """Return several values of one field as one text, each once: names with commas,
    paragraphs on lines of their own.
    """
    cleaned = map(normalize_text, values[:MAX_LINES])
    texts = list(dict.fromkeys(filter(None, cleaned)))
    are_short = max(map(len, texts), default=0) <= _SHORT
    return (", " if are_short else "\n").join(texts)


def person_name(values: Sequence[str]) -> str:
    """Return names of people or companies without the "by" before them."""
    names = []
    for value in values:
        text = normalize_text(value)
        if _BY.match(text):
            value = _BY.sub("", text, count=1)
        names.append(value)
    return join_texts(names)
