"""The title of the content, without the site's name.

What the page shows as its top heading and what its head declares as title back each
other up: a heading that begins or ends the declared title is the title, and the rest of
the declared one is the site's name. Where they disagree, the site's part is cut from
the declared title, or the heading wins if it means the same in other words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from scythe.content.metadata.jsonld import type_names
from scythe.content.metadata.signals import Signals
from scythe.content.metadata.values import (
    SourcedValue,
    as_list,
    clean_text,
    match_key,
)
from scythe.urls import bare_hostname

SEPARATOR = re.compile(r"\s+(?:[|\-–—•·»«:/>~]|::|\|\|)\s+|\s*[|｜»•]\s*")  # noqa: RUF001
_WORD = re.compile(r"\w+")
_SITE_NAME_TAGS = (
    "application-name",
    "apple-mobile-web-app-title",
    "dc.publisher",
    "twitter:app:name:iphone",
)
_SITE_KEY_TAGS = ("og:site_name", "application-name", "apple-mobile-web-app-title")
_MAX_SITE_NAME = 120
"""Characters of a site's name; longer ones are cut. A plain bound, not tuned."""
_SITE_TYPES = (
    "WebSite",
    "Organization",
    "NewsMediaOrganization",
    "Corporation",
    "Blog",
)
_MIN_HEADING_SHARE = 0.4
"""A heading backs a declared title if it makes up at least this part of it; a shorter
one may be the site's section. 0.2 to 0.6 move the agreement on wcxb by less than 2
points; chosen on one half of the domains, it does as well on the other.
"""
_MIN_COMMON_WORDS, _MIN_COMMON_WORDS_ARTICLE = 0.5, 0.25
"""Part of a heading's words that the declared title must share to mean the same;
less on pages that call themselves articles, whose heading is hardly ever a slogan.
"""
_MIN_SITE_KEY = 4
_MAX_SITE_KEY_RATIO = 2.2
"""The shorter of two spellings of a site's name has at least so many letters, and a part
of a title is at most so many times as long as the name it contains. Plain bounds, not
tuned.
"""


def find_site_name(signals: Signals) -> SourcedValue | None:
    """Return the name of the site as it is declared."""
    declared = (
        *signals.meta_values(("og:site_name",)),
        *_structured_site_names(signals),
        *signals.meta_values(_SITE_NAME_TAGS),
    )
    for candidate in declared:
        name = clean_text(candidate.value, _MAX_SITE_NAME)
        if name:
            return SourcedValue(name, candidate.source)
    return None


def _structured_site_names(signals: Signals) -> Iterator[SourcedValue]:
    for item in signals.jsonld:
        if "WebSite" in type_names(item):
            for name in as_list(item.get("name")):
                if isinstance(name, str):
                    yield SourcedValue(name, "json-ld WebSite.name")

    for main in signals.main_jsonld:
        for publisher in as_list(main.item.get("publisher")):
            if not isinstance(publisher, dict):
                continue
            organization = signals.dereference(publisher, "name")
            for name in as_list(organization.get("name")):
                if isinstance(name, str):
                    yield SourcedValue(name, "json-ld publisher")


def find_title(signals: Signals, site_keys: frozenset[str]) -> SourcedValue | None:
    """Return the title of the content; `site_keys` are the names the site may go by
    (`find_site_keys`).
    """
    declared = signals.declared_titles
    headings = [text for _, text in signals.top_headings]
    if declared:
        headings = [text for text in headings if not is_site(text, site_keys)]
    headlines = list(_headlines(signals))

    titles = declared + [headline.value for headline in headlines]
    backed = _backed_heading(headings, titles)
    if backed is not None:
        return SourcedValue(strip_site(backed, site_keys), "h1")
    if not declared:
        if headings:
            return SourcedValue(headings[0], "h1")
        return headlines[0] if headlines else None
    title = declared[0]
    if len(headings) == 1 and _shares_words(signals, headings[0], title):
        return SourcedValue(strip_site(headings[0], site_keys), "h1")
    source = "title" if signals.title_text else "og:title"
    return SourcedValue(first_part(title, site_keys), source)


def _backed_heading(headings: list[str], titles: list[str]) -> str | None:
    """Return the first heading that begins or ends one of the titles."""
    title_keys = [match_key(title) for title in titles]
    for heading in headings:
        heading_key = match_key(heading)
        if not heading_key:
            continue
        for title_key in title_keys:
            if len(heading_key) < _MIN_HEADING_SHARE * len(title_key):
                continue
            if title_key.startswith(heading_key) or title_key.endswith(heading_key):
                return heading
    return None


def _shares_words(signals: Signals, heading: str, title: str) -> bool:
    """Return whether a heading has enough words of the title to mean the same."""
    words = set(_WORD.findall(heading.lower()))
    common_words = words.intersection(_WORD.findall(title.lower()))
    share = _MIN_COMMON_WORDS
    if is_article(signals):
        share = _MIN_COMMON_WORDS_ARTICLE
    return len(common_words) >= share * max(len(words), 1)


def is_article(signals: Signals) -> bool:
    """Return whether the page declares itself an article or a post."""
    for og_type in signals.meta_tags.get("og:type", ()):
        if og_type.lower() == "article":
            return True
    for main in signals.main_jsonld:
        for name in type_names(main.item):
            if name.endswith(("Article", "Posting")):
                return True
    return False


def _headlines(signals: Signals) -> Iterator[SourcedValue]:
    for main in signals.main_jsonld:
        for headline in as_list(main.item.get("headline"))[:1]:
            text = clean_text(headline)
            if text:
                yield SourcedValue(text, f"{main.syntax} headline")


def find_site_keys(signals: Signals) -> frozenset[str]:
    """Return the names the site may go by in a title, as `match_key` has them: declared
    names, the publisher's, and the host's.
    """
    names = [declared.value for declared in signals.meta_values(_SITE_KEY_TAGS)]
    names += [declared.value for declared in _structured_site_names(signals)]
    for item in signals.jsonld:
        if not set(_SITE_TYPES).isdisjoint(type_names(item)):
            names += as_list(item.get("name"))[:1]

    host = bare_hostname(signals.address)
    labels_without_suffix = host.split(".")[:-1]
    longest_label = max(labels_without_suffix, key=len, default="")
    names += [host, longest_label]

    cleaned = map(clean_text, names)
    return frozenset(filter(None, map(match_key, cleaned)))


def is_site(part: str, site_keys: frozenset[str]) -> bool:
    """Return whether a part of a title is the site's name, in full, shortened, or with
    a few words more ("Example News"), or nothing at all.
    """
    part_key = match_key(part)
    if not part_key:
        return True
    return any(_is_same_site(part_key, site_key) for site_key in site_keys)


def _is_same_site(part_key: str, site_key: str) -> bool:
    if part_key == site_key:
        return True
    if len(part_key) > len(site_key):
        longer, shorter = part_key, site_key
    else:
        longer, shorter = site_key, part_key
    if len(shorter) < _MIN_SITE_KEY:
        return False
    if len(part_key) > _MAX_SITE_KEY_RATIO * len(site_key):
        return False
    return longer.startswith(shorter) or longer.endswith(shorter)


def strip_site(title: str, site_keys: frozenset[str]) -> str:
    """Return a title without the site's name at its end or beginning."""
    parts = _parts(title)
    if not parts:
        return title
    first, last = 0, len(parts) - 1
    while last > first and is_site(title[parts[last]], site_keys):
        last -= 1
    while first < last and is_site(title[parts[first]], site_keys):
        first += 1
    return title[parts[first].start : parts[last].stop].strip()


def first_part(title: str, site_keys: frozenset[str]) -> str:
    """Return the first part of a title that is not the site's name; what follows is
    sections and slogans more often than title.
    """
    parts = [title[part].strip() for part in _parts(title)]
    for part in parts:
        if not is_site(part, site_keys):
            return part
    return parts[0] if parts else title


def _parts(title: str) -> list[slice]:
    """Return the parts of a title between its separators that are not blank."""
    parts = []
    start = 0
    for separator in SEPARATOR.finditer(title):
        parts.append(slice(start, separator.start()))
        start = separator.end()
    parts.append(slice(start, len(title)))
    return [part for part in parts if title[part].strip()]
