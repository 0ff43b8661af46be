"""Pages as a command needs them: parsed as they are written, or rendered in one browser
for all of them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from scythe.cli.output.files import write_file, write_text_file
from scythe.closing import Closing
from scythe.sources import ReadOptions, Source, UrlSource
from scythe.sources.fetching import public_options
from scythe.sources.robots import wait_turn
from scythe.tree import Limits, Tree
from scythe.tree.encoding import page_text

if TYPE_CHECKING:
    from scythe.render import Browser, RenderOptions

_CUT_ADVICE = {
    "bytes": "it is longer than --max-bytes, so records at its end may be missing. "
    "Give a larger --max-bytes.",
    "nodes": "it has more elements than the limit, so records at its end may be missing. "
    "In Python, give larger Limits.",
}


@dataclass(frozen=True)
class LoadedPage:
    """A page as it was parsed or rendered."""

    html: str
    tree: Tree
    url: str | None
    cut: tuple[str, ...] = ()
    """The limits that cut the page short before it was parsed."""

    @property
    def warnings(self) -> list[str]:
        """What a user should know of the page itself."""
        limits = (*self.cut, *self.tree.cut)
        return [_CUT_ADVICE[limit] for limit in limits if limit in _CUT_ADVICE]


class PageLoader(Closing):
    """Loads sources. A web address is opened in the browser itself, scripts and all, if
    rendering is insisted on.
    """

    def __init__(self, options: ReadOptions, *, render: bool | None) -> None:
        self._options = options
        self._render = render

    @cached_property
    def _browser(self) -> Browser:
        from scythe.render import Browser

        return Browser()

    @property
    def _limits(self) -> Limits:
        return Limits(max_bytes=self._options.max_bytes)

    def load(self, source: Source) -> LoadedPage:
        """Read one source, and parse or render it."""
        if self._render and isinstance(source, UrlSource):
            read_options = public_options(source.url, self._options)
            wait_turn(source.url, read_options)
            options = self._render_options(scripts=True)
            options = replace(options, public_only=read_options.public_only)
            tree = self._browser.open(source.url, options=options)
            return LoadedPage("<!DOCTYPE html>", tree, source.name)

        from scythe.render.shared import load_tree

        page = source.read(self._options)
        text = page_text(page.data, self._options.max_bytes, page.charset)
        html = text.text
        tree = load_tree(html, page.url, render=self._render, limits=self._limits)
        return LoadedPage(html, tree, page.url, text.cut)

    def write_preview(self, path: str, html: str, url: str | None) -> None:
        """Write a page to a file: as it is, or as a picture where the name says PNG."""
        if not path.lower().endswith(".png"):
            write_text_file(Path(path), html)
            return
        # the images and the style that it names are fetched where it came from the web
        options = self._render_options(scripts=False, network=url is not None)
        picture = self._browser.screenshot(html, url=url, options=options)
        write_file(Path(path), picture)

    def _render_options(self, *, scripts: bool, network: bool = True) -> RenderOptions:
        from scythe.render import RenderOptions

        return RenderOptions(
            scripts=scripts,
            network=network,
            timeout=self._options.timeout,
            limits=self._limits,
        )

    def close(self) -> None:
        """Close the browser, if one was opened."""
        if "_browser" in self.__dict__:
            self._browser.close()
