"""Style of saved pages made harmless: it may look like anything, and ask for nothing.

The frame's policy already forbids every request; this takes out what would try, so that
pages look whole and nothing depends on one guard alone.
"""

from __future__ import annotations

import re

MAX_LENGTH = 2_000_000
"""Characters of one stylesheet that are kept: the largest of common frameworks have a
tenth of it.
"""

_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_LETTER = re.compile(
    r"\\(?:0{0,4}([46][1-9a-f]|[57][0-9a]|2d)(?:\r\n|[ \t\r\n\f])?|([g-z]))",
    re.IGNORECASE,
)
"""An escape for a letter or a hyphen: nobody needs one to write a word, except to hide
it.
"""
_IMPORT = re.compile(
    r"@(?:import|namespace|charset|document|-moz-document)\b[^;{}]*;?", re.IGNORECASE
)
_DATA = re.compile(
    r"data:(?:image/(?:png|jpeg|gif|webp|avif)|font/[\w.+-]+"
    r"|application/(?:x-)?font-[\w.+-]+)(?:;[\w=-]+)*;base64,[\w+/=\s%]*",
    re.IGNORECASE,
)
_URL = re.compile(r"\burl\(\s*+", re.IGNORECASE)
_URL_REST = re.compile(r"""("[^"\n]*+"|'[^'\n]*+'|[^)"'\n]*+)\s*+\)""")
_UNQUOTED = re.compile(r"""[^)"'\n]*+""")
_KEPT = re.compile(r"\burl\(\"data:[^\"]*\"\)")
_CALLS = re.compile(
    r"(?<![\w-])(?:url|url-prefix|src|image|image-set|-webkit-image-set|cross-fade"
    r"|-webkit-cross-fade|paint|element|expression)\(",
    re.IGNORECASE,
)
_BOUND = re.compile(
    r"(?<![\w-])(?:-moz-binding|behavior|-ms-behavior)\s*:", re.IGNORECASE
)
_LINKS = re.compile(r":(?:any-link|link|visited)(?![\w-])", re.IGNORECASE)
_OPENING = re.compile(r"<(?![=\s\d])")
_MEDIA = re.compile(r"[\w\s(),.:<>=/-]{1,300}")

LINK = "data-scythe-href"
"""Where a link keeps its address, which leads nowhere; what a stylesheet says of links
is said of elements that have it.
"""


def harmless_css(css: str) -> str:
    """Return the style without any address of the network, any import, and any way out of
    a `<style>` element or an attribute.
    """
    css = _COMMENT.sub(" ", css[:MAX_LENGTH].replace("\0", ""))
    css = _LETTER.sub(_letter, css)
    css = _IMPORT.sub(" ", css)
    css = _without_addresses(css)
    css = _without_calls(css)
    css = _BOUND.sub("x:", css)
    css = _LINKS.sub(f"[{LINK}]", css)
    return _OPENING.sub(r"\\3C ", css)


def _without_calls(css: str) -> str:
    """Return the style without calls that would load something; data stays."""
    pieces: list[str] = []
    last = 0
    for kept in _KEPT.finditer(css):
        before = css[last : kept.start()]
        pieces.append(_CALLS.sub("none(", before))
        pieces.append(kept[0])
        last = kept.end()
    pieces.append(_CALLS.sub("none(", css[last:]))
    return "".join(pieces)


def for_media(css: str, media: str) -> str:
    """Return the style for some screens only, as a `media` attribute has it."""
    media = media.strip()
    if not media or media.lower() == "all" or not _MEDIA.fullmatch(media):
        return css
    return f"@media {media} {{\n{css}\n}}"


def _letter(escaped: re.Match[str]) -> str:
    if not escaped[1]:
        return escaped[2]
    return chr(int(escaped[1], 16))


def _without_addresses(css: str) -> str:
    """Return the style with only those addresses that are data themselves.

    A call without an end is searched for it once: all calls in the same unquoted text
    have the same end, or none.
    """
    pieces: list[str] = []
    last = 0
    endless = 0
    for call in _URL.finditer(css):
        start = call.end()
        if call.start() < last or start < endless:
            continue

        rest = _URL_REST.match(css, start)
        if rest is None:
            unquoted = _UNQUOTED.match(css, start)
            endless = unquoted.end() if unquoted else start
            continue

        before = css[last : call.start()]
        pieces += [before, _address(rest)]
        last = rest.end()
    return "".join([*pieces, css[last:]])


def _address(rest: re.Match[str]) -> str:
    address = rest[1].strip("\"' \t\r\n")
    return f'url("{address}")' if _DATA.fullmatch(address) else "none"
