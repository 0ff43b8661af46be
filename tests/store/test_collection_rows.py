"""Collections in the database: names, settings, who holds them, runs, notices, and what
is remembered.
"""

from __future__ import annotations

import subprocess
import sys

import pytest

from scythe.errors import AlreadyStored, NotStored
from scythe.store import Store
from scythe.store.collections.collections import CollectionRows
from scythe.store.collections.runs import NewNotice, RunRows
from scythe.store.leases import has_ended, this_process
from scythe.store.states import CollectionState, RunState


def test_a_collection_comes_back_as_it_was(store: Store) -> None:
    rows = CollectionRows(store)
    number = rows.add(
        "Bäckerei",
        "https://b.example/",
        "Recipe",
        {"delay": 1.5, "words": ["屋", "\ud800", "\0"]},
    )
    row = rows.get("Bäckerei")
    assert (row.id, row.url, row.kind, row.state, row.table_name) == (
        number,
        "https://b.example/",
        "Recipe",
        "active",
        None,
    )
    assert row.settings == {"delay": 1.5, "words": ["屋", "\ud800", "\0"]}
    rows.change(number, settings={"delay": 2}, state=CollectionState.PAUSED)
    row = rows.get("Bäckerei")
    assert (row.settings, row.state, row.kind) == (
        {"delay": 2},
        CollectionState.PAUSED,
        "Recipe",
    )


def test_names_are_given_once_and_unknown_ones_answered_with_the_known(
    store: Store,
) -> None:
    rows = CollectionRows(store)
    with pytest.raises(NotStored, match="scythe collect add"):
        rows.get("hay")
    rows.add("oats", "https://oats.example/", "Recipe")
    with pytest.raises(AlreadyStored, match="collection oats already"):
        rows.add("oats", "https://other.example/", "Recipe")
    with pytest.raises(NotStored, match=r"There are: oats\."):
        rows.remove("hay")
    rows.remove("oats")
    assert rows.all() == []


def test_one_process_at_a_time_holds_a_collection(store: Store) -> None:
    rows = CollectionRows(store)
    number = rows.add("oats", "https://oats.example/", "Recipe")
    assert rows.acquire_lease(number, "one", 60)
    assert rows.acquire_lease(number, "one", 60), "who has it may keep it longer"
    assert not rows.acquire_lease(number, "two", 60)
    rows.release_lease(number, "two")
    assert not rows.acquire_lease(number, "two", 60), (
        "only its own holder gives it back"
    )
    assert rows.acquire_lease(
        number, "two", 60, has_ended=lambda holder: holder == "one"
    )
    rows.release_lease(number, "two")
    assert rows.acquire_lease(number, "three", -1)
    assert rows.acquire_lease(number, "four", 60), (
        "whoever died with a collection in hand loses it when the time is up"
    )
    rows.remove("oats")
    with pytest.raises(NotStored):
        rows.acquire_lease(number, "one", 60)


def test_a_process_that_ended_is_told_from_one_that_works() -> None:
    assert not has_ended(this_process())
    name = subprocess.run(
        [
            sys.executable,
            "-c",
            "from scythe.store.leases import this_process; print(this_process())",
        ],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    assert has_ended(name)
    machine, number, _ = this_process().rsplit("/", 2)
    assert has_ended(f"{machine}/{number}/before"), "the number was given again"
    assert not has_ended(f"elsewhere/{number}/before")
    assert not has_ended("nonsense")


def test_a_run_without_an_end_is_gone_on_with(store: Store) -> None:
    rows = CollectionRows(store)
    runs = RunRows(store, rows.add("oats", "https://oats.example/", "Recipe"))
    first = runs.begin("monitor")
    assert (first.number, first.state, first.stage) == (1, "running", "monitor")
    runs.set_stage(first.id, "crawl")
    again = runs.begin("monitor")
    assert (again.id, again.stage) == (first.id, "crawl")
    runs.end(first.id, {"new": 3})
    runs.end(first.id, {"new": 0})
    assert runs.unfinished() is None
    assert runs.begin().number == 2
    assert [(run.number, run.state, run.summary) for run in runs.all()] == [
        (1, RunState.DONE, {"new": 3}),
        (2, "running", {}),
    ]


def test_the_same_is_told_once_and_settled_once(store: Store) -> None:
    rows = CollectionRows(store)
    runs = RunRows(store, rows.add("oats", "https://oats.example/", "Recipe"))
    run = runs.begin().id
    told = [
        NewNotice("cluster 1, s3", "new attribute", {"slot": "s3"}),
        NewNotice("cluster 1, s4", "new attribute"),
    ]
    assert runs.add_notices(told, run) == 2
    assert runs.add_notices(told, run) == 0
    first, second = runs.notices()
    assert (first.data, second.data, first.run_id) == ({"slot": "s3"}, {}, run)
    runs.dismiss([first.id])
    assert [notice.key for notice in runs.notices()] == ["cluster 1, s4"]
    assert runs.add_notices(told, run) == 0, "what was put aside does not come again"
    assert [notice.state for notice in runs.notices(None)] == ["done", "open"]


def test_what_is_remembered_is_replaced_under_its_name(store: Store) -> None:
    rows = CollectionRows(store)
    number = rows.add("oats", "https://oats.example/", "Recipe")
    assert rows.load_state(number, "clusters") is None
    rows.store_state(number, "clusters", {"sites": [1]})
    rows.store_state(number, "links", [0.5])
    rows.store_state(number, "clusters", {"sites": [1, 2]})
    assert (rows.load_state(number, "clusters"), rows.load_state(number, "links")) == (
        {"sites": [1, 2]},
        [0.5],
    )
