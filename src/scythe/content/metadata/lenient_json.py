"""JSON as pages contain it: strict where it is strict, read as far as it makes sense
where it is not.

People paste JSON-LD into templates by hand, so it comes with trailing and missing
commas, comments, raw line breaks and quotes inside strings, HTML entities, CDATA
wrappers, several objects one after the other, or cut in the middle. Well-formed text
goes through the standard library; the rest through a tokenizer and a stack, in one pass
and without recursion.
"""

from __future__ import annotations

import json
import math
import re
from html import unescape
from typing import Any

MAX_CHARS = 1_000_000
"""Characters read of one text; the longest script of JSON-LD on the 1,497 wcxb pages
has 153,000.
"""
MAX_DEPTH = 64
"""Levels of nesting kept; the deepest JSON-LD of the wcxb pages has 10. What is deeper
is left out, so that nobody who walks the result can be led into a recursion.
"""
MAX_TOKENS = 200_000
"""Tokens read of one broken text; a bound on work, not tuned."""

_AFTER_STRING = r"""\s*+(?:[,:}\]]|\Z|/[/*]|["'][^"'\n]{0,64}["']\s*+:)"""
"""What follows the quote that ends a string: a mark, the end, a comment, or a key whose
comma is missing.
"""
_TOKEN = re.compile(
    rf"""
      [\s;]++
    | (?:/[/*]\s*+)?(?:<!\[CDATA\[|\]\]>)(?:\s*+\*/)? | <!-- | -->
    | //[^\n]*+ | /\*(?:[^*]++|\*(?!/))*+(?:\*/)?
    | (?P<mark> [{{}}\[\],:] )
    | "(?P<string> (?:[^"\\]++|\\.|"(?!{_AFTER_STRING}))*+ )(?:"|\\?\Z)
    | '(?P<single> (?:[^'\\]++|\\.|'(?!{_AFTER_STRING}))*+ )(?:'|\\?\Z)
    | (?P<bare> [^\s{{}}\[\],:;"']++ )
    """,
    re.VERBOSE | re.DOTALL,
)
_COLON = re.compile(r"\s*+:")
_ESCAPE = re.compile(
    r"\\(u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|.)",
    re.DOTALL,
)
_CONTROL_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_LONE_SURROGATE = re.compile(
    r"\\\\|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(\\u[dD][89a-fA-F][0-9a-fA-F]{2})"
)
_CONSTANTS = {"true": True, "false": False, "null": None}
_NUMBER = re.compile(r"-?\d{1,300}(\.\d{1,300})?([eE][+-]?\d{1,4})?")


def loads_lenient(text: str) -> list[Any]:
    """Return the top-level values of a JSON text, usually one. Never raises; what
    cannot be read is missing from the result.
    """
    text = text[:MAX_CHARS].strip("\ufeff \t\r\n")
    if '"' not in text and "&quot;" in text:
        text = unescape(text)
    if "\\u" in text:
        text = _LONE_SURROGATE.sub(_replace_lone_surrogate, text)

    try:
        values = [_DECODER.decode(text)]
    except (ValueError, RecursionError):
        values = _LenientParser().parse(text)
    if text.count("{") + text.count("[") > MAX_DEPTH:
        _prune(values)
    return values


def _replace_lone_surrogate(match: re.Match[str]) -> str:
    return "\\ufffd" if match[1] else match[0]


def _no_constant(name: str) -> None:
    """Return None, as for null: NaN and the infinities are no JSON."""


def _finite(number: str) -> float | None:
    value = float(number)
    return value if math.isfinite(value) else None


_DECODER = json.JSONDecoder(
    strict=False, parse_constant=_no_constant, parse_float=_finite
)


class _LenientParser:
    """One pass over the tokens of a text. `keys` runs beside `stack`: the key that
    waits for its value in each object.
    """

    def __init__(self) -> None:
        self.values: list[Any] = []
        self.stack: list[dict[str, Any] | list[Any]] = []
        self.keys: list[str | None] = []
        self.skipped_levels = 0
        """Open containers below the deepest level that is kept."""

    def parse(self, text: str) -> list[Any]:
        """Return the top-level values of a text."""
        for count, token in enumerate(_TOKEN.finditer(text)):
            if count > MAX_TOKENS:
                break
            kind = token.lastgroup
            if kind == "mark":
                self._read_mark(token["mark"])
            elif kind is not None and not self.skipped_levels:
                colon = _COLON.match(text, token.end())
                self._read_word(kind, token[kind], before_colon=colon is not None)
        return self.values

    def _read_mark(self, mark: str) -> None:
        if mark in "{[":
            self._open(mark)
        elif mark in "}]":
            self._close(mark)
        elif mark == "," and self.keys and not self.skipped_levels:
            self.keys[-1] = None

    def _open(self, mark: str) -> None:
        if self.skipped_levels or len(self.stack) > MAX_DEPTH:
            self.skipped_levels += 1
            return
        container: dict[str, Any] | list[Any] = {} if mark == "{" else []
        self._add_value(container)
        self.stack.append(container)
        self.keys.append(None)

    def _close(self, mark: str) -> None:
        """Leave the innermost container of the kind that the mark closes, if any."""
        if self.skipped_levels:
            self.skipped_levels -= 1
            return
        kind = dict if mark == "}" else list
        if not any(isinstance(container, kind) for container in self.stack):
            return
        while not isinstance(self.stack[-1], kind):
            self._leave()
        self._leave()

    def _leave(self) -> None:
        self.stack.pop()
        self.keys.pop()

    def _read_word(self, kind: str, word: str, *, before_colon: bool) -> None:
        """Read a key if a colon follows, else a value; a word that is neither is what
        an unescaped quote has torn off.
        """
        if kind != "bare":
            word = _ESCAPE.sub(_unescape, word)
        in_object = bool(self.stack) and isinstance(self.stack[-1], dict)
        if in_object and self.keys[-1] is None:
            if before_colon:
                self.keys[-1] = word
        elif kind != "bare":
            self._add_value(word)
        elif word in _CONSTANTS:
            self._add_value(_CONSTANTS[word])
        elif number := _NUMBER.fullmatch(word):
            is_float = number[1] or number[2]
            self._add_value(_finite(word) if is_float else int(word))

    def _add_value(self, value: object) -> None:
        if not self.stack:
            self.values.append(value)
            return
        container = self.stack[-1]
        if isinstance(container, list):
            container.append(value)
        elif (key := self.keys[-1]) is not None:
            container[key] = value
            self.keys[-1] = None


def _unescape(escape: re.Match[str]) -> str:
    sequence = escape[1]
    if sequence[0] == "u" and len(sequence) > 1:
        return str(json.loads(f'"\\{sequence}"'))
    return _CONTROL_ESCAPES.get(sequence, sequence)


def _prune(values: list[Any]) -> None:
    """Empty, in place and level by level, the containers below the deepest level that
    is kept.
    """
    level: list[Any] = [values]
    for _ in range(MAX_DEPTH + 1):
        level = _child_containers(level)
        if not level:
            return
    for container in level:
        container.clear()


def _child_containers(containers: list[Any]) -> list[Any]:
    children: list[Any] = []
    for container in containers:
        values = container.values() if isinstance(container, dict) else container
        children += [value for value in values if isinstance(value, (dict, list))]
    return children
