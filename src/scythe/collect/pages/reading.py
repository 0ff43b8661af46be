"""What a page says, as slots: of its template, of its sections, and what it declares of
itself. Nothing of it is thrown away.

s12               a slot of the template of the page's cluster
section:NAME      what stands under a heading; the same slot in all clusters
declared:FIELD    structured data and the head of the page, by the names of the schema;
the same slot in all clusters
index:FIELD       what an index page says of it (figure 5: joined by address)
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from scythe.collect.pages.sections import sections
from scythe.content.metadata import read_metadata
from scythe.templates.clusters.index_pages import IndexEvidence, index_evidence
from scythe.templates.declared.record import PageRecord, declared_record
from scythe.templates.declared.schemas import SCHEMAS, Schema
from scythe.templates.matching.page_view import PageView
from scythe.templates.slot import SlotId, SlotSource
from scythe.templates.suggestions.labels import field_of_label
from scythe.tree.parse import parse
from scythe.tree.tree import Bools
from scythe.tree.visibility import visible

FROM_HEAD = ("title", "author", "published", "modified", "description", "image")
"""Fields that the head of a page knows under the same name, where the kind of record
has them.
"""
NAMED_PARTS = frozenset({"ingredients", "instructions"})
"""Fields whose headings are known in many languages: a page of such a kind without any
of them is none.
"""


def schema_named(kind: str) -> Schema | None:
    """The built-in schema of a kind of record, if there is one."""
    known = {name.casefold(): schema for name, schema in SCHEMAS.items()} | {
        "job": SCHEMAS["JobPosting"]
    }
    return known.get(kind.casefold())


class PageReading:
    """A page while it is read: parsed once, and whatever several steps ask of it found
    once.
    """

    def __init__(
        self, body: bytes, url: str, charset: str | None, schema: Schema | None
    ) -> None:
        self.tree = parse(body, charset=charset)
        self._url = url
        self._schema = schema

    @cached_property
    def view(self) -> PageView:
        """The page as templates see it."""
        return PageView(self.tree)

    @cached_property
    def _seen(self) -> Bools:
        return visible(self.tree)

    @cached_property
    def index_evidence(self) -> IndexEvidence:
        """What it shows of being a list of others."""
        return index_evidence(self.tree, self._seen)

    @cached_property
    def _sections(self) -> dict[str, list[str]]:
        return sections(self.tree, self._seen)

    @cached_property
    def _record(self) -> PageRecord | None:
        return declared_record(self.tree, self._schema)

    def shows_kind(self) -> bool | None:
        """Whether it is about a thing of its kind; None where pages of this kind cannot
        be told from others one by one.
        """
        if self._schema is None:
            return None
        if self._record is not None and self._record.complete:
            return True
        parts = NAMED_PARTS.intersection(self._schema.essential)
        return (
            any(field_of_label(name) in parts for name in self._sections)
            if parts
            else None
        )

    def slots(self, found: Mapping[str, list[str]]) -> dict[str, list[str]]:
        """The values of all slots: of its template, which found them, and of its
        sections.
        """
        values = dict(found)
        for name, lines in self._sections.items():
            values[str(SlotId(SlotSource.SECTION, name))] = lines
        return values

    def declared(self) -> dict[str, list[str]]:
        """What it declares: structured data of its kind, and for what that lacks, its
        head.
        """
        values = (
            {name: list(texts) for name, texts in self._record.values.items()}
            if self._record
            else {}
        )
        lacking = [
            name
            for name in FROM_HEAD
            if name not in values
            and (self._schema is None or name in self._schema.by_name)
        ]
        known = read_metadata(self.tree, self._url, lacking)
        for name, source in known.sources.items():
            if source != "img":  # the first picture may be a badge on every page
                values[name] = [getattr(known, name)]
        return values
