"""Media of a page: all its pictures with their captions, and the addresses of video and
audio, without those of menus, headers and footers.
"""

from __future__ import annotations

import numpy as np

from scythe.tree.images import picture_sources
from scythe.tree.links import page_base_url
from scythe.tree.tags import TagSet, code
from scythe.tree.text import plain_text
from scythe.tree.tree import Bools, Tree
from scythe.urls import fetchable_url

IMAGES, CAPTIONS, VIDEOS, AUDIO = MEDIA_FIELDS = (
    "images",
    "image_captions",
    "videos",
    "audio",
)
"""The fields of media; a caption is empty where a picture has none."""
MAX_MEDIA = 100
"""Media of a kind that are kept of a page: a cap against hostile pages."""
_MAX_CAPTION = 500
"""Characters of a caption: a bound on what is stored, not tuned."""
_SMALL = 64
"""Pixels below which a picture is an icon. Not tuned."""

_CHROME = TagSet("nav header footer aside")
_IMG, _VIDEO, _AUDIO, _FRAMES = (
    TagSet("img"),
    TagSet("video"),
    TagSet("audio"),
    TagSet("iframe embed"),
)
_FIGURE, _FIGCAPTION, _SOURCE = code("figure"), code("figcaption"), code("source")
_PLAYERS = (
    "youtube.com/embed/",
    "youtube-nocookie.com/embed/",
    "player.vimeo.com/",
    "dailymotion.com/embed",
)
"""Frames that show a video, by a part of their addresses."""


def page_media(tree: Tree, url: str, visible: Bools) -> dict[str, list[str]]:
    """Return the media of a page by field, each address once, in page order; fields
    without any are left out.
    """
    base = page_base_url(tree, url)
    in_content = visible & ~tree.below(tree.has_tag(_CHROME))
    pictures: dict[str, str] = {}
    for node in _nodes(tree, _IMG, in_content):
        address = _picture(tree, node, base)
        if address is not None:
            pictures.setdefault(address, _caption(tree, node))

    videos: dict[str, None] = {}
    for node in _nodes(tree, _VIDEO, in_content):
        videos.update(dict.fromkeys(_sources(tree, node, base)))
    for node in _nodes(tree, _FRAMES, in_content):
        source = tree.attributes(node).get("src") or ""
        address = fetchable_url(source, base)
        if address and any(player in address for player in _PLAYERS):
            videos[address] = None
    sounds: dict[str, None] = {}
    for node in _nodes(tree, _AUDIO, in_content):
        sounds.update(dict.fromkeys(_sources(tree, node, base)))

    media = {
        IMAGES: list(pictures)[:MAX_MEDIA],
        VIDEOS: list(videos)[:MAX_MEDIA],
        AUDIO: list(sounds)[:MAX_MEDIA],
    }
    captions = list(pictures.values())[:MAX_MEDIA]
    if any(captions):
        media[CAPTIONS] = captions
    return {name: values for name, values in media.items() if values}


def _nodes(tree: Tree, tags: TagSet, in_content: Bools) -> list[int]:
    is_medium = tree.has_tag(tags) & in_content
    nodes: list[int] = np.flatnonzero(is_medium).tolist()
    return nodes[: MAX_MEDIA * 10]


def _picture(tree: Tree, node: int, base: str) -> str | None:
    """Return the address of a picture, None where it is an icon or has none."""
    attributes = tree.attributes(node)
    for side in ("width", "height"):
        size = attributes.get(side) or ""
        if size.isdecimal() and int(size) < _SMALL:
            return None
    for source in picture_sources(tree, node):
        address = fetchable_url(source, base)
        if address is not None:
            return address
    return None


def _caption(tree: Tree, node: int) -> str:
    """Return what the figure around a picture says of it, else its own text."""
    for ancestor in tree.ancestors(node):
        if tree.tag[ancestor] != _FIGURE:
            continue
        for child in tree.children(ancestor):
            if tree.tag[child] == _FIGCAPTION:
                caption = plain_text(tree, tree.subtree(child))
                return caption[:_MAX_CAPTION]
        break
    own_text = tree.attributes(node).get("alt") or ""
    return " ".join(own_text.split())[:_MAX_CAPTION]


def _sources(tree: Tree, node: int, base: str) -> list[str]:
    """Return the addresses of a video or a sound."""
    holders = [node]
    holders += [child for child in tree.children(node) if tree.tag[child] == _SOURCE]
    for holder in holders:
        source = tree.attributes(holder).get("src")
        address = fetchable_url(source, base) if source else None
        if address:
            return [address]
    return []
