"""When the content was published and last changed, from the strongest statement to the
weakest.

Order by agreement with the wcxb dates where the source speaks: the address of the page
(0.97), `article:published_time` (0.96), JSON-LD works and pages (0.89 to 0.93), other
meta tags (0.91), microdata of the main work, `<time>` near the title, dates in the
lines around it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from scythe.content.metadata.dates import find_dates, parse_date
from scythe.content.metadata.nearby import Nearby
from scythe.content.metadata.signals import Found, Signals, Thing, values
from scythe.tree.tags import code

_PUBLISHED_TRUSTED = (
    "article:published_time",
    "og:article:published_time",
    "og:published_time",
)
_PUBLISHED = (
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
_MODIFIED = (
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
_META_BY_NAME = re.compile(r"publi(?:sh|cation)|pubdate|posted|\.date\Z", re.IGNORECASE)
_META_OTHER = re.compile(
    r"modif|updat|expir|event|start|end|copyright|publisher|image|video", re.IGNORECASE
)
_IN_ADDRESS = re.compile(
    r"/((?:19|20)\d\d)(?:/(\d\d?)/(\d\d?)|-(\d\d)-(\d\d)|(\d\d)(\d\d))(?![\d,])"
)
_CHANGED = re.compile(
    r"updat|modif|revis|edited|reviewed|mise? à jour|actualis|aktualisiert|geändert|aggiornat|atualizad|actualizad"
    r"|обновлен|изменен|تحديث|更新|修改",
    re.IGNORECASE,
)
_MAX_DATE_LINE = 160
"""Characters of a line that can be a dateline; longer ones are text that mentions a
date.
"""
_NEAR_BEFORE, _NEAR_AFTER = 60, 400
"""Nodes between the title and a `<time>` that belongs to it."""
_MAX_TIMES = 40


@dataclass(frozen=True)
class Publication:
    """The two dates of a page, each found when asked for."""

    signals: Signals
    nearby: Nearby
    day_first: bool
    """How to read 03/05/2024."""

    def published(self) -> Found | None:
        """The date of publication."""
        return next(self._published(), None)

    def modified(self) -> Found | None:
        """The date of the last change."""
        return next(self._modified(), None)

    def _published(self) -> Iterator[Found]:
        yield from self._address()
        yield from self._meta(_PUBLISHED_TRUSTED)
        yield from self._things(
            self.signals.jsonld_things, ("datePublished", "dateCreated", "uploadDate")
        )
        yield from self._meta(_PUBLISHED)
        yield from self._things(
            self.signals.microdata_things,
            ("datePublished", "dateCreated", "uploadDate"),
        )
        yield from (found for found, changed in self._times() if not changed)
        yield from (found for found, changed in self._lines if not changed)
        yield from self._meta(tuple(filter(_names_publication, self.signals.meta)))

    def _modified(self) -> Iterator[Found]:
        yield from self._meta(_MODIFIED)
        yield from self._things(self.signals.jsonld_things, ("dateModified",))
        yield from self._things(self.signals.microdata_things, ("dateModified",))
        yield from (found for found, changed in self._times() if changed)
        yield from (found for found, changed in self._lines if changed)

    def _meta(self, names: tuple[str, ...]) -> Iterator[Found]:
        for found in self.signals.first_meta(names):
            if date := parse_date(found.value, day_first=self.day_first):
                yield Found(date, found.source)

    def _things(
        self, things: list[Thing], properties: tuple[str, ...]
    ) -> Iterator[Found]:
        for name in properties:
            for thing in things:
                for value in values(thing.item.get(name))[:1]:
                    if isinstance(value, str | int) and (
                        date := parse_date(str(value), day_first=self.day_first)
                    ):
                        yield Found(date, f"{thing.syntax} {name}")

    def _address(self) -> Iterator[Found]:
        found = _IN_ADDRESS.search(self.signals.address)
        date = parse_date("-".join(filter(None, found.groups()))) if found else None
        if date:
            yield Found(date, "url")

    def _times(self) -> Iterator[tuple[Found, bool]]:
        """The `<time>` elements near the title, those after it first, and whether each
        is about a change.
        """
        tree, title = self.signals.tree, self.nearby.node
        nodes = np.flatnonzero(tree.tag == code("time"))
        after = nodes[
            (nodes >= title) & (nodes < tree.end[title] + _NEAR_AFTER)
        ].tolist()
        before = nodes[(nodes < title) & (nodes > title - _NEAR_BEFORE)].tolist()[::-1]
        for node in (after + before)[:_MAX_TIMES]:
            attributes = tree.attributes(node)
            text = self.signals.text(node, _MAX_DATE_LINE)
            date = parse_date(
                attributes.get("datetime", ""), day_first=self.day_first
            ) or parse_date(text, day_first=self.day_first)
            if date and not self.signals.is_hidden(node):
                parent = int(tree.parent[node])
                lead = "".join(tree.text[max(parent, node - 4) : node].tolist())
                about = " ".join(
                    (
                        attributes.get("class", ""),
                        attributes.get("itemprop", ""),
                        lead,
                        text,
                    )
                )
                yield (
                    Found(
                        date, "time[datetime]" if attributes.get("datetime") else "time"
                    ),
                    bool(_CHANGED.search(about)),
                )

    @cached_property
    def _lines(self) -> list[tuple[Found, bool]]:
        """The dates in short lines around the title; a line that only names the kind of
        date speaks for the next one.
        """
        found = []
        changed = False
        for line in self.nearby.lines:
            if len(line.text) > _MAX_DATE_LINE:
                continue
            dates = list(find_dates(line.text, day_first=self.day_first))
            start = 0
            for place, date in dates:
                found.append(
                    (
                        Found(date, "line near title"),
                        changed or bool(_CHANGED.search(line.text[start:place])),
                    )
                )
                start, changed = place, False
            changed = (
                not dates and bool(_CHANGED.search(line.text)) and len(line.text) < 30
            )
        return found


def _names_publication(name: str) -> bool:
    return bool(_META_BY_NAME.search(name)) and not _META_OTHER.search(name)
