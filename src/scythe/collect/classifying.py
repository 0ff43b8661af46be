"""The classifier: fetched pages into clusters of one template, and each told to be a record, an index page or another page."""

from __future__ import annotations

from scythe.collect.addresses import key
from scythe.collect.discovery import INDEX, RECORD
from scythe.collect.reading import is_listing, shows_kind
from scythe.collect.work import CLUSTERS, Work
from scythe.content.status import is_blocked
from scythe.store.pages import FETCHED, PageRow
from scythe.templates.clustering import Clusters
from scythe.tree.parse import parse
from scythe.tree.tree import Tree

BATCH = 250
"""Pages that are classified in one step: the state of all clusters is stored with each."""
OTHER, BLOCKED = "page", "blocked"
SHORT_PAGE = 1_000
"""Nodes below which a page may be a bot check: these have a sentence or two."""


def classify(work: Work) -> int:
    """Classify all pages that wait for it, in the order in which they were wanted; gives how many."""
    clusters: Clusters | None = None
    done = 0
    while batch := work.pages.at(FETCHED, BATCH):
        if clusters is None:
            stored = work.remembered(CLUSTERS)
            clusters = Clusters.from_json(stored) if stored else Clusters()
        placed = {}
        for page in batch:
            tree = parse(work.pages.body(page.body_hash or ""), charset=page.charset)
            placed[page.id] = (clusters.add(tree, page.url), kind_of(tree, work))
        work.pages.classify(placed, CLUSTERS, clusters.as_json())
        work.links.turned_out({page.url: outcome_of(placed[page.id][1]) for page in batch})
        done += len(batch)
        work.report("classified", done, 0)
    if clusters is not None:
        _follow_changes(work, clusters)
    return done


def kind_of(tree: Tree, work: Work) -> str:
    """What a page is."""
    if len(tree) < SHORT_PAGE and is_blocked(tree):
        return BLOCKED
    shown = shows_kind(tree, work.kind)
    if shown:
        return RECORD
    if is_listing(tree):
        return INDEX
    return RECORD if shown is None else OTHER


def outcome_of(kind: str) -> str:
    """What the links to a page of a kind led to."""
    return kind


def _follow_changes(work: Work, clusters: Clusters) -> None:
    """Clusters merge and split as they grow: pages that are now in another one are read anew by its template."""
    moved = {}
    for page in work.pages.all():
        now = clusters.cluster_of(page.url)
        if page.cluster is not None and now is not None and now != page.cluster:
            moved[page.id] = now
    if moved:
        work.pages.place(moved)


def record_pages(work: Work) -> dict[str, PageRow]:
    """Pages by the canonical form of their addresses."""
    return {key(page.url): page for page in work.pages.all()}
