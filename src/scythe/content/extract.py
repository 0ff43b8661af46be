"""One call from a page to a document."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from scythe.content.document import Document, Status
from scythe.content.econ import econ
from scythe.content.selection import Selection
from scythe.errors import UsageError
from scythe.tree import Limits, Tree, parse
from scythe.tree.parse import DEFAULT_LIMITS

Method = Literal["auto", "econ", "coreex", "lbda"]

METHODS: dict[str, Callable[[Tree], Selection]] = {"econ": econ}


def extract(
    html: bytes | str, url: str | None = None, method: Method = "auto", limits: Limits = DEFAULT_LIMITS, charset: str | None = None
) -> Document:
    """Extract the main content of a page."""
    name = "econ" if method == "auto" else method
    if name not in METHODS:
        raise UsageError(f"There is no method {method!r}. Choose one of: auto, {', '.join(METHODS)}.")
    tree = parse(html, limits, charset)
    selection = METHODS[name](tree)
    return Document(
        method=name,
        status=Status.TRUNCATED if tree.cut else Status.OK,
        confidence=selection.confidence,
        page_type=selection.page_type,
        url=url,
        cut=tree.cut,
        tree=tree,
        selection=selection,
    )
