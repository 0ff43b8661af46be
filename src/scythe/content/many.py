"""Several pages of one site at once: the text they share belongs to the site, not to
the page.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from scythe.content.document import Document
from scythe.content.extract import Extractor, Method, build_document, resolve_method
from scythe.content.methods.site_tree import SiteTree
from scythe.content.non_pages import read_non_page
from scythe.content.options import DEFAULT_OPTIONS, ExtractOptions
from scythe.content.selection import Selection
from scythe.tree import Limits, Tree, parse
from scythe.tree.parse import DEFAULT_LIMITS
from scythe.tree.tree import Bools

MIN_OWN_SHARE = 0.2
"""Of the selected words. A page that shares more than the rest with the others is the
same page saved twice: nothing is left out of it. A plain bound, not tuned.
"""


def extract_many(
    pages: Iterable[bytes | str | Tree],
    urls: Iterable[str | None] | None = None,
    method: Method | Extractor = "auto",
    limits: Limits = DEFAULT_LIMITS,
    options: ExtractOptions = DEFAULT_OPTIONS,
) -> list[Document]:
    """Return the main content of pages of one site, without what repeats across them.

    Give a few pages of the same kind, such as ten articles: menus, notices and teasers
    that stand at the same path with the same words on another page are left out, which
    cannot be recognised from a single page. A page may be given as a tree, where it was
    parsed with a charset that the transport declared.
    """
    pages = list(pages)
    addresses: list[str | None] = [None] * len(pages)
    if urls is not None:
        addresses = list(urls)
    inputs: list[Tree | Document] = []
    for page, url in zip(pages, addresses, strict=True):
        if isinstance(page, Tree):
            inputs.append(page)
        else:
            document = read_non_page(page, url, limits)
            inputs.append(document or parse(page, limits))

    name, extractor = resolve_method(method, options.focus)
    site = SiteTree.merge(tree for tree in inputs if isinstance(tree, Tree))
    documents = []
    for tree, url in zip(inputs, addresses, strict=True):
        if isinstance(tree, Document):
            documents.append(replace(tree, options=options))
        else:
            selection = without_shared_text(tree, extractor(tree), site)
            documents.append(build_document(tree, selection, name, url, options))
    return documents


def without_shared_text(tree: Tree, selection: Selection, site: SiteTree) -> Selection:
    """Return a selection without the text that other pages of the site have too."""
    own_nodes = selection.nodes & ~site.shared(tree)
    words_before = _word_count(tree, selection.nodes)
    words_after = _word_count(tree, own_nodes)
    if words_after < MIN_OWN_SHARE * words_before:
        return selection
    return replace(selection, nodes=own_nodes)


def _word_count(tree: Tree, nodes: Bools) -> int:
    texts = tree.text[nodes & tree.is_text].tolist()
    return sum(len(text.split()) for text in texts)
