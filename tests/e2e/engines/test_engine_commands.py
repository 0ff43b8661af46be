"""`scythe engine` and `scythe search` with engines of our own, as a person uses them."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time

import pytest

from scythe.engines.discovery.discover import DiscoverOptions
from scythe.engines.engine import Engine

from . import odd, odd_forms, shop
from .commands import Scythe, moved
from .judging import judge
from .serving import Server, Site, no_such_page
from .shop import Shop


def shown_pairs(found: dict[str, list[dict[str, str]]]) -> list[tuple[str, str]]:
    return [(hit["title"], hit["url"]) for hit in found["hits"]]


@pytest.fixture(scope="module")
def farm() -> tuple[Engine, Server]:
    """An engine of the usual make, discovered once."""
    with Server(Shop()) as server:
        return Engine.discover(
            server.url(), options=DiscoverOptions(render=False)
        ), server


def assert_found(scythe: Scythe, keeper: Shop, server: Server, query: str) -> None:
    score = judge(
        shown_pairs(scythe.search(query)), keeper.truth(query, server.url(""))
    )
    assert (score.precision, score.recall) == (1.0, 1.0)


def test_an_engine_from_its_address_to_its_removal(scythe: Scythe) -> None:
    keeper = Shop()
    with Server(keeper) as server:
        assert "farm" in scythe.run(
            "engine", "add", server.url(), "--name", "farm", "--no-render"
        )
        assert scythe.names() == ["farm"]
        assert_found(scythe, keeper, server, "mattock")
        assert "crooked" in scythe.run("search", "crooked", "--format", "text")
        assert "/search" in scythe.run("engine", "show", "farm")
        assert "farm" in scythe.run("engine", "list")
        assert "farm" in scythe.run("engine", "check")
        assert "farm" in scythe.refused("engine", "add", server.url(), "--name", "farm")
        scythe.run("engine", "remove", "farm")
        assert scythe.names() == []
        assert "engine add" in scythe.refused("search", "mattock", code=2)


def test_a_changed_template_is_noticed_and_learned_again(
    scythe: Scythe, farm: tuple[Engine, Server]
) -> None:
    keeper = Shop()
    with Server(keeper) as server:
        scythe.store(moved(*farm, server, name="farm"))
        assert_found(scythe, keeper, server, "mattock")
        keeper.layout = shop.as_articles
        for query in ("vineyard", "lantern"):
            scythe("search", query)
        assert_found(scythe, keeper, server, "folding")
        shown = scythe.shown("farm")
        assert [version["version"] for version in shown["versions"]] == [1, 2]
        assert "li" in str(shown["versions"][0]["engine"]["wrapper"])
        assert shown["versions"][1]["reason"] != "added"
        assert shown["versions"][1]["reason"] in scythe.run("engine", "show", "farm")


def test_a_blocked_engine_is_not_learned_again_and_not_stormed(
    scythe: Scythe, farm: tuple[Engine, Server]
) -> None:
    with Server(odd.captcha_after(Shop(), 0)) as server:
        scythe.store(moved(*farm, server, name="farm"))
        for query in ("vineyard", "lantern", "crooked", "folding"):
            scythe("search", query)
        assert len(server.asked) <= 8
        assert len(scythe.shown("farm")["versions"]) == 1
        assert "blocked" in scythe.run("engine", "list")


@pytest.mark.parametrize(
    ("site", "said"),
    [
        (odd.no_form, "form"),
        (odd.login_wall, "log"),
        (odd.with_robots(Shop(), "User-agent: *\nDisallow: /\n"), "robots"),
        (odd.with_robots(Shop(), "User-agent: *\nDisallow: /search\n"), "robots"),
        (odd.captcha_after(Shop(), 0), "bot"),
        (odd.limited_after(Shop(), 0, 3600), "429"),
        (lambda _: None, "Cannot fetch"),
        (no_such_page, "404"),
    ],
    ids=[
        "no form",
        "login",
        "robots",
        "robots of the search",
        "captcha",
        "429",
        "dropped",
        "404",
    ],
)
def test_what_cannot_be_added_is_said_and_not_stored(
    scythe: Scythe, site: Site, said: str
) -> None:
    with Server(site) as server:
        message = scythe.refused("engine", "add", server.url(), "--no-render")
        assert said.lower() in message.lower()
        assert server.url().removesuffix("/") in message
    assert scythe.names() == []


def test_wrong_addresses_are_said(scythe: Scythe) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    for url, said in (
        (f"http://127.0.0.1:{port}/", "refused"),
        ("http://nowhere.invalid/", "unknown"),
        ("ftp://x.example/", "http"),
    ):
        assert said in scythe.refused("engine", "add", url, "--no-render")
    assert scythe.names() == []


def test_a_database_that_cannot_be_used_is_said(scythe: Scythe) -> None:
    scythe.database.write_text(
        "This is no database, and it is long enough to be sure of that. " * 20
    )
    assert "database" in scythe.refused("engine", "list")
    (scythe.database.parent / "file").touch()
    assert "cannot be made" in scythe.refused(
        "engine", "list", "--db", scythe.database.parent / "file" / "x.db"
    )


def test_a_harvest_collects_each_thing_once_and_goes_on(
    scythe: Scythe, farm: tuple[Engine, Server]
) -> None:
    with Server(Shop(shop.things(80))) as server:
        scythe.store(moved(*farm, server, name="farm"))
        scythe.run("engine", "harvest", "farm", "--queries", "4")
        before = [
            json.loads(line)["link"]
            for line in scythe.run(
                "engine", "harvest", "farm", "--queries", "0", "-f", "jsonl"
            ).splitlines()
        ]
        after = [
            json.loads(line)["link"]
            for line in scythe.run(
                "engine", "harvest", "farm", "--queries", "40", "-f", "jsonl"
            ).splitlines()
        ]
    assert len(set(before)) == len(before) < 80
    assert len(set(after)) == len(after)
    assert set(before) <= set(after)
    assert set(after) <= {server.url(f"/item/{number}") for number in range(80)}
    assert len(after) >= 76


def test_an_exported_spider_and_searxng_entry_name_the_engine(
    scythe: Scythe, farm: tuple[Engine, Server]
) -> None:
    with Server(Shop()) as server:
        scythe.store(moved(*farm, server, name="farm"))
        assert f"{server.url('/search')}?q={{query}}" in scythe.run(
            "engine", "export", "farm", "--to", "searxng"
        )
        assert "class" in scythe.run("engine", "export", "farm", "--to", "scrapy")


def test_an_opensearch_description_is_added_as_it_is(scythe: Scythe) -> None:
    keeper = odd_forms.DescribedShop()
    with Server(keeper) as server:
        scythe.run(
            "engine",
            "add",
            server.url("/opensearch.xml"),
            "--name",
            "farm",
            "--no-render",
        )
        assert_found(scythe, keeper, server, "mattock")


def test_an_addition_that_is_interrupted_stores_nothing(scythe: Scythe) -> None:
    with Server(odd.slow(Shop(), 1.0)) as server:
        adding = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "scythe",
                "engine",
                "add",
                server.url(),
                "--no-render",
            ],
            env={**os.environ, "SCYTHE_DB": str(scythe.database)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
        )
        while len(server.asked) < 4:
            assert adding.poll() is None
            time.sleep(0.05)
        adding.send_signal(signal.SIGINT)
        out, said = adding.communicate(timeout=60)
    assert adding.returncode not in {0, 2}
    assert out == ""
    assert "Traceback" not in said
    assert scythe.names() == []
