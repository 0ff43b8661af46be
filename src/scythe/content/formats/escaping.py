"""Text that Markdown reads as text: a backslash before each character that would mean
something, and before no other.
"""

from __future__ import annotations

import re

_CANDIDATES = "_*[]&~`<\\"
_SPECIAL = re.compile(r"[\\`\[\]_*~<&]+")
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
_DESTINATION = re.compile(r"&(?=#?\w{1,40};)")


def escape(text: str, *, in_link: bool = False) -> str:
    """Escape what would format, link or embed, wherever it stands in a line; in a
    link's text also what would end it.
    """
    for candidate in _CANDIDATES:
        if candidate in text:
            break
    else:
        return text

    def escaped(found: re.Match[str]) -> str:
        start, stop = found.span()
        run = found.group()
        if run == "*" * len(run):
            return (
                run
                if text[start - 1 : start].isspace() and text[stop : stop + 1].isspace()
                else "\\*" * len(run)
            )
        if run == "_" * len(run):
            return (
                run
                if text[start - 1 : start].isalnum() and text[stop : stop + 1].isalnum()
                else "\\_" * len(run)
            )
        return "".join(
            "\\" + text[at] if _means(text, at, in_link=in_link) else text[at]
            for at in range(start, stop)
        )

    return _SPECIAL.sub(escaped, text)


def _means(text: str, at: int, *, in_link: bool) -> bool:
    """Whether a character of these would be read as more than itself."""
    character, following = text[at], text[at + 1 : at + 2]
    if character == "\\":
        return not following or following in _PUNCTUATION
    if character == "]":
        return in_link
    if (
        character == "~"
    ):  # one that only a space precedes would open what nothing closes
        return following in ("", "~") or not text[at - 1 : at].isspace()
    if character == "<":
        return (
            not following
            or following in "/!?"
            or (following.isascii() and following.isalpha())
        )
    if character == "&":
        return _ENTITY.match(text, at) is not None
    return True


def escape_line_start(text: str) -> str:
    """Escape, in text that is already escaped, what would begin another block where a
    line begins with it.
    """
    found = _LINE_START.match(text)
    if not found:
        return text
    number = found.group("number")
    return f"{number}\\{text[len(number) :]}" if number else "\\" + text


def escape_heading_end(text: str) -> str:
    """Escape number signs at the end of a heading, which would be taken for its
    closing.
    """
    return _CLOSING_HASHES.sub(r"\\", text)


def escape_destination(url: str) -> str:
    """An address as the target of a Markdown link. It has no spaces, quotes, angle
    brackets or backslashes (`Links`).
    """
    url = _DESTINATION.sub(r"\&", url)
    if not _balanced(url):
        url = url.replace("(", "\\(").replace(")", "\\)")
    return url


def _balanced(url: str) -> bool:
    depth = 0
    for bracket in re.findall(r"[()]", url):
        depth += 1 if bracket == "(" else -1
        if not 0 <= depth <= 3:
            return False
    return depth == 0
