"""The change feed: what is new and changed, once, in words, and nothing that a page
says becomes mark-up.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scythe.collect.publish.feed import (
    FEED_CHANGES,
    FeedEntry,
    feed_entries,
    json_feed,
    rss_feed,
)
from scythe.collect.records.differences import FieldChange, field_changes
from scythe.store import Store
from scythe.store.collections.collections import CollectionRow, CollectionRows
from scythe.store.collections.records import NewRecord, Reason, RecordRows, RecordSource
from scythe.store.columns import now
from scythe.store.states import CollectionState

HOME = "https://oats.example/"


@pytest.fixture
def store(database: str) -> Iterator[Store]:
    with Store.open(database) as opened:
        CollectionRows(opened).add("Mo's <oats> & more", HOME, "Recipe")
        yield opened


def collection(store: Store) -> CollectionRow:
    return CollectionRows(store).all()[0]


def put(
    store: Store, title: str, body: str, *reasons: Reason, **fields: object
) -> None:
    record = NewRecord(
        HOME + title,
        HOME + title,
        {"title": title, **fields},
        RecordSource(body_hash=body),
        reasons,
    )
    RecordRows(store, collection(store).id).store([record])


def test_a_feed_tells_what_is_new_and_changed_the_newest_first(store: Store) -> None:
    put(store, "Porridge", "1", price=5)
    put(store, "Scone", "1")
    put(store, "Porridge", "2", price=6)
    put(store, "Porridge", "2", price=6, author="read in another way")
    put(store, "Porridge", "3", Reason("price", "missing"))
    told = feed_entries(store, collection(store))
    assert [(entry.title, entry.change, entry.text) for entry in told] == [
        ("Porridge", "changed", "price: 5 → 6"),
        ("Scone", "new", "title: Scone"),
        ("Porridge", "new", "title: Porridge\nprice: 5"),
    ]
    assert len({entry.id for entry in told}) == 3
    assert [entry.id for entry in feed_entries(store, collection(store))] == [
        entry.id for entry in told
    ]
    assert len(feed_entries(store, collection(store), limit=1)) == 1


def test_moves_and_losses_are_told_when_asked_for(store: Store) -> None:
    put(store, "Porridge", "1")
    records = RecordRows(store, collection(store).id)
    records.move(f"{HOME}Porridge", f"{HOME}p", f"{HOME}p")
    records.mark_gone([f"{HOME}p"])
    assert [
        (entry.change, entry.url)
        for entry in feed_entries(store, collection(store), FEED_CHANGES)
    ] == [
        ("gone", f"{HOME}p"),
        ("moved", f"{HOME}p"),
        ("new", f"{HOME}Porridge"),
    ]


def test_another_order_is_no_news(store: Store) -> None:
    put(store, "Porridge", "1", tags=["a", "b"])
    put(store, "Porridge", "2", tags=["b", "a"])
    assert [entry.change for entry in feed_entries(store, collection(store))] == ["new"]


def test_a_change_is_told_against_the_last_good_values(store: Store) -> None:
    put(store, "Porridge", "1", price=5)
    put(store, "Porridge", "2", Reason("price", "missing"))
    put(store, "Porridge", "3", price=7)
    assert feed_entries(store, collection(store))[0].text == "price: 5 → 7"


def test_both_feeds_can_be_read_by_machines(store: Store) -> None:
    put(store, "<script>alert(1)</script> & \x08 co", "1", steps=["one", "<b>two</b>"])
    put(store, "Scone", "1")
    told = feed_entries(store, collection(store))
    channel = ElementTree.fromstring(rss_feed(collection(store), told)).find("channel")
    assert channel is not None
    assert (channel.findtext("title"), channel.findtext("link")) == (
        "Mo's <oats> & more",
        HOME,
    )
    items = channel.findall("item")
    assert [item.findtext("title") for item in items] == [
        "Scone",
        "<script>alert(1)</script> & \ufffd co",
    ]
    assert "&lt;b&gt;two" in str(items[1].findtext("description")), (
        "readers take descriptions for HTML"
    )
    assert items[0].findtext("category") == "new"
    feed = json.loads(json_feed(collection(store), told))
    assert feed["version"] == "https://jsonfeed.org/version/1.1"
    assert [item["_scythe"]["change"] for item in feed["items"]] == ["new", "new"]
    assert feed["items"][1]["_scythe"]["fields"]["steps"] == ["one", "<b>two</b>"]
    assert {"id", "url", "title", "content_text", "date_published"} <= feed["items"][
        0
    ].keys()


def test_an_empty_feed_is_a_feed(store: Store) -> None:
    assert (
        ElementTree.fromstring(rss_feed(collection(store), [])).findall("channel/item")
        == []
    )
    assert json.loads(json_feed(collection(store), []))["items"] == []


@given(st.text(), st.text(), st.text())
def test_any_text_gives_a_feed(name: str, title: str, value: str) -> None:
    state = CollectionState.ACTIVE
    row = CollectionRow(1, name, HOME, "Recipe", {}, state, now(), None, None, None)
    entry = FeedEntry("x", title, HOME, "new", now(), {"field": value})
    ElementTree.fromstring(rss_feed(row, [entry]).encode("utf-8"))
    assert json.loads(json_feed(row, [entry]))["items"][0]["title"] == title


def test_differences_are_by_line_and_blind_to_order() -> None:
    before = {
        "title": "A",
        "lines": ["x", "y", "y"],
        "gone": 1,
        "lines_parsed": [{"item": "x"}],
    }
    after = {"title": "A", "lines": ["y", "z", "x"], "new": ["n"], "lines_parsed": []}
    assert field_changes(before, after) == [
        FieldChange("lines", ("y",), ("z",)),
        FieldChange("new", (), ("n",)),
        FieldChange("gone", ("1",), ()),
    ]
    assert [str(change) for change in field_changes(before, after)] == [
        "lines: y → z",
        "new: added n",
        "gone: removed 1",
    ]
    assert field_changes(None, None) == []
    assert str(FieldChange("x", (), ("long " * 100,))).endswith("…")
