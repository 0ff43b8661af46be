"""What a page says about itself, with the source of each statement."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from scythe.content.metadata.authors import find_author
from scythe.content.metadata.images import find_image
from scythe.content.metadata.languages import day_comes_first, find_language
from scythe.content.metadata.nearby import Nearby
from scythe.content.metadata.publication import Publication
from scythe.content.metadata.signals import Found, Signals, clean, values
from scythe.content.metadata.titles import find_site_name, find_title, site_keys
from scythe.tree.tree import Tree

_DESCRIPTIONS = (
    "description",
    "og:description",
    "twitter:description",
    "dc.description",
    "dcterms.description",
    "sailthru.description",
)


@dataclass(frozen=True, slots=True)
class Metadata:
    """What a page says about itself.

    Dates are `YYYY-MM-DD`, addresses absolute, the language a BCP 47 tag, authors
    separated by commas. `sources` tells for each field that has a value where it was
    found, such as `json-ld datePublished`, `og:title`, `h1` or `url`.
    """

    title: str | None = None
    author: str | None = None
    published: str | None = None
    modified: str | None = None
    language: str | None = None
    site_name: str | None = None
    description: str | None = None
    image: str | None = None
    canonical_url: str | None = None
    sources: Mapping[str, str] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """As plain data, absent values as None."""
        return asdict(self)


def read_metadata(
    tree: Tree, url: str | None = None, fields: Collection[str] | None = None
) -> Metadata:
    """Read what a page says about itself from its structured data, its meta tags, then
    the page.

    `url` is the page's own address: it makes relative addresses whole, and may carry
    the date and the site's name. Where only some `fields` are asked for, no more of the
    page is looked at than they take.
    """
    signals = Signals(tree, url)
    sites = site_keys(signals)
    title = find_title(signals, sites)
    nearby = Nearby(signals, title.value if title else "")
    language = find_language(signals)
    publication = Publication(
        signals, nearby, day_comes_first(signals, language.value if language else None)
    )
    finders: dict[str, Callable[[], Found | None]] = {
        "title": lambda: title,
        "author": lambda: find_author(signals, nearby, sites),
        "published": publication.published,
        "modified": publication.modified,
        "language": lambda: language,
        "site_name": lambda: find_site_name(signals),
        "description": lambda: find_description(signals),
        "image": lambda: find_image(signals, nearby),
        "canonical_url": lambda: signals.canonical,
    }
    found = {
        name: find()
        for name, find in finders.items()
        if fields is None or name in fields
    }
    told = {
        name: statement for name, statement in found.items() if statement is not None
    }
    return Metadata(
        **{name: statement.value for name, statement in told.items()},
        sources={name: statement.source for name, statement in told.items()},
    )


def find_description(signals: Signals) -> Found | None:
    """The summary that the page gives of itself."""
    for statement in _descriptions(signals):
        if text := clean(statement.value):
            return Found(text, statement.source)
    return None


def _descriptions(signals: Signals) -> Iterator[Found]:
    yield from signals.first_meta(_DESCRIPTIONS)
    for thing in (*signals.jsonld_things, *signals.microdata_things):
        for text in values(thing.item.get("description"))[:1]:
            if isinstance(text, str):
                yield Found(text, f"{thing.syntax} description")
