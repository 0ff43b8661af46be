"""When the content was published and last changed, from the strongest statement to the
weakest.

Order by agreement with the wcxb dates where the source has one: the address of the page
(0.97), `article:published_time` (0.96), JSON-LD works and pages (0.89 to 0.93), other
meta tags (0.91), microdata of the main work, `<time>` near the title, dates in the
lines around it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from scythe.content.metadata.dates import find_dates, parse_date
from scythe.content.metadata.signals import MainItem, Signals
from scythe.content.metadata.title_context import TitleContext
from scythe.content.metadata.values import SourcedValue, as_list

_TRUSTED_PUBLISHED_TAGS = (
    "article:published_time",
    "og:article:published_time",
    "og:published_time",
)
_PUBLISHED_TAGS = (
    "datepublished",
    "parsely-pub-date",
    "sailthru.date",
    "citation_publication_date",
    "citation_date",
    "article:published",
    "article.published",
    "article_date_original",
    "publish-date",
    "publish_date",
    "publishdate",
    "published_date",
    "published-date",
    "publication_date",
    "pubdate",
    "ptime",
    "cxenseparse:recs:publishtime",
    "bt:pubdate",
    "prism.publicationdate",
    "rnews:datepublished",
    "dc.date.issued",
    "dcterms.issued",
    "dc.date.created",
    "dcterms.created",
    "dcterms.date",
    "dc.date",
    "dc:date",
    "date",
    "datecreated",
    "article:post_date",
    "og:release_date",
    "video:release_date",
)
_MODIFIED_TAGS = (
    "article:modified_time",
    "og:updated_time",
    "datemodified",
    "dcterms.modified",
    "dc.date.modified",
    "last-modified",
    "article:updated_time",
    "article:modified",
    "lastmod",
    "last_updated",
    "modified_time",
    "revised",
)
_PUBLICATION_NAME = re.compile(
    r"publi(?:sh|cation)|pubdate|posted|\.date\Z", re.IGNORECASE
)
_OTHER_NAME = re.compile(
    r"modif|updat|expir|event|start|end|copyright|publisher|image|video", re.IGNORECASE
)
_DATE_IN_ADDRESS = re.compile(
    r"/((?:19|20)\d\d)(?:/(\d\d?)/(\d\d?)|-(\d\d)-(\d\d)|(\d\d)(\d\d))(?![\d,])"
)
_CHANGE_WORD = re.compile(
    r"updat|modif|revis|edited|reviewed|mise? à jour|actualis|aktualisiert|geändert"
    r"|aggiornat|atualizad|actualizad"
    r"|обновлен|изменен|تحديث|更新|修改",
    re.IGNORECASE,
)
_MAX_DATE_LINE = 160
"""Characters of a line that can be a dateline; longer ones are text that mentions a
date.
"""
_MAX_BEFORE, _MAX_AFTER = 60, 400
"""Nodes between the title and a `<time>` that belongs to it."""
_MAX_TIMES = 40
_MAX_LABEL = 30
"""Characters of a line that only names the kind of the date on the next line, such as
"Last updated:". These four are plain bounds, not tuned.
"""
_LABEL_NODES = 4
"""Nodes before a `<time>` that can label it; a plain bound, not tuned."""
_PUBLISHED_PROPERTIES = ("datePublished", "dateCreated", "uploadDate")


class _PageDate(NamedTuple):
    """A date on the page, and whether it is that of a change."""

    date: SourcedValue
    is_change: bool


@dataclass(frozen=True)
class Publication:
    """The two dates of a page, each found when asked for."""

    signals: Signals
    context: TitleContext
    day_first: bool
    """How to read 03/05/2024."""

    def published(self) -> SourcedValue | None:
        """Return the date of publication."""
        return next(self._published_candidates(), None)

    def modified(self) -> SourcedValue | None:
        """Return the date of the last change."""
        return next(self._modified_candidates(), None)

    def _published_candidates(self) -> Iterator[SourcedValue]:
        signals = self.signals
        yield from self._in_address()
        yield from self._in_meta_tags(_TRUSTED_PUBLISHED_TAGS)
        yield from self._in_items(signals.main_jsonld, _PUBLISHED_PROPERTIES)
        yield from self._in_meta_tags(_PUBLISHED_TAGS)
        yield from self._in_items(signals.main_microdata, _PUBLISHED_PROPERTIES)
        yield from self._on_page(changes=False)
        other_tags = tuple(filter(_names_publication, signals.meta_tags))
        yield from self._in_meta_tags(other_tags)

    def _modified_candidates(self) -> Iterator[SourcedValue]:
        yield from self._in_meta_tags(_MODIFIED_TAGS)
        yield from self._in_items(self.signals.main_jsonld, ("dateModified",))
        yield from self._in_items(self.signals.main_microdata, ("dateModified",))
        yield from self._on_page(changes=True)

    def _parse(self, value: str) -> str | None:
        return parse_date(value, day_first=self.day_first)

    def _in_meta_tags(self, names: tuple[str, ...]) -> Iterator[SourcedValue]:
        for declared in self.signals.meta_values(names):
            date = self._parse(declared.value)
            if date:
                yield SourcedValue(date, declared.source)

    def _in_items(
        self, items: list[MainItem], properties: tuple[str, ...]
    ) -> Iterator[SourcedValue]:
        for name in properties:
            for main in items:
                for value in as_list(main.item.get(name))[:1]:
                    if not isinstance(value, str | int):
                        continue
                    date = self._parse(str(value))
                    if date:
                        yield SourcedValue(date, f"{main.syntax} {name}")

    def _in_address(self) -> Iterator[SourcedValue]:
        match = _DATE_IN_ADDRESS.search(self.signals.address)
        if match is None:
            return
        date = parse_date("-".join(filter(None, match.groups())))
        if date:
            yield SourcedValue(date, "url")

    def _on_page(self, *, changes: bool) -> Iterator[SourcedValue]:
        """Yield the dates near the title, either those of changes or the others."""
        for element in self._time_elements():
            if element.is_change == changes:
                yield element.date
        for line in self._datelines:
            if line.is_change == changes:
                yield line.date

    def _time_elements(self) -> Iterator[_PageDate]:
        """Yield the dates of the `<time>` elements near the title, those after it
        first.
        """
        for node in self._time_nodes():
            attributes = self.signals.tree.attributes(node)
            stated = attributes.get("datetime", "")
            text = self.signals.text_under(node, _MAX_DATE_LINE)
            date = self._parse(stated) or self._parse(text)
            if not date or self.signals.is_hidden(node):
                continue
            source = "time[datetime]" if stated else "time"
            is_change = self._is_change(node, attributes, text)
            yield _PageDate(SourcedValue(date, source), is_change)

    def _time_nodes(self) -> list[int]:
        tree = self.signals.tree
        title = self.context.node
        nodes = tree.elements("time")
        first = title - _MAX_BEFORE
        stop = int(tree.end[title]) + _MAX_AFTER
        is_near = (nodes > first) & (nodes < stop)
        near: list[int] = nodes[is_near].tolist()
        after = [node for node in near if node >= title]
        before = [node for node in near if node < title]
        return [*after, *reversed(before)][:_MAX_TIMES]

    def _is_change(self, node: int, attributes: Mapping[str, str], text: str) -> bool:
        """Return whether a `<time>` or the text just before it names a change."""
        tree = self.signals.tree
        parent = int(tree.parent[node])
        first = max(parent, node - _LABEL_NODES)
        text_before = "".join(tree.texts_between(first, node))
        class_name = attributes.get("class", "")
        itemprop = attributes.get("itemprop", "")
        description = f"{class_name} {itemprop} {text_before} {text}"
        return _CHANGE_WORD.search(description) is not None

    @cached_property
    def _datelines(self) -> list[_PageDate]:
        """The dates in short lines around the title; a line that only names the kind of
        date applies to the next one.
        """
        datelines = []
        label = ""
        for line in self.context.lines:
            text = line.text
            if len(text) > _MAX_DATE_LINE:
                continue
            dates = list(find_dates(text, day_first=self.day_first))
            start = 0
            for position, date in dates:
                labels = (label, text[start:position])
                is_change = any(map(_CHANGE_WORD.search, labels))
                sourced = SourcedValue(date, "line near title")
                datelines.append(_PageDate(sourced, is_change))
                start, label = position, ""

            if not dates:
                label = text if len(text) < _MAX_LABEL else ""
        return datelines


def _names_publication(meta_name: str) -> bool:
    if not _PUBLICATION_NAME.search(meta_name):
        return False
    return _OTHER_NAME.search(meta_name) is None
