"""The media of the content: pictures with their captions, and what can be played."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

import numpy as np

from scythe.content.structures.figures import PICTURE, find_figures
from scythe.content.structures.links import Links, read_image
from scythe.tree.images import image_source, picture_sizes
from scythe.tree.tags import code
from scythe.tree.text import line_borders
from scythe.tree.tree import Bools, Tree

MediumKind = Literal["image", "video", "audio"]

_IMG, _VIDEO, _AUDIO = map(code, ("img", "video", "audio"))
_NOSCRIPT, _SOURCE = code("noscript"), code("source")
_MAX_PLAYER_NODES = 64
"""Nodes of a `<video>` or `<audio>` that are searched for its sources; a bound for
hostile pages.
"""
_PIXELS = re.compile(r"\s*([0-9]{1,5})(?:\.[0-9]*)?(?:px)?\s*")
_AUDIO_PLAYER = re.compile(r"soundcloud|spotify|podcast|/audio|libsyn|buzzsprout")
_VIDEO_PLAYER = re.compile(r"video|player|/embed|youtu|vimeo|wistia|twitch")
"""What the addresses of players in frames have in common; other frames are
advertisements, forms and maps.
"""


@dataclass(frozen=True, slots=True)
class Medium:
    """A picture, or something to play."""

    kind: MediumKind
    source: str
    """Its address, as Markdown and HTML show it."""
    alt: str = ""
    """The text for readers who cannot see it."""
    caption: str = ""
    width: int | None = None
    """In pixels, where the page says so."""
    largest: str | None = None
    """The address of its largest form, where the page offers a larger one."""

    def to_dict(self) -> dict[str, Any]:
        """Return the medium as plain data."""
        return asdict(self)


def list_media(tree: Tree, nodes: Bools, url: str | None) -> list[Medium]:
    """Return the media among the selected nodes in the order of the page; a picture
    that `<noscript>` repeats is listed once.
    """
    reader = _MediaReader(tree, nodes, url)
    in_noscript = tree.below(tree.tag == _NOSCRIPT)
    media: list[Medium] = []
    sources: set[str] = set()
    is_picture = nodes & tree.has_tag(PICTURE)
    for node in np.flatnonzero(is_picture).tolist():
        medium = reader.read(node)
        if medium is None:
            continue
        if medium.source in sources and in_noscript[node]:
            continue
        sources.add(medium.source)
        media.append(medium)
    return media


class _MediaReader:
    """Reads the elements of one page that show or play something."""

    def __init__(self, tree: Tree, nodes: Bools, url: str | None) -> None:
        self.tree = tree
        self.nodes = nodes
        self.links = Links(tree, url)
        self.figures = find_figures(tree)
        self.line_borders = line_borders(tree)
        self.caption_texts: dict[int, str] = {}
        """The captions of figures that were read."""

    def read(self, node: int) -> Medium | None:
        """Return the medium of an element, None where it has no address or is neither
        picture nor player.
        """
        tag = self.tree.tag[node]
        if tag == _IMG:
            return self._image(node)
        if tag in (_VIDEO, _AUDIO):
            source = self.links.resource(self._player_source(node))
            kind: MediumKind = "video" if tag == _VIDEO else "audio"
        else:
            source = image_source(self.tree.attributes(node))
            source = self.links.resource(source)
            frame_kind = _frame_kind(source or "")
            if frame_kind is None:
                return None
            kind = frame_kind
        if source is None:
            return None
        attributes = self.tree.attributes(node)
        return Medium(
            kind=kind,
            source=source,
            alt=" ".join((attributes.get("title") or "").split()),
            caption=self._caption(node),
            width=_declared_width(attributes),
        )

    def _image(self, node: int) -> Medium | None:
        image = read_image(self.tree, node, self.links)
        if image is None:
            return None
        width = _declared_width(self.tree.attributes(node))
        largest = None
        sizes = picture_sizes(self.tree, node)
        if sizes:
            size = max(sizes)
            largest = self.links.resource(size.source)
        return Medium(
            kind="image",
            source=image.source,
            alt=image.alternative,
            caption=self._caption(node),
            width=width,
            largest=largest if largest != image.source else None,
        )

    def _player_source(self, node: int) -> str | None:
        """Return the address of a `<video>` or `<audio>`, its own or that of the first
        `<source>` in it.
        """
        end = int(self.tree.end[node])
        stop = min(end, node + _MAX_PLAYER_NODES)
        for element in range(node, stop):
            is_source = self.tree.tag[element] == _SOURCE
            if element == node or is_source:
                source = image_source(self.tree.attributes(element))
                if source:
                    return source
        return None

    def _caption(self, node: int) -> str:
        """Return the caption of the innermost figure around a node, on one line."""
        for ancestor in self.tree.ancestors(node):
            figure = self.figures.by_node.get(ancestor)
            if figure is not None:
                if ancestor not in self.caption_texts:
                    self.caption_texts[ancestor] = self._text(figure.captions)
                return self.caption_texts[ancestor]
        return ""

    def _text(self, captions: tuple[int, ...]) -> str:
        tree = self.tree
        parts: list[str] = []
        last_border = -1
        for caption in captions:
            end = int(tree.end[caption])
            for node in range(caption, end):
                if not self.nodes[node] or not tree.is_text[node]:
                    continue
                border = self.line_borders[node]
                if border != last_border:
                    parts.append("\n")
                parts.append(tree.text[node])
                last_border = border
        text = "".join(parts)
        return " ".join(text.split())


def _frame_kind(source: str) -> MediumKind | None:
    """Return what a frame plays, by its address."""
    address = source.lower()
    if _AUDIO_PLAYER.search(address):
        return "audio"
    return "video" if _VIDEO_PLAYER.search(address) else None


def _declared_width(attributes: Mapping[str, str]) -> int | None:
    pixels = _PIXELS.fullmatch(attributes.get("width") or "")
    return int(pixels[1]) if pixels else None
