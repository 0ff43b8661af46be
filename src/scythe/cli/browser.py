"""How a command looks at pages: as they are written, or in one browser for all of them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from types import TracebackType
from typing import TYPE_CHECKING, Self

from scythe.sources import ReadOptions, Source, UrlSource
from scythe.tree import Limits, Tree
from scythe.tree.encoding import page_text

if TYPE_CHECKING:
    from scythe.render import Browser, RenderOptions


_CUT_ADVICE = {
    "bytes": "it is longer than --max-bytes, so records at its end may be missing. Give a larger --max-bytes.",
    "nodes": "it has more elements than the limit, so records at its end may be missing. In Python, give larger Limits.",
}


@dataclass(frozen=True)
class Seen:
    """A page as it was looked at."""

    html: str
    tree: Tree
    url: str | None
    cut: tuple[str, ...] = ()
    """The limits that cut the page short before it was looked at."""

    @property
    def warnings(self) -> list[str]:
        """What a user should know of the page itself."""
        return [
            _CUT_ADVICE[limit]
            for limit in (*self.cut, *self.tree.cut)
            if limit in _CUT_ADVICE
        ]


class Eyes:
    """Looks at sources. A web address is opened in the browser itself, scripts and all,
    if rendering is insisted on.
    """

    def __init__(self, reading: ReadOptions, *, render: bool | None) -> None:
        self._reading = reading
        self._render = render

    @cached_property
    def _browser(self) -> Browser:
        from scythe.render import Browser

        return Browser()

    @property
    def _limits(self) -> Limits:
        return Limits(max_bytes=self._reading.max_bytes)

    def see(self, source: Source) -> Seen:
        """Read and parse or render one source."""
        if self._render and isinstance(source, UrlSource):
            return Seen(
                "<!DOCTYPE html>",
                self._browser.open(source.name, options=self._options(scripts=True)),
                source.name,
            )
        from scythe.render.shared import load_tree

        page = source.read(self._reading)
        text = page_text(page.data, self._reading.max_bytes, page.charset)
        tree = load_tree(text.text, page.url, render=self._render, limits=self._limits)
        return Seen(text.text, tree, page.url, text.cut)

    def picture(self, html: str, url: str | None) -> bytes:
        """A page as a PNG image, with the pictures and the style that it names where it
        came from the web.
        """
        options = self._options(scripts=False, network=url is not None)
        return self._browser.screenshot(html, url=url, options=options)

    def _options(self, *, scripts: bool, network: bool = True) -> RenderOptions:
        from scythe.render import RenderOptions

        return RenderOptions(
            scripts=scripts,
            network=network,
            timeout=self._reading.timeout,
            limits=self._limits,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if "_browser" in self.__dict__:
            self._browser.close()
