"""How pages are read, as one value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Self

from scythe.errors import UsageError
from scythe.tree.limits import Limits


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """Bounds of reading, and what requests say of the reader.

    `timeout` bounds the whole of one download in seconds, redirects and the body
    included; a server that stops answering is given up after `idle_timeout`. What is
    longer than `max_bytes` (after decompression) is not read: a page one byte longer
    than the limit comes back, so that the parser, which has the same limit, cuts it and
    reports the cut.
    """

    max_bytes: int = Limits().max_bytes
    timeout: float = 30.0
    idle_timeout: float = 10.0
    max_redirects: int = 10
    user_agent: str | None = None
    """The name given to web servers; by default `scythe/VERSION`."""
    headers: Mapping[str, str] = field(default_factory=dict)
    """More request headers, such as a cookie or an `Accept-Language`. Only the site that
    is asked first gets them, others those whose names begin with `Accept`.
    """
    public_only: bool = False
    """Whether machines that are not public are refused: by name, by what the name leads
    to, and by who answers. A public page leads to no private machine in any case.
    """
    robots: bool = field(default=True, repr=False)
    """Whether robots.txt is obeyed. Switch it off only for sites that are yours, or
    that allowed you to read them.
    """
    delay: float = field(default=0.5, repr=False)
    """Least seconds between two requests to a host; its robots.txt may ask for more."""
    pace_file: str | None = field(default=None, repr=False)
    """A file by which processes keep the delay together (`scythe.sources.pacing`)."""

    def __post_init__(self) -> None:
        for name in ("max_bytes", "timeout", "idle_timeout"):
            value = getattr(self, name)
            if value <= 0:
                raise UsageError(
                    f"ReadOptions: {name} must be above 0, not {value}. "
                    "Leave it out for the default."
                )
        if self.delay < 0:
            raise UsageError(
                f"ReadOptions: delay cannot be {self.delay}. Give 0 or more seconds."
            )
        if self.max_redirects < 0:
            raise UsageError(
                f"ReadOptions: max_redirects cannot be {self.max_redirects}. "
                "Give 0 to follow none."
            )
        agent = self.user_agent or ""
        for text in (agent, *self.headers, *self.headers.values()):
            if not (text.isascii() and text.isprintable()):
                raise UsageError(
                    f"A request header cannot hold {text!r}. "
                    "Use printable ASCII characters only."
                )

    @property
    def private_headers(self) -> list[str]:
        """The names of those headers that say who asks, or may be secrets."""
        names = self.headers
        return [name for name in names if not name.lower().startswith("accept")]

    def without_private_headers(self) -> Self:
        """Return the options for a site that the headers were not given for."""
        private = self.private_headers
        items = self.headers.items()
        shared = {name: value for name, value in items if name not in private}
        return replace(self, headers=shared)

    @property
    def read_size(self) -> int:
        """How many bytes to read at most: one more than a page may have, which shows
        that it has more.
        """
        return self.max_bytes + 1
