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

_CLOSES = r"""\s*+(?:[,:}\]]|\Z|/[/*]|["'][^"'\n]{0,64}["']\s*+:)"""
"""What follows the quote that ends a string: a mark, the end, a comment, or a key whose
comma is missing.
"""
_TOKEN = re.compile(
    rf"""
      [\s;]++
    | (?:/[/*]\s*+)?(?:<!\[CDATA\[|\]\]>)(?:\s*+\*/)? | <!-- | -->
    | //[^\n]*+ | /\*(?:[^*]++|\*(?!/))*+(?:\*/)?
    | (?P<mark> [{{}}\[\],:] )
    | "(?P<string> (?:[^"\\]++|\\.|"(?!{_CLOSES}))*+ )(?:"|\\?\Z)
    | '(?P<single> (?:[^'\\]++|\\.|'(?!{_CLOSES}))*+ )(?:'|\\?\Z)
    | (?P<bare> [^\s{{}}\[\],:;"']++ )
    """,
    re.VERBOSE | re.DOTALL,
)
_COLON = re.compile(r"\s*+:")
_ESCAPE = re.compile(
    r"\\(u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|.)",
    re.DOTALL,
)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_HALF_PAIR = re.compile(
    r"\\\\|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(\\u[dD][89a-fA-F][0-9a-fA-F]{2})"
)
_CONSTANTS = {"true": True, "false": False, "null": None}
_NUMBER = re.compile(r"-?\d{1,300}(\.\d{1,300})?([eE][+-]?\d{1,4})?")


def loads_lenient(text: str) -> list[Any]:
    """The top-level values of a JSON text, usually one. Never raises; what cannot be
    read is missing from the result.
    """
    text = text[:MAX_CHARS].strip("\ufeff \t\r\n")
    if '"' not in text and "&quot;" in text:
        text = unescape(text)
    if "\\u" in text:
        text = _HALF_PAIR.sub(lambda found: "\\ufffd" if found[1] else found[0], text)
    try:
        values = [
            json.loads(
                text, strict=False, parse_constant=lambda _: None, parse_float=_finite
            )
        ]
    except (ValueError, RecursionError):
        values = _Reader(text).values
    _prune(values)
    return values


def _finite(number: str) -> float | None:
    value = float(number)
    return value if math.isfinite(value) else None


class _Reader:
    """One pass over the tokens of a text. `keys` runs beside `stack`: the key that
    waits for its value in each object.
    """

    def __init__(self, text: str) -> None:
        self.values: list[Any] = []
        self.stack: list[dict[str, Any] | list[Any]] = []
        self.keys: list[str | None] = []
        self.too_deep = 0
        for count, token in enumerate(_TOKEN.finditer(text)):
            if count > MAX_TOKENS:
                break
            kind = token.lastgroup
            if kind == "mark":
                self._mark(token["mark"])
            elif kind is not None and not self.too_deep:
                self._word(
                    kind, token[kind], named=_COLON.match(text, token.end()) is not None
                )

    def _mark(self, mark: str) -> None:
        if mark in "{[":
            if self.too_deep or len(self.stack) > MAX_DEPTH:
                self.too_deep += 1
                return
            container: dict[str, Any] | list[Any] = {} if mark == "{" else []
            self._value(container)
            self.stack.append(container)
            self.keys.append(None)
        elif mark in "}]":
            if self.too_deep:
                self.too_deep -= 1
                return
            kind = dict if mark == "}" else list
            if any(isinstance(container, kind) for container in self.stack):
                while not isinstance(self.stack[-1], kind):
                    self._leave()
                self._leave()
        elif mark == "," and self.keys and not self.too_deep:
            self.keys[-1] = None

    def _leave(self) -> None:
        self.stack.pop()
        self.keys.pop()

    def _word(self, kind: str, word: str, *, named: bool) -> None:
        """A key if a colon follows, else a value; a word that is neither is what an
        unescaped quote has torn off.
        """
        if kind != "bare":
            word = _ESCAPE.sub(_unescaped, word)
        if self.stack and isinstance(self.stack[-1], dict) and self.keys[-1] is None:
            if named:
                self.keys[-1] = word
        elif kind != "bare":
            self._value(word)
        elif word in _CONSTANTS:
            self._value(_CONSTANTS[word])
        elif number := _NUMBER.fullmatch(word):
            self._value(_finite(word) if number[1] or number[2] else int(word))

    def _value(self, value: object) -> None:
        if not self.stack:
            self.values.append(value)
            return
        container = self.stack[-1]
        if isinstance(container, list):
            container.append(value)
        elif (key := self.keys[-1]) is not None:
            container[key] = value
            self.keys[-1] = None


def _unescaped(escape: re.Match[str]) -> str:
    found = escape[1]
    return (
        str(json.loads(f'"\\{found}"'))
        if found[0] == "u" and len(found) > 1
        else _ESCAPED.get(found, found)
    )


def _prune(values: list[Any]) -> None:
    """Take out, in place and level by level, the containers below the deepest level
    kept.
    """
    level: list[Any] = [values]
    for _ in range(MAX_DEPTH + 1):
        level = [
            child
            for container in level
            for child in (
                container.values() if isinstance(container, dict) else container
            )
            if isinstance(child, (dict, list))
        ]
        if not level:
            return
    for container in level:
        container.clear()
