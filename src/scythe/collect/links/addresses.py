"""Addresses of a collection: one form for each, what belongs to its site, and which
machines are not asked.

A page of the public web may link to `http://192.168.0.1/` or to a name that leads
there. Such links are not followed, unless the collection itself is of that machine, or
its settings allow it.
"""

from __future__ import annotations

import re
from functools import lru_cache
from urllib.parse import SplitResult, urlsplit

from scythe.urls import is_private, site

_NO_PAGE = re.compile(
    r"\.(?:7z|avi|avif|bmp|bz2|css|csv|dmg|docx?|epub|exe|gif|gz|ico|iso|jpe?g|js|json|m4a|m4v|mkv|mov|mp[34]|mpe?g|odt|og[gv]|pdf|"
    r"png|pptx?|rar|svg|tar|tgz|tiff?|txt|wav|webm|webp|woff2?|xlsx?|xz|zip)$",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d+")


def may_be_page(url: str) -> bool:
    """Whether an address does not end like a picture, an archive or another file that
    is no page.
    """
    return not _NO_PAGE.search(urlsplit(url).path)


@lru_cache(maxsize=100_000)
def shape(url: str) -> str:
    """What addresses of one kind of page have in common: host and folders, what the
    last part begins and ends with, names of parameters. Numbers are alike.
    """
    parts = urlsplit(url)
    folders = parts.path.split("/")
    last = folders.pop() if folders else ""
    ending = ("." + last.rpartition(".")[2]) if "." in last else ""
    mark = last[0] if last[:1] and not last[0].isalnum() else ""
    if not last and len(folders) > 1:
        folders.pop()
        ending = "/"
    names = sorted(part.partition("=")[0] for part in parts.query.split("&") if part)
    where = "/".join(_NUMBER.sub("#", folder) for folder in folders)
    return f"{site(url)}{where}/{mark}*{ending}" + (
        f"?{'&'.join(names)}" if names else ""
    )


def slug(url: str) -> str:
    """The last part of an address without its ending, which often outlives a move."""
    parts = [part for part in urlsplit(url).path.split("/") if part]
    return parts[-1].partition(".")[0].casefold() if parts else ""


class Reach:
    """Which machines a collection may ask: all of the public web; of private ones its
    own host, and all where that is allowed.
    """

    def __init__(self, home: str, *, private: bool = False) -> None:
        self._home = urlsplit(home)
        self._all = private
        self._private = private or is_private(self._home.hostname or "")

    def allows(self, url: str) -> bool:
        """Whether an address may be asked for, as far as its name tells."""
        parts = urlsplit(url)
        return self._all or not is_private(parts.hostname or "") or self._is_home(parts)

    def _is_home(self, parts: SplitResult) -> bool:
        return parts.hostname == self._home.hostname and parts.port == self._home.port

    @property
    def is_private(self) -> bool:
        """Whether private machines are allowed at all: then names are not looked up."""
        return self._private
