"""The turn of a request: whether robots.txt allows it, and when its host has had its
pause.
"""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

from scythe.errors import FetchError, RobotsRefused
from scythe.sources.crawl_policy import (
    ROBOTS_BYTES,
    SHARED_POLICY,
    CrawlPolicy,
    RobotsRules,
)
from scythe.sources.download import open_response, read_body, user_agent
from scythe.sources.options import ReadOptions
from scythe.sources.pacing import SharedPace
from scythe.sources.robots_cache import RobotsCache
from scythe.urls import is_loopback_url, origin

LOOPBACK_DELAY = 0.05
"""Seconds between two requests to this machine, which belongs to whoever runs it."""
LONGEST_WAIT = 120.0
"""Seconds that a request waits for its turn at most: a bound against robots.txt files
that ask for days, not tuned.
"""
_MAX_REDIRECTS = 5
"""Redirects of a robots.txt that are followed (RFC 9309, 2.3.1.2)."""


def wait_turn(
    url: str, options: ReadOptions, policy: CrawlPolicy = SHARED_POLICY
) -> None:
    """Wait until an address may be requested, here or by something like a browser;
    refuse what robots.txt does not allow.
    """
    delay = options.delay
    if is_loopback_url(url):
        delay = min(delay, LOOPBACK_DELAY)
    if options.robots:
        rules = require_allowed(url, options, policy)
        delay = max(delay, rules.delay(user_agent(options)))
    if delay > LONGEST_WAIT:
        raise FetchError(
            f"Cannot fetch {url}: its robots.txt asks for {delay:g} seconds between"
            " requests. Use `scythe collect`, which can wait, or ask its owner."
        )

    if options.pace_file is None:
        wait = policy.reserve(url, delay)
    else:
        wait = SharedPace(options.pace_file).reserve(origin(url), delay)
    if wait > 0:
        time.sleep(wait)


def require_allowed(
    url: str, options: ReadOptions, policy: CrawlPolicy = SHARED_POLICY
) -> RobotsRules:
    """Return the rules of a site; refuse an address that they do not allow.

    Where nothing answers at all, there are none for now: the request for the page will
    say why.
    """
    agent = user_agent(options)
    saved = policy.saved
    if options.pace_file is not None and saved is None:
        folder = Path(options.pace_file).with_name("robots")
        saved = RobotsCache(folder, is_of_run=True)
    try:
        rules = policy.rules(url, lambda robots: fetch_robots(robots, options), saved)
    except FetchError as error:
        if error.__cause__ is None:
            raise
        return RobotsRules()
    if rules.closed:
        raise RobotsRefused(
            f"{origin(url)} cannot be asked: {rules.closed}. Try again later."
        )
    if not rules.allows(url, agent):
        raise RobotsRefused(
            f"{origin(url)} asks programs in its robots.txt not to fetch {url}."
            " Ask its owner. If the site is yours, give --ignore-robots"
            " (in Python, ReadOptions(robots=False))."
        )
    return rules


def fetch_robots(url: str, options: ReadOptions) -> RobotsRules:
    """Fetch a robots.txt and return its rules.

    A site that answers with an error of its own is closed to programs (RFC 9309,
    2.3.1). Where nothing answers, a `FetchError` says why.
    """
    import httpx2

    options = options.without_private_headers()
    options = replace(options, max_redirects=_MAX_REDIRECTS)
    try:
        with open_response(url, options, "text/plain, */*;q=0.5") as (
            response,
            deadline,
        ):
            data = read_body(response, deadline, ROBOTS_BYTES)
    except FetchError as error:
        no_answer = (httpx2.ConnectError, httpx2.TimeoutException)
        if error.__cause__ is None or isinstance(error.__cause__, no_answer):
            raise
        # Broken for this one address: a request for the page itself will show.
        return RobotsRules()

    if response.status_code >= 500:
        return RobotsRules(
            closed="its robots.txt cannot be read "
            f"(the server answered {response.status_code})"
        )
    if not response.is_success:
        return RobotsRules()
    return RobotsRules.parse(data.decode("utf-8", "replace"))
