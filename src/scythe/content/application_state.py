"""Text in the state that a page carries for its scripts: `__NEXT_DATA__`, `__NUXT__`,
`window.__INITIAL_STATE__ = {...}`, Apollo and Redux stores, JSON in script elements.

Nobody declares which value is the content. It is the longest prose: one long text, or a
list of blocks, such as the paragraphs of an editor. Everything is bounded, and nothing is
run.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from scythe.content.metadata.lenient_json import MAX_CHARS, loads_lenient
from scythe.tree.tree import Tree

MAX_TOTAL_CHARS = 4 * MAX_CHARS
MAX_VALUES = 200_000
"""Characters of scripts, and values in them, that are looked at of a page. Bounds on
work, not tuned.
"""
MIN_BLOCK = 40
"""Characters of a block of prose; shorter ones are labels. A bound, not tuned."""
_LIST_ADVANTAGE = 1.2
"""How much longer than the longest text the blocks of a list must be: a list of teasers
has some text, too. A bound, not tuned.
"""
_OTHER_WEIGHT = 0.3
"""What a text counts under a name that says nothing: translations and legal notes have
such names. A bound, not tuned.
"""

_STATE = re.compile(
    r"""[\w\])"']\s*+=\s*+(?:JSON\.parse\(|[{\[])|\.push\(\[|\breturn\s*+[{\[]"""
)
_STATE_WITHIN = 400
"""Characters at the beginning of a script in which its state is assigned."""
_JSON_TEXT = re.compile(r"\s*+(?:[\w$]{1,8}:)?[{\[]")
_BODY_NAMES = re.compile(
    r"body|content|text|html|rendered|markdown|story|description|paragraph|children"
    r"|value|copy|instructions",
    re.IGNORECASE,
)
_NO_BODY_NAMES = re.compile(
    r"css|style|script|svg|query|cookie|consent|privacy|terms|legal|disclaimer|i18n"
    r"|translation|locale|message|token|schema|encoded|base64",
    re.IGNORECASE,
)
_LINK_NAMES = frozenset({"url", "href", "slug", "link", "permalink", "uri", "path"})
_TITLE_NAMES = frozenset({"title", "headline", "name"})
_TAG = re.compile(r"<[a-zA-Z/!][^<>]*+>")
_CODE = re.compile(r"function\s*\(|=>|\{\s*[\w-]+\s*:|[;{}]\s*\n|\bvar \w")
_SENTENCE_END = re.compile("[.!?\u2026\u3002\uff01\uff1f\u0964\u061f]")
_WIDE_LETTER = re.compile(r"[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")
_MAX_WORD = 15
"""Characters a word at most, on average, in prose of languages that write spaces."""


def find_state_text(tree: Tree) -> list[str]:
    """Return the blocks of the longest prose in the state of a page: one where it is a
    single text, none where there is no prose.
    """
    best_text, best_size = "", 0.0
    best_blocks: list[str] = []
    blocks_size = 0.0
    for name, value in _walk(_states(tree)):
        if isinstance(value, str):
            size = len(value) * _weight(name)
            if size > best_size and is_prose(value):
                best_text, best_size = value, size
        elif isinstance(value, list):
            blocks = _blocks(value)
            size = sum(map(len, blocks)) * _weight(name)
            if size > blocks_size:
                best_blocks, blocks_size = blocks, size

    if blocks_size > _LIST_ADVANTAGE * best_size:
        return best_blocks
    return [best_text] if best_text else []


def is_prose(text: str) -> bool:
    """Return whether a text is sentences for people rather than code, a key or an
    address.
    """
    plain = _TAG.sub(" ", text[:2_000])
    is_short = len(plain.strip()) < MIN_BLOCK
    if is_short or not _SENTENCE_END.search(plain):
        return False
    if _CODE.search(plain):
        return False
    wide_letters = _WIDE_LETTER.findall(plain)
    if len(wide_letters) > 0.3 * len(plain):
        return True
    words = len(plain.split()) + 1
    return len(plain) < _MAX_WORD * words


def _states(tree: Tree) -> list[Any]:
    """Return the values of all scripts that hold state."""
    values: list[Any] = []
    chars_left = MAX_TOTAL_CHARS
    for script in tree.elements("script").tolist():
        media_type = (tree.attributes(script).get("type") or "").lower()
        inside = tree.text[script + 1 : tree.end[script]]
        text = "".join(inside.tolist())
        if "ld+json" in media_type or chars_left <= 0:
            continue
        state = None
        if "json" not in media_type:
            state = _STATE.search(text[:_STATE_WITHIN])
            if state is None:
                continue
        start = state.end() - 1 if state else 0
        stop = start + min(chars_left, MAX_CHARS)
        values += loads_lenient(text[start:stop])
        chars_left -= len(text)
    return values


def _walk(values: list[Any]) -> Iterator[tuple[str, Any]]:
    """Yield all values in document order, each with the name it stands under. Text that
    is JSON again is opened.
    """
    stack: list[tuple[str, Any]] = [("", value) for value in reversed(values)]
    for _ in range(MAX_VALUES):
        if not stack:
            return
        name, value = stack.pop()
        is_long_text = isinstance(value, str) and len(value) > MIN_BLOCK
        if is_long_text and _JSON_TEXT.match(value):
            has_name = value[0] not in "{["
            inner = loads_lenient(value.partition(":")[2] if has_name else value)
            if any(isinstance(item, (dict, list)) for item in inner):
                stack += [(name, item) for item in reversed(inner)]
                continue
        yield name, value
        stack += reversed(_children(name, value))


def _children(name: str, value: Any) -> list[tuple[str, Any]]:
    if isinstance(value, dict):
        return list(value.items())
    if isinstance(value, list):
        return [(name, item) for item in value]
    return []


def _weight(name: str) -> float:
    if _NO_BODY_NAMES.search(name):
        return 0.0
    return 1.0 if _BODY_NAMES.search(name) else _OTHER_WEIGHT


def _blocks(items: list[Any]) -> list[str]:
    """Return the texts of the blocks in a list, one for each item that is prose. A list
    of teasers, whose items have titles and addresses, has none.
    """
    blocks = []
    for item in items[:MAX_VALUES]:
        if isinstance(item, dict):
            text_names = [name for name in item if isinstance(name, str)]
            names = set(map(str.lower, text_names))
            if names & _LINK_NAMES and names & _TITLE_NAMES:
                return []
        texts = dict.fromkeys(_block_texts(item))
        text = "".join(texts).strip()
        if is_prose(text):
            blocks.append(text)
    # The same words over and over are a setting of the application.
    unique = list(dict.fromkeys(blocks))
    return unique if len(unique) > 1 else []


def _block_texts(item: Any) -> Iterator[str]:
    """Yield the texts of a block, in order: those under a name of text, and its own."""
    stack: list[tuple[str, Any]] = [("text", item)]
    for _ in range(2_000):
        if not stack:
            return
        name, value = stack.pop()
        if isinstance(value, str) and _weight(name) == 1.0:
            yield value
        stack += reversed(_children(name, value))
