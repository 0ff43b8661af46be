"""The author as the page shows it: elements that say so by relation, class or link, and
lines that begin with "By".
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from scythe.content.metadata.names import (
    MAX_NAME,
    MAX_NAMES,
    bare_name,
    begins_with_by,
    clean_name,
    looks_like_name,
    split_names,
    without_by,
)
from scythe.content.metadata.nearby import Nearby
from scythe.content.metadata.signals import Signals, clean

_CLASS = re.compile(
    r"(?:^|[\s_-])(?:byline|author|authors|writer|auteur|autor|username|creator)(?:$|[\s_-]|name|link)",
    re.IGNORECASE,
)
_OTHER_CLASS = re.compile(
    r"comment|avatar|bio|image|img|photo|box|(?<!v)card|related|description|social|widget|footer|testimonial|review|quote|login",
    re.IGNORECASE,
)
_AUTHOR_LINK = re.compile(
    r"/(?:authors?|contributors?|writers?|users?|members?|profiles?)/[^/?#]+/?\Z",
    re.IGNORECASE,
)
_CONNECTING = re.compile(r"\s*(?:,|;|&|and|und|et|y|e|и|،|、)\s*", re.IGNORECASE)
_MAX_NODES = 40
"""Nodes of a byline element; larger ones are author boxes with a life story."""
_NEAR = 150
"""Nodes between the title and a byline. Swept on wcxb: 601 authors agree at 150 and at
200, with more false ones, and 597 at 100.
"""


def names_on_page(signals: Signals, nearby: Nearby) -> Iterator[tuple[list[str], str]]:
    """Lists of names with where each was found, the most telling first."""
    for node, source in _byline_elements(signals, nearby.node):
        yield _names_in(signals, node), source
    yield from _names_in_lines(nearby)


def _byline_elements(signals: Signals, title: int) -> list[tuple[int, str]]:
    """Small elements near the title that name the author, with what they do it by.

    Relations first, as they are meant for programs; then those after the title, then
    those before it, the nearest first.
    """
    tree = signals.tree
    start, stop = max(title - _NEAR, 0), title + _NEAR
    small = ~tree.is_text[start:stop] & (
        tree.end[start:stop] - tree.starts[start:stop] <= _MAX_NODES
    )
    related: list[tuple[int, str]] = []
    after: list[tuple[int, str]] = []
    before: list[tuple[int, str]] = []
    nodes = (np.flatnonzero(small) + start).tolist()
    attributes = (
        tree.attribute_values(name, nodes) for name in ("class", "rel", "href")
    )
    for node, name, relations, address in zip(nodes, *attributes, strict=True):
        if relations and "author" in relations.lower().split():
            related.append((node, "rel=author"))
        elif name and _CLASS.search(name) and not _OTHER_CLASS.search(name):
            (after if node > title else before).append((node, "byline"))
        elif node > title and address and _AUTHOR_LINK.search(address):
            after.append((node, "author link"))
    return [
        byline
        for byline in (*related, *after, *reversed(before))
        if not signals.is_hidden(byline[0])
    ][:MAX_NAMES]


def _names_in(signals: Signals, node: int) -> list[str]:
    """The names in a byline: the first text that can be one, and those that a comma or
    an "and" connects to it.
    """
    names: list[str] = []
    connected = False
    for text in (
        clean(text, MAX_NAME)
        for text in signals.tree.text[node : signals.tree.end[node]].tolist()
        if text
    ):
        if not text or _CONNECTING.fullmatch(text):
            connected = connected or bool(text and names)
            continue
        if names and not connected and not text.startswith((",", "&", "and ")):
            break
        name = bare_name(text)
        if clean_name(name):
            names += split_names(name)
            connected = text.endswith((",", "&", " and"))
    return names


def _names_in_lines(nearby: Nearby) -> Iterator[tuple[list[str], str]]:
    """Lines that begin with "By" and go on with a name, or that have the name on the
    next line.
    """
    texts = [line.text for line in nearby.lines]
    for place, text in enumerate(texts):
        if begins_with_by(text):
            name = bare_name(without_by(text) or "".join(texts[place + 1 : place + 2]))
            if looks_like_name(name):
                yield split_names(name), "line near title"
