"""Naming and undoing change values alone: what is there, gone or moved is for runs to find out."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from growing_site import GrowingSite, Recipe, Served
from scythe.collect.annotating import IGNORE, NAME, NOTICE, SPLIT, Change, finish
from scythe.collect.collection import Collection
from scythe.collect.feed import TOLD, entries
from scythe.errors import NotStored

GONE, LED_HOME = (3, 4), 6
"""Recipes that the site takes away, and one whose old address leads to the home page."""


def moved_collection(site: Served, database: str) -> Collection:
    """A collection of twelve recipes after a run in which nine moved, three went and two came."""
    site.site.grow(1, 12)
    collection = Collection.add(f"{site.url}/", "kitchen", "recipe", db=database)
    collection.run()
    collection.accept()

    led_home = Recipe.of(LED_HOME).slug
    site.site.extra[site.site.path(led_home)] = (301, {"Location": "/"}, b"")
    for number in (*GONE, LED_HOME):
        del site.site.recipes[Recipe.of(number).slug]
    site.site.ending = "/"
    site.site.grow(90, 2)
    summary = collection.run(everything=True)
    assert dict(summary.records) == {"moved": 9, "gone": 3, "new": 2}
    return collection


def undo(collection: Collection) -> None:
    collection._work.annotations.undo()
    finish(collection._work)


def standing(collection: Collection) -> dict[str, Any]:
    """All that naming must not change: which records there are, and what a feed tells of them."""
    records = list(collection.records())
    return {
        "present": {record.key: record.url for record in records if record.state != "gone"},
        "gone": {record.key: record.gone_at for record in records if record.state == "gone"},
        "moved": {record.key: record.moved_from for record in records if record.moved_from},
        "seen": {record.key: (record.first_seen, record.seen_at) for record in records},
        "told": [entry.id for entry in entries(collection.store, collection.row, TOLD, 500)],
    }


def values_of(collection: Collection, name: str) -> dict[str, Any]:
    return {record.key: (record.fields or {}).get(name) for record in collection.records()}


def free_slot(collection: Collection) -> str:
    """The slot without a name that most pages have."""
    return next(attribute.slot for attribute in collection.attributes() if attribute.name is None)


@pytest.fixture
def site() -> Iterator[Served]:
    with Served(GrowingSite()) as served:
        yield served


def test_gone_and_moved_records_stay_so(site: Served, database: str) -> None:
    with moved_collection(site, database) as collection:
        before = standing(collection)
        assert [len(before[name]) for name in ("present", "gone", "moved")] == [11, 3, 9]

        slot = free_slot(collection)
        collection.name(slot, "notes", "text")
        assert any(values_of(collection, "notes").values())
        assert standing(collection) == before

        undo(collection)
        assert not any(values_of(collection, "notes").values())
        assert standing(collection) == before

        summary = collection.run(everything=True)
        assert not summary.records
        assert standing(collection)["told"] == before["told"]


@pytest.fixture(scope="module")
def moved(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """A database with such a collection, to be copied, and the slots of its pages."""
    file = tmp_path_factory.mktemp("moved") / "scythe.db"
    with Served(GrowingSite()) as site, moved_collection(site, f"sqlite:///{file}") as collection:
        return file, [attribute.slot for attribute in collection.attributes()][:8]


STEP = st.tuples(
    st.sampled_from([NAME, NAME, SPLIT, IGNORE, NOTICE, "accept", "undo", "undo", "redo"]),
    st.integers(0, 7),
    st.sampled_from([("title", ""), ("instructions", ""), ("notes", "text"), ("amount", "number")]),
)
"""What an operator does, to which slot, and with which name and type."""


def operate(collection: Collection, what: str, slot: str, field: tuple[str, str]) -> None:
    """Do one step; what cannot be undone or done again is left."""
    if what == "accept":
        collection.accept()
    elif what in ("undo", "redo"):
        try:
            getattr(collection._work.annotations, what)()
        except NotStored:
            return
        finish(collection._work)
    else:
        name, type_ = field if what == NAME else ("", "")
        collection.annotate(Change(what, (slot,), name, type_))


@settings(max_examples=20)
@given(steps=st.lists(STEP, min_size=1, max_size=5))
def test_no_sequence_of_names_and_undos_changes_which_records_there_are(
    moved: tuple[Path, list[str]], steps: list[tuple[str, int, tuple[str, str]]]
) -> None:
    file, slots = moved
    with tempfile.TemporaryDirectory() as folder:
        copy = shutil.copy(file, folder)
        with Collection.open("kitchen", db=f"sqlite:///{copy}") as collection:
            before = standing(collection)
            assert [len(before[name]) for name in ("present", "gone", "moved")] == [11, 3, 9]
            for what, number, field in steps:
                operate(collection, what, slots[number % len(slots)], field)
                assert standing(collection) == before
