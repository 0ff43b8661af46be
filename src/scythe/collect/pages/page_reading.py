"""What is read of a page, as slots: of its template, of its sections, and what it
declares of itself. Nothing of it is thrown away.

    s12               a slot of the template of the page's cluster
    section:NAME      what stands under a heading; the same slot in all clusters
    label:NAME        what stands beside a label; the same slot in all clusters
    text:PART         paragraphs, list items or headings of its running text; the same
                      slot in all clusters
    declared:FIELD    structured data and the head of the page, by the names of the
                      schema; the same slot in all clusters
    index:FIELD       what an index page says of it (RecipeCrawler, figure 5: joined by
                      address)
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from scythe.collect.pages.labelled import labelled_lines
from scythe.collect.pages.media import page_media
from scythe.collect.pages.running_text import RunningTextPart, running_text_lines
from scythe.collect.pages.sections import VisibleLines, section_lines
from scythe.content.junk.icons import without_icon_names
from scythe.store.collections.templates import ExtractedRow
from scythe.templates.clusters.index_pages import IndexEvidence, index_evidence
from scythe.templates.declared.record import PageRecord, declared_record
from scythe.templates.declared.schemas import HEAD_FIELDS, Schema
from scythe.templates.matching.page_view import PageView
from scythe.templates.slot import SlotId, SlotSource, shared_slot
from scythe.templates.suggestions.labels import field_of_label
from scythe.templates.visible.fields import BESIDE_LABEL, visible_fields
from scythe.templates.visible.page import VisiblePage
from scythe.tree.parse import parse
from scythe.tree.tree import Bools
from scythe.tree.visibility import visible

NAMED_PARTS = frozenset({"ingredients", "instructions"})
"""Fields whose headings are known in many languages: a page of such a kind without any
of them is none.
"""


SHOWN_FIELDS = frozenset(
    {"price", "availability", "brand", "rating", "reviews", "start"}
)
"""Fields that pages show without a label, beside the title."""
_START_BYTES = 2_000
"""Bytes in which the first element of a file stands. An arbitrary cap."""
_XML_LIST = re.compile(
    rb"\s*+(?:\xef\xbb\xbf)?\s*+(?:<[?!][^>]*+>\s*+)*+<(?:rss|feed|rdf:RDF|urlset|sitemapindex)[\s>]",
)
"""How feeds and sitemaps begin."""


class PageReading:
    """A page while it is read: parsed once, and whatever several steps ask of it found
    once.
    """

    def __init__(
        self,
        body: bytes,
        url: str,
        charset: str | None,
        schema: Schema | None,
        *,
        media: bool = False,
    ) -> None:
        self.tree = parse(body, charset=charset)
        self._start = body[:_START_BYTES]
        self._url = url
        self._schema = schema
        self._has_media = media

    @cached_property
    def _is_xml_list(self) -> bool:
        """Whether it is a feed or a sitemap, and no page that a reader sees."""
        return _XML_LIST.match(self._start) is not None

    @cached_property
    def view(self) -> PageView:
        """The page as templates see it."""
        return PageView(self.tree)

    @cached_property
    def _visible(self) -> Bools:
        return without_icon_names(self.tree, visible(self.tree))

    @cached_property
    def index_evidence(self) -> IndexEvidence:
        """What speaks for its being an index page."""
        return index_evidence(self.tree, self._lines.sizes)

    @cached_property
    def _lines(self) -> VisibleLines:
        return VisibleLines(self.tree, self._visible)

    @cached_property
    def _sections(self) -> dict[str, list[str]]:
        return section_lines(self.tree, self._lines)

    @cached_property
    def labels(self) -> dict[str, list[str]]:
        """The lines that each label labels."""
        return labelled_lines(self.tree, self._lines)

    @cached_property
    def _running_text(self) -> dict[RunningTextPart, list[str]]:
        return running_text_lines(self.tree, self._lines)

    @cached_property
    def _declared_record(self) -> PageRecord | None:
        return declared_record(self.tree, self._schema)

    def is_record(self) -> bool | None:
        """Return whether it describes a record of its kind; None where pages of this
        kind cannot be told from others one by one. A feed or a sitemap describes none.
        """
        if self._is_xml_list:
            return False
        if self._schema is None:
            return None
        if self._declared_record is not None and self._declared_record.complete:
            return True
        parts = NAMED_PARTS.intersection(self._schema.essential)
        if not parts:
            return None
        return any(field_of_label(name) in parts for name in self._sections)

    def slots(self, extracted: Mapping[str, list[str]]) -> dict[str, Sequence[str]]:
        """Return the values of all slots: of its template, which extracted them, of its
        sections, its labels and its running text.
        """
        return {**extracted, **self._shared_slots}

    @cached_property
    def _shared_slots(self) -> Mapping[str, Sequence[str]]:
        """The values of the slots that are the same in all clusters."""
        values: dict[str, list[str]] = {}
        for name, lines in self._sections.items():
            values[shared_slot(SlotSource.SECTION, name)] = lines
        for name, lines in self.labels.items():
            values[shared_slot(SlotSource.LABEL, name)] = lines
        for part, lines in self._running_text.items():
            values[shared_slot(SlotSource.TEXT, part)] = lines
        return values

    def take_from(self, row: ExtractedRow) -> None:
        """Take what was read of the same bytes before, as far as no template has a part
        in it: a page that is read again because its template has grown.
        """
        self._shared_slots = {
            slot: values
            for slot, values in row.slots.items()
            if SlotId.parse(slot).source is not SlotSource.TEMPLATE
        }
        self._declared_values = row.declared or {}

    def declared(self) -> Mapping[str, Any]:
        """Return what it declares: structured data of its kind, and for what that
        lacks, its head.
        """
        return self._declared_values

    @cached_property
    def _declared_values(self) -> Mapping[str, Any]:
        values: dict[str, list[str]] = {}
        if self._declared_record:
            for name, texts in self._declared_record.values.items():
                values[name] = list(texts)

        for name, text in self._shown_values.items():
            values.setdefault(name, [text])
        lacking = [
            name for name in HEAD_FIELDS if name not in values and self._has_field(name)
        ]
        metadata = self._visible_page.metadata.read(lacking)
        for name, source in metadata.sources.items():
            if source != "img":  # the first picture may be a badge on every page
                values[name] = [getattr(metadata, name)]
        if self._has_media:
            values.update(page_media(self.tree, self._url, self._visible))
        return values

    @cached_property
    def _visible_page(self) -> VisiblePage:
        return VisiblePage(self.tree, self._url)

    @cached_property
    def _shown_values(self) -> Mapping[str, str]:
        """What a page that declares no record shows beside its title: by no label, and
        so in no slot that a redesign leaves as it is.
        """
        if self._schema is None or self._declared_record is not None:
            return {}
        found = visible_fields(self._visible_page, self._schema)
        currency, _ = found.pop("currency", ([""], ""))
        values: dict[str, str] = {}
        for name, (texts, source) in found.items():
            if name not in SHOWN_FIELDS or source == BESIDE_LABEL:
                continue
            text = texts[0]
            values[name] = f"{text} {currency[0]}" if name == "price" else text
        return values

    def _has_field(self, name: str) -> bool:
        return self._schema is None or name in self._schema.by_name
