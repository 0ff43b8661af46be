"""What the crawler is asked to do, as plain values that go to another process."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from scythe.errors import UsageError


@dataclass(frozen=True)
class CrawlRequest:
    """A page to fetch; what the server said of it last time makes the request
    conditional.
    """

    page: int
    url: str
    etag: str | None = None
    last_modified: str | None = None


_BOUNDS = {
    "delay": (0, 86_400),
    "concurrency": (1, 64),
    "timeout": (0.001, 3_600),
    "max_bytes": (1, 1_000_000_000),
    "retries": (0, 20),
}
"""The least and the most that numbers of a crawl may be: bounds against slips of the
pen, not tuned.
"""


@dataclass(frozen=True)
class CrawlOptions:
    """Bounds and policy of a crawl."""

    home: str
    """The address of the collection: private machines are asked only if it is on one."""
    user_agent: str = ""
    """The name given to servers; by default `scythe/VERSION`."""
    delay: float = 0.5
    """Least seconds between two requests to a host; its robots.txt may ask for more,
    and a slow host gets more.
    """
    concurrency: int = 4
    """Requests under way at a host that answers fast."""
    timeout: float = 30.0
    """Seconds for one page, from the request to its last byte."""
    max_bytes: int = 10_000_000
    """Longer answers are not read."""
    retries: int = 2
    """How often a page is asked for again after a failure that may pass."""
    robots: bool = True
    """Whether robots.txt is obeyed. Switch it off only for sites that allowed you to
    collect them.
    """
    private: bool = False
    """Whether private machines may be asked that a public collection links to."""
    accepts_media: bool = False
    """Whether pictures are fetched, and not only pages."""

    def __post_init__(self) -> None:
        for name, (least, most) in _BOUNDS.items():
            value = getattr(self, name)
            is_number = isinstance(value, (int, float))
            if isinstance(value, bool) or not is_number:
                raise UsageError(f"{name} must be a number, not {value!r}.")
            if not least <= value <= most:
                raise UsageError(
                    f"{name} must be between {least:g} and {most:,g}, not {value:g}."
                )

    @classmethod
    def from_settings(cls, home: str, settings: Mapping[str, Any]) -> CrawlOptions:
        """Return the options among the settings of a collection."""
        known = {
            name: settings[name]
            for name in cls.__dataclass_fields__
            if name in settings and name not in ("home", "accepts_media")
        }
        return cls(home=home, **known)
