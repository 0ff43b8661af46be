"""Junk inside texts: shortcodes, characters that nobody sees or that only an icon font
can draw, and letters that a server encoded twice.
"""

from __future__ import annotations

import re

import numpy as np

from scythe.content.junk.selected import SelectedTexts
from scythe.content.junk.sought import CODE

_INVISIBLE = "\u00ad\u200b\u2060\ufeff"
_FIRST_PRIVATE, _LAST_PRIVATE = 0xDB80, 0xF8FF
"""UTF-16: the private characters, and the first halves of those beyond the basic plane;
between them are second halves.
"""
_DEBRIS_BYTES = (
    *(sign.encode() for sign in _INVISIBLE),
    b"\xee",
    *(b"\xef" + bytes([second]) for second in range(0x80, 0xA4)),
    *(b"\xf3" + bytes([second]) for second in range(0xB0, 0xC0)),
    b"\xf4",
)
"""UTF-8: characters that nobody sees, and the beginnings of all private ones."""
_DEBRIS = re.compile(
    "[\u00ad\u2060\ufeff\ue000-\uf8ff\U000f0000-\U0010ffff]"
    "|(?<![\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff])\u200b"
)
"""Soft hyphens, word joiners, byte order marks, private characters, and zero-width
spaces but for those between words of Thai, Lao, Burmese and Khmer. Zero-width joiners
and marks of direction belong to the spelling.
"""

_CONTROLS = tuple(map(chr, range(0x80, 0xA0)))
_CONTROL = re.compile("[\x80-\x9f]")
"""Controls that no text has, but for the second bytes of what was encoded twice."""
_ENCODED_TWICE = re.compile(
    "[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}"
)
"""UTF-8 whose bytes were taken for characters, two to four for one: 34 of the 1,497
saved pages of wcxb have some.
"""

_BRACKET, _END, _EQUALS = ("[",), ("[/",), ("=",)
_BRACKETS = re.compile(r"\[(/?)([a-z][a-z0-9_-]{1,40})((?:\s[^\[\]]{0,2000})?)\]")
_QUOTED_ATTRIBUTE = re.compile(r"\s[\w-]{1,40}\s?=\s?[\"'“”„″‘’′]")  # noqa: RUF001


def clean_texts(page: SelectedTexts) -> list[str] | None:
    """Return the selected texts without shortcodes and invisible characters, and with
    the letters that were encoded twice; None where they have none of these.
    """
    shortcodes: frozenset[str] = frozenset()
    if _may_have_shortcodes(page):
        shortcodes = find_shortcodes(page.joined)
    is_encoded_twice = _is_encoded_twice(page)
    if not shortcodes and not is_encoded_twice and not _has_debris(page):
        return None

    is_code_node = page.tree.below(page.tree.has_tag(CODE))
    in_code = is_code_node[page.nodes].tolist()
    cleaned = []
    for text, is_code in zip(page.texts, in_code, strict=True):
        clean = text
        if not text.isascii():
            if is_encoded_twice:
                clean = _ENCODED_TWICE.sub(_decode, clean)
            clean = _DEBRIS.sub("", clean)
        if shortcodes and not is_code and "[" in clean:
            clean = without_shortcodes(clean, shortcodes)
        cleaned.append(clean)
    return None if cleaned == page.texts else cleaned


def _may_have_shortcodes(page: SelectedTexts) -> bool:
    """Return whether a text has a bracket, and what an attribute or the end of a pair
    of shortcodes has.
    """
    if not page.may_have(_BRACKET):
        return False
    return page.may_have(_EQUALS) or page.may_have(_END)


def _is_encoded_twice(page: SelectedTexts) -> bool:
    """Return whether texts have controls that only come from encoding twice."""
    known = page.has_signs(_CONTROLS)
    if known is not None:
        return known
    text = page.joined
    return not text.isascii() and bool(_CONTROL.search(text))


def _decode(match: re.Match[str]) -> str:
    """Return the character of bytes in UTF-8; what is none stays as it is."""
    try:
        return match[0].encode("latin-1").decode("utf-8")
    except UnicodeDecodeError:
        return match[0]


def _has_debris(page: SelectedTexts) -> bool:
    """Return whether a text may have characters that nobody sees: one of a few, or any
    of the private ones. A regular expression takes ten times as long.
    """
    known = page.has_signs(_DEBRIS_BYTES)
    if known is not None:
        return known
    text = page.joined
    if text.isascii():
        return False
    if any(sign in text for sign in _INVISIBLE):
        return True
    units = np.frombuffer(text.encode("utf-16-le", "surrogatepass"), dtype=np.uint16)
    is_private = (units >= _FIRST_PRIVATE) & (units <= _LAST_PRIVATE)
    return bool(is_private.any())


def find_shortcodes(text: str) -> frozenset[str]:
    """Return the names of shortcodes in a text: `[name attribute="value"]`, and pairs
    `[some_name]`, `[/some_name]`.

    Notes in brackets ([edit], [sic], [1]) have neither attributes nor an end.
    """
    with_attributes, opened, closed = set(), set(), set()
    for match in _BRACKETS.finditer(text):
        slash, name, rest = match.groups()
        if slash:
            closed.add(name)
        elif _QUOTED_ATTRIBUTE.match(rest):
            with_attributes.add(name)
        elif "_" in name and not rest:
            opened.add(name)
    return frozenset(with_attributes | (opened & closed))


def without_shortcodes(text: str, names: frozenset[str]) -> str:
    """Return a text without the tags of some shortcodes; what they enclose stays."""
    return _BRACKETS.sub(lambda match: "" if match[2] in names else match[0], text)
