"""Names of places in a template survive a redesign, by the values that records are
known to have.
"""

from __future__ import annotations

import pytest

from read_pages import DISHES, HOME, add_pages, read_collection
from scythe.collect.context import RunContext
from scythe.collect.fields.annotations import (
    AnnotationAction,
    AnnotationChange,
    store_change,
    update_records,
)
from scythe.collect.fields.redesigns import carry_annotations
from scythe.collect.steps.importer import import_records
from scythe.store import Store
from scythe.store.states import PageStage

_SCHEMA = 'name = "Dish"\n[fields.title]\ntype = "text"\n'


@pytest.fixture
def context(store: Store) -> RunContext:
    """A collection with two named places, whose records are good."""
    context = read_collection(store)
    context.collections.change(context.row.id, settings={"schema": _SCHEMA})
    context = RunContext(store, context.collections.get("oats"))
    store_change(
        context,
        AnnotationChange(
            AnnotationAction.NAME, (slot_of(context, 1, "Soup no. 1"),), "title"
        ),
    )
    store_change(
        context,
        AnnotationChange(
            AnnotationAction.NAME, (slot_of(context, 1, "11 min"),), "time", "duration"
        ),
    )
    update_records(context)
    return context


def slot_of(context: RunContext, cluster: int, value: str) -> str:
    row = next(
        row
        for row in context.templates.extracted_in_cluster(cluster)
        if any(value in each for v in row.slots.values() for each in v)
    )
    return next(
        f"{cluster}:{slot}"
        for slot, values in row.slots.items()
        if any(value in each for each in values)
    )


def redesigned(number: int, *, cooks: bool = False) -> str:
    """The recipe of a number in another look, in the line of its name how many cook it,
    if that is wanted.
    """
    dish = DISHES[number % len(DISHES)]
    cooked = f" / {number * 7} times" if cooks else ""
    facts = f"<table><tr><th>Takes</th><td>{10 + number} min</td></tr><tr><th>Serves</th><td>{number % 4 + 1}</td></tr></table>"
    return f"<main><div class=top><b class=name>{dish.title()} no. {number}{cooked}</b></div>{facts}<div class=rest>{dish}</div></main>"


def redesign(context: RunContext, *, cooks: bool = False) -> None:
    run = context.runs.begin("pages").id
    context.run = run
    add_pages(
        context,
        {f"{HOME}{number}": redesigned(number, cooks=cooks) for number in range(1, 13)},
        run,
        cluster=2,
    )
    context.pages.set_stage(
        [page.id for page in context.pages.all()], PageStage.EXTRACTED
    )


def test_names_are_carried_to_the_places_with_the_same_values(
    context: RunContext,
) -> None:
    before = {record.key: record.fields for record in context.records.all()}
    redesign(context)
    carried = carry_annotations(context)
    assert carried == {
        slot_of(context, 2, "Soup no. 1"): ("title", ""),
        slot_of(context, 2, "11 min"): ("time", "duration"),
    }
    import_records(context)
    assert {record.key: record.fields for record in context.records.all()} == before
    assert [notice.kind for notice in context.runs.notices()] == ["names carried over"]
    assert not carry_annotations(context)


def test_they_can_be_undone_and_stay_undone(context: RunContext) -> None:
    redesign(context)
    carry_annotations(context)
    context.annotations.undo()
    assert not [slot for slot in context.slot_fields if slot.startswith("2:")]
    assert not carry_annotations(context)


def test_clusters_that_an_operator_spoke_of_are_left_alone(context: RunContext) -> None:
    redesign(context)
    store_change(
        context,
        AnnotationChange(AnnotationAction.IGNORE, (slot_of(context, 2, "Soup no. 1"),)),
    )
    assert not carry_annotations(context)


def test_pages_of_another_kind_get_no_names(context: RunContext) -> None:
    run = context.runs.begin("pages").id
    add_pages(
        context,
        {f"{HOME}news/{number}": redesigned(number) for number in range(1, 9)},
        run,
        cluster=3,
    )
    assert not carry_annotations(context)


def test_a_name_is_carried_to_the_part_with_the_same_values(
    context: RunContext,
) -> None:
    before = {record.key: record.fields for record in context.records.all()}
    redesign(context, cooks=True)
    slot = slot_of(context, 2, "Soup no. 1")
    assert carry_annotations(context)[f"{slot} | {{}} / *"] == ("title", "")
    import_records(context)
    assert {record.key: record.fields for record in context.records.all()} == before
