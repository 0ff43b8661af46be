"""Records in the web app: found, narrowed, sorted, shown with their history, taken
away; and nothing of a page gets through.
"""

from __future__ import annotations

import csv
import io
import json
import re
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

from loopback import Loopback
from scythe.collect.catalogue import Collections
from scythe.store import Store
from scythe.store.collections.collections import CollectionRows
from scythe.store.collections.pages import FetchResult, PageRequest, PageRows
from scythe.store.collections.records import NewRecord, Reason, RecordRows, RecordSource
from scythe.store.collections.runs import RunRows
from scythe.store.search.documents import NumberColumn, NumberKind
from scythe.store.states import FetchOutcome
from scythe.web.app import create_app
from scythe.web.records.search import Filter, SearchParameters
from scythe.web.server.pictures import Pictures, picture_kind
from scythe.web.server.settings import Settings
from scythe.web.server.values import duration_text, price_text

AT = "/collections/oats%20%26%20co"
PNG = b"\x89PNG\r\n\x1a\n" + b"\0" * 40
DOUBT = Reason("ingredients", "missing", "", "There are no ingredients.")


def recipe(number: int, **more: Any) -> dict[str, Any]:
    thing = ("oats", "rye", "millet")[number % 3]
    return {
        "title": f"{thing.title()} soup no. {number}",
        "ingredients": [f"{number + 1} cups {thing}", "salt"],
        "ingredients_parsed": [
            {"quantity": number + 1, "unit": "cup", "item": thing},
            {"item": "salt"},
        ],
        "instructions": [
            "Boil the water.",
            "Add the rest and wait until it is done, which may take a while.",
        ],
        "total_time": 10 + 5 * number,
        "category": ("Dinner", "Lunch")[number % 2],
        "published": f"{2020 + number % 4}-05-03",
        **more,
    }


@pytest.fixture
def records(store: Store) -> RecordRows:
    number = CollectionRows(store).add("oats & co", "http://127.0.0.1:9/", "Recipe")
    rows = RecordRows(store, number)
    rows.store([read(f"r{place}", recipe(place)) for place in range(30)])
    return rows


@pytest.fixture
def visitor(store: Store, records: RecordRows, tmp_path: Path) -> TestClient:
    app = create_app(Collections(store), Settings(port=80))
    app.state.pictures = Pictures(tmp_path / "pictures")
    return TestClient(app, base_url="http://127.0.0.1")


def read(
    key: str, fields: dict[str, Any], *reasons: Reason, body: str | None = None
) -> NewRecord:
    return NewRecord(
        key,
        f"https://oats.example/{key}",
        fields,
        RecordSource(None, body, 1, 3),
        reasons,
    )


def titles(page: str) -> list[str]:
    unmarked = re.sub("</?mark>", "", page)
    return re.findall(r"<h2><a href=\"[^\"]*\">([^<]*)</a></h2>", unmarked)


def get(visitor: TestClient, path: str) -> str:
    answer = visitor.get(path)
    assert answer.status_code == 200, answer.text
    return answer.text


def number_of(records: RecordRows, key: str) -> int:
    found = records.get(key)
    assert found
    return found.id


def test_records_are_shown_page_by_page_the_newest_first(visitor: TestClient) -> None:
    first = get(visitor, f"{AT}/records")
    assert "<strong>30</strong> records" in first
    assert titles(first)[0] == "Millet soup no. 29"
    assert len(titles(first)) == 24
    address = re.search(r'rel="next" href="([^"]+)"', first)
    assert address
    assert (
        titles(get(visitor, address[1].replace("&amp;", "&")))[-1] == "Oats soup no. 0"
    )
    assert len(titles(get(visitor, f"{AT}/records?page=999"))) == 6, (
        "after the last page comes the last one"
    )


def test_words_find_a_recipe_by_its_ingredient(visitor: TestClient) -> None:
    found = get(visitor, f"{AT}/records?q=millet")
    assert "<strong>10</strong> records found" in found
    assert 'value="millet"' in found
    assert all("Millet" in title for title in titles(found))
    assert "No matches" in get(visitor, f"{AT}/records?q=plutonium")


def test_facets_narrow_and_can_be_taken_back(visitor: TestClient) -> None:
    page = get(visitor, f"{AT}/records?q=soup")
    link = re.search(
        r'href="([^"]*f\.category=Dinner[^"]*)".{0,120}>Dinner</span><span class="count">15<',
        page,
    )
    assert link
    narrowed = get(visitor, link[1].replace("&amp;", "&"))
    assert "<strong>15</strong> records found" in narrowed
    assert 'aria-current="true"' in narrowed
    back = re.search(r'<li><a href="([^"]*)"><span>Category: Dinner</span>', narrowed)
    assert back
    assert "<strong>30</strong>" in get(visitor, back[1].replace("&amp;", "&"))
    both = get(visitor, f"{AT}/records?f.category=Dinner&f.ingredients=millet")
    assert "<strong>5</strong>" in both


@pytest.mark.parametrize(
    ("query", "total"),
    [
        ("f.total_time=..30", 4),
        ("f.total_time=30..40", 2),
        ("f.total_time=150..", 2),
        ("f.published=2021", 8),
        ("f.published=2021..2023", 15),
        ("f.published=..2021", 8),
        ("f.published=soon", 0),
        ("f.total_time=lots", 0),
        ("state=gone", 0),
        ("state=all", 30),
        ("state=odd&sort=odd&page=-3", 30),
        ("f.=x", 0),
    ],
)
def test_numbers_and_years_narrow(visitor: TestClient, query: str, total: int) -> None:
    assert f"<strong>{total}</strong>" in get(visitor, f"{AT}/records?{query}")


def test_any_order(visitor: TestClient) -> None:
    assert titles(get(visitor, f"{AT}/records?sort=total_time"))[0] == "Oats soup no. 0"
    assert titles(get(visitor, f"{AT}/records?sort=title"))[0] == "Millet soup no. 11"
    assert "Total time, shortest first" in get(visitor, f"{AT}/records")
    assert "Published, latest first" in get(visitor, f"{AT}/records")


def test_a_recipe_has_its_ingredients_beside_its_steps(
    visitor: TestClient, records: RecordRows
) -> None:
    page = get(visitor, f"{AT}/records/{number_of(records, 'r4')}")
    assert "<h1>Rye soup no. 4</h1>" in page
    assert "30 min" in page
    assert re.search(
        r'class="cooking".*5 cups rye.*<ol>.*Boil the water', page, re.DOTALL
    )
    assert 'href="https://oats.example/r4"' in page
    assert f'href="{AT}/records?f.category=Dinner"' in page
    assert "Found for the first time" in page
    assert visitor.get(f"{AT}/records/999999").status_code == 404
    assert visitor.get(f"{AT}/records/x").status_code == 404
    assert visitor.get("/collections/none/records").status_code == 404


def test_what_a_site_says_of_all_records_is_told_of_none(
    visitor: TestClient, records: RecordRows
) -> None:
    records.store(
        [
            read(f"r{place}", recipe(place, description="We cook."))
            for place in range(30)
        ]
    )
    records.store([read("r7", recipe(7, description="A soup of its own."))])
    page = get(visitor, f"{AT}/records?q=rye&sort=title")
    assert "A soup of its own." in page
    assert "We cook." not in page
    assert "<mark>rye</mark>, salt" in page, "what is in it tells more"


def test_other_kinds_have_a_page_as_well(visitor: TestClient, store: Store) -> None:
    number = CollectionRows(store).add("scythes", "https://tools.example/", "Product")
    rows = RecordRows(store, number)
    fields = {
        "title": "Scythe",
        "price": 1299.5,
        "price_currency": "EUR",
        "brand": "Mower",
        "description": "Sharp. " * 40,
        "sizes": ["small", "large"],
        "url": "https://tools.example/scythe?a=1&b=2",
    }
    rows.store([NewRecord("s", "https://tools.example/s", fields, RecordSource())])
    assert "€1,299.50" in get(visitor, "/collections/scythes/records")
    page = get(visitor, f"/collections/scythes/records/{number_of(rows, 's')}")
    assert "€1,299.50" in page
    assert 'href="https://tools.example/scythe?a=1&amp;b=2"' in page
    assert "small</a>, <a" in page
    assert "cooking" not in page


def test_the_history_tells_what_was_different(
    visitor: TestClient, records: RecordRows
) -> None:
    number = number_of(records, "r1")
    records.store([read("r1", recipe(1, title="Better soup", total_time=90))])
    records.store([read("r1", {"title": "Cookies"}, DOUBT)])
    page = get(visitor, f"{AT}/records/{number}")
    assert "Better soup</h1>" in page
    assert "There are no ingredients." in page
    assert re.search(r"<del>.*Rye soup no\. 1</del><ins>.*Better soup</ins>", page)
    records.mark_gone(["r1"])
    assert "Gone from the site" in get(visitor, f"{AT}/records/{number}")
    assert "<strong>1</strong>" in get(visitor, f"{AT}/records?state=gone")
    assert "<strong>29</strong>" in get(visitor, f"{AT}/records")


def test_the_saved_page_is_shown_in_a_frame_that_runs_nothing(
    visitor: TestClient, store: Store, records: RecordRows
) -> None:
    collection = CollectionRows(store).get("oats & co").id
    runs, pages = RunRows(store, collection), PageRows(store, collection)
    url = "https://oats.example/old"
    for body in ("<h1>Süppchen</h1><script>alert(1)</script>", "<h1>Later</h1>"):
        run = runs.begin().id
        pages.enqueue([PageRequest(url)], run)
        (page,) = pages.in_stage("wanted")
        pages.store_results(
            [
                FetchResult(
                    page.id, FetchOutcome.OK, body.encode("latin-1"), charset="latin-1"
                )
            ]
        )
        (page,) = pages.in_stage("fetched")
        source = RecordSource(page.id, page.body_hash, 1, 1)
        records.store([NewRecord(url, url, recipe(1, title=body), source)], run)
        pages.set_stage([page.id], "done")
        runs.end(run, {})
    number = number_of(records, url)
    assert "sandbox" in get(visitor, f"{AT}/records/{number}")
    now = visitor.get(f"{AT}/records/{number}/original")
    assert "Later" in now.text
    assert "sandbox" in now.headers["content-security-policy"]
    then = get(visitor, f"{AT}/records/{number}/original?version=1")
    assert "Süppchen" in then
    assert "<script" not in then
    assert (
        visitor.get(f"{AT}/records/{number_of(records, 'r1')}/original").status_code
        == 404
    )


def test_what_is_shown_can_be_taken_away(visitor: TestClient) -> None:
    asked = "q=millet&f.category=Dinner&sort=total_time"
    shown = titles(get(visitor, f"{AT}/records?{asked}"))
    answer = visitor.get(f"{AT}/export?{asked}&to=csv")
    assert "attachment" in answer.headers["content-disposition"]
    assert [row["title"] for row in csv.DictReader(io.StringIO(answer.text))] == shown
    lines = visitor.get(f"{AT}/export?{asked}&to=jsonl").text.splitlines()
    assert [json.loads(line)["title"] for line in lines] == shown
    assert (
        get(visitor, f"{AT}/export?{asked}&to=sql").count("INSERT INTO")
        == len(shown)
        == 5
    )
    assert visitor.get(f"{AT}/export?{asked}&to=parquet").content[:4] == b"PAR1"
    assert visitor.get(f"{AT}/export?to=docx").status_code == 400


def test_cells_that_spreadsheets_would_calculate_are_guarded(
    visitor: TestClient, records: RecordRows
) -> None:
    records.store(
        [
            read(
                "evil",
                recipe(
                    1,
                    title='=HYPERLINK("http://evil.example")',
                    author="@SUM(A1)",
                    note=" -1+1",
                ),
            )
        ]
    )
    (row,) = csv.DictReader(
        io.StringIO(get(visitor, f"{AT}/export?q=hyperlink&to=csv"))
    )
    assert row["title"].startswith("'=")
    assert row["author"].startswith("'@")
    (row,) = csv.DictReader(
        io.StringIO(get(visitor, f"{AT}/export?q=hyperlink&to=csv&exact=1"))
    )
    assert row["title"].startswith("=")
    assert json.loads(get(visitor, f"{AT}/export?q=hyperlink&to=jsonl"))[
        "title"
    ].startswith("=")


def test_a_search_can_be_followed(visitor: TestClient, records: RecordRows) -> None:
    page = get(visitor, f"{AT}/records?q=millet")
    assert f'href="{AT}/feed.rss?q=millet"' in page
    told = visitor.get(f"{AT}/feed.rss?q=millet")
    assert told.headers["content-type"].startswith("application/rss+xml")
    assert told.text.count("<item>") == 10
    assert "<title>oats &amp; co: millet</title>" in told.text
    items = visitor.get(f"{AT}/feed.json?q=millet&f.category=Dinner").json()["items"]
    assert len(items) == 5
    assert len(visitor.get(f"{AT}/feed.json").json()["items"]) == 30
    assert visitor.get(f"{AT}/feed.json?q=nothing").json()["items"] == []


def test_programs_get_the_same(visitor: TestClient, records: RecordRows) -> None:
    found = visitor.get(
        f"/api{AT}/records?q=millet&f.category=Dinner&sort=title&size=2"
    ).json()
    assert (found["total"], found["pages"], len(found["records"])) == (5, 3, 2)
    assert {
        "field": "category",
        "options": [{"value": "Dinner", "records": 5, "query": "?q=millet&sort=title"}],
    } in found["facets"]
    assert "title" in found["sorts"]
    one = visitor.get(f"/api{AT}/records/{found['records'][0]['id']}").json()
    assert one["fields"] == found["records"][0]["fields"]
    assert [each["change"] for each in one["history"]] == ["new"]
    assert visitor.get(f"/api{AT}/records/99999").status_code == 404
    assert visitor.get(f"/api{AT}/records?size=9999").status_code == 400
    assert visitor.get(f"/api{AT}/export?q=millet&to=jsonl").text.count("\n") == 10


HOSTILE = '"><script>alert(1)</script><img src=x onerror=alert(1)>'


def test_nothing_of_a_page_gets_through(
    visitor: TestClient, records: RecordRows
) -> None:
    fields = recipe(
        1,
        title=f"Soup {HOSTILE}",
        category=f"a{HOSTILE}"[:60],
        description=HOSTILE,
        image="javascript:alert(1)",
        author=HOSTILE,
    )
    fields["ingredients"] = [HOSTILE]
    fields["source"] = "javascript:alert(1)"
    records.store(
        [
            NewRecord("x", "javascript:alert(1)", fields, RecordSource()),
            read("y", {**fields, "title": HOSTILE * 2}),
        ]
    )
    records.store(
        [
            NewRecord(
                "x",
                "javascript:alert(1)",
                {**fields, "title": f"Stew {HOSTILE}"},
                RecordSource(),
            )
        ]
    )
    number = number_of(records, "x")
    for path in (
        f"{AT}/records",
        f"{AT}/records/{number}",
        f"{AT}/records?q={HOSTILE}&f.category={HOSTILE}&f.{HOSTILE}=x&sort={HOSTILE}",
    ):
        page = get(visitor, path)
        assert "<script>alert" not in page
        assert "<img src=x" not in page
        assert not re.search(r'(?:href|src)="\s*javascript:', page)
        assert not re.search(r"<style|\sstyle=|\son\w+=\"", page)
        assert all(" defer" in tag for tag in re.findall(r"<script[^>]*>", page))


_ANY = st.text(max_size=40)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40)
@given(
    st.dictionaries(
        st.sampled_from(
            [
                "q",
                "sort",
                "state",
                "page",
                "f.category",
                "f.total_time",
                "f.published",
                "f.",
            ]
        ),
        _ANY,
    )
)
def test_any_address_gets_an_answer(visitor: TestClient, query: dict[str, str]) -> None:
    query = {
        name: value.encode("utf-8", "replace").decode() for name, value in query.items()
    }
    assert visitor.get(f"{AT}/records", params=query).status_code == 200


@given(
    st.lists(st.tuples(_ANY.filter(str.strip), _ANY.filter(str.strip)), max_size=3),
    _ANY,
    st.integers(1, 99),
)
def test_an_address_means_what_it_was_made_from(
    filters: list[tuple[str, str]], words: str, page: int
) -> None:
    from starlette.datastructures import QueryParams

    asked = SearchParameters(
        words.strip(),
        tuple(dict.fromkeys(Filter(name, value.strip()) for name, value in filters)),
        page=page,
    )
    assert SearchParameters.parse(QueryParams(asked.query()[1:])) == asked


def test_ranges_of_dates_are_years() -> None:
    wanted = SearchParameters(filters=(Filter("published", "2021"),)).record_query(
        [NumberColumn("published", NumberKind.DAY)]
    )
    (given,) = wanted.ranges
    assert (given.least, given.below) == (
        date(2021, 1, 1).toordinal(),
        date(2022, 1, 1).toordinal(),
    )


@pytest.mark.parametrize(
    ("minutes", "words"),
    [
        (5, "5 min"),
        (60, "1 h"),
        (95, "1 h 35 min"),
        (1500, "1 d 1 h"),
        (0, "0 min"),
        (0.5, "30 s"),
    ],
)
def test_durations_in_words(minutes: float, words: str) -> None:
    assert duration_text(minutes) == words


def test_prices_in_words() -> None:
    assert [price_text(5, "EUR"), price_text(5.5, "CHF"), price_text(1234)] == [
        "€5",
        "5.50 CHF",
        "1,234",
    ]


def test_pictures_come_through_the_server_and_are_kept(
    store: Store, web: Loopback, tmp_path: Path
) -> None:
    number = CollectionRows(store).add("near", web.url("/"), "Recipe")
    rows = RecordRows(store, number)
    web.add("/good.png", PNG, "image/png")
    web.add("/drawing.svg", b"<svg onload='alert(1)'/>", "image/png")
    rows.store(
        [
            read("good", recipe(1, image=web.url("/good.png"))),
            read("svg", recipe(2, image=web.url("/drawing.svg"))),
        ]
    )
    app = create_app(Collections(store), Settings(port=80))
    app.state.pictures = Pictures(tmp_path / "pictures")
    visitor = TestClient(app, base_url="http://127.0.0.1", follow_redirects=False)
    page = visitor.get("/collections/near/records").text
    address = re.search(
        rf'src="(/collections/near/records/{number_of(rows, "good")}/picture\?v=\w+)"',
        page,
    )
    assert address
    for _ in range(2):
        answer = visitor.get(address[1])
        assert (answer.content, answer.headers["content-type"]) == (PNG, "image/png")
        assert "immutable" in answer.headers["cache-control"]
    assert [path for path, _ in web.asked if path == "/good.png"] == ["/good.png"]
    for _ in range(2):
        assert (
            "no-picture"
            in visitor.get(
                f"/collections/near/records/{number_of(rows, 'svg')}/picture"
            ).headers["location"]
        )
    assert [path for path, _ in web.asked if path == "/drawing.svg"] == ["/drawing.svg"]


def test_pictures_of_private_machines_are_not_asked_for(
    store: Store, web: Loopback, tmp_path: Path
) -> None:
    web.add("/in.png", PNG, "image/png")
    number = CollectionRows(store).add("far", "https://oats.example/", "Recipe")
    rows = RecordRows(store, number)
    rows.store([read("inside", recipe(1, image=web.url("/in.png")))])
    path = f"/collections/far/records/{number_of(rows, 'inside')}/picture"
    for allowed in (False, True):
        app = create_app(Collections(store), Settings(port=80, allow_private=allowed))
        app.state.pictures = Pictures(tmp_path / str(allowed))
        answer = TestClient(
            app, base_url="http://127.0.0.1", follow_redirects=False
        ).get(path)
        assert (answer.content == PNG) is allowed
        assert bool(web.asked) is allowed


@pytest.mark.parametrize(
    ("beginning", "kind"),
    [
        (b"\xff\xd8\xff\xe0", "jpeg"),
        (PNG, "png"),
        (b"GIF89a", "gif"),
        (b"RIFF\0\0\0\0WEBPVP8 ", "webp"),
        (b"\0\0\0\x1cftypavif", "avif"),
        (b"<svg", ""),
        (b"<html>", ""),
        (b"", ""),
        (b"RIFF\0\0\0\0WAVE", ""),
    ],
)
def test_pictures_are_known_by_their_first_bytes(beginning: bytes, kind: str) -> None:
    assert picture_kind(beginning) == kind


def test_old_pictures_make_room(
    tmp_path: Path, web: Loopback, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scythe.web.server.pictures.MAX_CACHE", 2_000)
    monkeypatch.setattr("scythe.web.server.pictures._CLEANUP_INTERVAL", 2)
    kept = Pictures(tmp_path)
    for place in range(9):
        web.add(f"/{place}.png", PNG + bytes(400), "image/png")
        assert kept.get(web.url(f"/{place}.png"), lambda url: True)
    assert len(list(tmp_path.iterdir())) <= 3
