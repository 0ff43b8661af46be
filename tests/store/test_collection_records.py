"""Records: good values are never lost, doubled or overwritten, and all that happens to
them is kept.
"""

from __future__ import annotations

from typing import Any

import pytest

from scythe.errors import NotStored
from scythe.store import Store
from scythe.store.collections.collections import CollectionRows
from scythe.store.collections.pages import FetchResult, PageRequest, PageRows
from scythe.store.collections.record_edits import OperatorRecords
from scythe.store.collections.records import (
    NewRecord,
    Reason,
    RecordRow,
    RecordSource,
)
from scythe.store.collections.runs import RunRows
from scythe.store.states import FetchOutcome

URL = "https://oats.example/porridge"
MOVED = "https://oats.example/recipes/porridge"
GOOD = {"title": "Porridge", "ingredients": ["oats", "milk"]}
BAD = {"title": "Cookies on this site"}
DOUBT = Reason("ingredients", "missing", "", "There are no ingredients.")


@pytest.fixture
def records(store: Store) -> OperatorRecords:
    return OperatorRecords(
        store, CollectionRows(store).add("oats", "https://oats.example/", "Recipe")
    )


def read(
    fields: dict[str, Any], *reasons: Reason, body: str = "b1", url: str = URL
) -> NewRecord:
    return NewRecord(url, url, fields, RecordSource(None, body, 1, 3), reasons)


def stored(records: OperatorRecords, key: str = URL) -> RecordRow:
    found = records.get(key)
    assert found
    return found


def changes(records: OperatorRecords, key: str = URL) -> list[str]:
    return [version.change for version in records.history(stored(records, key).id)]


def test_a_record_that_is_as_it_was_is_only_seen(records: OperatorRecords) -> None:
    assert records.store([read(GOOD)], 1) == {"new": 1}
    before = stored(records)
    assert records.store([read(GOOD)], 2) == {}
    after = stored(records)
    assert (after.fields, after.changed_at, after.state) == (
        GOOD,
        before.changed_at,
        "ok",
    )
    assert after.seen_at > before.seen_at
    assert changes(records) == ["new"]


def test_changes_keep_what_was_before_with_its_source(records: OperatorRecords) -> None:
    records.store([read(GOOD)], 1)
    better = {**GOOD, "title": "Best Porridge"}
    assert records.store([read(better, body="b2")], 2) == {"changed": 1}
    first, second = records.history(stored(records).id)
    assert (first.fields, first.body_hash, first.run_id, first.number) == (
        GOOD,
        "b1",
        1,
        1,
    )
    assert (second.fields, second.body_hash, second.run_id, second.number) == (
        better,
        "b2",
        2,
        2,
    )
    assert (second.cluster, second.version) == (1, 3)
    assert records.changes_in(2) == {"changed": 1}


def test_the_same_bytes_read_in_another_way_are_a_correction(
    records: OperatorRecords,
) -> None:
    records.store([read(GOOD)], 1)
    before = stored(records)
    assert records.store([read({**GOOD, "author": "Mo"})], 2) == {"corrected": 1}
    assert stored(records).changed_at == before.changed_at, (
        "the site has changed nothing"
    )


def test_values_in_doubt_never_take_the_place_of_good_ones(
    records: OperatorRecords,
) -> None:
    records.store([read(GOOD)], 1)
    assert records.store([read(BAD, DOUBT, body="b2")], 2) == {"review": 1}
    assert records.store([read(BAD, DOUBT, body="b2")], 3) == {}
    row = stored(records)
    assert (row.state, row.fields, row.pending) == ("review", GOOD, BAD)
    assert row.reasons[0]["message"] == "There are no ingredients."
    assert records.store([read(GOOD, body="b3")], 4) == {"corrected": 1}
    row = stored(records)
    assert (row.state, row.fields, row.pending, row.reasons) == ("ok", GOOD, None, [])


def test_a_record_that_was_never_good_waits_without_values(
    records: OperatorRecords,
) -> None:
    assert records.store([read(BAD, DOUBT)], 1) == {"review": 1}
    assert (stored(records).fields, stored(records).pending) == (None, BAD)
    assert records.store([read(GOOD, body="b2")], 2) == {"new": 1}
    assert records.counts() == {"ok": 1}


def test_what_a_person_accepted_is_not_asked_again(records: OperatorRecords) -> None:
    records.store([read(BAD, DOUBT)], 1)
    row = records.accept(URL)
    assert (row.state, row.fields, row.pending) == ("ok", BAD, None)
    assert records.store([read({"title": "Cookies"}, DOUBT, body="b2")], 2) == {
        "changed": 1
    }
    assert records.store(
        [read({}, DOUBT, Reason("title", "missing"), body="b3")], 3
    ) == {"review": 1}
    assert changes(records) == ["review", "accepted", "changed", "review"]
    with pytest.raises(NotStored, match="review"):
        records.accept("nothing")


def test_gone_records_are_marked_once_and_may_come_back(
    records: OperatorRecords,
) -> None:
    records.store([read(GOOD)], 1)
    assert records.mark_gone([URL, "unknown"], 2) == 1
    assert records.mark_gone([URL], 2) == 0
    row = stored(records)
    assert (row.state, row.fields) == ("gone", GOOD)
    assert row.gone_at
    assert records.store([read(GOOD)], 3) == {"back": 1}
    assert (stored(records).state, stored(records).gone_at) == ("ok", None)
    assert changes(records) == ["new", "gone", "back"]


def test_a_correction_changes_values_alone(records: OperatorRecords) -> None:
    records.store([read({"title": "Oats"})])
    records.mark_gone([URL])
    gone = stored(records)
    assert records.correct([read({"title": "Oats", "time": 5})]) == {"corrected": 1}
    assert stored(records).fields == {"title": "Oats", "time": 5}
    records.correct([read({"time": 5}, Reason("title", "missing"))])
    after = stored(records)
    assert (after.fields, after.pending) == ({"title": "Oats", "time": 5}, {"time": 5})
    assert records.history(after.id)[-1].fields == after.fields, (
        "what waits is not what it had"
    )
    assert not records.correct([read({"time": 5}, Reason("title", "missing"))])
    assert (after.state, after.gone_at, after.seen_at) == (
        "gone",
        gone.gone_at,
        gone.seen_at,
    )
    assert not records.correct([read({"title": "Rye"}, body="b2")]), (
        "its page has other bytes"
    )
    assert not records.correct([NewRecord("other", "other", {"title": "Rye"})]), (
        "there is none"
    )
    assert records.counts() == {"gone": 1}
    assert changes(records) == ["new", "gone", "corrected", "corrected"]
    records.store([read({"title": "Oats"})])
    assert changes(records)[-1] == "back"


def test_a_move_is_neither_a_loss_nor_something_new(records: OperatorRecords) -> None:
    records.store([read(GOOD)], 1)
    number = stored(records).id
    assert records.move(URL, MOVED, MOVED, 2)
    assert not records.move(URL, MOVED, MOVED, 2)
    row = stored(records, MOVED)
    assert (row.id, row.url, row.moved_from, row.fields, row.state) == (
        number,
        MOVED,
        URL,
        GOOD,
        "ok",
    )
    assert records.get(URL) is None
    assert records.store([read(GOOD, url=MOVED)], 2) == {}
    assert changes(records, MOVED) == ["new", "moved"]


def test_a_move_that_is_found_out_late_joins_both(records: OperatorRecords) -> None:
    records.store([read(GOOD)], 1)
    number = stored(records).id
    better = {**GOOD, "title": "Better Porridge"}
    records.mark_gone([URL], 2)
    records.store([read(better, url=MOVED, body="b2")], 2)
    records.store([read({**better, "author": "Mo"}, url=MOVED, body="b3")], 2)
    assert records.move(URL, MOVED, MOVED, 2)
    row = stored(records, MOVED)
    assert (row.id, row.fields, row.body_hash, row.gone_at) == (
        number,
        {**better, "author": "Mo"},
        "b3",
        None,
    )
    assert changes(records, MOVED) == ["new", "changed", "moved"]
    assert records.counts() == {"ok": 1}
    assert records.changes_in(2) == {"changed": 1, "moved": 1}


def test_records_come_in_their_order_and_by_state(records: OperatorRecords) -> None:
    many = [read(GOOD, url=f"{URL}/{number}") for number in range(1_200)]
    records.store(many, 1)
    records.store([read(BAD, DOUBT, url=f"{URL}/bad")], 1)
    assert [row.url for row in records.all("ok")] == [record.url for record in many]
    assert [row.url for row in records.all("review")] == [f"{URL}/bad"]
    assert records.counts() == {"ok": 1_200, "review": 1}
    assert [row.url for row in records.latest_changes(["new"], 2)] == [
        f"{URL}/1199",
        f"{URL}/1198",
    ]


def test_pages_are_done_with_when_their_record_is_stored(store: Store) -> None:
    number = CollectionRows(store).add("oats", "https://oats.example/", "Recipe")
    run = RunRows(store, number).begin().id
    pages, records = PageRows(store, number), OperatorRecords(store, number)
    pages.enqueue([PageRequest(URL)], run)
    (page,) = pages.in_stage("wanted")
    pages.store_results([FetchResult(page.id, FetchOutcome.OK, b"<p>Porridge")])
    pages.set_stage([page.id], "extracted")
    (page,) = pages.in_stage("extracted")
    records.store(
        [NewRecord(URL, URL, GOOD, RecordSource(page.id, page.body_hash))], run
    )
    assert [row.stage for row in pages.all()] == ["done"]


def test_two_pages_of_one_record_are_both_done_with(store: Store) -> None:
    number = CollectionRows(store).add("oats", "https://oats.example/", "Recipe")
    run = RunRows(store, number).begin().id
    pages, records = PageRows(store, number), OperatorRecords(store, number)
    pages.enqueue([PageRequest(URL), PageRequest(f"{URL}?print")], run)
    pages.set_stage([page.id for page in pages.all()], "extracted")
    read = [
        NewRecord(URL, URL, {"title": page.url}, RecordSource(page.id))
        for page in pages.in_stage("extracted")
    ]
    assert records.store(read, run) == {"new": 1}
    assert pages.in_stage("extracted") == []
    assert stored(records).fields == {"title": f"{URL}?print"}


def test_bytes_that_a_record_came_from_are_kept(store: Store) -> None:
    number = CollectionRows(store).add("oats", "https://oats.example/", "Recipe")
    runs, pages, records = (
        RunRows(store, number),
        PageRows(store, number),
        OperatorRecords(store, number),
    )
    for body in (b"<p>Porridge", b"<p>Better porridge"):
        run = runs.begin().id
        pages.enqueue([PageRequest(URL)], run)
        pages.store_results([FetchResult(pages.all()[0].id, FetchOutcome.OK, body)])
        (page,) = pages.in_stage("fetched")
        records.store(
            [
                NewRecord(
                    URL,
                    URL,
                    {"title": body.decode()},
                    RecordSource(page.id, page.body_hash),
                )
            ],
            run,
        )
        pages.set_stage([page.id], "done")
        runs.end(run, {})
    history = records.history(stored(records).id)
    assert [pages.body(str(version.body_hash)) for version in history] == [
        b"<p>Porridge",
        b"<p>Better porridge",
    ]
    CollectionRows(store).remove("oats")
    assert list(records.all()) == []


def test_odd_characters_and_numbers_are_stored_as_what_json_can_hold(
    records: OperatorRecords,
) -> None:
    odd = {"title": "a\0b\ud800", "rating": float("nan"), "ingredients": ["\0"]}
    assert records.store([read(odd)], 1) == {"new": 1}
    assert records.store([read(odd)], 2) == {}
    assert stored(records).fields == {
        "title": "a\ufffdb?",
        "rating": None,
        "ingredients": ["\ufffd"],
    }
