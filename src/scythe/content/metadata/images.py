"""The lead image of a page, as an absolute address."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from scythe.content.metadata.signals import MainItem, Signals
from scythe.content.metadata.title_context import TitleContext
from scythe.content.metadata.values import SourcedValue, as_list
from scythe.tree.images import image_source

_OPEN_GRAPH_TAGS = ("og:image:secure_url", "og:image", "og:image:url")
_OTHER_META_TAGS = (
    "twitter:image",
    "twitter:image:src",
    "thumbnail",
    "parsely-image-url",
    "sailthru.image.full",
    "image",
)
_MIN_WIDTH, _MIN_HEIGHT = 200, 100
"""Declared size in pixels below which an image on the page is an icon, a portrait or an
advertisement. Plain bounds, not tuned.
"""
_MAX_IMAGES = 60
_MAX_VALUES = 4
"""Images on the page and values of one property that are tried; bounds on work."""
_DECORATION = re.compile(
    r"logo|icon|avatar|gravatar|sprite|pixel|spacer|blank|placeholder|loading|badge"
    r"|banner|button|arrow|\.(?:svg|gif)(?:[?#\s]|\Z)",
    re.IGNORECASE,
)
_PIXELS = re.compile(r"\s*(\d{1,5})(?:\.\d*)?(?:px)?\s*")


def find_image(signals: Signals, context: TitleContext) -> SourcedValue | None:
    """Return the image that stands for the page: the declared one, else the first large
    one from the title on.
    """
    for candidate in _candidates(signals, context):
        address = signals.absolute_address(candidate.value)
        if address:
            return SourcedValue(address, candidate.source)
    return None


def _candidates(signals: Signals, context: TitleContext) -> Iterator[SourcedValue]:
    yield from signals.meta_values(_OPEN_GRAPH_TAGS)
    for main in signals.main_jsonld:
        for name in ("image", "thumbnailUrl", "primaryImageOfPage"):
            yield from _images_of_item(signals, main, name)
    yield from signals.meta_values(_OTHER_META_TAGS)
    for address in filter(None, signals.linked_addresses("image_src")):
        yield SourcedValue(address, "link rel=image_src")
    for main in signals.main_microdata:
        yield from _images_of_item(signals, main, "image")
    yield from _images_on_page(signals, context)


def _images_of_item(
    signals: Signals, main: MainItem, property_name: str
) -> Iterator[SourcedValue]:
    source = f"{main.syntax} {property_name}"
    images = as_list(main.item.get(property_name))
    for image in images[:_MAX_VALUES]:
        for address in _addresses(signals, image):
            if isinstance(address, str) and address:
                yield SourcedValue(address, source)


def _addresses(signals: Signals, image: object) -> Iterator[object]:
    if not isinstance(image, dict):
        yield image
        return
    item = signals.dereference(image, "url", "contentUrl")
    for name in ("url", "contentUrl", "@id"):
        yield from as_list(item.get(name))[:1]


def _images_on_page(signals: Signals, context: TitleContext) -> Iterator[SourcedValue]:
    images = signals.tree.elements("img")
    after_title = images[images > context.node][:_MAX_IMAGES]
    for attributes in signals.tree.attributes_of(after_title.tolist()):
        address = image_source(attributes)
        if not address:
            continue
        class_name = attributes.get("class", "")
        alternative = attributes.get("alt", "")
        if _DECORATION.search(f"{address} {class_name} {alternative}"):
            continue
        if _is_large(attributes):
            yield SourcedValue(address, "img")


def _is_large(attributes: Mapping[str, str]) -> bool:
    """Return whether no declared size is too small for a lead image."""
    for name, minimum in (("width", _MIN_WIDTH), ("height", _MIN_HEIGHT)):
        pixels = _PIXELS.fullmatch(attributes.get(name, ""))
        if pixels and int(pixels[1]) < minimum:
            return False
    return True
