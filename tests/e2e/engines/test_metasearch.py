"""One search over many engines, some of which are dead or hang; and over all real
engines at once.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from scythe.engines.discovery.discover import DiscoverOptions
from scythe.engines.engine import Engine

from . import odd
from .all import REAL_ENGINES
from .commands import Scythe, added, moved
from .real import missing, running
from .serving import Server
from .shop import Shop

QUERY = "meadow"


@pytest.fixture
def twenty(scythe: Scythe) -> Iterator[tuple[list[Shop], list[Server]]]:
    """Twenty engines in the database: one of each layout was discovered, the others are
    of the same make.
    """
    shops = odd.overlapping_shops(20)
    with ExitStack() as stack:
        servers = [stack.enter_context(Server(keeper)) for keeper in shops]
        firsts = [
            Engine.discover(server.url(), options=DiscoverOptions(render=False))
            for server in servers[: len(odd.MAKES)]
        ]
        for place, server in enumerate(servers):
            make = place % len(odd.MAKES)
            scythe.store(
                moved(firsts[make], servers[make], server, name=f"shop-{place:02}")
            )
        yield shops, servers


def test_twenty_engines_of_which_two_are_dead_and_two_hang(
    scythe: Scythe, twenty: tuple[list[Shop], list[Server]]
) -> None:
    shops, servers = twenty
    servers[3].site = servers[11].site = odd.hanging
    servers[6].stop()
    servers[17].stop()
    found = scythe.search(QUERY, "--deadline", "8", "--no-relearn")
    good = [keeper for place, keeper in enumerate(shops) if place not in {3, 6, 11, 17}]
    statuses = {answer["engine"]: answer["status"] for answer in found["engines"]}
    assert [name for name, status in statuses.items() if status != "ok"] == [
        "shop-03",
        "shop-06",
        "shop-11",
        "shop-17",
    ]
    urls = [hit["url"] for hit in found["hits"]]
    assert len(set(urls)) == len(urls)
    assert set(urls) == {
        item.url for keeper in good for item in keeper.truth(QUERY, "")
    }
    given = {
        (hit["url"], one["engine"]) for hit in found["hits"] for one in hit["engines"]
    }
    for place, keeper in enumerate(shops):
        if keeper in good:
            assert {url for url, engine in given if engine == f"shop-{place:02}"} == {
                item.url for item in keeper.truth(QUERY, "")
            }
    again = scythe.search(QUERY, "--deadline", "8", "--no-relearn")
    assert [hit["url"] for hit in again["hits"]] == urls


def test_all_real_engines_are_asked_at_once(
    scythe: Scythe, shared_folder: Path
) -> None:
    if lacking := [why for engine in REAL_ENGINES if (why := missing(engine))]:
        if os.environ.get("CI") == "true":
            pytest.fail(lacking[0])
        pytest.skip(lacking[0])
    with ExitStack() as stack:
        served = [
            stack.enter_context(running(engine, shared_folder))
            for engine in REAL_ENGINES
        ]
        scythe.store(*(added(one, shared_folder) for one in served))
        found = scythe.search("kernel", "--deadline", "30")
        assert [answer["status"] for answer in found["engines"]] == ["ok"] * len(served)
        given = {
            (one["engine"], one["url"])
            for hit in found["hits"]
            for one in hit["engines"]
        }
        for one in served:
            links = {one.key(url) for name, url in given if name == one.engine.name}
            assert links == {one.key(item.url) for item in one.truth("kernel")}
        best = found["hits"][0]
        assert "Debian and the kernel" in best["title"]
        assert len(best["engines"]) == len(served)
