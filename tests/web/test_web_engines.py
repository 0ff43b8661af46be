"""Engines in the web app: added by address, shown as they were understood, searched all
at once, looked after.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from loopback import Loopback
from scythe.engines.registry.registry import Registry
from scythe.store import Store
from small_engine import Item, SmallEngine, dead_engine, new_look
from visitor import Visitor, words_of

pytestmark = pytest.mark.slow

HOSTILE = "<script>alert(1)</script>"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(str(tmp_path / "web.db")) as store:
        yield store


@pytest.fixture
def visitor(store: Store) -> Iterator[Visitor]:
    with Visitor(store) as visitor:
        yield visitor


@pytest.fixture
def site() -> Iterator[SmallEngine]:
    with SmallEngine([Item(number) for number in range(120)]) as site:
        yield site


def test_an_engine_is_added_by_its_address_and_shown_as_it_was_understood(
    visitor: Visitor, site: SmallEngine
) -> None:
    assert "No engine yet" in visitor.get("/engines").text
    page = visitor.send("/engines/add", url=site.home, name="small")
    assert page.url.path.startswith("/engines/adding/")
    assert f'hx-get="{page.url.path}"' in page.text
    done = visitor.wait(f"/api{page.url.path}")
    assert done["state"] == "done", done
    assert {"form", "query", "learn", "check"} <= {
        step["name"] for step in done["steps"]
    }
    assert done["result"]["columns"][:2] == ["title", "link"]
    assert len(done["result"]["rows"]) == 10
    assert visitor.piece(page.url.path).headers["HX-Refresh"] == "true"
    shown = visitor.get(page.url.path).text
    assert 'src="/engines/small/picture"' in shown
    assert "Its records as a table" in shown
    picture = visitor.get("/engines/small/picture")
    assert picture.headers["content-security-policy"].endswith(
        "sandbox allow-same-origin"
    )
    assert 'data-scythe-number="10"' in picture.text
    assert "1 to" not in words_of(visitor.get("/engines").text)
    assert "good" in words_of(visitor.get("/engines/small").text)


def test_what_is_no_engine_is_said(
    visitor: Visitor, store: Store, web: Loopback
) -> None:
    page = visitor.send("/engines/add", url=web.url("/mowing"))
    done = visitor.wait(f"/api{page.url.path}")
    assert done["state"] == "failed"
    shown = visitor.get(page.url.path).text
    assert "This engine could not be added" in shown
    assert "What was tried" in shown
    assert Registry(store).all() == []


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("ftp://a.example/", "only http"),
        ("", "only http"),
        ("http://small.local/", "small.local"),
    ],
)
def test_wrong_addresses_come_back(store: Store, url: str, told: str) -> None:
    with Visitor(store, allow_private=False) as visitor:
        answer = visitor.send("/engines/add", url=url)
        assert answer.status_code == 400
        assert told in answer.text
        assert visitor.api("POST", "/api/engines", {"url": url}).status_code == 400


def test_an_engine_is_there_once(
    visitor: Visitor, store: Store, site: SmallEngine
) -> None:
    Registry(store).add(site.known("small"))
    assert "stored already" in visitor.send("/engines/add", url=site.home).text
    assert not site.asked


def test_a_search_merges_what_all_found_and_names_who_did_not_answer(
    visitor: Visitor, store: Store, site: SmallEngine
) -> None:
    registry = Registry(store)
    with SmallEngine([Item(number) for number in range(30, 90)]) as other:
        other.behaviour.look = new_look
        registry.add(site.known("one"))
        registry.add(other.known("two", new_look))
        registry.add(dead_engine("dead"))
        page = visitor.get("/search?q=barley&deadline=5").text
        shown = words_of(page)
        both = set(site.found("barley")[:10]) & set(other.found("barley")[:10])
        assert both
        assert "dead unreachable" in shown
        for item in both:
            assert page.count(f'href="{item.url}"') == 1
        found = visitor.api("GET", "/api/search?q=barley&deadline=5").json()
        assert [answer["engine"] for answer in found["engines"]] == [
            "dead",
            "one",
            "two",
        ]
        merged = [hit for hit in found["hits"] if len(hit["engines"]) == 2]
        assert {hit["url"] for hit in merged} == {item.url for item in both}
        only = visitor.api("GET", "/api/search?q=barley&engine=two").json()
        assert [answer["engine"] for answer in only["engines"]] == ["two"]
        assert 'id="found"' not in visitor.piece("/search?q=barley&engine=one").text
    assert registry.health(registry.get("one")).searches >= 2


def test_a_search_for_nothing_or_with_nobody(
    visitor: Visitor, store: Store, site: SmallEngine
) -> None:
    assert "no engine to search with yet" in visitor.get("/search").text
    Registry(store).add(site.known("one"))
    assert "No matches" in visitor.get("/search?q=nonsense").text
    assert visitor.get("/search?q=barley&engine=unknown").status_code == 400
    assert visitor.get("/search?q=barley&deadline=never").status_code == 200
    assert visitor.api("GET", "/api/search?q=").status_code == 400


def test_nothing_that_an_engine_says_reaches_our_pages_unescaped(
    visitor: Visitor, store: Store
) -> None:
    class Hostile(Item):
        @property
        def title(self) -> str:
            return f"{super().title} {HOSTILE}"

        @property
        def url(self) -> str:
            return f"javascript:alert({self.number})"

    with SmallEngine([Hostile(number) for number in range(60)]) as site:
        engine = replace(site.known(f"bad {HOSTILE}"), queries=("barley",))
        Registry(store).add(engine)
        for path in (
            "/search?q=barley",
            "/engines",
            f"/engines/bad%20{HOSTILE.replace('/', '%2F')}",
        ):
            page = visitor.get(path)
            assert page.status_code == 200
            assert HOSTILE not in page.text
            assert 'href="javascript' not in page.text


def test_an_engine_is_checked_relearned_weighed_and_removed(
    visitor: Visitor, store: Store, site: SmallEngine
) -> None:
    Registry(store).add(site.known("small"))
    visitor.send("/engines/small/check")
    seen = visitor.wait("/api/engines/small/progress")
    assert (seen["state"], seen["result"]["fits"], seen["result"]["records"]) == (
        "done",
        True,
        10,
    )
    assert "as it was learned" in visitor.get("/engines/small").text
    site.behaviour.look = new_look
    visitor.send("/engines/small/relearn")
    assert visitor.wait("/api/engines/small/progress")["result"]["done"] == "relearned"
    assert visitor.api("GET", "/api/engines/small").json()["version"] == 2
    assert "2 versions" in visitor.get("/engines/small").text
    visitor.send("/engines/small/weight", weight="2.5")
    assert visitor.api("GET", "/api/engines/small").json()["weight"] == 2.5
    assert visitor.send("/engines/small/weight", weight="much").status_code == 400
    assert "Remove small?" in visitor.get("/engines/small/remove").text
    assert visitor.send("/engines/small/remove").url.path == "/engines"
    assert visitor.get("/engines/small").status_code == 404
    assert visitor.get("/engines/small/picture").status_code == 404


def test_an_engine_that_has_changed_is_looked_after_when_a_search_finds_out(
    visitor: Visitor, store: Store, site: SmallEngine
) -> None:
    Registry(store).add(site.known("small"))
    site.behaviour.look = new_look
    visitor.get("/search?q=barley")
    assert visitor.wait("/api/engines/small/progress")["result"]["done"] == "relearned"
    assert visitor.api("GET", "/api/search?q=barley").json()["hits"]
