"""Addresses of a site's pages: which may be pages, and what addresses of one kind of
page have in common.
"""

from __future__ import annotations

import re
from functools import lru_cache
from urllib.parse import urlsplit

from scythe.urls import site

_FILE_ENDING = re.compile(
    r"\.(?:7z|avi|avif|bmp|bz2|css|csv|dmg|docx?|epub|exe|gif|gz|ico|iso|jpe?g|js|json"
    r"|m4a|m4v|mkv|mov|mp[34]|mpe?g|odt|og[gv]|pdf|png|pptx?|rar|svg|tar|tgz|tiff?|txt"
    r"|wav|webm|webp|woff2?|xlsx?|xz|zip)$",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d+")


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
    parts = urlsplit(url)
    folders = parts.path.split("/")
    last = folders.pop() if folders else ""
    ending = f".{last.rpartition('.')[2]}" if "." in last else ""
    first_mark = last[:1]
    if first_mark.isalnum():
        first_mark = ""
    if not last and len(folders) > 1:
        folders.pop()
        ending = "/"

    path = _NUMBER.sub("#", "/".join(folders))
    query = "&".join(_parameter_names(parts.query))
    if query:
        query = f"?{query}"
    return f"{site(url)}{path}/{first_mark}*{ending}{query}"


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
    path = urlsplit(url).path
    last = path.strip("/").rpartition("/")[2]
    return last.partition(".")[0].casefold()
