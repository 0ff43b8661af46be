"""The title of the content, without the site's name.

What the page shows as its top heading and what its head declares as title back each
other up: a heading that begins or ends the declared title is the title, and the rest of
the declared one is the site's name. Where they disagree, the site's part is cut from
the declared title, or the heading wins if it says the same in other words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from scythe.content.metadata.jsonld import types
from scythe.content.metadata.signals import Found, Signals, clean, key, values
from scythe.urls import bare_hostname

SEPARATOR = re.compile(r"\s+(?:[|\-–—•·»«:/>~]|::|\|\|)\s+|\s*[|｜»•]\s*")  # noqa: RUF001
_WORD = re.compile(r"\w+")
_SITE_TYPES = (
    "WebSite",
    "Organization",
    "NewsMediaOrganization",
    "Corporation",
    "Blog",
)
_MIN_SHARE = 0.4
"""A heading backs a declared title if it makes up at least this part of it; a shorter
one may be the site's section.
0.2 to 0.6 move the agreement on wcxb by less than 2 points; chosen on one half of the
domains, it does as well on the other.
"""
_MIN_COMMON_WORDS, _MIN_COMMON_WORDS_ARTICLE = 0.5, 0.25
"""Part of a heading's words that the declared title must share for it to say the same;
less on pages that call themselves articles, whose heading is hardly ever a slogan.
"""


def find_site_name(signals: Signals) -> Found | None:
    """The name of the site as it is declared."""
    for found in (
        *signals.first_meta(("og:site_name",)),
        *_structured_site_names(signals),
    ):
        if name := clean(found.value, 120):
            return Found(name, found.source)
    for found in signals.first_meta(
        (
            "application-name",
            "apple-mobile-web-app-title",
            "dc.publisher",
            "twitter:app:name:iphone",
        )
    ):
        if name := clean(found.value, 120):
            return Found(name, found.source)
    return None


def _structured_site_names(signals: Signals) -> Iterator[Found]:
    for item in signals.jsonld:
        if "WebSite" in types(item):
            yield from (
                Found(name, "json-ld WebSite.name")
                for name in values(item.get("name"))
                if isinstance(name, str)
            )
    for thing in signals.jsonld_things:
        for publisher in values(thing.item.get("publisher")):
            if isinstance(publisher, dict):
                publisher = (
                    signals.by_id.get(str(publisher.get("@id")), publisher)
                    if "name" not in publisher
                    else publisher
                )
                yield from (
                    Found(name, "json-ld publisher")
                    for name in values(publisher.get("name"))
                    if isinstance(name, str)
                )


def find_title(signals: Signals, sites: frozenset[str]) -> Found | None:
    """The title of the content; `sites` are the names the site may go by (`site_keys`)."""
    declared = signals.declared_titles
    headings = [
        text
        for _, text in signals.top_headings
        if not (declared and is_site(text, sites))
    ]
    backed = _backed_heading(headings, [*declared, *_headlines(signals)])
    if backed is not None:
        return Found(strip_site(backed, sites), "h1")
    if not declared:
        return (
            Found(headings[0], "h1")
            if headings
            else next(iter(_headline_found(signals)), None)
        )
    if len(headings) == 1 and _says_the_same(signals, headings[0], declared[0]):
        return Found(strip_site(headings[0], sites), "h1")
    source = "title" if signals.title_text else "og:title"
    return Found(first_part(declared[0], sites), source)


def _backed_heading(headings: list[str], titles: list[str]) -> str | None:
    keys = [key(title) for title in titles]
    for heading in headings:
        short = key(heading)
        for title in keys:
            if (
                short
                and len(short) >= _MIN_SHARE * len(title)
                and (title.startswith(short) or title.endswith(short))
            ):
                return heading
    return None


def _says_the_same(signals: Signals, heading: str, title: str) -> bool:
    words = set(_WORD.findall(heading.lower()))
    common = len(words.intersection(_WORD.findall(title.lower())))
    return common >= (
        _MIN_COMMON_WORDS_ARTICLE if is_article(signals) else _MIN_COMMON_WORDS
    ) * max(len(words), 1)


def is_article(signals: Signals) -> bool:
    """Whether the page declares itself an article or a post."""
    if any(kind.lower() == "article" for kind in signals.meta.get("og:type", ())):
        return True
    return any(
        name.endswith(("Article", "Posting"))
        for thing in signals.jsonld_things
        for name in types(thing.item)
    )


def _headlines(signals: Signals) -> list[str]:
    return [found.value for found in _headline_found(signals)]


def _headline_found(signals: Signals) -> Iterator[Found]:
    for thing in signals.jsonld_things:
        for headline in values(thing.item.get("headline"))[:1]:
            if text := clean(headline):
                yield Found(text, f"{thing.syntax} headline")


def site_keys(signals: Signals) -> frozenset[str]:
    """The names the site may go by in a title: declared names, the publisher's, and the
    host's.
    """
    names = [
        found.value
        for found in signals.first_meta(
            ("og:site_name", "application-name", "apple-mobile-web-app-title")
        )
    ]
    names += [found.value for found in _structured_site_names(signals)]
    names += [
        name
        for item in signals.jsonld
        if not set(_SITE_TYPES).isdisjoint(types(item))
        for name in values(item.get("name"))[:1]
    ]
    host = bare_hostname(signals.address)
    labels = host.split(".")
    names += [host, max(labels[:-1], key=len, default="")]
    return frozenset(filter(None, (key(clean(name)) for name in names)))


def is_site(part: str, sites: frozenset[str]) -> bool:
    """Whether a part of a title is the site's name, in full, shortened, or with a few
    words more ("Example News").
    """
    name = key(part)
    return not name or any(_same_site(name, site) for site in sites)


def _same_site(name: str, site: str) -> bool:
    if name == site:
        return True
    longer, shorter = (name, site) if len(name) > len(site) else (site, name)
    return (
        len(shorter) >= 4
        and len(name) <= 2.2 * len(site)
        and (longer.startswith(shorter) or longer.endswith(shorter))
    )


def strip_site(title: str, sites: frozenset[str]) -> str:
    """A title without the site's name at its end or beginning."""
    parts = _parts(title)
    first, last = 0, len(parts) - 1
    while last > first and is_site(title[slice(*parts[last])], sites):
        last -= 1
    while first < last and is_site(title[slice(*parts[first])], sites):
        first += 1
    return title[parts[first][0] : parts[last][1]].strip() if parts else title


def first_part(title: str, sites: frozenset[str]) -> str:
    """The first part of a title that is not the site's name; what follows is sections
    and slogans more often than title.
    """
    parts = [title[slice(*part)].strip() for part in _parts(title)]
    return next(
        (part for part in parts if not is_site(part, sites)),
        parts[0] if parts else title,
    )


def _parts(title: str) -> list[tuple[int, int]]:
    borders = [
        0,
        *(place for match in SEPARATOR.finditer(title) for place in match.span()),
        len(title),
    ]
    return [
        (start, end)
        for start, end in zip(borders[::2], borders[1::2], strict=True)
        if title[start:end].strip()
    ]
