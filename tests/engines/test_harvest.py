"""Harvests: everything behind a form with few queries, each record once, to be gone on
with after any end.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from scythe.engines.asking.results import SearchStatus
from scythe.engines.registry.harvest import (
    IDLE_QUERIES,
    HarvestedQuery,
    HarvestOptions,
    harvest,
)
from scythe.engines.registry.registry import Registry, StoredEngine
from scythe.engines.registry.vocabulary import Vocabulary
from scythe.errors import UsageError
from small_engine import WORDS, Item, SmallEngine, new_look

pytestmark = pytest.mark.slow

ITEMS = 180


@pytest.fixture
def site() -> Iterator[SmallEngine]:
    with SmallEngine([Item(number) for number in range(ITEMS)]) as engine:
        yield engine


@pytest.fixture
def known(registry: Registry, site: SmallEngine) -> StoredEngine:
    return registry.add(site.known("hay"))


def links(registry: Registry, known: StoredEngine) -> list[str]:
    return [row.record["link"] for row in registry.harvest(known).records()]


def test_everything_is_found_once_and_no_query_is_asked_twice(
    registry: Registry, site: SmallEngine, known: StoredEngine
) -> None:
    done = harvest(registry, known, HarvestOptions(queries=len(WORDS)))
    found = links(registry, known)
    assert sorted(found) == sorted({item.url for item in site.items})
    assert (done.records, done.new_records, done.failed) == (ITEMS, ITEMS, False)
    first_pages = [path for path in site.asked if path.endswith("page=0")]
    assert len(first_pages) == len(set(first_pages)) == done.queries


def test_greedy_words_bring_more_than_rare_ones(
    registry: Registry, site: SmallEngine, known: StoredEngine
) -> None:
    heard: list[HarvestedQuery] = []
    harvest(registry, known, HarvestOptions(queries=8), heard.append)
    assert [one.query for one in heard[:1]] == ["barley"]
    assert sum(one.new_records for one in heard) > ITEMS / 2
    assert all(one.records >= one.new_records for one in heard)


def test_a_budget_ends_it_and_a_larger_one_goes_on(
    registry: Registry, site: SmallEngine, known: StoredEngine
) -> None:
    first = harvest(registry, known, HarvestOptions(queries=3))
    assert (first.queries, "Allow more" in first.end_reason) == (3, True)
    asked = list(site.queries)
    again = harvest(registry, known, HarvestOptions(queries=3))
    assert (again.queries, again.new_records, site.queries) == (0, 0, asked)
    more = harvest(registry, known, HarvestOptions(queries=5))
    assert (more.queries, more.records) == (2, first.records + more.new_records)


def test_pages_are_followed_up_to_a_limit(
    registry: Registry, site: SmallEngine, known: StoredEngine
) -> None:
    site.behaviour.size = 5
    harvest(registry, known, HarvestOptions(queries=1, pages=2))
    (row,) = registry.harvest(known).queries()
    assert (row.query, row.pages, row.records, row.next_page) == ("barley", 2, 10, None)


def test_a_harvest_that_was_killed_goes_on_within_its_query(
    registry: Registry, site: SmallEngine, known: StoredEngine
) -> None:
    class Killed(BaseException):
        pass

    site.behaviour.size = 5
    whole = [item.url for item in site.found("barley")]
    add_page = type(registry.harvest(known)).add_page
    calls: list[object] = []

    def add_two(rows: object, *arguments: object) -> int:
        if len(calls) == 2:
            raise Killed
        calls.append(arguments)
        return add_page(rows, *arguments)  # type: ignore[arg-type]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(registry.harvest(known)), "add_page", add_two)
        with pytest.raises(Killed):
            harvest(registry, known, HarvestOptions(queries=1))
    assert links(registry, known) == whole[:10]
    done = harvest(registry, known, HarvestOptions(queries=1))
    assert links(registry, known) == whole
    assert (done.queries, done.new_records) == (1, len(whole) - 10)
    pages = [path for path in site.asked if path.startswith("/search")]
    assert len(pages) == len(set(pages)) + 1, (
        "only the page that was not stored is read again"
    )


def test_an_engine_that_refuses_ends_it_and_loses_nothing(
    registry: Registry, site: SmallEngine, known: StoredEngine
) -> None:
    harvest(registry, known, HarvestOptions(queries=2))
    before = links(registry, known)
    site.behaviour.status, site.behaviour.headers = 429, {"Retry-After": "3600"}
    asked = len(site.queries)
    refused = harvest(registry, known, HarvestOptions(queries=10))
    assert (refused.failed, refused.queries, len(site.queries)) == (True, 1, asked + 1)
    assert "429" in refused.end_reason
    assert links(registry, known) == before


def test_an_engine_that_fails_is_not_asked_for_ever(
    registry: Registry, site: SmallEngine, known: StoredEngine
) -> None:
    harvest(registry, known, HarvestOptions(queries=2))
    site.behaviour.status = 500
    failed = harvest(registry, known, HarvestOptions(queries=10))
    assert (failed.failed, failed.queries) == (True, 3)
    site.behaviour.status = 200
    assert harvest(registry, known, HarvestOptions(queries=4)).queries == 2, (
        "what was not answered is asked again"
    )


def test_it_ends_when_nothing_new_comes(
    registry: Registry, site: SmallEngine, known: StoredEngine
) -> None:
    site.items = [item for item in site.items if "barley" in item.words][:16]
    done = harvest(registry, known, HarvestOptions(queries=100))
    assert (done.records, done.queries, done.failed) == (16, 1 + IDLE_QUERIES, False)
    assert "nothing new" in done.end_reason


def test_an_engine_that_changes_meanwhile_is_learned_again(
    registry: Registry, site: SmallEngine, known: StoredEngine
) -> None:
    def change(brought: HarvestedQuery) -> None:
        site.behaviour.look = new_look

    done = harvest(registry, known, HarvestOptions(queries=4), change)
    assert (done.failed, done.queries) == (False, 4)
    assert registry.get("hay").engine.version == 2
    found = links(registry, known)
    assert sorted(found) == sorted(set(found))
    assert set(found) <= {item.url for item in site.items}


def test_the_answers_of_a_harvest_count_for_the_health(
    registry: Registry, site: SmallEngine, known: StoredEngine
) -> None:
    harvest(registry, known, HarvestOptions(queries=3))
    assert [(row.status, row.records) for row in registry.answers(known)] == [
        (SearchStatus.OK, 10)
    ] * 3


def test_no_budget_is_wrong_usage() -> None:
    with pytest.raises(UsageError):
        HarvestOptions(queries=-1)


def test_records_that_come_back_often_say_little_of_what_is_hidden() -> None:
    words = Vocabulary(used=["barley"])
    for number in range(3):
        words.add(f"old {number}", {"text": "barley meadow"}, times=5)
    words.add("new 1", {"text": "barley kestrel"})
    assert words.best_word() == "kestrel"
    words.mark_used("kestrel")
    assert words.best_word() == "meadow"
    words.mark_used("meadow")
    assert words.best_word() is None
