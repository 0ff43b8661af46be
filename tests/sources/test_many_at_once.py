"""Requests that begin at the same moment do once what one of them can do for all."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import httpx2
import pytest

from scythe.errors import FetchError
from scythe.sources import download
from scythe.sources.crawl_policy import CrawlPolicy, RobotsRules
from scythe.sources.deadline import Deadline

AT_ONCE = 8
T = TypeVar("T")


def at_once(work: Callable[[], T]) -> list[T]:
    """Return what many threads get that begin together."""
    together = threading.Barrier(AT_ONCE)

    def begin(_: int) -> T:
        together.wait()
        return work()

    with ThreadPoolExecutor(AT_ONCE) as pool:
        return list(pool.map(begin, range(AT_ONCE)))


def test_certificates_are_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    read = []

    def slowly() -> object:
        read.append(1)
        time.sleep(0.05)
        return object()

    monkeypatch.setattr(httpx2, "create_ssl_context", slowly)
    download._certificates.cache_clear()
    try:
        contexts = at_once(download.tls_context)
    finally:
        download._certificates.cache_clear()
    assert len(read) == 1
    assert len(set(map(id, contexts))) == 1


def test_a_site_is_asked_once_for_its_rules() -> None:
    policy = CrawlPolicy()
    asked = []

    def slowly(url: str) -> RobotsRules:
        asked.append(url)
        time.sleep(0.05)
        return RobotsRules.parse("User-agent: *\nDisallow: /a\n")

    found = at_once(lambda: policy.rules("https://farm.example/a", slowly))
    assert asked == ["https://farm.example/robots.txt"]
    assert len(set(map(id, found))) == 1


def test_rules_that_one_may_not_fetch_are_fetched_by_another() -> None:
    policy = CrawlPolicy()
    first_asks, others_wait = threading.Event(), threading.Event()

    def refused(_: str) -> RobotsRules:
        first_asks.set()
        others_wait.wait(10)
        raise FetchError("This one may not ask there.")

    def ask_first() -> None:
        with pytest.raises(FetchError):
            policy.rules("https://farm.example/a", refused)

    def ask_then() -> RobotsRules:
        threading.Timer(0.05, others_wait.set).start()
        return policy.rules("https://farm.example/a", lambda _: RobotsRules())

    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(ask_first)
        assert first_asks.wait(10)
        assert pool.submit(ask_then).result(10) == RobotsRules()
        first.result(10)


def test_deadlines_share_a_thread_and_pass_in_their_order() -> None:
    before = threading.active_count()
    with Deadline(60) as late, Deadline(0.01) as soon, Deadline(60):
        assert threading.active_count() <= before + 1
        while not soon.passed:
            time.sleep(0.005)
        assert not late.passed
    with Deadline(0.01) as ended:
        pass
    with Deadline(0.02) as other:
        while not other.passed:
            time.sleep(0.005)
    assert not ended.passed, "what is over has no deadline"
