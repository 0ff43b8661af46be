"""What shops declare of a product in meta tags (`product:price:amount`), in the shape of
JSON-LD, so that one reader serves both.
"""

from __future__ import annotations

from collections.abc import Mapping

from scythe.content.metadata.jsonld import Item
from scythe.tree.tree import Tree

MAX_TAGS = 2_000
"""Meta tags read of a page: a bound on work."""

_OFFER_TAGS = {
    "price": (
        "product:sale_price:amount",
        "product:price:amount",
        "og:price:amount",
    ),
    "priceCurrency": (
        "product:sale_price:currency",
        "product:price:currency",
        "og:price:currency",
    ),
    "availability": ("product:availability", "og:availability"),
}
_PRODUCT_TAGS = {
    "brand": ("product:brand", "og:brand"),
    "sku": ("product:retailer_item_id", "product:mfr_part_no"),
    "gtin13": ("product:ean", "product:upc", "product:isbn"),
    "category": ("product:category",),
    "color": ("product:color",),
}
_STATES = {
    "instock": "InStock",
    "in stock": "InStock",
    "available for order": "BackOrder",
    "oos": "OutOfStock",
    "outofstock": "OutOfStock",
    "out of stock": "OutOfStock",
    "preorder": "PreOrder",
    "pending": "PreOrder",
    "backorder": "BackOrder",
    "discontinued": "Discontinued",
}
"""Facebook's words for states of stock, as schema.org has them."""


def read_meta_product(tree: Tree) -> Item | None:
    """Return the product that meta tags declare, None where they give no price."""
    tags = _meta_tags(tree)
    offer = _first_values(tags, _OFFER_TAGS)
    if "price" not in offer:
        return None
    state = offer.get("availability", "")
    if state:
        offer["availability"] = _STATES.get(state.casefold(), state)
    product: Item = {"@type": "Product", "offers": offer}
    product.update(_first_values(tags, _PRODUCT_TAGS))
    return product


def _meta_tags(tree: Tree) -> Mapping[str, str]:
    """Return the contents of the meta tags that have a property; of several of a name
    the first.
    """
    tags: dict[str, str] = {}
    properties = list(tree.with_attribute("property").items())
    for node, name in properties[:MAX_TAGS]:
        content = tree.attributes(node).get("content", "").strip()
        if content and tree.name(node) == "meta":
            tags.setdefault(name.strip().lower(), content)
    return tags


def _first_values(
    tags: Mapping[str, str], names: Mapping[str, tuple[str, ...]]
) -> dict[str, str]:
    values: dict[str, str] = {}
    for key, choices in names.items():
        for choice in choices:
            if choice in tags:
                values[key] = tags[choice]
                break
    return values
