"""Good manners towards the hosts of engines: what their robots.txt says, and a pause
between requests.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from protego import Protego

from scythe.urls import is_loopback, origin

KEPT = 24 * 3600.0
"""Seconds for which a robots.txt is believed (RFC 9309, 2.4)."""
KEPT_ON_LOOPBACK = 30.0
"""The same on this machine, where one program after the other may have the same port."""
ROBOTS_BYTES = 512 * 1024
"""What is read of a robots.txt (RFC 9309, 2.5 asks for at least 500 KiB)."""


@dataclass(frozen=True, slots=True)
class Rules:
    """What the robots.txt of a site says."""

    robots: Protego | None = None
    """None where there is none: everything is allowed."""
    closed: str = ""
    """Why nothing is allowed, where robots.txt itself cannot be had."""

    @classmethod
    def of(cls, text: str) -> Rules:
        """The rules of a robots.txt."""
        return cls(Protego.parse(text))

    def allows(self, url: str, agent: str) -> bool:
        """Whether an address may be asked for."""
        return not self.closed and (
            self.robots is None or self.robots.can_fetch(url, agent)
        )

    def delay(self, agent: str) -> float:
        """Seconds between two requests that the site asks for."""
        if self.robots is None:
            return 0.0
        delay, rate = (
            self.robots.crawl_delay(agent) or 0.0,
            self.robots.request_rate(agent),
        )
        return max(
            float(delay),
            rate.seconds / rate.requests if rate and rate.requests else 0.0,
        )


class Manners:
    """What one process knows of all hosts it asks, so that many senders together are as
    polite as one.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._rules: dict[str, tuple[float, Rules]] = {}
        self._free: dict[str, float] = {}

    def rules(self, url: str, fetch: Callable[[str], Rules]) -> Rules:
        """The rules of the site of an address, fetched where they are not known."""
        site, kept = origin(url), KEPT_ON_LOOPBACK if is_loopback(url) else KEPT
        with self._lock:
            since, rules = self._rules.get(site, (0.0, None))
            if rules is not None and self._clock() - since < kept:
                return rules
        rules = fetch(f"{site}/robots.txt")
        with self._lock:
            self._rules[site] = (self._clock(), rules)
        return rules

    def book(self, url: str, pause: float) -> float:
        """Take the next free moment of a host, and leave a pause behind it: the seconds
        until then.
        """
        site, now = origin(url), self._clock()
        with self._lock:
            moment = max(self._free.get(site, now), now)
            self._free[site] = moment + pause
        return moment - now

    def hold(self, url: str, seconds: float) -> None:
        """Ask nothing more of a host for some seconds."""
        site, now = origin(url), self._clock()
        with self._lock:
            self._free[site] = max(self._free.get(site, now), now + seconds)


SHARED = Manners()
"""The manners of this process."""
