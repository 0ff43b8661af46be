"""When two results are the same: addresses of one page, titles of one record."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

import numpy as np
from rapidfuzz import fuzz, process
from w3lib.url import canonicalize_url

TITLE_SIMILARITY = 93.0
"""The least similarity (of 100) of two titles of one record: a letter of case, a dash
or a plural may differ, a word may not. Titles of four words with one exchanged are
below 90, those of six words with a letter exchanged above 96.
"""
DISTINCTIVE_WORDS = 3
DISTINCTIVE_LETTERS = 12
"""Words and letters that a title needs to name one record: `Contact` and `Chapter 2`
name many.
"""

_TRACKING = re.compile(
    r"utm_\w+|fbclid|gclid|dclid|msclkid|yclid|mc_[ce]id|igshid|_ga|ref_src|spm"
    r"|sessionid|phpsessid|jsessionid"
)
"""Parameters that identify where a visitor comes from, not where he goes."""
_TARGET_PARAMETERS = frozenset(
    "url u uddg target dest destination redirect redirect_url redir to link out".split()
)
"""Parameters in which engines that count clicks put the address that a result leads to."""
_INDEX = re.compile(r"/(?:index|default)\.(?:html?|php|aspx?|jsp)$", re.IGNORECASE)
_SESSION = re.compile(r";jsessionid=[^/?#]*", re.IGNORECASE)
_WORD = re.compile(r"\w+")
_NUMBER = re.compile(r"\d+")


def result_key(
    url: str, *, fragment: bool = False, ignored: Collection[str] = ()
) -> str:
    """Return what all addresses of one page have in common; it cannot be opened.

    With `fragment` it is that of one position on the page. `ignored` names parameters
    that do not count; see `echo_parameters`.
    """
    parts = _address_parts(url)
    key = parts.page
    pairs = [pair for pair in parts.parameters if pair[0] not in ignored]
    if pairs:
        key += f"?{urlencode(pairs)}"
    if fragment and parts.fragment:
        key += f"#{parts.fragment}"
    return key


class _AddressParts(NamedTuple):
    """An address in the spelling that all addresses of its page have in common."""

    page: str
    parameters: tuple[tuple[str, str], ...] = ()
    fragment: str = ""


@lru_cache(4_000)
def _address_parts(url: str) -> _AddressParts:
    """Return the parts of an address, kept for some: a search asks for the keys of each
    result several times, and spelling an address anew is most of their cost.
    """
    try:
        address = canonicalize_url(_click_target(url.strip()), keep_fragments=True)
        parts = urlsplit(address)
        host = (parts.hostname or "").removeprefix("www.").rstrip(".")
        port = parts.port
    except ValueError:
        return _AddressParts(url)
    if parts.scheme not in ("http", "https"):
        page = urlunsplit(parts._replace(fragment=""))
        return _AddressParts(page, fragment=parts.fragment)

    if port not in (None, 80, 443):
        host = f"{host}:{port}"
    path = _SESSION.sub("", parts.path)
    pairs = []
    for name, value in parse_qsl(parts.query, keep_blank_values=True):
        if not _TRACKING.fullmatch(name.lower()):
            pairs.append((name, value))
    page = host + _INDEX.sub("/", path).rstrip("/")
    return _AddressParts(page, tuple(pairs), parts.fragment)


def echo_parameters(urls: Iterable[str], query: str) -> frozenset[str]:
    """Return the parameters by which an engine passes the query to every page it leads
    to, to have the words marked there.

    Only what all results have counts, and only where their addresses still differ
    without it: a dictionary's `?word=hay` is the page itself.
    """
    distinct = list(dict.fromkeys(urls))
    if len(distinct) < 2:
        return frozenset()
    query_words = set(title_key(query).split())
    common = _repeating(distinct[0], query_words)
    for url in distinct[1:]:
        common &= _repeating(url, query_words)

    keys = {result_key(url, fragment=True, ignored=common) for url in distinct}
    return common if len(keys) == len(distinct) else frozenset()


def _repeating(url: str, query_words: set[str]) -> frozenset[str]:
    """Return the parameters of an address whose values are words of the query."""
    names = set()
    for name, value in _parameters(url):
        words = title_key(value).split()
        if value and query_words.issuperset(words):
            names.add(name)
    return frozenset(names)


def _parameters(url: str) -> list[tuple[str, str]]:
    try:
        return parse_qsl(urlsplit(url).query)
    except ValueError:
        return []


def _click_target(url: str) -> str:
    """Return the address behind one that only counts a click."""
    for name, value in _parameters(url):
        is_target = name.lower() in _TARGET_PARAMETERS
        if is_target and value.startswith(("http://", "https://")):
            return value
    return url


def title_key(title: str) -> str:
    """Return a title without case, marks and spacing."""
    plain = unicodedata.normalize("NFKC", title).casefold()
    return " ".join(_WORD.findall(plain))


def is_distinctive(key: str) -> bool:
    """Return whether a title is long enough to be that of one record only."""
    words = key.split()
    letters = len("".join(words))
    wide = 0
    for letter in key:
        wide += unicodedata.east_asian_width(letter) in "WF"

    if letters + 2 * wide < DISTINCTIVE_LETTERS:
        return False
    is_mostly_wide = 2 * wide > letters
    return is_mostly_wide or len(words) >= DISTINCTIVE_WORDS


def similar_titles(keys: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield the pairs of indices whose titles name the same record, the most similar
    first.

    Numbers must be the same: parts are not copies.
    """
    indices = [index for index, key in enumerate(keys) if is_distinctive(key)]
    titles = [keys[index] for index in indices]
    numbers = [_NUMBER.findall(title) for title in titles]
    similarity = process.cdist(
        titles, titles, scorer=fuzz.ratio, score_cutoff=TITLE_SIMILARITY
    )

    pairs = []
    for first, second in np.argwhere(similarity).tolist():
        is_one_part = numbers[first] == numbers[second]
        if first < second and is_one_part:
            distance = -float(similarity[first, second])
            pair = (distance, indices[first], indices[second])
            pairs.append(pair)

    for _, first, second in sorted(pairs):
        yield first, second
