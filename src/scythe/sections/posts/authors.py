"""Elements that name who wrote something, by what the markup calls them."""

from __future__ import annotations

import re
from functools import lru_cache

import numpy as np

from scythe.sections.posts.classes import AttributePattern
from scythe.sections.posts.times import is_time
from scythe.tree.tags import TagSet, code
from scythe.tree.tree import Bools, Tree

MAX_LENGTH = 50
"""Characters of a name; a bound, not tuned."""
MAX_WORDS = 5

_NAME_WORD = AttributePattern(
    "class",
    re.compile(
        r"author|user-?_?name|user(?!info)|poster|nick|member|creator|by-?line|display-?name"
        r"|screen-?name|persona|commenter|\bfn\b|autor|\bby\b|hnuser|owner|profile|real-?name",
        re.IGNORECASE,
    ),
    tuple(
        (
            "author user poster nick member creator by display screen persona comment "
            "fn autor owner profile real "
        ).split()
    ),
)
_NOT_NAME_WORD = re.compile(
    r"avatar|icon|title|rank|badge|count|stat|info|date|time|role|group|online|karma|rep\b"
    r"|reputation|level|posts?-?num|location|label|tip|action|menu|button|btn",
    re.IGNORECASE,
)
_PROFILE = AttributePattern(
    "href",
    re.compile(
        r"/(?:u|user|users|member|members|profile|profiles|people|author|authors|mitglied|membre"
        r"|usuario|utente|space)[/.\-?]|member\.php|profile\.php|memberlist|viewprofile|user\.php"
        r"|action=profile|userid=|[?&]u(?:id|ser)?=|user/|/@|showuser|/~|user\?id=|user\.aspx",
        re.IGNORECASE,
    ),
    tuple(
        (
            "/u user member profile people author mitglied membre utente space u= uid= /@ /~ "
        ).split()
    ),
)
_NO_NAME = re.compile(
    r"^[\W\d]*$|^\W*https?:|^(?:reply|quote|report|share|edit|guest book)$", re.I
)
LINK = code("a")
_NAMED = TagSet(
    "a span b strong div h3 h4 h5 h6 p cite td dt address em big font i small li u s"
)


def author_marks(tree: Tree, is_read: Bools) -> dict[int, int]:
    """Return the elements that may name an author, in page order, with how strongly the
    markup says so.
    """
    strength: dict[int, int] = {}

    def add(node: int, points: int) -> None:
        text = own_text(tree, node) if is_read[node] else ""
        if is_name(text):
            # A name after an @ is whom a post speaks to.
            known = strength.get(node, -3 if text.startswith("@") else 0)
            strength[node] = known + points

    for node, value in tree.with_attribute("itemprop").items():
        if value in ("author", "creator") or (
            value == "name" and _in_person(tree, node)
        ):
            add(node, 4)
    for node, value in tree.with_attribute("rel").items():
        if "author" in value.split():
            add(node, 3)
    is_link = tree.tag == LINK
    for node in _PROFILE.find(tree):
        if is_link[node]:
            add(node, 2)
    is_named = tree.has_tag(_NAMED)
    for node, value in _NAME_WORD.values(tree):
        if is_named[node]:
            add(node, 1 if _is_no_name(value) else 3)
    for node in tree.with_attribute("data-user-card"):
        add(node, 3)
    return dict(sorted(strength.items()))


@lru_cache(maxsize=1024)
def _is_no_name(class_name: str) -> bool:
    """Return whether a class says that what it names is something else."""
    return _NOT_NAME_WORD.search(class_name) is not None


def _in_person(tree: Tree, node: int) -> bool:
    properties = tree.with_attribute("itemprop")
    types = tree.with_attribute("itemtype")
    for depth, above in enumerate(tree.ancestors(node)):
        if properties.get(above) in ("author", "creator"):
            return True
        if "Person" in types.get(above, ""):
            return True
        if depth > 3:
            return False
    return False


def is_name(text: str) -> bool:
    """Return whether a text is as short as a name, and has letters."""
    if not text or len(text) > MAX_LENGTH:
        return False
    if len(text.split()) > MAX_WORDS:
        return False
    return _NO_NAME.match(text) is None


MAX_NODES = 30
"""Nodes of an element that is a name; larger ones hold more than that. A bound."""


def own_text(tree: Tree, node: int) -> str:
    """Return the text of a small element, white space collapsed; nothing for a large
    one.
    """
    end = int(tree.end[node])
    if end - node > MAX_NODES:
        return ""
    text = "".join(tree.text[node:end].tolist())
    return " ".join(text.split())


_BEFORE_NAME = re.compile(
    r"(?:(?:written|posted|asked|answered|started)\s+)?(?:by|von|par|por|di|door|av|от|автор)"
    r"\b[:\s]*",
    re.IGNORECASE,
)


def author_name(tree: Tree, node: int) -> str:
    """Return the name in an element: the text of its link, else its first text that can
    be a name; pages put dates and ranks beside it.
    """
    end = int(tree.end[node])
    is_link = tree.tag[node:end] == LINK
    links = np.flatnonzero(is_link) + node
    for link in links.tolist():
        text = own_text(tree, link)
        if is_name(text):
            return text
    for text in tree.text[node:end].tolist():
        name = _BEFORE_NAME.sub("", " ".join(text.split()), count=1)
        if is_name(name) and not is_time(name):
            return name
    return own_text(tree, node)
