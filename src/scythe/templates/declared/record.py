"""The record that a page declares in structured data: JSON-LD first, then microdata,
then the meta tags of shops.

Where a page says in schema.org's words what it is about, no template is needed: the
values are there, with their names. They are cleaned, and each says where it comes from.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from scythe.content.metadata.jsonld import Item, read_jsonld, type_names, walk_items
from scythe.content.metadata.microdata import read_microdata
from scythe.templates.declared.meta_tags import read_meta_product
from scythe.templates.declared.schemas import (
    SCHEMAS,
    Schema,
    added_schemas,
    schema_named,
)
from scythe.templates.declared.values import declared_texts
from scythe.templates.slot import FieldName
from scythe.tree.tree import Tree

MAX_ITEMS = 50
"""Items of a kind that are looked at: a page that lists more has no main one."""

META = "meta tag"
"""The source of what shops declare of the page's product in its head."""
_ASIDE = frozenset(
    "isRelatedTo isSimilarTo relatedLink mentions citation hasPart video review reviews "
    "comment".split()
)
"""Properties under which other items stand than the page's main one."""


@dataclass(frozen=True, slots=True)
class PageRecord:
    """The record of a page with the source of each field."""

    kind: str
    values: Mapping[FieldName, list[str]]
    sources: Mapping[FieldName, str] = field(default_factory=dict)
    """For each field where its values come from: `json-ld recipeIngredient`."""

    def to_dict(self) -> dict[str, str | list[str]]:
        """Return the fields as plain data: lines as a list, of any other field one
        text, in which several values are separated by commas.
        """
        fields = schema_named(self.kind).by_name
        plain: dict[str, str | list[str]] = {}
        for name, texts in self.values.items():
            is_repeated = fields[name].repeated
            plain[name] = list(texts) if is_repeated else ", ".join(texts)
        return plain

    @property
    def complete(self) -> bool:
        """Whether all the fields are there that make it a record of its kind."""
        return not self.missing

    @property
    def missing(self) -> list[FieldName]:
        """The fields that it lacks of those that make it a record of its kind."""
        essential = schema_named(self.kind).essential
        return [name for name in essential if name not in self.values]

    def filled_with(
        self, found: Mapping[FieldName, tuple[list[str], str]]
    ) -> PageRecord:
        """Return the record with values and sources of fields that it lacks."""
        values = dict(self.values)
        sources = dict(self.sources)
        for name, (texts, source) in found.items():
            if name not in self.values:
                values[name] = texts
                sources[name] = source
        if len(values) == len(self.values):
            return self
        ordered_values = {}
        ordered_sources = {}
        for name in schema_named(self.kind).by_name:
            if name in values:
                ordered_values[name] = values[name]
                ordered_sources[name] = sources[name]
        return PageRecord(self.kind, ordered_values, ordered_sources)


def declared_record(tree: Tree, schema: Schema | None = None) -> PageRecord | None:
    """Return what a page declares of the kind of a schema; without one, of the first
    kind that it declares wholly. Kinds that packages add are asked where no built-in one
    understands what is declared.
    """
    items = [(item, "json-ld") for item in _main_items(read_jsonld(tree))]
    microdata = read_microdata(tree, lines=True)
    items += [(item, "microdata") for item in _main_items(microdata)]
    meta_product = read_meta_product(tree)
    if meta_product is not None:
        items.append((meta_product, META))

    if schema is not None:
        return _best_record(items, schema)
    found = _first_record(items, SCHEMAS.values())
    if found is None and items:
        found = _first_record(items, added_schemas().values())
    return found


def _first_record(
    items: Sequence[tuple[Item, str]], kinds: Iterable[Schema]
) -> PageRecord | None:
    """Return the first record that is complete, else the first one."""
    first: PageRecord | None = None
    for kind in kinds:
        record = _best_record(items, kind)
        if record is not None and record.complete:
            return record
        first = first or record
    return first


def _main_items(items: Sequence[Item]) -> Iterator[Item]:
    """Yield all items but those that a page mentions beside its main one."""
    pruned: list[Item] = []
    for item in items:
        kept = {key: value for key, value in item.items() if key not in _ASIDE}
        pruned.append(kept)
    return walk_items(pruned)


def _best_record(
    items: Iterable[tuple[Item, str]], schema: Schema
) -> PageRecord | None:
    """Return the record of the fullest item of a kind, filled up from others of the
    same title, and from what meta tags say of the page's one product.
    """
    records: list[tuple[PageRecord, str]] = []
    for item, source in items:
        if len(records) == MAX_ITEMS:
            break
        if schema.includes(type_names(item)):
            records.append((_item_record(item, schema, source), source))
    if not records:
        return None

    def fullness(record_and_source: tuple[PageRecord, str]) -> tuple[int, int]:
        record, _ = record_and_source
        essential = sum(name in record.values for name in schema.essential)
        return essential, len(record.values)

    best, best_source = max(records, key=fullness)
    values = dict(best.values)
    sources = dict(best.sources)
    for other, source in records:
        is_same = other.values.get("title") == values.get("title")
        if not is_same and META not in (source, best_source):
            continue
        added = other.values.keys() - values.keys()
        for name in sorted(added):
            values[name] = other.values[name]
            sources[name] = other.sources[name]
    order = [name for name in schema.by_name if name in values]
    ordered = {name: values[name] for name in order}
    return PageRecord(schema.name, ordered, sources)


def _item_record(item: Item, schema: Schema, source: str) -> PageRecord:
    values: dict[FieldName, list[str]] = {}
    sources: dict[FieldName, str] = {}
    for schema_field in schema.fields:
        for path in schema_field.properties:
            texts = declared_texts(item, path, schema_field)
            if texts:
                values[schema_field.name] = texts
                sources[schema_field.name] = f"{source} {path}"
                break
    return PageRecord(schema.name, values, sources)
