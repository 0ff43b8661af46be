"""The stylesheets of a page that somebody wants to see now: fetched with it, a few, small ones, in a short time."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from scythe.collect.styles import MOST_BYTES, MOST_FILES, linked_styles
from scythe.errors import ScytheError
from scythe.sources.download import answering, read_body
from scythe.sources.options import ReadOptions
from scythe.tree.tree import Tree

SECONDS = 6.0
"""How long one stylesheet may take; pages can be read without."""


def fetched_styles(tree: Tree, url: str | None, *, allow_private: bool) -> dict[int, str]:
    """The stylesheets that a page links, by the node of the link; without those that cannot be had."""
    linked = linked_styles(tree, url) if url else {}
    if not linked:
        return {}
    options = ReadOptions(max_bytes=MOST_BYTES, timeout=SECONDS, idle_timeout=SECONDS, public_only=not allow_private)
    with ThreadPoolExecutor(MOST_FILES) as pool:
        texts = list(pool.map(lambda address: _fetched(address, options), linked.values()))
    left, kept = MOST_BYTES, dict[int, str]()
    for node, text in zip(linked, texts, strict=True):
        if text and len(text) <= left:
            kept[node], left = text, left - len(text)
    return kept


def _fetched(url: str, options: ReadOptions) -> str:
    try:
        with answering(url, options, "text/css, */*;q=0.1") as (response, deadline):
            kind = response.headers.get("Content-Type", "text/css").partition(";")[0].strip().lower()
            if not response.is_success or kind not in ("text/css", "text/plain"):
                return ""
            data = read_body(response, deadline, options.read_size)
    except ScytheError:
        return ""
    return data.decode("utf-8", "replace")
