"""Collections in the web app: added, run, looked at and removed by forms alone; what
somebody else changed is never lost.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from growing_site import GrowingSite, Served
from scythe.store import Store
from scythe.store.collections.collections import CollectionRows
from scythe.store.collections.index_pages import (
    IndexPageRows,
    IndexPageVisit,
    NewIndexPage,
    SeenLink,
)
from scythe.store.collections.links import LinkRows, NewDecision
from scythe.store.collections.records import NewRecord, Reason, RecordRows, RecordSource
from scythe.store.collections.runs import NewNotice, RunRows
from scythe.store.states import FetchOutcome
from visitor import Visitor, words_of

HOME = "https://oats.example/"
HOSTILE = "<script>alert(1)</script>"
DOUBT = Reason("ingredients", "missing", "", f"There are no ingredients. {HOSTILE}")


def kitchen(store: Store, links: int = 3) -> int:
    """A collection with a run, links, records and a notice, as runs leave them."""
    number = CollectionRows(store).add("oats", HOME, "recipe")
    runs, pages, rows = (
        RunRows(store, number),
        IndexPageRows(store, number),
        LinkRows(store, number),
    )
    pages.add([NewIndexPage(HOME, "html", "given")])
    run = runs.begin("index pages").id
    seen = [
        SeenLink(f"{HOME}{place}", f"Recipe {place} {HOSTILE}")
        for place in range(links)
    ]
    pages.store_visit(
        pages.all()[0].id,
        run,
        IndexPageVisit(
            FetchOutcome.CHANGED, 3600.0, datetime(2999, 1, 1, tzinfo=UTC), links=seen
        ),
    )
    found = list(rows.all())
    rows.decide(
        [
            NewDecision(found[0].id, "record", "it looks like one", 0.9),
            NewDecision(found[1].id, "skip", "a menu"),
        ],
        run,
    )
    records = RecordRows(store, number)
    good = NewRecord(
        "a", f"{HOME}a", {"title": "Porridge"}, RecordSource(None, "b1", 1, 1)
    )
    bad = NewRecord(
        "b",
        f"{HOME}b",
        {"title": f"Soup {HOSTILE}"},
        RecordSource(None, "b2", 1, 1),
        (DOUBT,),
    )
    runs.end(
        run,
        {
            "number": 1,
            "records": dict(records.store([good, bad], run)),
            "trouble": [f"{HOME}c: timeout {HOSTILE}"],
            "limits": [f"6 pages are left for the next run {HOSTILE}"],
        },
    )
    runs.add_notices(
        [NewNotice("n", "vanished", {"message": f"A slot is gone {HOSTILE}"})], run
    )
    return number


@pytest.fixture
def visitor(store: Store) -> Iterator[Visitor]:
    with Visitor(store) as visitor:
        yield visitor


def test_the_list_tells_the_state_of_each_collection(
    store: Store, visitor: Visitor
) -> None:
    assert "No site is followed yet" in visitor.get("/collections").text
    kitchen(store)
    shown = words_of(visitor.get("/collections").text)
    assert "1 record" in shown
    for told in ("1 need field names", "1 notice", "1 new", "Last run"):
        assert told in shown


@pytest.mark.parametrize("path", ["", "/links", "/review", "/remove"])
def test_nothing_from_a_page_reaches_ours_unescaped(
    store: Store, visitor: Visitor, path: str
) -> None:
    kitchen(store)
    page = visitor.get(f"/collections/oats{path}")
    assert page.status_code == 200
    assert HOSTILE not in page.text


def test_links_are_filtered_and_shown_a_page_at_a_time(
    store: Store, visitor: Visitor
) -> None:
    kitchen(store, links=250)
    everything = visitor.get("/collections/oats/links").text
    assert "250 links" in everything
    assert "Page 1 of 3" in words_of(everything)
    assert "it looks like one" in everything
    second = visitor.get("/collections/oats/links?page=2").text
    assert f"{HOME}150" in second
    assert f"{HOME}50&#34;" not in second
    for asked, number in (
        ("decision=skip", 1),
        ("decision=undecided", 248),
        ("q=recipe+17", 13),
        ("q=100%25", 0),
    ):
        shown = visitor.get(f"/collections/oats/links?{asked}").text
        assert (f"{number} link" in words_of(shown)) == bool(number)
        assert (
            visitor.api("GET", f"/api/collections/oats/links?{asked}").json()["total"]
            == number
        )


def test_a_record_in_review_is_accepted(store: Store, visitor: Visitor) -> None:
    kitchen(store)
    (waiting,) = visitor.api("GET", "/api/collections/oats/review").json()["records"]
    assert waiting["pending"]["title"].startswith("Soup")
    after = visitor.send(
        "/collections/oats/review", key=waiting["key"], seen=waiting["seen"]
    )
    assert "Nothing to review" in after.text
    assert visitor.api("GET", "/api/collections/oats").json()["records"] == {"ok": 2}


def test_values_that_somebody_has_not_seen_are_not_accepted(
    store: Store, visitor: Visitor
) -> None:
    number = kitchen(store)
    (waiting,) = visitor.api("GET", "/api/collections/oats/review").json()["records"]
    rows = RecordRows(store, number)
    rows.store(
        [
            NewRecord(
                "b",
                f"{HOME}b",
                {"title": "Stew"},
                RecordSource(None, "b3", 1, 1),
                (DOUBT,),
            )
        ]
    )
    refused = visitor.send(
        "/collections/oats/review", key=waiting["key"], seen=waiting["seen"]
    )
    assert refused.status_code == 409
    assert "Look at it again" in refused.text
    kept = rows.get("b")
    assert kept is not None
    assert (kept.state, kept.pending) == ("review", {"title": "Stew"})
    told = visitor.api(
        "POST",
        "/api/collections/oats/review/accept",
        {"key": "b", "seen": waiting["seen"]},
    )
    assert told.status_code == 409


def test_a_collection_is_removed_after_a_question(
    store: Store, visitor: Visitor
) -> None:
    kitchen(store)
    assert "cannot be undone" in visitor.get("/collections/oats/remove").text
    assert visitor.get("/collections/oats").status_code == 200
    assert visitor.send("/collections/oats/remove").url.path == "/collections"
    assert visitor.get("/collections/oats").status_code == 404


def test_a_run_that_was_interrupted_is_offered_to_go_on(
    store: Store, visitor: Visitor
) -> None:
    number = kitchen(store)
    RunRows(store, number).begin("pages")
    assert "Resume the run" in visitor.get("/collections/oats").text
    rows = CollectionRows(store)
    assert rows.acquire_lease(number, "another-machine/1/1", 600.0)
    shown = visitor.get("/collections/oats").text
    assert "Another process is running this collection" in shown
    assert "/collections/oats/progress" in shown
    assert "http-equiv=&#34;refresh" not in shown
    assert '<noscript><meta http-equiv="refresh"' in shown


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"url": "ftp://oats.example/"}, "not an address"),
        ({"url": HOME, "name": "a/b"}, "cannot be the name"),
        ({"url": HOME, "name": "add"}, "cannot be the name"),
        ({"url": HOME, "delay": "soon"}, "not a number of seconds"),
        ({"url": HOME, "name": "oats"}, "There is a collection oats already"),
    ],
)
def test_a_wrong_form_comes_back_with_what_was_typed(
    store: Store, visitor: Visitor, fields: dict[str, Any], told: str
) -> None:
    kitchen(store)
    answer = visitor.send("/collections/add", **fields)
    assert answer.status_code == 400
    assert told in answer.text
    assert fields["url"] in answer.text


def test_another_part_of_a_site_gets_a_name_of_its_own(visitor: Visitor) -> None:
    for path in ("soups", "cakes"):
        answer = visitor.send("/collections/add", url=f"{HOME}{path}/")
    assert answer.status_code == 400
    proposed = re.search(r'name="name"[^>]* value="([^"]+)"', answer.text)
    assert proposed
    assert proposed[1].endswith("-2")
    sent = {"url": f"{HOME}cakes/", "name": proposed[1]}
    assert visitor.send("/collections/add", **sent).status_code in (200, 303)


def test_private_sites_are_not_followed_unless_that_is_allowed(store: Store) -> None:
    with Visitor(store, allow_private=False) as visitor:
        answer = visitor.send("/collections/add", url="http://127.0.0.1:9/")
        assert answer.status_code == 400
        assert "--allow-private" in answer.text
        assert (
            visitor.api(
                "POST", "/api/collections", {"url": "http://localhost/"}
            ).status_code
            == 400
        )
    assert CollectionRows(store).all() == []


def test_a_site_is_added_run_watched_and_stopped_by_forms(tmp_path: Path) -> None:
    site = GrowingSite()
    site.grow(1, 12)
    with (
        Store.open(str(tmp_path / "web.db")) as store,
        Served(site) as served,
        Visitor(store) as visitor,
    ):
        page = visitor.send(
            "/collections/add",
            url=f"{served.url}/",
            name="kitchen",
            kind="recipe",
            run="1",
        )
        assert page.url.path == "/collections/kitchen"
        assert 'hx-get="/collections/kitchen/progress"' in page.text
        assert visitor.send("/collections/kitchen/run").status_code == 409
        assert visitor.send("/collections/kitchen/remove").status_code == 409
        done = visitor.wait("/api/collections/kitchen/progress")
        assert done["state"] == "done", done
        assert {"index pages", "pages"} <= {step["name"] for step in done["steps"]}
        assert (
            visitor.piece("/collections/kitchen/progress").headers["HX-Refresh"]
            == "true"
        )
        shown = words_of(visitor.get("/collections/kitchen").text)
        assert "Are these right?" in shown
        assert "Accept all suggestions" in shown
        assert "12 followed as records" in shown
        (run,) = visitor.api("GET", "/api/collections/kitchen/runs").json()["runs"]
        assert run["summary"]["pages"] == {"ok": 14}  # two links are looked at once
        visitor.send("/collections/kitchen/run", everything="1")
        visitor.send("/collections/kitchen/stop")
        assert visitor.api("GET", "/api/collections/kitchen/progress").json()[
            "state"
        ] in ("stopped", "done")
