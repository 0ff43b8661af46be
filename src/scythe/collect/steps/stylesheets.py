"""The stylesheets of example pages: fetched once after a run, by its crawl policy, and
shown without any request.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from urllib.parse import urljoin

import numpy as np

from scythe.collect.context import RunContext
from scythe.collect.crawl.fetcher import fetch_pages
from scythe.collect.crawl.options import CrawlRequest
from scythe.errors import ScytheError
from scythe.store.collections.pages import FetchResult, PageRow
from scythe.store.states import FetchOutcome
from scythe.tree.links import page_base_url
from scythe.tree.parse import parse
from scythe.tree.tags import TagSet
from scythe.tree.tree import Tree
from scythe.urls import is_web_url

MAX_FILES = 8
"""Stylesheets of one page: sites that bundle have one or two files, the others mostly
less than eight.
"""
MAX_BYTES = 1_000_000
"""Bytes of all stylesheets that one run fetches: a bound on work, not tuned."""
TIMEOUT = 15.0
"""Seconds for one stylesheet: a bound on work, not tuned."""
MAX_CLUSTERS = 12
"""Clusters whose example pages get their stylesheets, the largest: a bound on work, not
tuned.
"""

_LINK = TagSet("link")

_Stylesheet = tuple[str | None, str]
"""The text of a stylesheet, or None, and why there is none."""


def linked_stylesheets(tree: Tree, url: str) -> dict[int, str]:
    """Return the addresses of the stylesheets that a page links, by the node of the
    link.
    """
    base = page_base_url(tree, url)
    found: dict[int, str] = {}
    for node in np.flatnonzero(tree.has_tag(_LINK)).tolist():
        attributes = tree.attributes(node)
        href = attributes.get("href")
        if not href or not _is_active_stylesheet(attributes):
            continue
        try:
            address = urljoin(base, href.strip()).partition("#")[0]
        except ValueError:
            continue
        if is_web_url(address) and len(found) < MAX_FILES:
            found[node] = address
    return found


def _is_active_stylesheet(attributes: Mapping[str, str]) -> bool:
    relations = (attributes.get("rel") or "").lower().split()
    is_alternate = "alternate" in relations or "disabled" in attributes
    return "stylesheet" in relations and not is_alternate


def stored_stylesheets(
    context: RunContext, tree: Tree, page: PageRow
) -> dict[int, str]:
    """Return the stored stylesheets of a page, by the node of the link."""
    linked = linked_stylesheets(tree, page.final_url or page.url)
    texts = context.stylesheets.texts(linked.values())
    return {
        node: texts[address] for node, address in linked.items() if address in texts
    }


def store_stylesheets(context: RunContext) -> int:
    """Fetch and store the stylesheets of example pages that were never asked for;
    return how many were. What fails is left at that: pages can be read without style.
    """
    linked: dict[str, None] = {}
    for cluster in context.extractions.clusters()[:MAX_CLUSTERS]:
        first_page = context.extractions.ids(cluster.cluster)[0]
        page = context.extractions.page(first_page)
        if page.body_hash:
            body = context.pages.body(page.body_hash)
            tree = parse(body, charset=page.charset)
            url = page.final_url or page.url
            addresses = linked_stylesheets(tree, url).values()
            linked.update(dict.fromkeys(addresses))

    known = context.stylesheets.known(linked)
    urls = [url for url in linked if url not in known]
    if urls:
        context.stylesheets.store(_fetch_stylesheets(context, urls))
    return len(urls)


def _fetch_stylesheets(context: RunContext, urls: list[str]) -> dict[str, _Stylesheet]:
    found: dict[str, _Stylesheet] = dict.fromkeys(urls, (None, "it was not fetched"))
    options = replace(
        context.options,
        max_bytes=MAX_BYTES,
        timeout=min(context.options.timeout, TIMEOUT),
        retries=0,
    )
    requests = [CrawlRequest(number, url) for number, url in enumerate(urls)]
    left = MAX_BYTES
    try:
        for result in fetch_pages(requests, options, context.robots_txt):
            text, note = _decode_stylesheet(result, left)
            left -= len(text or "")
            found[urls[result.page]] = (text, note)
    except ScytheError as error:
        for url, (text, _) in found.items():
            if text is None:
                found[url] = (None, str(error))
    return found


def _decode_stylesheet(result: FetchResult, max_bytes: int) -> _Stylesheet:
    if result.outcome != FetchOutcome.OK or result.body is None:
        return None, result.note or result.outcome
    if "css" not in (result.content_type or "css"):
        return None, f"it is {result.content_type}"
    if len(result.body) > max_bytes:
        return None, "the stylesheets of the page are too large"
    try:
        return result.body.decode(result.charset or "utf-8", "replace"), ""
    except LookupError:
        return result.body.decode("utf-8", "replace"), ""
