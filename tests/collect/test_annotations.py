"""What operators say about attributes: kept with its history, checked, previewed,
undone, and followed by all records.
"""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import text

from read_pages import HOME, add_pages, read_collection, recipe_page
from scythe.collect.collection import Collection
from scythe.collect.context import RunContext
from scythe.collect.fields.annotations import (
    AnnotationAction,
    AnnotationChange,
    apply_change,
    preview,
    records_are_current,
    store_change,
    update_records,
)
from scythe.collect.fields.surveys import survey_cluster
from scythe.collect.records.field_values import annotate_template
from scythe.collect.records.schema import SchemaError
from scythe.collect.steps.importer import import_records
from scythe.errors import Conflict, NotStored, UsageError
from scythe.store import Store
from scythe.store.collections.annotations import NOTHING, AnnotationRow
from scythe.store.collections.collections import CollectionRows
from scythe.store.collections.extractions import ExtractionRows, evenly_spaced
from scythe.store.states import PageStage
from scythe.templates.template.template import Template
from scythe.urls import url_key

INGREDIENTS, DIRECTIONS = "section:ingredients", "section:directions"


@pytest.fixture
def context(store: Store) -> RunContext:
    return read_collection(store)


def slot_of(context: RunContext, value: str) -> str:
    """The slot of the template that has a value."""
    row = context.templates.extracted(context.pages.all()[0].id)
    assert row
    return next(
        f"1:{slot}"
        for slot, values in row.slots.items()
        if any(value in each for each in values)
    )


def fields(context: RunContext, place: int = 0) -> dict[str, Any]:
    """The fields of a record, whether it waits for a person or not."""
    record = list(context.records.all())[place]
    return dict(record.fields or record.pending or {})


def test_records_follow_a_name(context: RunContext) -> None:
    version = store_change(
        context,
        AnnotationChange(
            AnnotationAction.NAME, (slot_of(context, "Soup no. 1"),), "Title"
        ),
    )
    assert version == 1
    assert not records_are_current(context)
    assert update_records(context)
    assert records_are_current(context)
    assert [fields(context, place)["title"] for place in (0, 1)] == [
        "Soup no. 1",
        "Bread no. 2",
    ]
    assert len(list(context.records.all())) == 12


def test_a_type_makes_a_field_what_it_says(context: RunContext) -> None:
    slot = slot_of(context, "11 min")
    store_change(
        context, AnnotationChange(AnnotationAction.NAME, (slot,), "time", "duration")
    )
    update_records(context)
    assert fields(context)["time"] == 11
    store_change(
        context, AnnotationChange(AnnotationAction.NAME, (slot,), "time", "text")
    )
    update_records(context)
    assert "11 min" in fields(context)["time"]


def test_merged_slots_stand_in_the_order_of_the_page_and_split_again(
    context: RunContext,
) -> None:
    order = [DIRECTIONS, INGREDIENTS]
    store_change(
        context,
        AnnotationChange(
            AnnotationAction.NAME, (INGREDIENTS, DIRECTIONS), "text of it", "lines"
        ),
        order=order,
    )
    update_records(context)
    assert fields(context)["text_of_it"] == [
        "Stir the soup.",
        "Boil it 1 minutes.",
        "1 g oats",
        "2 ml milk",
    ]
    store_change(
        context, AnnotationChange(AnnotationAction.SPLIT, (DIRECTIONS,)), order=order
    )
    update_records(context)
    assert fields(context)["text_of_it"] == ["1 g oats", "2 ml milk"]


def test_ignored_slots_lose_their_name_and_are_never_accepted(
    context: RunContext,
) -> None:
    store_change(
        context, AnnotationChange(AnnotationAction.NAME, (INGREDIENTS,), "ingredients")
    )
    store_change(context, AnnotationChange(AnnotationAction.IGNORE, (INGREDIENTS,)))
    assert INGREDIENTS not in context.slot_fields
    collection = Collection(context.store, context.row)
    assert INGREDIENTS not in collection.accept_suggestions()
    store_change(context, AnnotationChange(AnnotationAction.UNIGNORE, (INGREDIENTS,)))
    assert collection.accept_suggestions()[INGREDIENTS] == "ingredients"


def test_accepting_never_changes_what_was_said(context: RunContext) -> None:
    store_change(
        context,
        AnnotationChange(AnnotationAction.NAME, (INGREDIENTS,), "shopping", "lines"),
    )
    collection = Collection(context.store, context.row)
    chosen = collection.accept_suggestions()
    assert INGREDIENTS not in chosen
    assert collection.annotation.names[INGREDIENTS] == ["shopping", "lines"]
    assert chosen[DIRECTIONS] == "instructions"


def test_undo_and_redo_go_through_all_that_was_said(context: RunContext) -> None:
    rows = context.annotations
    store_change(
        context, AnnotationChange(AnnotationAction.NAME, (INGREDIENTS,), "one", "lines")
    )
    store_change(
        context, AnnotationChange(AnnotationAction.NAME, (INGREDIENTS,), "two", "lines")
    )
    names = [dict(rows.latest().names)]
    names += [dict(rows.undo().names) for _ in range(2)]
    with pytest.raises(NotStored, match="nothing to undo"):
        rows.undo()
    names += [dict(rows.redo().names) for _ in range(2)]
    with pytest.raises(NotStored, match="nothing to redo"):
        rows.redo()
    one, two = {INGREDIENTS: ["one", "lines"]}, {INGREDIENTS: ["two", "lines"]}
    assert names == [two, one, {}, one, two]
    assert rows.latest().version == 6
    rows.undo()
    store_change(context, AnnotationChange(AnnotationAction.IGNORE, (DIRECTIONS,)))
    assert rows.latest().after is None
    assert [row.version for row in rows.history(3)] == [8, 7, 6]


def test_records_follow_an_undo(context: RunContext) -> None:
    store_change(
        context, AnnotationChange(AnnotationAction.NAME, (INGREDIENTS,), "ingredients")
    )
    update_records(context)
    assert "ingredients" in fields(context)
    context.annotations.undo()
    update_records(context)
    assert "ingredients" not in fields(context)


def test_what_somebody_else_changed_is_not_overwritten(context: RunContext) -> None:
    seen = context.annotations.latest().version
    store_change(
        context,
        AnnotationChange(AnnotationAction.NAME, (INGREDIENTS,), "ingredients"),
        seen,
    )
    with pytest.raises(Conflict, match="ingredients"):
        store_change(
            context,
            AnnotationChange(AnnotationAction.NAME, (INGREDIENTS,), "shopping"),
            seen,
        )
    with pytest.raises(Conflict):
        context.annotations.undo(seen)
    assert context.slot_fields[INGREDIENTS][0] == "ingredients"


def test_what_makes_no_schema_is_refused_before_it_is_said(context: RunContext) -> None:
    for change in (("record_id", ""), ("9", ""), ("weight", "quantity")):
        with pytest.raises(SchemaError):
            store_change(
                context,
                AnnotationChange(AnnotationAction.NAME, (INGREDIENTS,), *change),
            )
    for arguments in (
        ("shout", (INGREDIENTS,)),
        (AnnotationAction.NAME, ()),
        (AnnotationAction.NAME, (INGREDIENTS,), "a", "colour"),
    ):
        with pytest.raises(UsageError):
            AnnotationChange.from_request(*arguments)
    assert context.annotations.latest() == NOTHING


def test_a_preview_tells_what_would_change_and_changes_nothing(
    context: RunContext,
) -> None:
    store_change(
        context,
        AnnotationChange(
            AnnotationAction.NAME, (slot_of(context, "Soup no. 1"),), "title"
        ),
    )
    update_records(context)
    seen = preview(
        context, AnnotationChange(AnnotationAction.NAME, (INGREDIENTS,), "ingredients")
    )
    assert (seen.sampled, seen.total, seen.changed) == (12, 12, 12)
    assert seen.fields["ingredients"] == (0, 12)
    assert seen.differences[0].before["ingredients"] is None
    assert seen.differences[0].after["ingredients"] == ["1 g oats", "2 ml milk"]
    assert len(seen.differences) == 5
    assert "ingredients" not in fields(context)
    assert (
        preview(
            context,
            AnnotationChange(
                AnnotationAction.NAME, (slot_of(context, "Soup no. 1"),), "title"
            ),
        ).changed
        == 0
    )


def test_a_preview_of_a_slot_of_one_template_looks_at_its_pages(
    context: RunContext,
) -> None:
    run = context.runs.begin("pages").id
    add_pages(
        context,
        {
            f"{HOME}other/{number}": f"<h1>Other {number}</h1><p>{number}</p>"
            for number in range(3)
        },
        run,
        cluster=2,
    )
    assert (
        preview(
            context,
            AnnotationChange(
                AnnotationAction.NAME, (slot_of(context, "Soup no. 1"),), "title"
            ),
        ).total
        == 12
    )
    assert (
        preview(
            context,
            AnnotationChange(AnnotationAction.NAME, (INGREDIENTS,), "ingredients"),
        ).total
        == 15
    )


def test_what_a_kill_left_behind_is_finished(context: RunContext) -> None:
    store_change(
        context, AnnotationChange(AnnotationAction.NAME, (INGREDIENTS,), "ingredients")
    )
    again = RunContext(context.store, CollectionRows(context.store).get("oats"))
    assert not records_are_current(again)
    assert update_records(again)
    assert fields(again)["ingredients"] == ["1 g oats", "2 ml milk"]


def test_records_imported_with_old_names_are_imported_again(
    context: RunContext,
) -> None:
    store_change(
        context, AnnotationChange(AnnotationAction.NAME, (INGREDIENTS,), "ingredients")
    )
    for page in (
        context.pages.all()
    ):  # a run that began before has put records of the old names
        context.pages.set_stage([page.id], "done")
    update_records(context)
    assert "ingredients" in fields(context)


def test_pages_that_an_interrupted_run_has_yet_to_import_wait_for_it(
    context: RunContext,
) -> None:
    run = context.runs.begin("pages").id
    changed_page = recipe_page(1).replace("1 g oats", "9 g oats")
    add_pages(context, {f"{HOME}1": changed_page, f"{HOME}13": recipe_page(13)}, run)
    waiting = [
        page.id for page in context.pages.all() if page.url in (f"{HOME}1", f"{HOME}13")
    ]
    context.pages.set_stage(waiting, PageStage.EXTRACTED)

    store_change(
        context,
        AnnotationChange(AnnotationAction.NAME, (INGREDIENTS,), "shopping", "lines"),
    )
    assert update_records(context)
    assert [page.id for page in context.pages.in_stage(PageStage.EXTRACTED)] == waiting
    assert len(list(context.records.all())) == 12
    assert fields(context, 1)["shopping"] == ["2 g oats", "4 ml milk", "salt"]

    import_records(context)
    assert len(list(context.records.all())) == 13
    assert fields(context)["shopping"] == ["9 g oats", "2 ml milk"]


def test_a_gone_record_stays_gone_and_has_the_values_of_its_last_page(
    context: RunContext,
) -> None:
    first = next(iter(context.records.all()))
    context.records.mark_gone([first.key])
    gone = context.records.get(first.key)
    assert gone
    store_change(
        context,
        AnnotationChange(AnnotationAction.NAME, (INGREDIENTS,), "shopping", "lines"),
    )
    update_records(context)
    after = context.records.get(first.key)
    assert after
    assert (after.state, after.gone_at, after.seen_at) == (
        "gone",
        gone.gone_at,
        gone.seen_at,
    )
    assert fields(context)["shopping"] == ["1 g oats", "2 ml milk"]
    history = context.records.history(first.id)
    assert [version.change for version in history] == ["review", "gone", "corrected"]


def test_a_moved_record_is_not_doubled_by_its_old_page(context: RunContext) -> None:
    first = next(iter(context.records.all()))
    run = context.runs.begin("pages").id
    new_url = f"{HOME}new/1"
    add_pages(context, {new_url: recipe_page(1)}, run)
    context.records.move(first.key, url_key(new_url), new_url, run)
    context.pages.set_stage(
        [page.id for page in context.pages.all() if page.url == new_url],
        PageStage.EXTRACTED,
    )
    import_records(context)

    store_change(
        context,
        AnnotationChange(AnnotationAction.NAME, (INGREDIENTS,), "shopping", "lines"),
    )
    update_records(context)
    records = list(context.records.all())
    others = [f"{HOME}{number}" for number in range(2, 13)]
    assert [record.url for record in records] == [new_url, *others]
    assert records[0].moved_from == f"{HOME}1"
    assert fields(context)["shopping"] == ["1 g oats", "2 ml milk"]


def test_another_process_at_work_finishes_it(context: RunContext) -> None:
    store_change(
        context, AnnotationChange(AnnotationAction.NAME, (INGREDIENTS,), "ingredients")
    )
    assert context.collections.acquire_lease(context.row.id, "elsewhere/1/2", 60)
    assert not update_records(context)
    context.collections.release_lease(context.row.id, "elsewhere/1/2")
    assert update_records(context)


def test_names_from_before_are_kept(store: Store, context: RunContext) -> None:
    with store.writing() as connection:
        connection.execute(text("DROP TABLE collection_annotations"))
        connection.execute(text("DROP TABLE collection_styles"))
    context.collections.store_state(
        context.row.id, "names", {INGREDIENTS: ["ingredients", ""]}
    )
    from scythe.store.migrations import execute_step
    from scythe.store.migrations.step3_annotations import SQL

    settled = "ALTER TABLE collection_annotations ADD COLUMN settled BOOLEAN NOT NULL DEFAULT TRUE"
    with store.writing() as connection:
        execute_step(connection, SQL)
        execute_step(connection, settled)
    assert context.slot_fields == {INGREDIENTS: ["ingredients", ""]}
    assert context.annotations.latest().version == 1
    assert records_are_current(context)
    assert context.collections.load_state(context.row.id, "names") is None


def test_templates_are_told_the_names_of_their_slots(context: RunContext) -> None:
    stored = context.templates.latest(1)
    assert stored
    template = Template.from_json(stored.definition)
    slot = slot_of(context, "Soup no. 1").removeprefix("1:")
    annotate_template(
        template,
        1,
        {
            f"1:{slot}": ["title", ""],
            "2:s1": ["other", ""],
            INGREDIENTS: ["ingredients", ""],
        },
    )
    assert [each.name for each in template.slots if each.name] == ["title"]
    annotate_template(template, 1, {})
    template = Template.from_json(template.as_json())
    assert not any(each.name for each in template.slots)


def test_a_survey_knows_support_examples_labels_and_proposals(
    context: RunContext,
) -> None:
    found = survey_cluster(
        context, ExtractionRows(context.store, context.row.id).clusters()[0]
    )
    attributes = {
        attribute.slot: attribute for attribute in found.slots({}, context.schema)
    }
    assert attributes[INGREDIENTS].support == found.sampled == found.total == 12
    assert attributes[INGREDIENTS].max_values == 3
    assert len(attributes[INGREDIENTS].examples) == 3
    assert attributes[INGREDIENTS].suggestion == "ingredients"
    time = attributes[slot_of(context, "11 min")]
    assert time.label.startswith("Total time")
    assert time.suggestion == "total_time"
    title = attributes[slot_of(context, "Soup no. 1")]
    assert title.suggestion == "title"
    assert title.is_guess


def test_samples_are_spread_over_all_pages() -> None:
    assert evenly_spaced(range(5), 10) == [0, 1, 2, 3, 4]
    assert evenly_spaced(range(100), 4) == [0, 25, 50, 75]


def test_changes_are_told_in_words() -> None:
    words = AnnotationRow(1, "", {INGREDIENTS: ["a", "lines"]}, [])
    said = [
        apply_change(
            words,
            AnnotationChange(
                AnnotationAction.NAME, (INGREDIENTS,), "Prep time", "duration"
            ),
        ).what,
        apply_change(
            words, AnnotationChange(AnnotationAction.SPLIT, (INGREDIENTS,))
        ).what,
        apply_change(
            words,
            AnnotationChange(
                AnnotationAction.ACCEPT, ("1:s2",), accepted={"1:s2": ("title", "")}
            ),
        ).what,
    ]
    assert said == [
        'the section "ingredients" is prep_time (duration)',
        'the section "ingredients" without a name',
        "suggestions accepted: title",
    ]


def test_a_type_counts_for_all_slots_of_a_field() -> None:
    words = AnnotationRow(1, "", {INGREDIENTS: ["a", "text"]}, [])
    after = apply_change(
        words, AnnotationChange(AnnotationAction.NAME, (DIRECTIONS,), "a", "lines")
    )
    assert after.names == {INGREDIENTS: ["a", "lines"], DIRECTIONS: ["a", "lines"]}
    kept = apply_change(
        words, AnnotationChange(AnnotationAction.NAME, (DIRECTIONS,), "a")
    )
    assert kept.names[DIRECTIONS] == ["a", "text"]
