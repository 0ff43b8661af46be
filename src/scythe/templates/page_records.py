"""A record from a page at once: what it declares, and for what it does not, what it
shows and what its head says.

    read_page(html, url)                      one page, of whatever kind it is
    tree_record(tree, url)                    the same of a page that is parsed already
    page_record(tree, RECIPE)                 what is declared, in the head or in lines
    page_records([(tree, url), ...], RECIPE)  pages of one template, which help each other

Every field says where it comes from. A template grown from pages of the site knows more
(see `Template`); this is what there is before there is one, and what suggestions for its
slots are made from.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scythe.boosting import TreeEnsemble
from scythe.content.metadata import read_metadata
from scythe.errors import UsageError
from scythe.templates.declared.record import PageRecord, declared_record
from scythe.templates.declared.schemas import (
    ARTICLE,
    EVENT,
    HEAD_FIELDS,
    JOB,
    PRODUCT,
    RECIPE,
    Schema,
    added_schemas,
)
from scythe.templates.lines.lines import PageLines
from scythe.templates.lines.recipe_parts import RecipeLines, recipe_parts
from scythe.templates.page_kinds import PageReading, find_kind
from scythe.templates.suggestions.labels import labelled_value
from scythe.templates.visible.fields import FoundFields
from scythe.tree.limits import Limits
from scythe.tree.parse import DEFAULT_LIMITS, parse
from scythe.tree.tree import Tree

KINDS = {
    "recipe": RECIPE,
    "product": PRODUCT,
    "job": JOB,
    "event": EVENT,
    "article": ARTICLE,
}
"""Schemas by the kind of record that they describe."""
LABELLED_FIELDS = ("prep_time", "cook_time", "total_time", "yield")
"""Fields of recipes that are read from a label and the value beside it."""


def read_page(
    html: bytes | str,
    url: str | None = None,
    kind: str = "auto",
    limits: Limits = DEFAULT_LIMITS,
    charset: str | None = None,
) -> PageRecord:
    """Return the typed record of a page: what it declares, then what it shows.

    `kind` is `recipe`, `product`, `job`, `event`, `article`, or one that a package has
    added. `auto` takes the kind
    that the page declares, else the one that its meta tags, its lines or its look say,
    else an article. `charset` is what the transport declared, if it did.
    """
    tree = parse(html, limits, charset)
    return tree_record(tree, url, kind)


def tree_record(tree: Tree, url: str | None = None, kind: str = "auto") -> PageRecord:
    """Return the typed record of a page that is parsed already."""
    page = PageReading(tree, url)
    schema = find_kind(page) if kind == "auto" else schema_of(kind)
    if schema is RECIPE:
        return page_record(tree, RECIPE, url)

    declared = declared_record(tree, schema)
    record = declared or PageRecord(schema.name, {})
    record = record.filled_with(page.visible_fields(schema))
    record = record.filled_with(_metadata_fields(tree, url, schema))
    if schema is ARTICLE and "text" not in record.values and page.document.text:
        record = record.filled_with({"text": ([page.document.text], "main content")})
    return record


def schema_of(kind: str) -> Schema:
    """Return the schema of a kind of record."""
    schema = KINDS.get(kind) or added_schemas().get(kind)
    if schema is None:
        names = ", ".join([*KINDS, *added_schemas()])
        raise UsageError(f"There is no kind {kind!r}. Choose one of: {names}.")
    return schema


def kind_of(schema_name: str) -> str:
    """Return what the command line calls the kind of a schema."""
    for name, schema in {**KINDS, **added_schemas()}.items():
        if schema.name == schema_name:
            return name
    return schema_name


def page_record(tree: Tree, schema: Schema, url: str | None = None) -> PageRecord:
    """Return the record of a page as a schema has it."""
    return page_records([(tree, url)], schema)[0]


def page_records(
    pages: Sequence[tuple[Tree, str | None]],
    schema: Schema,
    model: TreeEnsemble | None = None,
) -> list[PageRecord]:
    """Return the records of pages of one template. `model` judges lines in place of the
    one that is installed.
    """
    records: list[PageRecord] = []
    for tree, _ in pages:
        declared = declared_record(tree, schema)
        records.append(declared or PageRecord(schema.name, {}))

    incomplete = [index for index, record in enumerate(records) if not record.complete]
    for index in incomplete:
        tree, url = pages[index]
        from_head = _metadata_fields(tree, url, schema)
        records[index] = records[index].filled_with(from_head)
    if schema is not RECIPE or not incomplete:
        return records

    trees = [pages[index][0] for index in incomplete]
    parts_of_pages = recipe_parts(trees, model)
    for index, tree, parts in zip(incomplete, trees, parts_of_pages, strict=True):
        record = records[index].filled_with(_line_fields(parts))
        records[index] = record.filled_with(_labelled_fields(record, tree))
    return records


def _metadata_fields(tree: Tree, url: str | None, schema: Schema) -> FoundFields:
    metadata = read_metadata(tree, url)
    found: FoundFields = {}
    for name in HEAD_FIELDS:
        value = getattr(metadata, name)
        if value and name in schema.by_name:
            source = metadata.sources.get(name, "metadata")
            found[name] = ([value], source)
    return found


def _line_fields(parts: Mapping[str, RecipeLines]) -> FoundFields:
    found: FoundFields = {}
    for name, part in parts.items():
        if part.texts:
            source = f"lines of the page ({part.confidence:.2f})"
            found[name] = (part.texts, source)
    return found


def _labelled_fields(record: PageRecord, tree: Tree) -> FoundFields:
    """Return fields that a record lacks and a label names, each with its value."""
    texts = PageLines.from_tree(tree).texts
    found: FoundFields = {}
    for name in LABELLED_FIELDS:
        if name in record.values:
            continue
        labelled = labelled_value(name, texts)
        if labelled:
            value, _ = labelled
            found[name] = ([value], "label beside it")
    return found
