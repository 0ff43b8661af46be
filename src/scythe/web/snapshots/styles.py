"""The stylesheets of a page that is shown at once: fetched with it, a few small ones, in
a short time.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import repeat

from scythe.collect.steps.stylesheets import MAX_BYTES, MAX_FILES, linked_stylesheets
from scythe.errors import ScytheError
from scythe.sources.download import open_response, read_body
from scythe.sources.options import ReadOptions
from scythe.tree.tree import Tree

SECONDS = 6.0
"""How long one stylesheet may take: a bound on the wait; pages can be read without."""


def fetched_styles(
    tree: Tree, url: str | None, *, allow_private: bool
) -> dict[int, str]:
    """Return the stylesheets that a page links, by the node of the link, without those
    that fail.
    """
    linked = linked_stylesheets(tree, url) if url else {}
    if not linked:
        return {}
    options = ReadOptions(
        max_bytes=MAX_BYTES,
        timeout=SECONDS,
        idle_timeout=SECONDS,
        public_only=not allow_private,
    )
    with ThreadPoolExecutor(MAX_FILES) as pool:
        texts = list(pool.map(_fetch, linked.values(), repeat(options)))

    left = MAX_BYTES
    kept: dict[int, str] = {}
    for node, text in zip(linked, texts, strict=True):
        if text and len(text) <= left:
            kept[node] = text
            left -= len(text)
    return kept


def _fetch(url: str, options: ReadOptions) -> str:
    try:
        with open_response(url, options, "text/css, */*;q=0.1") as (response, deadline):
            header = response.headers.get("Content-Type", "text/css")
            media_type = header.partition(";")[0].strip().lower()
            if not response.is_success or media_type not in ("text/css", "text/plain"):
                return ""
            data = read_body(response, deadline, options.read_size)
    except ScytheError:
        return ""
    return data.decode("utf-8", "replace")
