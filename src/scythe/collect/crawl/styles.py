"""The stylesheets of example pages: fetched once after a run, with the manners of the
run, and shown without any request.
"""

from __future__ import annotations

from dataclasses import replace
from urllib.parse import urljoin, urlsplit

import numpy as np

from scythe.collect.context import Work
from scythe.collect.crawl.fetching import fetch
from scythe.collect.crawl.job import Job
from scythe.errors import ScytheError
from scythe.store.collections.bodies import StyleRows
from scythe.store.collections.extractions import ExtractionRows
from scythe.store.collections.pages import FetchResult, PageRow
from scythe.store.collections.states import FetchOutcome
from scythe.tree.links import base_url
from scythe.tree.parse import parse
from scythe.tree.tags import TagSet
from scythe.tree.tree import Tree

MOST_FILES, MOST_BYTES, SECONDS = 8, 1_000_000, 15.0
"""What is fetched for one example page: sites that bundle have one or two files, the
others mostly less than eight.
"""
MOST_CLUSTERS = 12
"""Clusters whose example pages are looked at, the largest."""

_LINK = TagSet("link")


def linked_styles(tree: Tree, url: str) -> dict[int, str]:
    """The addresses of the stylesheets that a page links, by the node of the link."""
    base = base_url(tree, url)
    found: dict[int, str] = {}
    for node in np.flatnonzero(tree.has_tag(_LINK)).tolist():
        given = tree.attributes(node)
        words = (given.get("rel") or "").lower().split()
        if (
            "stylesheet" in words
            and "alternate" not in words
            and "disabled" not in given
            and given.get("href")
        ):
            try:
                address = urljoin(base, given["href"].strip()).partition("#")[0]
                is_web = urlsplit(address).scheme in ("http", "https") and bool(
                    urlsplit(address).hostname
                )
            except ValueError:
                continue
            if is_web and len(found) < MOST_FILES:
                found[node] = address
    return found


def saved_styles(work: Work, tree: Tree, page: PageRow) -> dict[int, str]:
    """The stylesheets of a page that are kept, by the node of the link."""
    linked = linked_styles(tree, page.final_url or page.url)
    kept = StyleRows(work.store, work.row.id).texts(linked.values())
    return {node: kept[address] for node, address in linked.items() if address in kept}


def save_styles(work: Work) -> int:
    """Fetch the stylesheets of example pages that were never asked for; gives how many
    were. What fails is left at that: pages can be read without style.
    """
    wanted: dict[str, None] = {}
    examples = ExtractionRows(work.store, work.row.id)
    styles = StyleRows(work.store, work.row.id)
    for cluster in examples.clusters()[:MOST_CLUSTERS]:
        page = examples.page(examples.ids(cluster.cluster)[0])
        if page.body_hash:
            tree = parse(work.pages.body(page.body_hash), charset=page.charset)
            wanted.update(
                dict.fromkeys(linked_styles(tree, page.final_url or page.url).values())
            )
    known = styles.known(wanted)
    urls = [url for url in wanted if url not in known]
    if urls:
        styles.store(_fetched(work, urls))
    return len(urls)


def _fetched(work: Work, urls: list[str]) -> dict[str, tuple[str | None, str]]:
    found: dict[str, tuple[str | None, str]] = dict.fromkeys(
        urls, (None, "it was not fetched")
    )
    options = replace(
        work.options,
        max_bytes=MOST_BYTES,
        timeout=min(work.options.timeout, SECONDS),
        retries=0,
    )
    left = MOST_BYTES
    try:
        for answer in fetch(
            [Job(place, url) for place, url in enumerate(urls)], options, work.robots
        ):
            text, note = _text(answer, left)
            left -= len(text or "")
            found[urls[answer.page]] = (text, note)
    except ScytheError as error:
        found.update(
            {
                url: (None, str(error))
                for url, (text, _) in found.items()
                if text is None
            }
        )
    return found


def _text(answer: FetchResult, left: int) -> tuple[str | None, str]:
    if answer.outcome != FetchOutcome.OK or answer.body is None:
        return None, answer.note or answer.outcome
    if "css" not in (answer.content_type or "css"):
        return None, f"it is {answer.content_type}"
    if len(answer.body) > left:
        return None, "the stylesheets of the page are too large"
    try:
        return answer.body.decode(answer.charset or "utf-8", "replace"), ""
    except LookupError:
        return answer.body.decode("utf-8", "replace"), ""
