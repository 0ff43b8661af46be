"""Values with their sources, and how texts are cleaned and compared."""

from __future__ import annotations

import re
from html import unescape
from typing import Any, NamedTuple

MAX_VALUE = 1_000
"""Characters of a field's value; longer ones are cut, as a few descriptions on wcxb are
(up to 15,000 characters).
"""

_MARKUP = re.compile(r"</[a-zA-Z]|/>|<[a-zA-Z]+\s[^<>]*=|<br>", re.IGNORECASE)
"""What shows that a text is HTML: without it `<table>` is the name of an element."""
_TAG = re.compile(r"<[a-zA-Z/][^<>]*+>")
_SURROGATE = re.compile("[\ud800-\udfff]")
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f\u200b\ufeff]")
_NOT_WORD = re.compile(r"[\W_]+")


class SourcedValue(NamedTuple):
    """A value and where on the page it was found."""

    value: str
    source: str


def clean_text(text: object, limit: int = MAX_VALUE) -> str:
    """Return one line of plain text: entities decoded (structured data often has them
    twice), tags and control characters removed; empty for what is no text.
    """
    if not isinstance(text, str):
        return ""
    text = text[: 4 * limit]
    if "&" in text:
        text = unescape(text)
    if "<" in text and _MARKUP.search(text):
        text = _TAG.sub(" ", text)
    if not text.isprintable():
        text = _SURROGATE.sub("\ufffd", _CONTROL.sub("", text))
    return " ".join(text.split())[:limit].rstrip()


def match_key(text: str) -> str:
    """Return the letters and digits of a text in lower case: what two spellings of the
    same title have in common.
    """
    return _NOT_WORD.sub("", text.lower())


def as_list(value: object) -> list[Any]:
    """Return a property as a list, whether it has none, one or several values."""
    if value is None:
        return []
    return value if isinstance(value, list) else [value]
