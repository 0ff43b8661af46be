"""Which kind of record a page has: what it declares, else what its meta tags call it,
else what its lines and its look say.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from scythe.content.document import Document
from scythe.content.extract import build_document, resolve_method
from scythe.templates.declared.record import PageRecord, declared_record
from scythe.templates.declared.schemas import (
    ARTICLE,
    EVENT,
    JOB,
    PRODUCT,
    RECIPE,
    Schema,
    schema_named,
)
from scythe.templates.lines.recipe_parts import recipe_parts
from scythe.templates.visible.fields import FoundFields, visible_fields
from scythe.templates.visible.page import MIN_REPEATED, VisiblePage
from scythe.templates.visible.price import find_price
from scythe.tree.text import letters_and_digits
from scythe.tree.tree import Tree

_KIND_OF_TAG = {
    "product": PRODUCT,
    "og:product": PRODUCT,
    "product.item": PRODUCT,
    "recipe": RECIPE,
    "event": EVENT,
    "job": JOB,
    "article": ARTICLE,
}
"""Kinds by what `og:type` calls them; a name before a colon is of the site's own."""
_PRODUCT_PAGE = "product"
_LIST_PAGES = ("collection", "listing", "forum")
"""Page types that the learned method knows: of products, and of many records."""
_JOB_FIELDS = frozenset(
    {"company", "location", "employment", "salary", "valid_through"}
)
MIN_JOB_FIELDS = 3
"""Fields of a job that labels must name before a page is one: an article may well name
its place and its company. Not tuned.
"""
_VENUE_FIELDS = frozenset({"venue", "location", "organizer"})
MIN_VENUE_FIELDS = 2
"""Fields of where an event is and whose that labels must name before a page that looks
like a list is one. Not tuned.
"""


@dataclass(frozen=True, eq=False)
class PageReading:
    """What is read of a page on the way to its kind, each part once and when asked for."""

    tree: Tree
    url: str | None = None

    @cached_property
    def visible(self) -> VisiblePage:
        """The page as a reader scans it."""
        return VisiblePage(self.tree, self.url)

    @cached_property
    def document(self) -> Document:
        """The page's main content."""
        name, method = resolve_method("auto")
        selection = method(self.tree)
        return build_document(self.tree, selection, name, self.url)

    @cached_property
    def declared(self) -> PageRecord | None:
        """What the page declares, of the most telling kind."""
        return declared_record(self.tree)

    @cached_property
    def has_recipe_lines(self) -> bool:
        """Whether its lines make a recipe."""
        (parts,) = recipe_parts([self.tree])
        found = {name for name, lines in parts.items() if lines.texts}
        return found.issuperset(RECIPE.essential)

    def visible_fields(self, schema: Schema) -> FoundFields:
        """Return the fields of a kind that the visible page tells."""
        if schema.name not in self._visible_fields:
            found = visible_fields(self.visible, schema)
            self._visible_fields[schema.name] = found
        return self._visible_fields[schema.name]

    @cached_property
    def _visible_fields(self) -> dict[str, FoundFields]:
        return {}


def find_kind(page: PageReading) -> Schema:
    """Return the kind of a page: that which it declares or shows; an article where
    nothing says otherwise.

    Many sites declare every page an article. So of that, and of nothing, the page itself
    may say better: a recipe by its lines.
    """
    declared = page.declared
    if declared is not None and declared.kind != ARTICLE.name:
        if not _is_of_list(page, declared):
            return schema_named(declared.kind)
        declared = None
    tagged = _tagged_kind(page.tree)
    if tagged is not None and tagged is not ARTICLE:
        return tagged
    if page.has_recipe_lines:
        return RECIPE
    if declared is not None or tagged is ARTICLE:
        return ARTICLE
    return _shown_kind(page) or ARTICLE


def _is_of_list(page: PageReading, record: PageRecord) -> bool:
    """Return whether what a page declares is one of the things that it lists: it has
    another title, and the page looks like a list.
    """
    visible = page.visible
    declared_title = " ".join(record.values.get("title", []))
    declared = letters_and_digits(declared_title)
    title_lines = visible.texts[visible.title_line :]
    for title in map(letters_and_digits, [visible.title, *title_lines[:1]]):
        if declared in title or (title and title in declared):
            return False
    return page.document.page_type in _LIST_PAGES


def _tagged_kind(tree: Tree) -> Schema | None:
    """Return the kind that `og:type` names."""
    for node, name in tree.with_attribute("property").items():
        if name.strip().lower() == "og:type":
            content = tree.attributes(node).get("content", "").strip().lower()
            own = content.rpartition(":")[2]
            return _KIND_OF_TAG.get(content) or _KIND_OF_TAG.get(own)
    return None


def _shown_kind(page: PageReading) -> Schema | None:
    """Return the kind that the visible page shows: a price beside a button that buys, a
    job's labels, a date with a place.
    """
    looks_like_list = page.document.page_type in _LIST_PAGES
    price = find_price(page.visible)
    if price is not None and page.visible.buy_line is not None:
        is_in_list = page.visible.repeats[price.line] >= MIN_REPEATED
        if not (is_in_list and looks_like_list):
            return PRODUCT
    job = page.visible_fields(JOB)
    if len(_JOB_FIELDS & job.keys()) >= MIN_JOB_FIELDS:
        return JOB

    event = page.visible_fields(EVENT)
    venue = len(_VENUE_FIELDS & event.keys())
    has_some = venue > 0 and not looks_like_list
    is_event = has_some or venue >= MIN_VENUE_FIELDS
    if "start" in event and is_event:
        return EVENT
    if page.document.page_type != _PRODUCT_PAGE:
        return None
    has_properties = "properties" in page.visible_fields(PRODUCT)
    return PRODUCT if price is not None or has_properties else None
