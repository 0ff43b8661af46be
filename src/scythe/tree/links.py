"""Where the addresses of a page lead from."""

from __future__ import annotations

from typing import overload

import numpy as np

from scythe import urls
from scythe.logins import without_logins
from scythe.tree.tags import code
from scythe.tree.tree import Tree

_BASE = code("base")


@overload
def page_base_url(tree: Tree, url: str) -> str: ...
@overload
def page_base_url(tree: Tree, url: str | None) -> str | None: ...
def page_base_url(tree: Tree, url: str | None) -> str | None:
    """Return what the relative addresses of a page start from: its own address, or what
    its first `<base>` with an `href` says, as in browsers. Nobody's password is in it.
    """
    bases = np.flatnonzero(tree.tag == _BASE).tolist()
    if url is not None:
        url = without_logins(url)
    for href in tree.attribute_values("href", bases):
        if href is not None:
            return urls.base_url(href, url)
    return url
