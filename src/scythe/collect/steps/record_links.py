"""Links between records: what pages of records link to in their content, and no index
page does. A part of a recipe may be a recipe itself.

They are kept as the links of an index page of their own, which is never fetched, and
decided about as all others are.
"""

from __future__ import annotations

from datetime import timedelta

import numpy as np

from scythe.collect.context import RunContext, StateKey
from scythe.collect.links.addresses import may_be_page
from scythe.store.collections.index_pages import (
    IndexPageRow,
    IndexPageVisit,
    NewIndexPage,
    SeenLink,
)
from scythe.store.columns import now
from scythe.store.states import FetchOutcome, IndexPageKind
from scythe.tree.links import page_base_url
from scythe.tree.tags import TagSet
from scythe.tree.tree import Tree
from scythe.urls import fetchable_url, origin, url_key

MAX_PAGES = 300
"""Pages of records whose links are looked at in one run: a bound on work, not tuned."""
MAX_LINKS = 1_000
"""Links between records that are kept: a bound, not tuned."""
MAX_SHARE = 0.2
"""The share of pages above which a link belongs to the design of all. Not tuned."""
MAX_KNOWN_ADDRESSES = 10_000
"""Links whose addresses are remembered: a bound on memory, not tuned."""

_NOT_RELATIVE = ("/", "http://", "https://")
"""What links begin with that lead to the same address from all pages of a host."""
_LINK = TagSet("a")
_CHROME = TagSet("nav header footer aside")


class RecordLinks:
    """The links that pages of records have in this run and had in earlier ones."""

    def __init__(self, context: RunContext) -> None:
        self._context = context
        stored = context.load_state(StateKey.RECORD_LINKS) or {}
        self._pages: int = stored.get("pages", 0)
        self._links: dict[str, list[object]] = dict(stored.get("links", {}))
        self._seen = 0
        self._known_addresses: dict[tuple[str, str], str | None] = {}

    def add(self, tree: Tree, url: str) -> None:
        """Add the links of a page of a record."""
        if self._seen >= MAX_PAGES:
            return
        self._seen += 1
        self._pages += 1
        base = page_base_url(tree, url)
        in_chrome = tree.below(tree.has_tag(_CHROME))
        is_link = tree.has_tag(_LINK) & ~in_chrome
        nodes = np.flatnonzero(is_link).tolist()
        hrefs = dict.fromkeys(tree.attribute_values("href", nodes))
        start = origin(base)
        for href in hrefs:
            address = self._own_address(href, base, start) if href else None
            if address is None:
                continue
            known = self._links.get(address)
            if known is not None:
                known[0] = int(str(known[0])) + 1
            elif len(self._links) < MAX_LINKS:
                self._links[address] = [1]

    def _own_address(self, href: str, base: str, start: str) -> str | None:
        """Return the address of a page of the site that a link leads to, None where it
        leads to none. Most links of a design are on all pages: what they lead to is
        found once, where it does not depend on the page.
        """
        if not href.startswith(_NOT_RELATIVE):
            return self._find_address(href, base)
        key = (start, href)
        known = self._known_addresses
        if key not in known:
            if len(known) >= MAX_KNOWN_ADDRESSES:
                known.clear()
            known[key] = self._find_address(href, base)
        return known[key]

    def _find_address(self, href: str, base: str) -> str | None:
        address = fetchable_url(href, base)
        if address is None or not may_be_page(address):
            return None
        return address if self._context.is_own(address) else None

    def store(self) -> None:
        """Store them for later runs, if there are new ones."""
        if self._seen:
            state = {"pages": self._pages, "links": self._links}
            self._context.store_state(StateKey.RECORD_LINKS, state)


def visit_record_links(context: RunContext) -> bool:
    """Store the links between records that no index page has; return whether there are
    any that were not there before.
    """
    stored = context.load_state(StateKey.RECORD_LINKS)
    if not stored:
        return False
    own_page = _own_page(context)
    if own_page is not None and own_page.visited_in == context.run:
        return False
    listed = set(context.index_keys)
    for link in context.links.all():
        if own_page is None or link.index_page_id != own_page.id:
            listed.add(url_key(link.url))

    limit = max(2.0, MAX_SHARE * stored["pages"])
    links = []
    for url, (pages, *_) in sorted(stored["links"].items()):
        if pages <= limit and url_key(url) not in listed:
            links.append(SeenLink(url, "", "/records/a[1]"))
    if not links:
        return False
    if own_page is None:
        address = f"{context.row.url}#links-of-records"
        reason = "links between records"
        own_links = NewIndexPage(address, IndexPageKind.RECORDS, reason)
        context.index_pages.add([own_links])
        own_page = _own_page(context)
    if own_page is None:
        return False
    known = {link.url for link in context.links.all(index_page=own_page.id)}
    due = now() + timedelta(days=365)
    visit = IndexPageVisit(FetchOutcome.CHANGED, 0.0, due, links=links)
    context.index_pages.store_visit(own_page.id, context.run, visit)
    return any(link.url not in known for link in links)


def _own_page(context: RunContext) -> IndexPageRow | None:
    for page in context.index_pages.all():
        if page.kind == IndexPageKind.RECORDS:
            return page
    return None
