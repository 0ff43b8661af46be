"""The metadata of a page, with the source of each value."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any

from scythe.content.metadata.authors import find_author
from scythe.content.metadata.images import find_image
from scythe.content.metadata.languages import find_language, is_day_first
from scythe.content.metadata.publication import Publication
from scythe.content.metadata.signals import Signals
from scythe.content.metadata.title_context import TitleContext
from scythe.content.metadata.titles import (
    find_site_keys,
    find_site_name,
    find_title,
)
from scythe.content.metadata.values import SourcedValue, as_list, clean_text
from scythe.tree.tree import Tree

FIELDS = (
    "title",
    "author",
    "published",
    "modified",
    "language",
    "site_name",
    "description",
    "image",
    "canonical_url",
)
_DESCRIPTION_TAGS = (
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
    separated by commas. `sources` has for each field with a value where it was found,
    such as `json-ld datePublished`, `og:title`, `h1` or `url`.
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

    def values(self) -> dict[str, str]:
        """Return the fields that have a value."""
        known = {}
        for name in FIELDS:
            value = getattr(self, name)
            if value:
                known[name] = value
        return known

    def to_dict(self) -> dict[str, Any]:
        """Return the metadata as plain data, absent values as None."""
        return asdict(self)


def read_metadata(
    tree: Tree, url: str | None = None, fields: Collection[str] | None = None
) -> Metadata:
    """Return the metadata of a page from its structured data, its meta tags, then its
    visible text.

    `url` is the page's own address: it makes relative addresses whole, and may carry
    the date and the site's name. Where only some `fields` are asked for, no more of the
    page is read than they take.
    """
    return MetadataReader.of_page(tree, url).read(fields)


@dataclass(frozen=True)
class MetadataReader:
    """The fields of a page, and what several of them need, found when asked for."""

    signals: Signals

    @classmethod
    def of_page(cls, tree: Tree, url: str | None) -> MetadataReader:
        """Return the reader of a page."""
        return cls(Signals(tree, url))

    def read(self, fields: Collection[str] | None = None) -> Metadata:
        """Return the metadata, or only some fields of it."""
        values: dict[str, str] = {}
        sources: dict[str, str] = {}
        for name in FIELDS:
            if fields is not None and name not in fields:
                continue
            found = self.find(name)
            if found is not None:
                values[name] = found.value
                sources[name] = found.source
        return Metadata(**values, sources=sources)

    def find(self, field_name: str) -> SourcedValue | None:
        """Return the value of a field with its source."""
        match field_name:
            case "title":
                return self.title
            case "author":
                return find_author(self.signals, self.title_context, self.site_keys)
            case "published":
                return self.publication.published()
            case "modified":
                return self.publication.modified()
            case "language":
                return self.language
            case "site_name":
                return find_site_name(self.signals)
            case "description":
                return find_description(self.signals)
            case "image":
                return find_image(self.signals, self.title_context)
            case _:
                return self.signals.canonical

    @cached_property
    def site_keys(self) -> frozenset[str]:
        """The names the site may go by."""
        return find_site_keys(self.signals)

    @cached_property
    def title(self) -> SourcedValue | None:
        """The title of the content."""
        return find_title(self.signals, self.site_keys)

    @cached_property
    def language(self) -> SourcedValue | None:
        """The language of the page."""
        return find_language(self.signals)

    @cached_property
    def title_context(self) -> TitleContext:
        """The surroundings of the title."""
        title = self.title.value if self.title else ""
        return TitleContext(self.signals, title)

    @cached_property
    def publication(self) -> Publication:
        """The dates of the page."""
        language = self.language.value if self.language else None
        day_first = is_day_first(self.signals, language)
        return Publication(self.signals, self.title_context, day_first)


def find_description(signals: Signals) -> SourcedValue | None:
    """Return the summary that the page gives of itself."""
    for declared in _descriptions(signals):
        text = clean_text(declared.value)
        if text:
            return SourcedValue(text, declared.source)
    return None


def _descriptions(signals: Signals) -> Iterator[SourcedValue]:
    yield from signals.meta_values(_DESCRIPTION_TAGS)
    for main in (*signals.main_jsonld, *signals.main_microdata):
        for text in as_list(main.item.get("description"))[:1]:
            if isinstance(text, str):
                yield SourcedValue(text, f"{main.syntax} description")
