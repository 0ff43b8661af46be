"""From a page to a document in one call."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Literal

from scythe.content.document import Document
from scythe.content.methods.coreex import coreex
from scythe.content.methods.econ import econ
from scythe.content.methods.econ_plus import econ_plus
from scythe.content.methods.lbda import Lbda
from scythe.content.methods.learned import Learned
from scythe.content.non_pages import read_non_page
from scythe.content.options import DEFAULT_OPTIONS, ExtractOptions
from scythe.content.selection import Selection
from scythe.content.status import Status, find_status
from scythe.errors import UsageError
from scythe.tree import Limits, Tree, parse
from scythe.tree.parse import DEFAULT_LIMITS

Extractor = Callable[[Tree], Selection]
"""A user-defined method: anything that selects nodes of a tree."""

Method = Literal["auto", "learned", "econ", "econ+", "coreex", "lbda"]

METHODS: Mapping[str, Extractor] = {
    "learned": Learned(),
    "econ": econ,
    "econ+": econ_plus,
    "coreex": coreex,
    "lbda": Lbda(),
}

DEFAULT_METHOD = "learned"
"""What `auto` means: the method with the best mean F1 in docs/benchmarks.md."""


def extract(
    html: bytes | str,
    url: str | None = None,
    method: Method | Extractor = "auto",
    limits: Limits = DEFAULT_LIMITS,
    charset: str | None = None,
    options: ExtractOptions = DEFAULT_OPTIONS,
) -> Document:
    """Return the main content of a page; of an input that is no page a document whose
    status says so.

    `url` makes links absolute. `method` names one of the methods or is one, such as
    `Lbda(site=...)`. `charset` is what the transport declared, if it did; a `str` needs
    none. `options` say how the content is written.
    """
    name, extractor = resolve_method(method)
    if document := read_non_page(html, url, limits, charset):
        return replace(document, options=options)
    tree = parse(html, limits, charset)
    return build_document(tree, extractor(tree), name, url, options)


def build_document(
    tree: Tree,
    selection: Selection,
    method: str,
    url: str | None,
    options: ExtractOptions = DEFAULT_OPTIONS,
) -> Document:
    """Return the document of a selection, with its status.

    Where the visible text holds no content, the document is built from the page's
    structured data instead, if that has any.
    """
    status = find_status(tree, selection)
    if status in (Status.SHELL, Status.EMPTY):
        # Few pages need the readers of structured data: they are loaded here.
        from scythe.content.embedded import select_embedded

        embedded = select_embedded(tree)
        if embedded is not None:
            selection, status = embedded, Status.EMBEDDED

    return Document(
        method=method,
        status=status,
        confidence=selection.confidence,
        page_type=selection.page_type,
        url=url,
        cut=tree.cut,
        tree=tree,
        selection=selection,
        options=options,
    )


def resolve_method(method: str | Extractor) -> tuple[str, Extractor]:
    """Return the name and the function of a method, given either."""
    if callable(method):
        name = getattr(method, "__name__", type(method).__name__)
        return name.lower(), method

    name = DEFAULT_METHOD if method == "auto" else method
    if name not in METHODS:
        raise UsageError(
            f"There is no method {method!r}. Choose one of: auto, {', '.join(METHODS)}."
        )
    return name, METHODS[name]
