"""Crawl policy towards hosts: what their robots.txt allows, and a pause between requests."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol, Self

from protego import Protego

from scythe.urls import is_loopback_url, origin

ROBOTS_LIFETIME = 24 * 3600.0
"""Seconds for which a robots.txt is believed (RFC 9309, 2.4)."""
ROBOTS_LIFETIME_ON_LOOPBACK = 30.0
"""The same on this machine, where one program after the other may have the same port."""
ROBOTS_BYTES = 512 * 1024
"""What is read of a robots.txt (RFC 9309, 2.5 asks for at least 500 KiB)."""


@dataclass(frozen=True, slots=True)
class RobotsRules:
    """What the robots.txt of a site allows."""

    robots: Protego | None = None
    """None where there is none: everything is allowed."""
    closed: str = ""
    """Why nothing is allowed, where robots.txt itself cannot be fetched."""
    text: str | None = None
    """The file, where there is one."""

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the rules of a robots.txt."""
        return cls(Protego.parse(text), text=text)

    def allows(self, url: str, agent: str) -> bool:
        """Return whether an address may be requested."""
        if self.closed:
            return False
        return self.robots is None or self.robots.can_fetch(url, agent)

    def delay(self, agent: str) -> float:
        """Return the seconds between two requests that the site asks for."""
        if self.robots is None:
            return 0.0
        delay = float(self.robots.crawl_delay(agent) or 0.0)
        rate = self.robots.request_rate(agent)
        if rate and rate.requests:
            delay = max(delay, rate.seconds / rate.requests)
        return delay


class SavedRules(Protocol):
    """Rules that other processes know, too."""

    @property
    def is_of_run(self) -> bool:
        """Whether they are those of one command, and go with it."""

    def asking(self, site: str) -> AbstractContextManager[None]:
        """Ask a site within this, one process at a time."""

    def get(self, site: str) -> RobotsRules | None:
        """Return the rules of a site, where they are fresh."""

    def put(self, site: str, rules: RobotsRules) -> None:
        """Keep the rules of a site."""


class CrawlPolicy:
    """The rules and the next free moment of every host that a process requests from.

    It is shared, so that many senders together are as polite as one.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._rules: dict[str, tuple[float, RobotsRules]] = {}
        self._fetching: dict[str, threading.Event] = {}
        self._next_free: dict[str, float] = {}
        self.saved: SavedRules | None = None
        """Where rules are looked up first, and kept; this machine's only for a run."""

    def rules(
        self,
        url: str,
        fetch: Callable[[str], RobotsRules],
        saved: SavedRules | None = None,
    ) -> RobotsRules:
        """Return the rules of the site of an address, fetched where they are not known;
        `saved` are those that other processes know, if not the policy's own.

        Many that ask at once wait for the first of them.
        """
        site = origin(url)
        lifetime = (
            ROBOTS_LIFETIME_ON_LOOPBACK if is_loopback_url(url) else ROBOTS_LIFETIME
        )
        with self._lock:
            rules = self._fresh_rules(site, lifetime)
            fetched = self._fetching.get(site)
            is_first = rules is None and fetched is None
            if is_first:
                self._fetching[site] = threading.Event()
        if fetched is not None and rules is None:
            fetched.wait()
            with self._lock:
                rules = self._fresh_rules(site, lifetime)
        if rules is not None:
            return rules

        # What failed for the first may work for another, with other options.
        try:
            rules = _load_rules(url, fetch, saved or self.saved)
            with self._lock:
                self._rules[site] = (self._clock(), rules)
        finally:
            if is_first:
                with self._lock:
                    self._fetching.pop(site).set()
        return rules

    def _fresh_rules(self, site: str, lifetime: float) -> RobotsRules | None:
        """Return the rules of a site, where they are known and young enough."""
        if site not in self._rules:
            return None
        fetched_at, rules = self._rules[site]
        is_fresh = self._clock() - fetched_at < lifetime
        return rules if is_fresh else None

    def reserve(self, url: str, pause: float) -> float:
        """Reserve the next free moment of a host, and a pause after it.

        Return the seconds until then.
        """
        site, now = origin(url), self._clock()
        with self._lock:
            moment = max(self._next_free.get(site, now), now)
            self._next_free[site] = moment + pause
        return moment - now

    def hold(self, url: str, seconds: float) -> None:
        """Postpone further requests to a host by some seconds."""
        site, now = origin(url), self._clock()
        with self._lock:
            moment = self._next_free.get(site, now)
            self._next_free[site] = max(moment, now + seconds)


def _load_rules(
    url: str, fetch: Callable[[str], RobotsRules], saved: SavedRules | None
) -> RobotsRules:
    """Return rules from where they are kept, or from the site."""
    site = origin(url)
    is_kept = saved is not None and (saved.is_of_run or not is_loopback_url(url))
    if saved is None or not is_kept:
        return fetch(f"{site}/robots.txt")
    rules = saved.get(site)
    if rules is None:
        with saved.asking(site):
            rules = saved.get(site)
            if rules is None:
                rules = fetch(f"{site}/robots.txt")
                saved.put(site, rules)
    return rules


SHARED_POLICY = CrawlPolicy()
"""The crawl policy of this process."""
