"""The lead image of a page, as an absolute address."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

import numpy as np

from scythe.content.metadata.nearby import Nearby
from scythe.content.metadata.signals import Found, Signals, values
from scythe.tree.images import image_source
from scythe.tree.tags import code

_META_FIRST = ("og:image:secure_url", "og:image", "og:image:url")
_META_THEN = (
    "twitter:image",
    "twitter:image:src",
    "thumbnail",
    "parsely-image-url",
    "sailthru.image.full",
    "image",
)
_MIN_WIDTH, _MIN_HEIGHT = 200, 100
"""Declared size in pixels below which an image on the page is an icon, a portrait or an
advertisement.
"""
_MAX_IMAGES = 60
_DECORATION = re.compile(
    r"logo|icon|avatar|gravatar|sprite|pixel|spacer|blank|placeholder|loading|badge|banner|button|\.svg(?:\?|\Z)|\.gif(?:\?|\Z)",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\s*(\d{1,5})(?:\.\d*)?(?:px)?\s*")


def find_image(signals: Signals, nearby: Nearby) -> Found | None:
    """The image that stands for the page: the declared one, else the first large one
    from the title on.
    """
    for found in _candidates(signals, nearby):
        if address := signals.absolute(found.value):
            return Found(address, found.source)
    return None


def _candidates(signals: Signals, nearby: Nearby) -> Iterator[Found]:
    yield from signals.first_meta(_META_FIRST)
    for thing in signals.jsonld_things:
        for name in ("image", "thumbnailUrl", "primaryImageOfPage"):
            yield from (
                Found(address, f"{thing.syntax} {name}")
                for address in _addresses(signals, thing.item.get(name))
            )
    yield from signals.first_meta(_META_THEN)
    for link in signals.links:
        if "image_src" in link.get("rel", "").lower().split() and link.get("href"):
            yield Found(link["href"], "link rel=image_src")
    for thing in signals.microdata_things:
        yield from (
            Found(address, f"{thing.syntax} image")
            for address in _addresses(signals, thing.item.get("image"))
        )
    yield from _on_page(signals, nearby)


def _addresses(signals: Signals, image: object) -> Iterator[str]:
    for value in values(image)[:4]:
        if isinstance(value, dict):
            full = (
                value
                if value.keys() & {"url", "contentUrl"}
                else signals.by_id.get(str(value.get("@id")), value)
            )
            for name in ("url", "contentUrl", "@id"):
                yield from (
                    address
                    for address in values(full.get(name))[:1]
                    if isinstance(address, str) and address
                )
        elif isinstance(value, str) and value:
            yield value


def _on_page(signals: Signals, nearby: Nearby) -> Iterator[Found]:
    nodes = np.flatnonzero(signals.tree.tag == code("img"))
    nodes = nodes[nodes > nearby.node][:_MAX_IMAGES]
    for node in nodes.tolist():
        attributes = signals.tree.attributes(node)
        address = image_source(attributes)
        about = f"{address} {attributes.get('class', '')} {attributes.get('alt', '')}"
        if address and not _DECORATION.search(about) and _is_large(attributes):
            yield Found(address, "img")


def _is_large(attributes: Mapping[str, str]) -> bool:
    width, height = (
        _NUMBER.fullmatch(attributes.get(name, "")) for name in ("width", "height")
    )
    return not (width and int(width[1]) < _MIN_WIDTH) and not (
        height and int(height[1]) < _MIN_HEIGHT
    )
