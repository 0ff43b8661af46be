"""Pictures that show nothing of the content: spacers, tracking pixels, bullets, icons
and the portraits of users.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from itertools import compress, repeat

import numpy as np

from scythe.content.selection import Selection
from scythe.tree.images import picture_source
from scythe.tree.tags import TagSet, code
from scythe.tree.tree import Tree

MAX_SPACER = 3
"""Pixels of a side that nobody sees a picture in. A plain bound, not tuned."""
MAX_ICON = 48
"""Pixels of both sides of an icon or a portrait beside a name: forum programs and
previews of links use 16 to 48. Only for pictures without a text of their own.
"""
MIN_REPEATS = 4
"""How often a page shows a bullet or an icon: copies for other screens and for
carousels show any picture up to three times.
"""

_IMG = code("img")
_NOSCRIPT = TagSet("noscript")
_CELL = TagSet("td th")
_PIXELS = re.compile(r"\s*([0-9]{1,5})(?:\.[0-9]*)?(?:px)?\s*")
_SPACER = re.compile(
    r"(?:^|/)(?:[a-z0-9_-]{0,40}placeholder|blank|spacer|clear|transparent|pixel|1x1)"
    r"\.(?:gif|png|svg)(?:$|[?#])",
    re.IGNORECASE,
)
_SPACER_ENDINGS = (".gif", ".png", ".svg")
_ICON_CLASS = re.compile(r"(?:^|[\s_-])(?:icons?|avatar)(?:$|[\s_-])", re.IGNORECASE)
_EMOJI_CLASS = re.compile(r"emoji|smiley|smilie|emoticon", re.IGNORECASE)


def without_ornaments(tree: Tree, selection: Selection) -> Selection:
    """Return a selection without the pictures that are ornaments. Those of figures stay
    whatever they look like, but for spacers.
    """
    is_picture = selection.nodes & (tree.tag == _IMG)
    pictures = np.flatnonzero(is_picture).tolist()
    if not pictures:
        return selection

    attributes = tree.attributes_of(pictures)
    sources = list(map(picture_source, repeat(tree), pictures, attributes))
    in_noscript = tree.below(tree.has_tag(_NOSCRIPT))
    in_cell = tree.below(tree.has_tag(_CELL))
    is_counted = ~(in_noscript | in_cell)[pictures]
    shown = Counter(compress(sources, is_counted.tolist()))

    nodes = selection.nodes.copy()
    for node, source, values in zip(pictures, sources, attributes, strict=True):
        is_ornament = _is_icon(values)
        if shown[source] >= MIN_REPEATS and not in_cell[node]:
            is_ornament |= not _is_spoken(values)
        if selection.media is not None and selection.media[node]:
            is_ornament = False
        if is_ornament or _is_spacer(values, source):
            nodes[node] = False
    return replace(selection, nodes=nodes)


def _is_spacer(attributes: Mapping[str, str], source: str) -> bool:
    """Return whether a picture keeps space, or tells a server that the page was read."""
    if _can_be_spacer(source) and _SPACER.search(source):
        return True
    sides = (_pixels(attributes, "width"), _pixels(attributes, "height"))
    # A side of 0 is no size: frameworks write it where a style sheet gives the size.
    return any(side is not None and 0 < side <= MAX_SPACER for side in sides)


def _can_be_spacer(source: str) -> bool:
    """Return whether an address may be that of a spacer, by its ending: photographs,
    which most are, have another.
    """
    if not source.isascii():
        return True
    lower = source.lower()
    return any(ending in lower for ending in _SPACER_ENDINGS)


def _is_icon(attributes: Mapping[str, str]) -> bool:
    """Return whether a picture without a text is an icon, by its size or its class."""
    if (attributes.get("alt") or "").strip():
        return False
    if _ICON_CLASS.search(attributes.get("class") or ""):
        return True
    width, height = _pixels(attributes, "width"), _pixels(attributes, "height")
    return bool(width and height) and max(width or 0, height or 0) <= MAX_ICON


def _is_spoken(attributes: Mapping[str, str]) -> bool:
    """Return whether a small picture stands for words however often it is shown: an
    emoji, or a rating.
    """
    alternative = (attributes.get("alt") or "").strip()
    if not alternative:
        return False
    if _EMOJI_CLASS.search(attributes.get("class") or ""):
        return True
    return alternative.startswith(":") or not alternative.replace(" ", "").isalpha()


def _pixels(attributes: Mapping[str, str], side: str) -> int | None:
    pixels = _PIXELS.fullmatch(attributes.get(side) or "")
    return int(pixels[1]) if pixels else None
