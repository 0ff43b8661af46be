"""The page with an engine's search form, and the forms that can be tried."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from urllib.parse import urldefrag, urljoin, urlsplit

import numpy as np

from scythe.content.metadata.jsonld import read_jsonld, type_names, walk_items
from scythe.content.status import is_blocked
from scythe.engines.asking.response import Response
from scythe.engines.asking.sender import Sender
from scythe.engines.discovery.opensearch import (
    description_links,
    is_description,
    parse_description,
)
from scythe.engines.discovery.queries import impossible_query, site_words
from scythe.engines.forms.builder import FormPage
from scythe.engines.forms.controls import PageControl, text_below
from scythe.engines.forms.detection import (
    has_password,
    page_forms,
    search_boxes,
    search_forms,
)
from scythe.engines.forms.form import QUERY, TYPED, SearchForm, template_form
from scythe.engines.forms.keywords import SEARCH
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
from scythe.tree.links import page_base_url
from scythe.tree.tags import TagSet
from scythe.urls import origin

LINKS_TRIED = 2
"""Links to a search page, or frames, that are followed where a page has no form itself:
a bound on requests, not tuned.
"""
PAGES_READ = 4
"""Links of a page without words to ask for that are followed for more: a bound on
requests, not tuned.
"""
BOXES_TRIED = 2
"""Boxes without a form that are typed into: a bound on work, not tuned."""
UNLIKELY_FORM = 0.1
"""Probability from which a form that is sent by GET is tried although it does not look
like a search form. Not tuned: a form that does not search is found out by its answers.
"""
GUESSED_PATHS = ("", "/search", "/")
"""Addresses that a search box without a form is tried at: its own page, and where most
programs have their results.
"""
LINK_TEXT = 40
"""Letters of a link's text in which it may name a search: a bound on work, not tuned."""
FRAMES = TagSet("frame iframe")
LINKS = TagSet("a")
TEXT_FIELDS = TagSet("input textarea")
SENSITIVE_KINDS = frozenset({"password", "email", "tel", "file"})
_TEMPLATE_PARAMETER = re.compile(r"\{[^{}]*\}")


@dataclass(frozen=True, eq=False)
class SearchPage:
    """A page with a search form."""

    url: str
    tree: Tree
    forms: tuple[SearchForm, ...]
    """The forms that can be tried, the likeliest first."""
    name: str = ""
    """The name that the site gives its search, if any."""
    guessed: bool = False
    """Whether the forms are guesses for a box that a script reads."""
    linked_from: Tree | None = None
    """The page that links to this one as its search: it has more words to ask for."""


def find_search_page(
    url: str, sender: Sender, *, render: bool | None = None
) -> SearchPage:
    """Find the search forms of a page, or of the page that it links to as its search."""
    response = fetch_html(url, sender)
    if is_description(response.data):
        description = parse_description(response.data, response.url)
        home = origin(description.form.action) + "/"
        return SearchPage(home, parse(b""), (description.form,), description.name)

    page = _page_in_html(response, sender)
    if page is None and has_password(response.tree):
        raise LoginNeeded(
            f"{url} asks for a login and has no search form. Give a page that is open"
            " to all: engines behind a login cannot be added."
        )
    page = (
        page
        or _rendered_page(response, render=render)
        or _guessed_page(response)
        or _linked_page(response, sender)
    )
    if page is None:
        raise _no_search_form(response, render=render)
    return page


def fetch_html(url: str, sender: Sender) -> Response:
    """Fetch a page or a description of a search; refuse an error, a bot check, or a
    file of another kind.
    """
    response = sender.get(url)
    if response.status >= 400:
        raise Unreachable(
            f"Cannot fetch {url}: the server answered {response.status}."
            " There is no such page: check the address."
        )
    if not is_description(response.data):
        require_page(response.data, url)
    if is_blocked(response.tree):
        raise Blocked(
            f"{url} shows a bot check instead of its page."
            " Ask its owner for another way in."
        )
    return response


def _page_in_html(response: Response, sender: Sender) -> SearchPage | None:
    """Return the forms in the HTML of a page, else what it declares to programs."""
    tree = response.tree
    url = response.url
    forms = search_forms(tree, url, response.form_charset)
    declared = list(_declared_forms(tree))
    if not forms:
        declared += _described_forms(response, sender)
    forms += [form for form in declared if form not in forms]
    if not forms:
        forms = _unlikely_forms(response)
    if not forms:
        return None

    titles = [title for title, _ in description_links(tree, url) if title]
    first_title = titles[0] if titles else ""
    return SearchPage(url, tree, tuple(forms), first_title)


def _unlikely_forms(response: Response) -> list[SearchForm]:
    """Return the forms that may be tried although they hardly look like a search."""
    candidates = page_forms(response.tree, response.url, response.form_charset)
    candidates.sort(key=lambda candidate: -candidate.score)
    forms = []
    for candidate in candidates:
        if candidate.score < UNLIKELY_FORM or is_sensitive(candidate.controls):
            continue
        if candidate.form is not None and candidate.form.method == "get":
            forms.append(candidate.form)
    return forms


def is_sensitive(controls: Sequence[PageControl]) -> bool:
    """Return whether a form takes what is no query: a password, an address, a file."""
    return any(control.kind in SENSITIVE_KINDS for control in controls)


def _described_forms(response: Response, sender: Sender) -> Iterator[SearchForm]:
    """Yield the forms of the OpenSearch descriptions that a page links to."""
    for _, url in description_links(response.tree, response.url):
        try:
            yield parse_description(sender.get(url).data, url).form
        except ScytheError:
            continue


def _declared_forms(tree: Tree) -> Iterator[SearchForm]:
    """Yield the searches that a page declares by schema.org's `SearchAction`."""
    for action in walk_items(read_jsonld(tree)):
        if "SearchAction" not in type_names(action):
            continue
        target = action.get("target")
        template = target.get("urlTemplate") if isinstance(target, dict) else target
        if isinstance(template, str):
            form = template_form(_TEMPLATE_PARAMETER.sub(QUERY, template, count=1))
            if form is not None and is_web_address(form.action):
                yield form


def _rendered_page(response: Response, *, render: bool | None) -> SearchPage | None:
    """Return the forms that scripts build."""
    if render is False or not browser_available():
        return None
    from scythe.render.shared import open_page

    try:
        tree = open_page(response.url)
    except RenderError:
        return None
    forms = search_forms(tree, response.url, response.form_charset)
    if forms:
        return SearchPage(response.url, tree, tuple(forms))
    return _typed_page(response.url, tree)


def _typed_page(url: str, tree: Tree) -> SearchPage | None:
    """Type a word into search boxes, and return the form of the address that it leads to."""
    from scythe.render.shared import submit_query

    text_fields = np.flatnonzero(tree.has_tag(TEXT_FIELDS)).tolist()
    word = impossible_query(url)
    for box in search_boxes(tree)[:BOXES_TRIED]:
        try:
            address = submit_query(url, text_fields.index(box.node), word)
        except (RenderError, FetchError):
            continue
        if is_web_address(address):
            form = template_form(address.replace(word, QUERY))
            if form is not None:
                return SearchPage(url, tree, (form,))
    return None


def typed_forms(tree: Tree, url: str) -> tuple[SearchForm, ...]:
    """Return the search boxes of a page as forms to type into, for scripts that find
    without sending anything.
    """
    candidates = [form for form in page_forms(tree, url) if form.is_search]
    by_score = sorted(candidates, key=lambda candidate: -candidate.score)
    boxes = [candidate.query for candidate in by_score]
    forms = []
    for box in [*boxes, *search_boxes(tree)]:
        selector = "" if box is None else _selector(tree, box)
        if selector:
            forms.append(SearchForm(url, selector, TYPED))
    return tuple(forms)


def _selector(tree: Tree, box: PageControl) -> str:
    """Return a CSS selector of a field, empty where it has no name of its own."""
    tag = tree.name(box.node)
    for name in ("id", "name", "class"):
        value = box.attributes.get(name, "")
        needs_escape = not value.isprintable() or set(value) & set('"\\')
        if value and not needs_escape:
            return f'{tag}[{name}="{value}"]'
    return ""


def _guessed_page(response: Response) -> SearchPage | None:
    """Return what a box without a form may send.

    Most scripts send the query by the box's own name, or as `q`, to `GUESSED_PATHS`.
    """
    tree = response.tree
    url = response.url
    boxes = search_boxes(tree)
    if not boxes:
        return None
    box_names = [box.name for box in boxes if box.name]
    names = list(dict.fromkeys([*box_names, "q"]))

    page = FormPage(tree, url, "utf-8")
    forms = []
    for name in names:
        for path in GUESSED_PATHS:
            action = page.absolute(path)
            if action is not None:
                forms.append(SearchForm(action, name))
    return SearchPage(url, tree, tuple(forms), guessed=True)


def _linked_page(response: Response, sender: Sender) -> SearchPage | None:
    """Return the forms of a frame, or of a page that this one links to as its search."""
    for url in _search_links(response)[:LINKS_TRIED]:
        try:
            page = _page_in_html(fetch_html(url, sender), sender)
        except ScytheError:
            continue
        if page is not None:
            return replace(page, linked_from=response.tree)
    return None


def _search_links(response: Response) -> list[str]:
    """Return the frames, and the links that name a search, of the same site."""
    tree = response.tree
    frames = np.flatnonzero(tree.has_tag(FRAMES)).tolist()
    sources = tree.attribute_values("src", frames)
    addresses = [source for source in sources if source]
    for node, href in _page_links(tree):
        if _links_to_search(tree, node, href):
            addresses.append(href)
    return _same_site(tree, response.url, addresses)


def _page_links(tree: Tree) -> Iterator[tuple[int, str]]:
    """Yield the links of a page with what they lead to."""
    links = np.flatnonzero(tree.has_tag(LINKS)).tolist()
    addresses = tree.attribute_values("href", links)
    for node, href in zip(links, addresses, strict=True):
        if href:
            yield node, href


def _same_site(tree: Tree, page_url: str, addresses: Sequence[str]) -> list[str]:
    """Return the absolute addresses of other pages of the site, each once."""
    base = page_base_url(tree, page_url)
    urls: dict[str, None] = {}
    for address in addresses:
        try:
            url = urldefrag(urljoin(base, address.strip())).url
            is_same_site = origin(url) == origin(page_url)
        except ValueError:
            continue
        if is_same_site and url != page_url:
            urls.setdefault(url)
    return list(urls)


def with_linked_words(page: SearchPage, sender: Sender) -> SearchPage | None:
    """Return the search page with another page of the site to take words from; None
    where its links lead to no new words, or it has two pages to take them from already.

    The first page of a shop or a blog may welcome readers and name nothing that its
    search finds. Of the first pages that it links to, the one with the most words of its
    own is taken.
    """
    if page.guessed or page.linked_from is not None:
        return None
    known = set(site_words(page.tree))
    most: set[str] = set()
    richest = None
    addresses = [href for _, href in _page_links(page.tree)]
    linked = _same_site(page.tree, page.url, addresses)
    for url in linked[:PAGES_READ]:
        try:
            tree = fetch_html(url, sender).tree
        except ScytheError:
            continue
        words = set(site_words(tree)) - known
        if len(words) > len(most):
            most = words
            richest = tree
    if richest is None:
        return None
    return replace(page, linked_from=richest)


def _links_to_search(tree: Tree, node: int, href: str) -> bool:
    if SEARCH.search(text_below(tree, node)[:LINK_TEXT]):
        return True
    try:
        path = urlsplit(href).path
    except ValueError:
        return False
    return SEARCH.search(path) is not None


def is_web_address(url: str) -> bool:
    """Return whether something is an absolute address of the web."""
    try:
        parts = urlsplit(url)
        has_host = bool(parts.hostname)
    except ValueError:
        return False
    return has_host and parts.scheme.lower() in ("http", "https")


def _no_search_form(response: Response, *, render: bool | None) -> NoSearchForm:
    advice = "Give the address of the page where its search box is"
    if render is not False and not browser_available():
        advice += (
            ", or install Chromium and webscythe[browser], which find forms that scripts"
            " build"
        )
    return NoSearchForm(f"{response.url} has no search form. {advice}.")
