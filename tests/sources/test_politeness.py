"""Requests obey robots.txt and leave hosts in peace between them."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from loopback import Loopback
from scythe.errors import FetchError, RobotsRefused, UsageError
from scythe.sources import ReadOptions, fetch
from scythe.sources.crawl_policy import CrawlPolicy, RobotsRules
from scythe.sources.pacing import SharedPace, shared_pace_file
from scythe.sources.robots import require_allowed, wait_turn
from scythe.sources.robots_cache import RobotsCache

ROBOTS = b"User-agent: *\nDisallow: /private/\n"


def asked_paths(web: Loopback) -> list[str]:
    return [path for path, _ in web.asked]


def test_what_robots_txt_forbids_is_not_asked_for(web: Loopback) -> None:
    web.add("/robots.txt", ROBOTS, "text/plain")
    web.add("/private/page", b"<p>Secret")
    with pytest.raises(RobotsRefused, match="--ignore-robots"):
        fetch(web.url("/private/page"))
    assert fetch(web.url("/mowing")).data
    assert asked_paths(web) == ["/robots.txt", "/mowing"]
    assert fetch(web.url("/private/page"), ReadOptions(robots=False)).data


def test_a_redirect_to_what_robots_txt_forbids_is_not_followed(web: Loopback) -> None:
    web.add("/robots.txt", ROBOTS, "text/plain")
    web.add("/moved", b"", status=301, Location="/private/page")
    web.add("/private/page", b"<p>Secret")
    with pytest.raises(FetchError, match=r"robots\.txt"):
        fetch(web.url("/moved"))
    assert "/private/page" not in asked_paths(web)


def test_a_site_whose_robots_txt_is_an_error_is_closed(web: Loopback) -> None:
    web.add("/robots.txt", b"", status=503)
    with pytest.raises(RobotsRefused, match="503"):
        fetch(web.url("/mowing"))


@pytest.mark.parametrize("status", [404, 403, 401])
def test_a_site_without_a_robots_txt_is_open(web: Loopback, status: int) -> None:
    web.add("/robots.txt", b"", status=status)
    assert fetch(web.url("/mowing")).data


def test_rules_for_this_program_count_before_those_for_all(web: Loopback) -> None:
    rules = b"User-agent: *\nDisallow: /\n\nUser-agent: reaper\nAllow: /\n"
    web.add("/robots.txt", rules, "text/plain")
    with pytest.raises(RobotsRefused):
        fetch(web.url("/mowing"))
    assert fetch(web.url("/mowing"), ReadOptions(user_agent="reaper")).data


def test_a_robots_txt_that_asks_for_days_is_an_error_rather_than_a_wait(
    web: Loopback,
) -> None:
    web.add("/robots.txt", b"User-agent: *\nCrawl-delay: 86400\n", "text/plain")
    with pytest.raises(FetchError, match="86400 seconds"):
        fetch(web.url("/mowing"))


def test_a_request_waits_for_the_pause_of_its_host(
    web: Loopback, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[float] = []
    monkeypatch.setattr("time.sleep", waits.append)
    web.add("/robots.txt", b"User-agent: *\nCrawl-delay: 7\n", "text/plain")
    policy = CrawlPolicy(clock=lambda: 1000.0)
    for _ in range(3):
        wait_turn(web.url("/mowing"), ReadOptions(), policy)
    assert waits == [7.0, 14.0]
    waits.clear()
    for _ in range(2):
        wait_turn("http://93.184.216.34/", ReadOptions(robots=False, delay=3), policy)
    assert waits == [3.0]


def test_processes_keep_the_pause_together_by_a_file() -> None:
    with shared_pace_file() as path:
        first = SharedPace(path, clock=lambda: 1000.0)
        second = SharedPace(path, clock=lambda: 1000.25)
        assert first.reserve("https://farm.example", 0.5) == 0.0
        assert second.reserve("https://farm.example", 0.5) == 0.25
        assert first.reserve("https://farm.example", 0.5) == 1.0
        assert second.reserve("https://mill.example", 0.5) == 0.0
    assert not Path(path).exists()


def test_the_processes_of_a_command_ask_a_site_for_its_rules_once(
    web: Loopback,
) -> None:
    rules = b"User-agent: *\nDisallow: /barn\n"
    web.add("/robots.txt", rules, "text/plain")
    with shared_pace_file() as path:
        options = ReadOptions(pace_file=path, delay=0)

        def ask(policy: CrawlPolicy) -> bool:
            """Return what a process finds that knows nothing yet."""
            allowed = require_allowed(web.url("/mowing"), options, policy)
            return allowed.allows(web.url("/barn"), "scythe")

        policies = [CrawlPolicy() for _ in range(4)]
        with ThreadPoolExecutor(4) as pool:
            assert list(pool.map(ask, policies)) == [False] * 4
    assert asked_paths(web) == ["/robots.txt"]


def test_a_process_that_was_ended_while_it_asked_holds_up_no_other(
    tmp_path: Path,
) -> None:
    cache = RobotsCache(tmp_path)
    with cache.asking("https://farm.example"):
        (claim,) = tmp_path.glob("*.asking")
        os.utime(claim, (0, 0))
        with cache.asking("https://farm.example"):
            assert claim.exists()
    assert not claim.exists()


def test_a_file_that_cannot_be_used_costs_a_pause(tmp_path: Path) -> None:
    pace = SharedPace(str(tmp_path / "missing" / "pace.db"))
    assert pace.reserve("https://farm.example", 0.5) == 0.5


def test_a_delay_below_zero_is_refused() -> None:
    with pytest.raises(UsageError, match="delay"):
        ReadOptions(delay=-1)


def test_the_rules_of_a_site_are_kept_for_a_day(tmp_path: Path) -> None:
    now = [1_000_000.0]
    fetched: list[str] = []

    def rules_of(site: str, text: str) -> RobotsRules:
        """Return the rules as a process finds them that has just been started."""
        policy = CrawlPolicy()
        policy.saved = RobotsCache(tmp_path / "robots", clock=lambda: now[0])

        def fetch_rules(url: str) -> RobotsRules:
            fetched.append(url)
            return RobotsRules.parse(text) if text else RobotsRules(closed="it is ill")

        return policy.rules(f"{site}/page", fetch_rules)

    site, agent = "https://farm.example", "scythe"
    rules = "User-agent: *\nDisallow: /page\n"
    for _ in range(3):
        assert not rules_of(site, rules).allows(f"{site}/page", agent)
    assert fetched == [f"{site}/robots.txt"]
    now[0] += 25 * 3600
    rules_of(site, rules)
    assert len(fetched) == 2
    now[0] -= 48 * 3600  # a clock that goes back
    rules_of(site, rules)
    assert len(fetched) == 3
    for _ in range(2):  # a site that could not be asked is asked again
        rules_of("https://mill.example", "")
    for _ in range(2):  # nor is this machine's kept: its ports change hands
        rules_of("http://127.0.0.1:8000", rules)
    assert len(fetched) == 7
    for file in (tmp_path / "robots").iterdir():
        file.write_text("{")
    rules_of(site, rules)
    assert len(fetched) == 8
