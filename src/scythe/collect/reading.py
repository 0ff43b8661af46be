"""What a page says, as slots: of its template, of its sections, and what it declares of itself. Nothing of it is thrown away.

s12               a slot of the template of the page's cluster
section:NAME      what stands under a heading; the same slot in all clusters
declared:FIELD    structured data and the head of the page, by the names of the schema; the same slot in all clusters
index:FIELD       what an index page says of it (figure 5: joined by address)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from scythe.collect.sections import sections
from scythe.content.metadata import read_metadata
from scythe.templates.annotation_labels import named_by_label
from scythe.templates.clustering_index import listing
from scythe.templates.extracted import Extracted
from scythe.templates.schemas import SCHEMAS, Schema
from scythe.templates.structured import structured_record
from scythe.tree.tree import Tree

SECTION, DECLARED, INDEX = "section:", "declared:", "index:"
FROM_HEAD = ("title", "author", "published", "modified", "description", "image")
"""Fields that the head of a page knows under the same name."""
NAMED_PARTS = frozenset({"ingredients", "instructions"})
"""Fields whose headings are known in many languages: a page of such a kind without any of them is none."""


@dataclass(frozen=True)
class PageSlots:
    """All that was read from a page."""

    slots: Mapping[str, list[str]]
    declared: Mapping[str, list[str]]


def schema_named(kind: str) -> Schema | None:
    """The built-in schema of a kind of record, if there is one."""
    known = {name.casefold(): schema for name, schema in SCHEMAS.items()} | {"job": SCHEMAS["JobPosting"]}
    return known.get(kind.casefold())


def declared(tree: Tree, url: str, schema: Schema | None) -> dict[str, list[str]]:
    """What a page declares: structured data of its kind, and for what that lacks, its head."""
    record = structured_record(tree, schema)
    values = {name: list(texts) for name, texts in record.values.items()} if record else {}
    known = read_metadata(tree, url)
    for name in FROM_HEAD:
        value = getattr(known, name, None)
        if value and name not in values and known.sources.get(name) != "img":  # the first picture may be a badge on every page
            values[name] = [str(value)]
    return values


def read_slots(tree: Tree, url: str, schema: Schema | None, found: Extracted) -> PageSlots:
    """Everything that a page has: what its template found, its sections and its declarations."""
    slots = {slot: list(values) for slot, values in found.items()}
    slots.update({f"{SECTION}{name}": lines for name, lines in sections(tree).items()})
    return PageSlots(slots, declared(tree, url, schema))


def is_listing(tree: Tree) -> bool:
    """Whether a page lists others rather than being about one thing."""
    return listing(tree).odds > 0


def shows_kind(tree: Tree, schema: Schema | None) -> bool | None:
    """Whether a page is about a thing of a kind; None where pages of this kind cannot be told from others one by one."""
    if schema is None:
        return None
    record = structured_record(tree, schema)
    if record is not None and record.complete:
        return True
    parts = NAMED_PARTS.intersection(schema.essential)
    if not parts:
        return None
    return any(named_by_label(name) in parts for name in sections(tree))
