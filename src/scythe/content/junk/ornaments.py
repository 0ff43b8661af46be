"""Pictures that show nothing of the content: spacers, tracking pixels, bullets, icons
and the portraits of users.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import compress, repeat

import numpy as np

from scythe.content.selection import Selection
from scythe.tree.images import picture_source
from scythe.tree.phrases import Phrases
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

_Sides = tuple[int | None, int | None]
"""Width and height in pixels, None where they are not given."""
_IMG = code("img")
_NOSCRIPT = TagSet("noscript")
_CELL = TagSet("td th")
_PIXELS = re.compile(r"\s*([0-9]{1,5})(?:\.[0-9]*)?(?:px)?\s*")
_SPACER_NAMES = (
    "placeholder",
    "blank",
    "spacer",
    "clear",
    "transparent",
    "pixel",
    "1x1",
)
_SPACER = Phrases(
    _SPACER_NAMES,
    rf"(?:^|/)(?:[a-z0-9_-]{{0,40}}{'|'.join(_SPACER_NAMES)})"
    r"\.(?:gif|png|svg)(?:$|[?#])",
)
_ICON_CLASS = Phrases(("icon", "avatar"), r"(?:^|[\s_-])(?:icons?|avatar)(?:$|[\s_-])")
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
    repeated = _repeated(tree, pictures, sources)

    ornaments = []
    for node, source, values in zip(pictures, sources, attributes, strict=True):
        sides = (_pixels(values, "width"), _pixels(values, "height"))
        is_ornament = _is_icon(values, sides)
        is_ornament |= node in repeated and not _is_spoken(values)
        if selection.media is not None and selection.media[node]:
            is_ornament = False
        if is_ornament or _is_spacer(source, sides):
            ornaments.append(node)
    if not ornaments:
        return selection
    nodes = selection.nodes.copy()
    nodes[ornaments] = False
    return replace(selection, nodes=nodes)


def _repeated(
    tree: Tree, pictures: Sequence[int], sources: Sequence[str]
) -> frozenset[int]:
    """Return the pictures outside of tables that the page shows as often as bullets and
    icons, not counting tables and `<noscript>`.
    """
    if max(Counter(sources).values()) < MIN_REPEATS:
        return frozenset()
    in_noscript = tree.below(tree.has_tag(_NOSCRIPT))[pictures]
    in_cell = tree.below(tree.has_tag(_CELL))[pictures]
    is_counted = ~(in_noscript | in_cell)
    shown = Counter(compress(sources, is_counted.tolist()))
    outside = zip(pictures, sources, in_cell.tolist(), strict=True)
    return frozenset(
        node
        for node, source, is_inside in outside
        if not is_inside and shown[source] >= MIN_REPEATS
    )


def _is_spacer(source: str, sides: _Sides) -> bool:
    """Return whether a picture keeps space, or tells a server that the page was read."""
    # A side of 0 is no size: frameworks write it where a style sheet gives the size.
    if any(side is not None and 0 < side <= MAX_SPACER for side in sides):
        return True
    return _SPACER.are_in(source)


def _is_icon(attributes: Mapping[str, str], sides: _Sides) -> bool:
    """Return whether a picture without a text is an icon, by its size or its class."""
    if (attributes.get("alt") or "").strip():
        return False
    if _ICON_CLASS.are_in(attributes.get("class") or ""):
        return True
    width, height = sides
    if not width or not height:
        return False
    return max(width, height) <= MAX_ICON


def _is_spoken(attributes: Mapping[str, str]) -> bool:
    """Return whether a small picture stands for words however often it is shown: an
    emoji, or a rating.
    """
    alternative = (attributes.get("alt") or "").strip()
    if not alternative:
        return False
    if _EMOJI_CLASS.search(attributes.get("class") or ""):
        return True
    if alternative.startswith(":"):
        return True
    return not alternative.replace(" ", "").isalpha()


def _pixels(attributes: Mapping[str, str], side: str) -> int | None:
    value = attributes.get(side)
    pixels = _PIXELS.fullmatch(value) if value else None
    return int(pixels[1]) if pixels else None
