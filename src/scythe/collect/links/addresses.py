"""Addresses of a site's pages: which may be pages, and what addresses of one kind of
page have in common.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from urllib.parse import unquote, urlsplit

from scythe.urls import site

MIN_COMMON = 3
"""Addresses that must end with one word for it to say nothing of them. Not tuned."""
COMMON_SHARE = 0.8
"""The share of all addresses that these must be. Not tuned."""

_FILE_ENDING = re.compile(
    r"\.(?:7z|avi|avif|bmp|bz2|css|csv|dmg|docx?|epub|exe|gif|gz|ico|iso|jpe?g|js|json"
    r"|m4a|m4v|mkv|mov|mp[34]|mpe?g|odt|og[gv]|pdf|png|pptx?|rar|svg|tar|tgz|tiff?|txt"
    r"|wav|webm|webp|woff2?|xlsx?|xz|zip)$",
    re.IGNORECASE,
)
_PAGE_ENDING = re.compile(r"\.[a-z][a-z0-9]{1,4}$", re.IGNORECASE)
"""How files end; what follows a dot in "2015.0011" or "v2.0" is a part of the name."""
_NUMBER = re.compile(r"\d+")
_LAST_WORD = re.compile(r"[-_ ]([^\W\d_]{3,})$")


def may_be_page(url: str) -> bool:
    """Return whether an address does not end like a picture, an archive or another file
    that is no page.
    """
    return not _FILE_ENDING.search(urlsplit(url).path)


@lru_cache(maxsize=100_000)
def url_pattern(url: str) -> str:
    """Return what addresses of one kind of page have in common: host and folders, what
    the last part begins and ends with, names of parameters. Numbers are alike.
    """
    folders, last, ending = _split_path(url)
    first_mark = last[:1]
    if first_mark.isalnum():
        first_mark = ""
    path = _NUMBER.sub("#", "/".join(folders))
    query = _query_pattern(url)
    return f"{site(url)}{path}/{first_mark}*{ending}{query}"


@lru_cache(maxsize=100_000)
def url_family(url: str) -> str:
    """Return what addresses of one part of a site have in common, whatever their depth:
    host and first folder, ending, names of parameters.
    """
    folders, _, ending = _split_path(url)
    first = ""
    if len(folders) > 1:
        first = _NUMBER.sub("#", folders[1])
    query = _query_pattern(url)
    return f"{site(url)}/{first}/**{ending}{query}"


def _split_path(url: str) -> tuple[list[str], str, str]:
    """Return the folders of an address, its last part and how that ends."""
    folders = unquote(urlsplit(url).path).split("/")
    last = folders.pop() if folders else ""
    page_ending = _PAGE_ENDING.search(last)
    ending = page_ending[0] if page_ending else ""
    if not last and len(folders) > 1:
        folders.pop()
        ending = "/"
    return folders, last, ending


def _query_pattern(url: str) -> str:
    names = "&".join(_parameter_names(urlsplit(url).query))
    return f"?{names}" if names else ""


def last_word(url: str) -> str:
    """Return the word that the last part of an address ends with: `info` of
    `nexus_info.html`.
    """
    found = _LAST_WORD.search(url_slug(url))
    return found[1] if found else ""


def _parameter_names(query: str) -> list[str]:
    names = []
    for parameter in query.split("&"):
        if parameter:
            name, _, _ = parameter.partition("=")
            names.append(name)
    return sorted(names)


def url_slug(url: str) -> str:
    """Return the last part of an address without its ending, which often outlives a
    move.
    """
    path = unquote(urlsplit(url).path)
    last = path.strip("/").rpartition("/")[2]
    name = _PAGE_ENDING.sub("", last)
    return name.casefold()


def bare_slugs(urls: Sequence[str]) -> list[str]:
    """Return the last parts of addresses, without the words that nearly all of them end
    with one of: `nexus` of `nexus_info.html` and `nexus_build.html` among others such.
    """
    slugs = [url_slug(url) for url in urls]
    endings = Counter(map(last_word, urls))
    endings.pop("", None)
    common = [word for word, count in endings.items() if count >= MIN_COMMON]
    covered = sum(endings[word] for word in common)
    if not common or covered < COMMON_SHARE * len(urls):
        return slugs
    words = "|".join(map(re.escape, common))
    ending = re.compile(rf"[-_ ](?:{words})$")
    return [ending.sub("", slug) for slug in slugs]
