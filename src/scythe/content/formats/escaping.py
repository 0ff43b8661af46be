"""Text that Markdown reads as text: a backslash before each character that would have a
meaning, and before no other.
"""

from __future__ import annotations

import re
from functools import partial

_SPECIAL_CHARACTERS = "_*[]&~`<\\"
_SPECIAL_RUN = re.compile(r"[\\`\[\]_*~<&]+")
_ENTITY = re.compile(r"&(?:\#?\w{1,40};|$)")
_PUNCTUATION = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
_LINE_START = re.compile(
    r"""
    (?P<mark> \#{1,6}(?=\s|$) | > | [+-](?=\s|$) | =+\s*$ | [-:|][-:|\s]*$ )
    | (?P<number> [0-9]{1,9}) [.)](?=\s|$)
    """,
    re.VERBOSE,
)
_CLOSING_HASHES = re.compile(r"(?:(?<=\s)|^)(?=#+$)")
_ENTITY_IN_ADDRESS = re.compile(r"&(?=#?\w{1,40};)")
_MAX_BRACKET_DEPTH = 3
"""Levels of brackets in an address that are left as they are; CommonMark requires
readers to take at least this many.
"""


def escape(text: str, *, in_link: bool = False) -> str:
    """Return the text with what would format, link or embed escaped, wherever it stands
    in a line; in a link's text also what would end it.
    """
    for character in _SPECIAL_CHARACTERS:
        if character in text:
            return _SPECIAL_RUN.sub(partial(_escape_run, in_link=in_link), text)
    return text


def _escape_run(match: re.Match[str], *, in_link: bool) -> str:
    """Return a run of special characters with those escaped that have a meaning."""
    text = match.string
    start, stop = match.span()
    run = match.group()
    before = text[start - 1 : start]
    after = text[stop : stop + 1]
    if run == "*" * len(run):
        stands_alone = before.isspace() and after.isspace()
        return run if stands_alone else "\\*" * len(run)
    if run == "_" * len(run):
        is_inside_word = before.isalnum() and after.isalnum()
        return run if is_inside_word else "\\_" * len(run)

    parts = []
    for index in range(start, stop):
        if _has_meaning(text, index, in_link=in_link):
            parts.append("\\")
        parts.append(text[index])
    return "".join(parts)


def _has_meaning(text: str, index: int, *, in_link: bool) -> bool:
    """Return whether a special character would be read as more than itself."""
    following = text[index + 1 : index + 2]
    match text[index]:
        case "\\":
            return not following or following in _PUNCTUATION
        case "]":
            return in_link
        case "~":  # one that only a space precedes would open what nothing closes
            return following in ("", "~") or not text[index - 1 : index].isspace()
        case "<":
            if not following or following in "/!?":
                return True
            return following.isascii() and following.isalpha()
        case "&":
            return _ENTITY.match(text, index) is not None
        case _:
            return True


def escape_line_start(text: str) -> str:
    """Return text that is already escaped with that escaped which would begin another
    block where a line begins with it.
    """
    match = _LINE_START.match(text)
    if not match:
        return text
    number = match.group("number")
    if number:
        return f"{number}\\{text[len(number) :]}"
    return "\\" + text


def escape_heading_end(text: str) -> str:
    """Return text with number signs at its end escaped, which would be taken for the
    closing of a heading.
    """
    return _CLOSING_HASHES.sub(r"\\", text)


def escape_destination(url: str) -> str:
    """Return an address as the target of a Markdown link. It has no spaces, quotes,
    angle brackets or backslashes (`Links`).
    """
    url = _ENTITY_IN_ADDRESS.sub(r"\&", url)
    if not _has_balanced_brackets(url):
        url = url.replace("(", "\\(").replace(")", "\\)")
    return url


def _has_balanced_brackets(url: str) -> bool:
    depth = 0
    for bracket in re.findall(r"[()]", url):
        depth += 1 if bracket == "(" else -1
        if not 0 <= depth <= _MAX_BRACKET_DEPTH:
            return False
    return depth == 0
