"""Several pages of one site at once: what they share is the site's, not the page's."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from scythe.content.document import Document
from scythe.content.extract import Extractor, Method, document_of, resolve
from scythe.content.methods.site import SiteTree
from scythe.content.selection import Selection
from scythe.tree import Limits, Tree, parse
from scythe.tree.parse import DEFAULT_LIMITS
from scythe.tree.tree import Bools

LEAST_OWN_SHARE = 0.2
"""A page that shares more than the rest of this with the others is the same page saved
twice: nothing is taken from it.
"""


def extract_many(
    pages: Iterable[bytes | str | Tree],
    urls: Iterable[str | None] | None = None,
    method: Method | Extractor = "auto",
    limits: Limits = DEFAULT_LIMITS,
) -> list[Document]:
    """Extract the main content of pages of one site, without what repeats across them.

    Give a few pages of the same kind, such as ten articles: menus, notices and teasers
    that stand in the same place with the same words on another page are left out, which
    no look at a single page can do. A page may be given as a tree, where it was parsed
    with a charset that the transport declared.
    """
    trees = [page if isinstance(page, Tree) else parse(page, limits) for page in pages]
    addresses = list(urls) if urls is not None else [None] * len(trees)
    name, extractor = resolve(method)
    site = SiteTree.merge(trees)
    return [
        document_of(tree, own(tree, extractor(tree), site), name, url)
        for tree, url in zip(trees, addresses, strict=True)
    ]


def own(tree: Tree, selection: Selection, site: SiteTree) -> Selection:
    """The part of a selection that is the page's own."""
    nodes = selection.nodes & ~site.shared(tree)
    before, after = (_length(tree, chosen) for chosen in (selection.nodes, nodes))
    return (
        replace(selection, nodes=nodes)
        if after >= LEAST_OWN_SHARE * before
        else selection
    )


def _length(tree: Tree, nodes: Bools) -> int:
    return sum(len(text.split()) for text in tree.text[nodes & tree.is_text].tolist())
