"""When two results are the same: addresses that lead to one page, titles that name one
thing.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Sequence
from urllib.parse import parse_qsl, urlencode, urlsplit

from rapidfuzz import fuzz, process
from w3lib.url import canonicalize_url

LIKE = 93.0
"""The least likeness (of 100) of two titles that name one thing: a letter of case, a
dash or a plural may differ, a word may not. Titles of four words with one exchanged are
below 90, those of six words with a letter exchanged above 96.
"""
TELLING_WORDS = 3
TELLING_LETTERS = 12
"""Words and letters that a title needs to name one thing: `Contact` and `Chapter 2`
name many.
"""

_TRACKING = re.compile(
    r"utm_\w+|fbclid|gclid|dclid|msclkid|yclid|mc_[ce]id|igshid|_ga|ref_src|spm|sessionid|phpsessid|jsessionid"
)
"""Parameters that say where a visitor comes from, not where he goes."""
_LEADING_ON = frozenset(
    "url u uddg target dest destination redirect redirect_url redir to link out".split()
)
"""Parameters in which engines that count clicks put the address that a result leads to."""
_INDEX = re.compile(r"/(?:index|default)\.(?:html?|php|aspx?|jsp)$", re.IGNORECASE)
_SESSION = re.compile(r";jsessionid=[^/?#]*", re.IGNORECASE)
_WORD = re.compile(r"\w+")
_NUMBER = re.compile(r"\d+")


def url_key(url: str, *, place: bool = False, without: Collection[str] = ()) -> str:
    """What all addresses of one page have in common, or of one `place` on it; not an
    address that can be opened.

    `without` names parameters that do not count; see `echoing`.
    """
    try:
        url = canonicalize_url(_led_to(url.strip()), keep_fragments=place)
        parts = urlsplit(url)
        host = (parts.hostname or "").removeprefix("www.").rstrip(".")
        port = parts.port
    except ValueError:
        return url
    if parts.scheme not in ("http", "https"):
        return url
    host = host if port in (None, 80, 443) else f"{host}:{port}"
    path = _INDEX.sub("/", _SESSION.sub("", parts.path)).rstrip("/")
    pairs = parse_qsl(parts.query, keep_blank_values=True)
    query = urlencode(
        [
            pair
            for pair in pairs
            if pair[0] not in without and not _TRACKING.fullmatch(pair[0].lower())
        ]
    )
    return (
        f"{host}{path}"
        + (f"?{query}" if query else "")
        + (f"#{parts.fragment}" if parts.fragment else "")
    )


def echoing(urls: Iterable[str], query: str) -> frozenset[str]:
    """The parameters by which an engine tells every page it leads to what was searched
    for, to have the words marked there.

    Only what all results have counts, and only where they are still told apart without
    it: a dictionary's `?word=hay` is the page itself.
    """
    asked = set(title_key(query).split())
    distinct = list(dict.fromkeys(urls))
    if len(distinct) < 2:
        return frozenset()
    names = [
        {
            name
            for name, value in _pairs(url)
            if value and asked.issuperset(title_key(value).split())
        }
        for url in distinct
    ]
    common = frozenset.intersection(*map(frozenset, names))
    return (
        common
        if len({url_key(url, place=True, without=common) for url in distinct})
        == len(distinct)
        else frozenset()
    )


def _pairs(url: str) -> list[tuple[str, str]]:
    try:
        return parse_qsl(urlsplit(url).query)
    except ValueError:
        return []


def _led_to(url: str) -> str:
    """The address behind one that only counts a click."""
    for name, value in _pairs(url):
        if name.lower() in _LEADING_ON and value.startswith(("http://", "https://")):
            return value
    return url


def title_key(title: str) -> str:
    """A title without case, marks and spacing."""
    plain = unicodedata.normalize("NFKC", title).casefold()
    return " ".join(_WORD.findall(plain))


def is_telling(key: str) -> bool:
    """Whether a title says enough to be that of one thing only."""
    letters = sum(not letter.isspace() for letter in key)
    wide = sum(unicodedata.east_asian_width(letter) in "WF" for letter in key)
    return letters + 2 * wide >= TELLING_LETTERS and (
        len(key.split()) >= TELLING_WORDS or 2 * wide > letters
    )


def like_titles(keys: Sequence[str]) -> Iterator[tuple[int, int]]:
    """The pairs of places whose titles name the same thing, the likest first. Numbers
    must be the same: parts are not copies.
    """
    places = [place for place, key in enumerate(keys) if is_telling(key)]
    told = [keys[place] for place in places]
    numbers = [tuple(_NUMBER.findall(key)) for key in told]
    likeness = process.cdist(told, told, scorer=fuzz.ratio, score_cutoff=LIKE)
    pairs = zip(*(side.tolist() for side in likeness.nonzero()), strict=True)
    found = [
        (-float(likeness[one, other]), places[one], places[other])
        for one, other in pairs
        if numbers[one] == numbers[other]
    ]
    return ((one, other) for _, one, other in sorted(found) if one < other)
