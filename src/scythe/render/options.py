"""How pages are rendered, as values."""

from __future__ import annotations

from dataclasses import dataclass

from scythe.errors import UsageError
from scythe.tree.encoding import PageText
from scythe.tree.limits import Limits

DEFAULT_LIMITS = Limits()
_MAX_VIEWPORT_SIDE = 16_000
"""Pixels; an arbitrary cap, wider than any screen."""


@dataclass(frozen=True, slots=True)
class RenderOptions:
    """What a page may do in the browser, and the bounds it is held to.

    A page that was given as HTML runs no script and reaches no server, so that it gives
    the tree that parsing gives and nobody learns that it was read.
    """

    scripts: bool = False
    network: bool = False
    public_only: bool = False
    """Whether requests to machines that are not public are refused, by name and by what
    the name leads to, whatever a page or its scripts ask for.
    """
    timeout: float = 30.0
    """Seconds for one page, besides the start of the browser. A page that is still
    loading near the end is taken as it is.
    """
    network_idle_timeout: float = 3.0
    """Seconds that scripts are given at most, after the page has loaded, until they ask
    the network for nothing more.
    """
    settle_timeout: float = 0.0
    """Seconds that a page is given at most, after that, until it has stopped growing:
    some scripts write one result after the other.
    """
    viewport: tuple[int, int] = (1280, 1024)
    """Width and height of the window in pixels; all of the page is laid out, however
    long it is.
    """
    max_memory: int = 2_000_000_000
    """Bytes that the browser may take for a page, where the system can count them
    (Linux).
    """
    limits: Limits = DEFAULT_LIMITS
    """As for parsing."""

    def __post_init__(self) -> None:
        for name in ("timeout", "max_memory"):
            value = getattr(self, name)
            if value <= 0:
                raise UsageError(
                    f"RenderOptions: {name} must be above 0, not {value}. "
                    "Leave it out for the default."
                )
        if self.network_idle_timeout < 0:
            raise UsageError(
                "RenderOptions: network_idle_timeout cannot be "
                f"{self.network_idle_timeout}. "
                "Give 0 to wait for nothing after the page has loaded."
            )
        if not all(1 <= side <= _MAX_VIEWPORT_SIDE for side in self.viewport):
            raise UsageError(
                f"RenderOptions: a window cannot have {self.viewport} pixels. "
                f"Give a width and a height from 1 to {_MAX_VIEWPORT_SIDE}."
            )

    @property
    def is_inert(self) -> bool:
        """Whether the page can do nothing: neither run a script nor reach a server."""
        return not (self.scripts or self.network)


OFFLINE = RenderOptions()
"""For HTML that was given: no scripts, no network."""
ONLINE = RenderOptions(scripts=True, network=True)
"""For addresses that the browser opens itself."""


@dataclass(frozen=True, slots=True)
class Typing:
    """Text for a field of a page, which a CSS selector names."""

    field: str
    text: str


@dataclass(frozen=True, slots=True)
class BrowserVisit:
    """A page to be shown: the one at `url`, or `source` as if it had come from there."""

    options: RenderOptions
    url: str | None = None
    source: PageText | None = None
    typing: Typing | None = None
    """What is typed into the page before it is read."""
