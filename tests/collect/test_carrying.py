"""Names of places in a template survive a redesign, by the values that records are known to have."""

from __future__ import annotations

import pytest

from read_pages import DISHES, HOME, add_pages, read_collection
from scythe.collect.annotating import IGNORE, NAME, Change, finish, say
from scythe.collect.carrying import carry_names
from scythe.collect.importing import import_records
from scythe.collect.work import Work
from scythe.store import Store
from scythe.store.pages import EXTRACTED_

_SCHEMA = 'name = "Dish"\n[fields.title]\ntype = "text"\n'


@pytest.fixture
def work(store: Store) -> Work:
    """A collection with two named places, whose records are good."""
    work = read_collection(store)
    work.collections.change(work.row.id, settings={"schema": _SCHEMA})
    work = Work(store, work.collections.get("oats"))
    say(work, Change(NAME, (slot_of(work, 1, "Soup no. 1"),), "title"))
    say(work, Change(NAME, (slot_of(work, 1, "11 min"),), "time", "duration"))
    finish(work)
    return work


def slot_of(work: Work, cluster: int, value: str) -> str:
    row = next(
        row for row in work.templates.extracted_of(cluster) if any(value in each for v in row.slots.values() for each in v)
    )
    return next(f"{cluster}:{slot}" for slot, values in row.slots.items() if any(value in each for each in values))


def redesigned(number: int) -> str:
    """The recipe of a number in another look."""
    dish = DISHES[number % len(DISHES)]
    facts = f"<table><tr><th>Takes</th><td>{10 + number} min</td></tr><tr><th>Serves</th><td>{number % 4 + 1}</td></tr></table>"
    return f"<main><div class=top><b class=name>{dish.title()} no. {number}</b></div>{facts}<div class=rest>{dish}</div></main>"


def redesign(work: Work) -> None:
    run = work.runs.begin("pages").id
    work.run = run
    add_pages(work, {f"{HOME}{number}": redesigned(number) for number in range(1, 13)}, run, cluster=2)
    work.pages.move_on([page.id for page in work.pages.all()], EXTRACTED_)


def test_names_are_carried_to_the_places_with_the_same_values(work: Work) -> None:
    before = {record.key: record.fields for record in work.records.all()}
    redesign(work)
    carried = carry_names(work)
    assert carried == {slot_of(work, 2, "Soup no. 1"): ("title", ""), slot_of(work, 2, "11 min"): ("time", "duration")}
    import_records(work)
    assert {record.key: record.fields for record in work.records.all()} == before
    assert [notice.kind for notice in work.runs.notices()] == ["names carried over"]
    assert not carry_names(work)


def test_they_can_be_undone_and_stay_undone(work: Work) -> None:
    redesign(work)
    carry_names(work)
    work.annotations.undo()
    assert not [slot for slot in work.names if slot.startswith("2:")]
    assert not carry_names(work)


def test_clusters_that_an_operator_spoke_of_are_left_alone(work: Work) -> None:
    redesign(work)
    say(work, Change(IGNORE, (slot_of(work, 2, "Soup no. 1"),)))
    assert not carry_names(work)


def test_pages_of_another_kind_get_no_names(work: Work) -> None:
    run = work.runs.begin("pages").id
    add_pages(work, {f"{HOME}news/{number}": redesigned(number) for number in range(1, 9)}, run, cluster=3)
    assert not carry_names(work)
