"""What people see first: records laid out by what they are, without what they show
already; the home page with what needs a person on top; slots called by their values
where no label is theirs; runs that wait for their turn.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from starlette.testclient import TestClient

from loopback import Loopback
from market_site import Market
from scythe.collect.catalogue import Collections
from scythe.collect.collection import Collection
from scythe.collect.fields.surveys import SlotStatistics, Survey
from scythe.collect.records.schema import collection_schema
from scythe.collect.run import Busy
from scythe.collect.views import now
from scythe.store import Store
from scythe.store.collection_tables import AnnotationRow, NoticeRow
from scythe.store.collections.collections import CollectionRows
from scythe.store.states import NoticeState
from scythe.web.annotate.annotation_view import build_slots
from scythe.web.annotate.notices import notice_text
from scythe.web.app import create_app
from scythe.web.records.page_text import TextBlock, without_values
from scythe.web.records.record_page import LinkedValue, without_parts
from scythe.web.server import tasks
from scythe.web.server.jobs import Step
from scythe.web.server.pictures import Pictures
from scythe.web.server.settings import Settings
from scythe.web.server.values import doubt_text, label, price_text
from visitor import words_of

ELSEWHERE = "another-machine/1/1"
"""The name of a process that nobody here can ask."""


def address(store: Store) -> str:
    return Collections(store).address


@pytest.fixture
def market(web: Loopback) -> Market:
    opened = Market(web)
    opened.open()
    return opened


def collect(store: Store, market: Market, folder: str, kind: str) -> str:
    """Collect a folder of the market; return the path of its first record."""
    url = market.web.url(f"/{folder}/")
    with Collection.add(url, folder, kind, db=address(store), delay=0.0) as collection:
        collection.run()
        collection.accept_suggestions()
        record = next(iter(collection.records()))
    return f"/collections/{folder}/records/{record.id}"


def opened(store: Store, tmp_path: Path) -> TestClient:
    app = create_app(Collections(store), Settings(port=80, allow_private=True))
    app.state.pictures = Pictures(tmp_path / "pictures")
    return TestClient(app, base_url="http://127.0.0.1")


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_pages_of_records_say_everything_once(
    store: Store, market: Market, tmp_path: Path
) -> None:
    product = collect(store, market, "goods", "product")
    event = collect(store, market, "events", "event")
    client = opened(store, tmp_path)
    main = client.get(product).text.partition("<article")[2].partition("</article>")[0]
    assert words_of(main).count("Oak & Sons".replace("&", "&amp;")) == 1
    assert main.count("for hay that was cut at dawn") == 1
    assert "Paragraphs" not in words_of(main)
    main = client.get(event).text.partition("<article")[2].partition("</article>")[0]
    assert '<dl class="highlights"><div><dt>Date</dt><dd>2027-05-10' in main
    assert words_of(main).count("Chur") == 3  # title, place, running text
    assert "Location" not in words_of(main)


def test_values_are_taken_out_of_a_text_whatever_signs_they_have() -> None:
    blocks = [
        TextBlock("paragraph", ["€ 20.50", "A good rake."]),
        TextBlock("table", rows=[["Brand:", "Oak"], ["Teeth", "12"]]),
        TextBlock("table", rows=[["Brand", "Oak"]]),
        TextBlock("list", ["Oak", "Elm"]),
        TextBlock("heading", ["More"]),
        TextBlock("paragraph", ["Oak"]),
    ]
    kept = without_values(blocks, ["20.50", "Brand", "Oak"])
    assert [list(block.lines or block.rows) for block in kept] == [
        ["A good rake."],
        [["Teeth", "12"]],
        ["Oak", "Elm"],
    ]


def test_a_field_that_repeats_a_part_of_another_stands_apart() -> None:
    given = {"SOC": "Acorn 650 Oak", "SOC 1": "acorn 650", "Port 1": "left"}
    facts = [(words, [LinkedValue(text)]) for words, text in given.items()]
    whole, parts = without_parts(facts)
    assert [words for words, _ in whole] == ["SOC", "Port 1"]
    assert [words for words, _ in parts] == ["SOC 1"]


def test_doubts_are_said_in_words() -> None:
    missing = {"field": "cook_time", "problem": "missing"}
    missing["message"] = "cook_time is missing: the record has none."
    assert doubt_text(missing) == "Cook time: not found."
    odd = {"field": "price", "message": "price is malformed: no number."}
    assert doubt_text(odd) == "Price is malformed: no number."
    assert doubt_text({"message": "It has no title."}) == "It has no title."


def test_fields_and_prices_are_written_as_people_do() -> None:
    assert label("sku") == "SKU"
    assert label("supported_versions") == "Supported versions"
    assert price_text(0, "EUR") == "free"


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_pictures_that_are_not_there_leave_no_box(
    store: Store, market: Market, tmp_path: Path
) -> None:
    record = collect(store, market, "goods", "product")
    client = opened(store, tmp_path)
    first = client.get(record).text
    assert 'class="portrait"' in first
    address = first.partition('class="portrait" src="')[2].partition('"')[0]
    assert client.get(address, follow_redirects=False).status_code == 307
    assert 'class="portrait"' not in client.get(record).text
    for path in ("/collections/goods", "/collections/goods/records", "/records?q=oak"):
        assert f'src="{address}"' not in client.get(path).text


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_the_home_page_begins_with_what_failed_and_names_what_is_new(
    store: Store, market: Market, tmp_path: Path
) -> None:
    client = opened(store, tmp_path)
    assert "Web pages in" in client.get("/").text
    collect(store, market, "goods", "product")
    market.web.add("/lost.html", b"no such page", status=404)
    lost = market.web.url("/lost.html")
    with Collection.add(lost, "zz lost", "recipe", db=address(store)) as collection:
        collection.run()
    Collection.add(
        market.web.url("/news/"), "later", "article", db=address(store)
    ).close()
    words = words_of(client.get("/").text)
    assert words.index("zz lost") < words.index("goods") < words.index("Add another")
    assert "failed: not found" in words
    assert "8 new" in words
    assert words.count("Rake of") == 3
    assert "not run yet Run it now" in words
    page = client.get("/collections/zz%20lost").text
    assert words_of(page).count("Try again") == 1
    assert "Run it now" not in page


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_a_run_waits_for_that_of_another_collection_of_its_host(
    store: Store, market: Market, monkeypatch: pytest.MonkeyPatch
) -> None:
    Collection.add(
        market.web.url("/goods/"), "goods", "product", db=address(store)
    ).close()
    Collection.add(
        market.web.url("/news/"), "news", "article", db=address(store)
    ).close()
    rows = CollectionRows(store)
    other = rows.get("goods").id
    assert rows.acquire_lease(other, ELSEWHERE, 60)
    waited: list[Step] = []

    def report(step: Step) -> None:
        waited.append(step)
        rows.release_lease(other, ELSEWHERE)

    monkeypatch.setattr(tasks, "WAITING_SECONDS", 0.01)
    done = tasks.run_collection(report, address(store), "news", False)
    assert waited[0].name == tasks.WAITING
    assert done["records"] == {"new": 8}

    assert rows.acquire_lease(rows.get("news").id, ELSEWHERE, 60)
    with pytest.raises(Busy):
        tasks.run_collection(waited.append, address(store), "news", False)


def test_a_text_before_several_slots_is_the_label_of_none() -> None:
    statistics = {
        slot: SlotStatistics(slot, 2, 1, position, {value: 1})
        for position, (slot, value) in enumerate(
            [("1:a", "20.50"), ("1:b", "In stock"), ("1:c", "oak")]
        )
    }
    labels = {"1:a": "About", "1:b": "About", "1:c": "Wood:"}
    survey = Survey(1, 2, 2, statistics, labels, {}, [1, 2])
    found = survey.slots({}, collection_schema("product", None))
    slots = build_slots(found, AnnotationRow(), {})
    assert [slot.title for slot in slots] == ["20.50", "In stock", "Wood"]
    assert [slot.source for slot in slots] == [
        "on the page",
        "on the page",
        "after a label",
    ]


@pytest.mark.parametrize(
    ("message", "shown"),
    [
        ("span.caps stands in another order", "a text stands in another order"),
        ("p is missing on the last pages", "a text is missing on the last pages"),
        ("price has values now", "price has values now"),
    ],
)
def test_notices_name_no_elements(message: str, shown: str) -> None:
    data = {"message": message, "slot": "1:a"}
    notice = NoticeRow(1, "key", "moved", data, NoticeState.OPEN, None, now(), None)
    assert notice_text(notice) == shown
