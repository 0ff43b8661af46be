"""One call from a page to a document."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

from scythe.content.document import Document
from scythe.content.methods.coreex import coreex
from scythe.content.methods.econ import econ
from scythe.content.methods.econ_plus import econ_plus
from scythe.content.methods.lbda import Lbda
from scythe.content.methods.learned import Learned
from scythe.content.selection import Selection
from scythe.content.status import Status, judge
from scythe.errors import UsageError
from scythe.tree import Limits, Tree, parse
from scythe.tree.parse import DEFAULT_LIMITS

Extractor = Callable[[Tree], Selection]
"""A method of one's own: anything that chooses nodes of a tree."""

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
) -> Document:
    """Extract the main content of a page.

    `url` makes links absolute. `method` names one of the methods or is one, such as
    `Lbda(site=...)`. `charset` is what the transport declared, if it did; a `str` needs
    none.
    """
    name, extractor = resolve(method)
    tree = parse(html, limits, charset)
    return document_of(tree, extractor(tree), name, url)


def document_of(
    tree: Tree, selection: Selection, method: str, url: str | None
) -> Document:
    """The document of a selection, with its status; of the structured data where the
    visible text holds no content.
    """
    status = judge(tree, selection)
    if (
        status in (Status.SHELL, Status.EMPTY)
        and (embedded := _embedded(tree)) is not None
    ):
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
    )


def _embedded(tree: Tree) -> Selection | None:
    from scythe.content.embedded import (
        embedded_content,  # loads the readers of structured data, which few pages need
    )

    return embedded_content(tree)


def resolve(method: str | Extractor) -> tuple[str, Extractor]:
    """A method's name and function, from either."""
    if callable(method):
        return getattr(method, "__name__", type(method).__name__).lower(), method
    name = DEFAULT_METHOD if method == "auto" else method
    if name not in METHODS:
        raise UsageError(
            f"There is no method {method!r}. Choose one of: auto, {', '.join(METHODS)}."
        )
    return name, METHODS[name]
