"""The authors: names, never addresses, without the "By" before and the job title or
date after.

What the page declares comes first, JSON-LD before meta tags before microdata, each
right for 9 of 10 wcxb pages where it speaks of the main thing; then what the page
shows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from scythe.content.metadata.bylines import names_on_page
from scythe.content.metadata.names import MAX_NAMES, clean_name, split_names
from scythe.content.metadata.nearby import Nearby
from scythe.content.metadata.signals import Found, Signals, Thing, key, values

_META_TRUSTED = (
    "author",
    "article:author_name",
    "sailthru.author",
    "parsely-author",
    "dc.creator",
    "dcterms.creator",
    "dc.contributor",
    "citation_author",
    "byl",
    "cxenseparse:author",
    "cxenseparse:recs:author",
    "rbauthors",
    "shareaholic:article_author_name",
    "authors",
    "article.author",
)
_META_UNSURE = (
    "article:author",
    "og:article:author",
    "og:author",
    "twitter:data1",
    "creator",
)
"""Tags that hold an address or an account about as often as a name; only names are
taken.
"""
_AUTHOR_LABEL = re.compile(
    r"written|author|by|autor|auteur|verfasst|geschrieben|écrit|escrito|scritto|автор|作者",
    re.IGNORECASE,
)


def find_author(
    signals: Signals, nearby: Nearby, sites: frozenset[str]
) -> Found | None:
    """The names of the authors, separated by commas.

    A page that declares its site as author often names a person in its byline, so the
    site's name (one of `sites`) is the last resort.
    """
    resort = None
    for names, source in _candidates(signals, nearby):
        chosen = list(
            dict.fromkeys(name for name in map(clean_name, names[:MAX_NAMES]) if name)
        )
        persons = [name for name in chosen if key(name) not in sites]
        if persons:
            return Found(", ".join(persons), source)
        if chosen and resort is None:
            resort = Found(", ".join(chosen), source)
    return resort


def _candidates(signals: Signals, nearby: Nearby) -> Iterator[tuple[list[str], str]]:
    yield from _from_things(signals, signals.jsonld_things)
    yield from _from_meta(signals, _META_TRUSTED)
    yield from _from_things(signals, signals.microdata_things)
    yield from _from_meta(signals, _META_UNSURE)
    yield from names_on_page(signals, nearby)


def _from_meta(
    signals: Signals, tags: tuple[str, ...]
) -> Iterator[tuple[list[str], str]]:
    for tag in tags:
        contents = signals.meta.get(tag, [])
        if tag == "twitter:data1" and not _AUTHOR_LABEL.search(
            signals.meta.get("twitter:label1", [""])[0]
        ):
            continue  # it holds whatever the label says: often the author, else a price or the reading time
        names = [name for content in contents for name in split_names(content)]
        if tag == "citation_author":
            names = [
                " ".join(reversed(name.split(", "))) if name.count(",") == 1 else name
                for name in names
            ]
        yield names, tag if ":" in tag else f"meta {tag}"


def _from_things(
    signals: Signals, things: list[Thing]
) -> Iterator[tuple[list[str], str]]:
    for thing in things:
        for way in ("author", "creator"):
            names = [
                name
                for value in values(thing.item.get(way))[:MAX_NAMES]
                for name in _names_of(signals, value)
            ]
            yield names, f"{thing.syntax} {way}"


def _names_of(signals: Signals, author: object) -> list[str]:
    if isinstance(author, str):
        return split_names(author)
    if not isinstance(author, dict):
        return []
    person = (
        author
        if "name" in author
        else signals.by_id.get(str(author.get("@id")), author)
    )
    return [
        name for name in values(person.get("name"))[:MAX_NAMES] if isinstance(name, str)
    ]
