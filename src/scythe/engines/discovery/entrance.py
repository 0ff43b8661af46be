"""The way into an engine: the page with its search form, and the forms that can be
tried.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from urllib.parse import urljoin, urlsplit

import numpy as np

from scythe.content.metadata.jsonld import nested, read_jsonld, types
from scythe.content.status import is_blocked
from scythe.engines.asking.requests import Answer, Sender
from scythe.engines.discovery.opensearch import (
    announced,
    is_description,
    read_description,
    template_form,
)
from scythe.engines.discovery.queries import impossible_query
from scythe.engines.forms.building import FormPage
from scythe.engines.forms.controls import Item, text_below
from scythe.engines.forms.finding import (
    forms_of,
    has_password,
    search_boxes,
    search_forms,
)
from scythe.engines.forms.form import QUERY, Form
from scythe.engines.forms.words import SEARCH
from scythe.errors import (
    Blocked,
    FetchError,
    LoginNeeded,
    NoSearchForm,
    RenderError,
    ScytheError,
    Unreachable,
)
from scythe.render import browser_available
from scythe.sources.page import require_page
from scythe.tree import Tree, parse
from scythe.tree.links import base_url
from scythe.tree.tags import TagSet
from scythe.urls import origin

LINKS_TRIED = 2
"""Links to a search page, or frames, that are followed where a page has no form itself."""
BOXES_TRIED = 2
"""Boxes without a form that are typed into."""
UNLIKELY = 0.1
"""Probability from which a form that only asks (GET) is tried although it does not look
like a search form.
"""
GUESSED_PATHS = ("", "/search", "/")
"""Where a search box without a form is tried: at its own page, and where most programs
have their results.
"""
_PLACE = re.compile(r"\{[^{}]*\}")
FRAMES = TagSet("frame iframe")


@dataclass(frozen=True, eq=False)
class Entrance:
    """A page with a search form."""

    url: str
    tree: Tree
    forms: tuple[Form, ...]
    """What can be tried, the likeliest first."""
    name: str = ""
    """What the site calls its search, if it says so."""
    guessed: bool = field(default=False)
    """Whether the forms are guesses for a box that a script reads."""


def find_entrance(url: str, sender: Sender, *, render: bool | None = None) -> Entrance:
    """The search forms of a page, or of the page that it links to as its search."""
    answer = fetched(url, sender)
    if is_description(answer.data):
        found = read_description(answer.data, answer.url)
        home = origin(found.form.action) + "/"
        return Entrance(home, parse(b""), (found.form,), found.name)
    entrance = _of_page(answer, sender)
    if entrance is None and has_password(answer.tree):
        raise LoginNeeded(
            f"{url} asks for a login and has no search form. Give a page that is open to all:"
            " engines behind a login cannot be added."
        )
    entrance = (
        entrance
        or _rendered(answer, render=render)
        or _guessed(answer)
        or _linked(answer, sender)
    )
    if entrance is None:
        raise _nothing(answer, render=render)
    return entrance


def fetched(url: str, sender: Sender) -> Answer:
    """A page that is one: no error, no bot check, no file of another kind."""
    answer = sender.get(url)
    if answer.status >= 400:
        raise Unreachable(
            f"Cannot fetch {url}: the server answered {answer.status}. There is no such page: check the address."
        )
    require_page(answer.data, url)
    if is_blocked(answer.tree):
        raise Blocked(
            f"{url} shows a bot check instead of its page. Ask its owner for another way in."
        )
    return answer


def _of_page(answer: Answer, sender: Sender) -> Entrance | None:
    """The forms in the HTML of a page, else what it declares to programs."""
    forms = search_forms(answer.tree, answer.url, answer.form_charset)
    name = next((title for title, _ in announced(answer.tree, answer.url) if title), "")
    forms += [
        form
        for form in [
            *_declared(answer.tree),
            *(() if forms else _described(answer, sender)),
        ]
        if form not in forms
    ]
    if not forms:
        others = [
            one
            for one in forms_of(answer.tree, answer.url, answer.form_charset)
            if one.score >= UNLIKELY
        ]
        likely = sorted(
            (one for one in others if not has_sensitive(one.items)),
            key=lambda one: -one.score,
        )
        forms = [
            one.form
            for one in likely
            if one.form is not None and one.form.method == "get"
        ]
    return Entrance(answer.url, answer.tree, tuple(forms), name) if forms else None


def has_sensitive(items: Sequence[Item]) -> bool:
    """Whether a form takes what is no query: a password, an address, a file."""
    return any(item.kind in ("password", "email", "tel", "file") for item in items)


def _described(answer: Answer, sender: Sender) -> Iterator[Form]:
    """The forms of the OpenSearch descriptions that a page links to."""
    for _, url in announced(answer.tree, answer.url):
        try:
            yield read_description(sender.get(url).data, url).form
        except ScytheError:
            continue


def _declared(tree: Tree) -> Iterator[Form]:
    """The addresses that a page declares as its search by schema.org's `SearchAction`."""
    for action in nested(read_jsonld(tree)):
        if "SearchAction" in types(action):
            target = action.get("target")
            template = target.get("urlTemplate") if isinstance(target, dict) else target
            form = (
                template_form(_PLACE.sub(QUERY, template, count=1))
                if isinstance(template, str)
                else None
            )
            if form is not None and is_web(form.action):
                yield form


def _rendered(answer: Answer, *, render: bool | None) -> Entrance | None:
    """The forms that scripts build."""
    if render is False or not browser_available():
        return None
    from scythe.render.shared import open_page

    try:
        tree = open_page(answer.url)
    except RenderError:
        return None
    forms = tuple(search_forms(tree, answer.url, answer.form_charset))
    if forms:
        return Entrance(answer.url, tree, forms)
    return _typed(answer.url, tree)


def _typed(url: str, tree: Tree) -> Entrance | None:
    """What a script makes of words that are typed into a search box, seen by where it
    leads.
    """
    from scythe.render.shared import submit_query

    fields = np.flatnonzero(tree.has_tag(TagSet("input textarea"))).tolist()
    word = impossible_query(url)
    for box in search_boxes(tree)[:BOXES_TRIED]:
        try:
            reached = submit_query(url, fields.index(box.node), word)
        except (RenderError, FetchError):
            continue
        form = template_form(reached.replace(word, QUERY)) if is_web(reached) else None
        if form is not None:
            return Entrance(url, tree, (form,))
    return None


def _guessed(answer: Answer) -> Entrance | None:
    boxes = search_boxes(answer.tree)
    return _guesses(answer.url, answer.tree, boxes) if boxes else None


def _guesses(url: str, tree: Tree, boxes: list[Item]) -> Entrance:
    """What a box without a form may ask: most scripts send its words by its own name,
    or as `q`, to these places.
    """
    page = FormPage(tree, url, "utf-8")
    places = [
        place for path in GUESSED_PATHS if (place := page.absolute(path)) is not None
    ]
    names = list(dict.fromkeys([*(box.name for box in boxes if box.name), "q"]))
    return Entrance(
        url,
        tree,
        tuple(Form(place, name) for name in names for place in places),
        guessed=True,
    )


def _linked(answer: Answer, sender: Sender) -> Entrance | None:
    """The forms of a frame, or of a page that this one calls its search."""
    for url in list(_search_links(answer))[:LINKS_TRIED]:
        try:
            entrance = _of_page(fetched(url, sender), sender)
        except ScytheError:
            continue
        if entrance is not None:
            return entrance
    return None


def _search_links(answer: Answer) -> Iterator[str]:
    tree = answer.tree
    frames = np.flatnonzero(tree.has_tag(FRAMES)).tolist()
    links = np.flatnonzero(tree.has_tag(TagSet("a"))).tolist()
    said = [
        (node, href)
        for node, href in zip(links, tree.attribute_values("href", links), strict=True)
        if href
    ]
    found = [source for source in tree.attribute_values("src", frames) if source]
    found += [
        href
        for node, href in said
        if SEARCH.search(text_below(tree, node)[:40]) or SEARCH.search(path_of(href))
    ]
    base = base_url(tree, answer.url)
    seen = {answer.url}
    for address in found:
        try:
            url = urljoin(base, address.strip())
            same = origin(url) == origin(answer.url)
        except ValueError:
            continue
        if same and url not in seen:
            seen.add(url)
            yield url


def path_of(href: str) -> str:
    """The path of an address; nothing of one that is none."""
    try:
        return urlsplit(href).path
    except ValueError:
        return ""


def is_web(url: str) -> bool:
    """Whether something is a whole address of the web."""
    try:
        return urlsplit(url).scheme.lower() in ("http", "https") and bool(
            urlsplit(url).hostname
        )
    except ValueError:
        return False


def _nothing(answer: Answer, *, render: bool | None) -> NoSearchForm:
    advice = "Give the address of the page where its search box is"
    if render is not False and not browser_available():
        advice += ", or install Chromium and scythe[browser], which find forms that scripts build"
    return NoSearchForm(f"{answer.url} has no search form. {advice}.")
