"""Harvested records: each once, page by page, with the state of every query."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from scythe.errors import NotStored
from scythe.store import Store
from scythe.store.engines.engines import EngineRows
from scythe.store.engines.harvests import HarvestRows, QueryRow


@pytest.fixture
def harvest(database: str) -> Iterator[HarvestRows]:
    with Store.open(database) as store:
        yield HarvestRows(
            store,
            EngineRows(store).add("hay", "https://hay.example/", {}, reason="added"),
        )


def page(*numbers: int) -> dict[str, dict[str, str]]:
    return {
        f"https://hay.example/{number}": {"text": f"Record {number}"}
        for number in numbers
    }


def test_a_record_is_stored_once_and_counted_every_time(harvest: HarvestRows) -> None:
    assert harvest.add_page("barley", page(1, 2), "https://hay.example/?page=2") == 2
    assert harvest.add_page("barley", page(2, 3), None) == 1
    assert harvest.add_page("oats", page(3, 4), None, "the last page") == 1
    rows = [(row.record["text"], row.query, row.times) for row in harvest.records()]
    assert rows == [
        ("Record 1", "barley", 1),
        ("Record 2", "barley", 2),
        ("Record 3", "barley", 2),
        ("Record 4", "oats", 1),
    ]
    assert harvest.count() == 4


def test_every_query_tells_how_far_it_has_come(harvest: HarvestRows) -> None:
    harvest.add_page("barley", page(1, 2), "https://hay.example/?page=2")
    assert harvest.queries() == [
        QueryRow("barley", 1, "https://hay.example/?page=2", 2, 2)
    ]
    harvest.add_page("barley", page(2, 3), None)
    harvest.add_page("oats", {}, None, "nothing found")
    assert harvest.queries() == [
        QueryRow("barley", 2, None, 4, 3),
        QueryRow("oats", 1, None, 0, 0, "nothing found"),
    ]


def test_a_harvest_can_begin_anew(harvest: HarvestRows) -> None:
    harvest.add_page("barley", page(1, 2), None)
    harvest.clear()
    assert (harvest.count(), harvest.queries(), list(harvest.records())) == (0, [], [])


def test_the_harvest_of_an_engine_that_was_removed_is_refused(database: str) -> None:
    with Store.open(database) as store:
        engines = EngineRows(store)
        harvest = HarvestRows(
            store, engines.add("hay", "https://hay.example/", {}, reason="added")
        )
        engines.remove("hay")
        with pytest.raises(NotStored):
            harvest.add_page("barley", page(1), None)
        assert harvest.count() == 0
