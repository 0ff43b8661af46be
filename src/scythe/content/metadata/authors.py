"""The authors: names, never addresses, without the "By" before and the job title or
date after.

What the page declares comes first, JSON-LD before meta tags before microdata, each
right for 9 of 10 wcxb pages where it describes the main work; then what the page shows:
elements marked as a byline by relation, class or link, and lines that begin with "By".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from scythe.content.metadata.person_names import (
    MAX_NAME,
    MAX_NAMES,
    bare_name,
    begins_with_by,
    clean_name,
    looks_like_name,
    split_names,
    without_by,
)
from scythe.content.metadata.signals import MainItem, Signals
from scythe.content.metadata.title_context import TitleContext
from scythe.content.metadata.values import (
    SourcedValue,
    as_list,
    clean_text,
    match_key,
)
from scythe.tree.tree import Tree

Names = tuple[list[str], str]
"""Names of authors and where they were found."""
Byline = tuple[int, str]
"""An element that names the author, and what marks it."""

_TRUSTED_META_TAGS = (
    "author",
    "article:author_name",
    "sailthru.author",
    "parsely-author",
    "dc.creator",
    "dcterms.creator",
    "dc.contributor",
    "citation_author",
    "byl",
    "cxenseparse:author",
    "cxenseparse:recs:author",
    "rbauthors",
    "shareaholic:article_author_name",
    "authors",
    "article.author",
)
_UNCERTAIN_META_TAGS = (
    "article:author",
    "og:article:author",
    "og:author",
    "twitter:data1",
    "creator",
)
"""Tags that hold an address or an account about as often as a name; only names are
used.
"""
_AUTHOR_LABEL = re.compile(
    r"written|author|by|autor|auteur|verfasst|geschrieben|écrit|escrito|scritto|автор|作者",
    re.IGNORECASE,
)

_BYLINE_CLASS = re.compile(
    r"(?:^|[\s_-])(?:byline|author|authors|writer|auteur|autor|username|creator)"
    r"(?:$|[\s_-]|name|link)",
    re.IGNORECASE,
)
_BYLINE_WORDS = (
    "byline",
    "author",
    "writer",
    "auteur",
    "autor",
    "username",
    "creator",
)
"""One of which all such classes have."""
_OTHER_CLASS = re.compile(
    r"comment|avatar|bio|image|img|photo|box|(?<!v)card|related|description|social"
    r"|widget|footer|testimonial|review|quote|login",
    re.IGNORECASE,
)
_AUTHOR_LINK = re.compile(
    r"/(?:authors?|contributors?|writers?|users?|members?|profiles?)/[^/?#]+/?\Z",
    re.IGNORECASE,
)
_CONJUNCTION = re.compile(r"\s*(?:,|;|&|and|und|et|y|e|и|،|、)\s*", re.IGNORECASE)
_MAX_BYLINE_NODES = 40
"""Nodes of a byline element; larger ones are author boxes with a life story."""
_MAX_DISTANCE = 150
"""Nodes between the title and a byline. Swept on wcxb: 601 authors agree at 150 and at
200, with more false ones, and 597 at 100.
"""


def find_author(
    signals: Signals, context: TitleContext, site_keys: frozenset[str]
) -> SourcedValue | None:
    """Return the names of the authors, separated by commas.

    A page that declares its site as author often names a person in its byline, so the
    site's name (one of `site_keys`) is the last resort.
    """
    last_resort = None
    for candidates, source in _candidates(signals, context):
        cleaned = map(clean_name, candidates[:MAX_NAMES])
        names = list(dict.fromkeys(filter(None, cleaned)))
        persons = [name for name in names if match_key(name) not in site_keys]
        if persons:
            return SourcedValue(", ".join(persons), source)
        if names and last_resort is None:
            last_resort = SourcedValue(", ".join(names), source)
    return last_resort


def _candidates(signals: Signals, context: TitleContext) -> Iterator[Names]:
    yield from _names_in_items(signals, signals.main_jsonld)
    yield from _names_in_meta_tags(signals, _TRUSTED_META_TAGS)
    yield from _names_in_items(signals, signals.main_microdata)
    yield from _names_in_meta_tags(signals, _UNCERTAIN_META_TAGS)
    for node, source in _byline_elements(signals, context.node):
        yield _names_in_element(signals, node), source
    yield from _names_in_lines(context)


def _names_in_meta_tags(signals: Signals, tags: tuple[str, ...]) -> Iterator[Names]:
    for tag in tags:
        if tag == "twitter:data1" and not _is_twitter_data_author(signals):
            continue
        names = []
        for content in signals.meta_tags.get(tag, ()):
            names += split_names(content)
        if tag == "citation_author":
            names = list(map(_first_name_first, names))
        source = tag if ":" in tag else f"meta {tag}"
        yield names, source


def _is_twitter_data_author(signals: Signals) -> bool:
    """Return whether `twitter:data1` is labelled as the author; it may also be a price
    or the reading time.
    """
    labels = signals.meta_tags.get("twitter:label1", [""])
    return _AUTHOR_LABEL.search(labels[0]) is not None


def _first_name_first(name: str) -> str:
    """Return "Ann Lee" for "Lee, Ann"."""
    if name.count(",") != 1:
        return name
    return " ".join(reversed(name.split(", ")))


def _names_in_items(signals: Signals, items: list[MainItem]) -> Iterator[Names]:
    for main in items:
        for property_name in ("author", "creator"):
            names = []
            authors = as_list(main.item.get(property_name))
            for author in authors[:MAX_NAMES]:
                names += _names_of_author(signals, author)
            yield names, f"{main.syntax} {property_name}"


def _names_of_author(signals: Signals, author: object) -> list[str]:
    if isinstance(author, str):
        return split_names(author)
    if not isinstance(author, dict):
        return []
    person = signals.dereference(author, "name")
    names = as_list(person.get("name"))[:MAX_NAMES]
    return [name for name in names if isinstance(name, str)]


def _byline_elements(signals: Signals, title: int) -> list[Byline]:
    """Return small elements near the title that name the author, with what marks them.

    Relations first, as they are meant for programs; then those after the title, then
    those before it, the nearest first.
    """
    related: list[Byline] = []
    after: list[Byline] = []
    before: list[Byline] = []
    marks = _author_marks(signals.tree, title)
    for node, mark in sorted(marks.items()):
        if mark == "rel=author":
            related.append((node, mark))
        else:
            side = after if node > title else before
            side.append((node, mark))

    bylines = [*related, *after, *reversed(before)]
    visible = [byline for byline in bylines if not signals.is_hidden(byline[0])]
    return visible[:MAX_NAMES]


def _author_marks(tree: Tree, title: int) -> dict[int, str]:
    """Return the small elements near the title that name the author, with the strongest
    of what marks them.
    """
    nodes = _small_elements(tree, title)
    after = [node for node in nodes if node > title]
    addresses = tree.attribute_values("href", after)
    classes = tree.with_words("class", _BYLINE_WORDS)
    relations = tree.with_words("rel", ("author",))
    near = set(nodes)

    marks: dict[int, str] = {}
    for node, address in zip(after, addresses, strict=True):
        if address and _AUTHOR_LINK.search(address):
            marks[node] = "author link"
    for node in near.intersection(classes):
        if _is_byline_class(classes[node]):
            marks[node] = "byline"
    for node in near.intersection(relations):
        if "author" in relations[node].lower().split():
            marks[node] = "rel=author"
    return marks


def _small_elements(tree: Tree, title: int) -> list[int]:
    """Return the elements near the title that are small enough for a byline."""
    first = max(title - _MAX_DISTANCE, 0)
    near = slice(first, title + _MAX_DISTANCE)
    size = tree.end[near] - tree.starts[near]
    is_small = size <= _MAX_BYLINE_NODES
    is_small_element = is_small & ~tree.is_text[near]
    nodes: list[int] = (np.flatnonzero(is_small_element) + first).tolist()
    return nodes


def _is_byline_class(class_name: str) -> bool:
    if not _BYLINE_CLASS.search(class_name):
        return False
    return _OTHER_CLASS.search(class_name) is None


def _names_in_element(signals: Signals, node: int) -> list[str]:
    """Return the names in a byline: the first text that can be one, and those that a
    comma or an "and" connects to it.
    """
    names: list[str] = []
    is_connected = False
    end = int(signals.tree.end[node])
    for raw_text in signals.tree.texts_between(node, end):
        text = clean_text(raw_text, MAX_NAME)
        if not text:
            continue
        if _CONJUNCTION.fullmatch(text):
            is_connected = is_connected or bool(names)
            continue
        begins_anew = not text.startswith((",", "&", "and "))
        if names and begins_anew and not is_connected:
            break
        name = bare_name(text)
        if clean_name(name):
            names += split_names(name)
            is_connected = text.endswith((",", "&", " and"))
    return names


def _names_in_lines(context: TitleContext) -> Iterator[Names]:
    """Yield the names in lines that begin with "By" and go on with a name, or that have
    the name on the next line.
    """
    texts = [line.text for line in context.lines]
    for text, next_text in pairwise([*texts, ""]):
        if begins_with_by(text):
            name = bare_name(without_by(text) or next_text)
            if looks_like_name(name):
                yield split_names(name), "line near title"
