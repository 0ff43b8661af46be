"""A record from a page at once: what it declares, and for what it does not, what its
lines and its head say.

    read_page(tree, RECIPE)                 one page
    read_pages([(tree, url), ...], RECIPE)  pages of one template, which help each other

Every field says where it comes from. A template grown from pages of the site knows more
(see `Template`); this is what there is before there is one, and what proposals for its
slots are made from.
"""

from __future__ import annotations

from collections.abc import Sequence

from scythe.boosting import TreeEnsemble
from scythe.content.metadata import read_metadata
from scythe.templates.declared.record import PageRecord, declared_record
from scythe.templates.declared.schemas import RECIPE, Schema
from scythe.templates.lines.lines import Lines
from scythe.templates.lines.recipe_parts import recipe_parts
from scythe.templates.suggestions.labels import labelled_value
from scythe.tree.tree import Tree

FROM_HEAD = ("title", "author", "published", "modified", "description", "image")
"""Fields that a page's metadata knows under the same name."""
LABELLED = ("prep_time", "cook_time", "total_time", "yield")


def read_page(tree: Tree, schema: Schema, url: str | None = None) -> PageRecord:
    """What a page says of the thing that it is about."""
    return read_pages([(tree, url)], schema)[0]


def read_pages(
    pages: Sequence[tuple[Tree, str | None]],
    schema: Schema,
    model: TreeEnsemble | None = None,
) -> list[PageRecord]:
    """The same for pages of one template. `model` judges lines in place of the one that
    is installed.
    """
    records = [
        declared_record(tree, schema) or PageRecord(schema.name, {})
        for tree, _ in pages
    ]
    wanting = [place for place, record in enumerate(records) if not record.complete]
    for place in wanting:
        records[place] = _with_metadata(records[place], pages[place], schema)
    if schema is RECIPE and wanting:
        trees = [pages[place][0] for place in wanting]
        for place, parts in zip(wanting, recipe_parts(trees, model), strict=True):
            found = {
                name: (part.texts, f"lines of the page ({part.confidence:.2f})")
                for name, part in parts.items()
                if part.texts
            }
            records[place] = records[place].filled(found)
        for place in wanting:
            records[place] = _with_labels(records[place], pages[place][0])
    return records


def _with_metadata(
    record: PageRecord, page: tuple[Tree, str | None], schema: Schema
) -> PageRecord:
    known = read_metadata(*page)
    found = {name: getattr(known, name) for name in FROM_HEAD if name in schema.by_name}
    return record.filled(
        {
            name: ([value], known.sources.get(name, "metadata"))
            for name, value in found.items()
            if value
        }
    )


def _with_labels(record: PageRecord, tree: Tree) -> PageRecord:
    texts = Lines.of(tree).texts
    found = {
        name: labelled_value(name, texts)
        for name in LABELLED
        if name not in record.values
    }
    return record.filled(
        {
            name: ([value[0]], "label beside it")
            for name, value in found.items()
            if value
        }
    )
