"""The pages of the records benchmark as trees: parsed, or as a real browser shows them."""

from __future__ import annotations

import hashlib
import pickle
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.record_finders import Finder, Sample
from benchmarks.record_sets import RecordPage, RecordSet
from scythe.errors import ScytheError
from scythe.render import Browser
from scythe.tree import Tree, parse


class Pages:
    """Every page as a tree, rendered once for all the rows that look at it; `kept` is a
    folder of pages rendered before.
    """

    def __init__(self, kept: Path | None = None) -> None:
        self._browser = Browser()
        self._kept = kept
        self._rendered: dict[bytes, Tree] = {}

    def __enter__(self) -> Pages:
        return self

    def __exit__(self, *_: object) -> None:
        self._browser.close()

    def sample(
        self, finder: Finder, page_set: RecordSet, pages: Sequence[RecordPage]
    ) -> Sample:
        """Return what a wrapper of the set is learned from."""
        no_result = (
            self.tree(page_set.no_result, None, finder) if page_set.no_result else None
        )
        return Sample(
            [self.tree(page.html, page.url, finder) for page in pages],
            no_result,
            page_set.site,
        )

    def tree(self, html: bytes, url: str | None, finder: Finder) -> Tree:
        """Return the tree that a row is given: rendered if the row is visual and the
        browser can, else parsed.
        """
        if not finder.visual:
            return parse(html)
        if html not in self._rendered:
            try:
                self._rendered[html] = self._render(html, url)
            except ScytheError as error:
                print(f"A page is taken as parsed: {error}", file=sys.stderr)
                self._rendered[html] = parse(html)
        return self._rendered[html]

    def _render(self, html: bytes, url: str | None) -> Tree:
        if self._kept is None:
            return self._browser.render(html, url=url)
        path = self._kept / f"{hashlib.sha256(html).hexdigest()}.pickle"
        if not path.is_file():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(pickle.dumps(self._browser.render(html, url=url)))
        tree: Tree = pickle.loads(path.read_bytes())
        return tree
