"""HTML to `Tree`: HTML5 tree construction, so that the tree is the browser's tree.

By the compiled core where that is at work (`scythe.tree.compiled`), else, and as the
reference, through turbohtml (`scythe.tree.construction.reference`).
"""

from __future__ import annotations

from dataclasses import replace

from scythe.core.library import at_work
from scythe.tree.compiled.trees import compiled_tree
from scythe.tree.construction.raw_text import close_raw_text, is_swallowed
from scythe.tree.encoding import PageText, page_text
from scythe.tree.limits import Limits
from scythe.tree.tree import Tree

DEFAULT_LIMITS = Limits()


def parse(
    html: bytes | str, limits: Limits = DEFAULT_LIMITS, charset: str | None = None
) -> Tree:
    """Return the tree of a page. Any input gives one: what the limits cut is named in
    `Tree.cut`.

    `charset` is the one the transport declared (HTTP header); it is not needed for a
    `str`.
    """
    page = page_text(html, limits.max_bytes, charset)
    tree = _page_tree(page, limits)
    if not is_swallowed(tree, page.length):
        return tree
    closed = close_raw_text(page.text)
    return _page_tree(replace(page, text=closed, as_utf8=None), limits)


def _page_tree(page: PageText, limits: Limits) -> Tree:
    tree = compiled_tree(page, limits) if at_work() else None
    if tree is not None:
        return tree
    # Where the core is at work, the parser's library is not loaded.
    from scythe.tree.construction.reference import reference_tree

    return reference_tree(page, limits)
