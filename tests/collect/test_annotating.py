"""What operators say about attributes: kept with its history, checked, previewed, undone, and followed by all records."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import text

from read_pages import HOME, add_pages, read_collection, recipe_page
from scythe.collect.addresses import key
from scythe.collect.annotating import ACCEPT, IGNORE, NAME, NOTICE, SPLIT, Change, changed, finish, is_finished, preview, say
from scythe.collect.collection import Collection
from scythe.collect.importing import import_records
from scythe.collect.naming import tell_names
from scythe.collect.schema import SchemaError
from scythe.collect.survey import survey
from scythe.collect.work import Work
from scythe.errors import Conflict, NotStored, UsageError
from scythe.store import Store
from scythe.store.annotations import NOTHING, AnnotationRow
from scythe.store.collections import CollectionRows
from scythe.store.examples import ExampleRows, spread
from scythe.store.pages import EXTRACTED_
from scythe.templates.template import Template

INGREDIENTS, DIRECTIONS = "section:ingredients", "section:directions"


@pytest.fixture
def work(store: Store) -> Work:
    return read_collection(store)


def slot_of(work: Work, value: str) -> str:
    """The slot of the template that has a value."""
    row = work.templates.extracted(work.pages.all()[0].id)
    assert row
    return next(f"1:{slot}" for slot, values in row.slots.items() if any(value in each for each in values))


def fields(work: Work, place: int = 0) -> dict[str, Any]:
    """The fields of a record, whether it waits for a person or not."""
    record = list(work.records.all())[place]
    return dict(record.fields or record.pending or {})


def test_records_follow_a_name(work: Work) -> None:
    version = say(work, Change(NAME, (slot_of(work, "Soup no. 1"),), "Title"))
    assert version == 1
    assert not is_finished(work)
    assert finish(work)
    assert is_finished(work)
    assert [fields(work, place)["title"] for place in (0, 1)] == ["Soup no. 1", "Bread no. 2"]
    assert len(list(work.records.all())) == 12


def test_a_type_makes_a_field_what_it_says(work: Work) -> None:
    slot = slot_of(work, "11 min")
    say(work, Change(NAME, (slot,), "time", "duration"))
    finish(work)
    assert fields(work)["time"] == 11
    say(work, Change(NAME, (slot,), "time", "text"))
    finish(work)
    assert "11 min" in fields(work)["time"]


def test_merged_slots_stand_in_the_order_of_the_page_and_split_again(work: Work) -> None:
    order = [DIRECTIONS, INGREDIENTS]
    say(work, Change(NAME, (INGREDIENTS, DIRECTIONS), "text of it", "lines"), order=order)
    finish(work)
    assert fields(work)["text_of_it"] == ["Stir the soup.", "Boil it 1 minutes.", "1 g oats", "2 ml milk"]
    say(work, Change(SPLIT, (DIRECTIONS,)), order=order)
    finish(work)
    assert fields(work)["text_of_it"] == ["1 g oats", "2 ml milk"]


def test_ignored_slots_lose_their_name_and_are_never_accepted(work: Work) -> None:
    say(work, Change(NAME, (INGREDIENTS,), "ingredients"))
    say(work, Change(IGNORE, (INGREDIENTS,)))
    assert INGREDIENTS not in work.names
    collection = Collection(work.store, work.row)
    assert INGREDIENTS not in collection.accept()
    say(work, Change(NOTICE, (INGREDIENTS,)))
    assert collection.accept()[INGREDIENTS] == "ingredients"


def test_accepting_never_changes_what_was_said(work: Work) -> None:
    say(work, Change(NAME, (INGREDIENTS,), "shopping", "lines"))
    collection = Collection(work.store, work.row)
    chosen = collection.accept()
    assert INGREDIENTS not in chosen
    assert collection.words.names[INGREDIENTS] == ["shopping", "lines"]
    assert chosen[DIRECTIONS] == "instructions"


def test_undo_and_redo_go_through_all_that_was_said(work: Work) -> None:
    rows = work.annotations
    say(work, Change(NAME, (INGREDIENTS,), "one", "lines"))
    say(work, Change(NAME, (INGREDIENTS,), "two", "lines"))
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
    say(work, Change(IGNORE, (DIRECTIONS,)))
    assert rows.latest().after is None
    assert [row.version for row in rows.history(3)] == [8, 7, 6]


def test_records_follow_an_undo(work: Work) -> None:
    say(work, Change(NAME, (INGREDIENTS,), "ingredients"))
    finish(work)
    assert "ingredients" in fields(work)
    work.annotations.undo()
    finish(work)
    assert "ingredients" not in fields(work)


def test_what_somebody_else_changed_is_not_overwritten(work: Work) -> None:
    seen = work.annotations.latest().version
    say(work, Change(NAME, (INGREDIENTS,), "ingredients"), seen)
    with pytest.raises(Conflict, match="ingredients"):
        say(work, Change(NAME, (INGREDIENTS,), "shopping"), seen)
    with pytest.raises(Conflict):
        work.annotations.undo(seen)
    assert work.names[INGREDIENTS][0] == "ingredients"


def test_what_makes_no_schema_is_refused_before_it_is_said(work: Work) -> None:
    for change in (("record_id", ""), ("9", ""), ("weight", "quantity")):
        with pytest.raises(SchemaError):
            say(work, Change(NAME, (INGREDIENTS,), *change))
    for arguments in (("shout", (INGREDIENTS,)), (NAME, ()), (NAME, (INGREDIENTS,), "a", "colour")):
        with pytest.raises(UsageError):
            Change(*arguments)
    assert work.annotations.latest() == NOTHING


def test_a_preview_tells_what_would_change_and_changes_nothing(work: Work) -> None:
    say(work, Change(NAME, (slot_of(work, "Soup no. 1"),), "title"))
    finish(work)
    seen = preview(work, Change(NAME, (INGREDIENTS,), "ingredients"))
    assert (seen.looked, seen.total, seen.changed) == (12, 12, 12)
    assert seen.fields["ingredients"] == (0, 12)
    assert seen.differences[0].before["ingredients"] is None
    assert seen.differences[0].after["ingredients"] == ["1 g oats", "2 ml milk"]
    assert len(seen.differences) == 5
    assert "ingredients" not in fields(work)
    assert preview(work, Change(NAME, (slot_of(work, "Soup no. 1"),), "title")).changed == 0


def test_a_preview_of_a_slot_of_one_template_looks_at_its_pages(work: Work) -> None:
    run = work.runs.begin("pages").id
    add_pages(work, {f"{HOME}other/{number}": f"<h1>Other {number}</h1><p>{number}</p>" for number in range(3)}, run, cluster=2)
    assert preview(work, Change(NAME, (slot_of(work, "Soup no. 1"),), "title")).total == 12
    assert preview(work, Change(NAME, (INGREDIENTS,), "ingredients")).total == 15


def test_what_a_kill_left_behind_is_finished(work: Work) -> None:
    say(work, Change(NAME, (INGREDIENTS,), "ingredients"))
    again = Work(work.store, CollectionRows(work.store).get("oats"))
    assert not is_finished(again)
    assert finish(again)
    assert fields(again)["ingredients"] == ["1 g oats", "2 ml milk"]


def test_records_imported_with_old_names_are_imported_again(work: Work) -> None:
    say(work, Change(NAME, (INGREDIENTS,), "ingredients"))
    for page in work.pages.all():  # a run that began before has put records of the old names
        work.pages.move_on([page.id], "done")
    finish(work)
    assert "ingredients" in fields(work)


def test_pages_that_an_interrupted_run_has_yet_to_import_wait_for_it(work: Work) -> None:
    run = work.runs.begin("pages").id
    changed_page = recipe_page(1).replace("1 g oats", "9 g oats")
    add_pages(work, {f"{HOME}1": changed_page, f"{HOME}13": recipe_page(13)}, run)
    waiting = [page.id for page in work.pages.all() if page.url in (f"{HOME}1", f"{HOME}13")]
    work.pages.move_on(waiting, EXTRACTED_)

    say(work, Change(NAME, (INGREDIENTS,), "shopping", "lines"))
    assert finish(work)
    assert [page.id for page in work.pages.at(EXTRACTED_)] == waiting
    assert len(list(work.records.all())) == 12
    assert fields(work, 1)["shopping"] == ["2 g oats", "4 ml milk", "salt"]

    import_records(work)
    assert len(list(work.records.all())) == 13
    assert fields(work)["shopping"] == ["9 g oats", "2 ml milk"]


def test_a_gone_record_stays_gone_and_has_the_values_of_its_last_page(work: Work) -> None:
    first = next(iter(work.records.all()))
    work.records.lose([first.key])
    gone = work.records.get(first.key)
    assert gone
    say(work, Change(NAME, (INGREDIENTS,), "shopping", "lines"))
    finish(work)
    after = work.records.get(first.key)
    assert after
    assert (after.state, after.gone_at, after.seen_at) == ("gone", gone.gone_at, gone.seen_at)
    assert fields(work)["shopping"] == ["1 g oats", "2 ml milk"]
    history = work.records.history(first.id)
    assert [version.change for version in history] == ["review", "gone", "corrected"]


def test_a_moved_record_is_not_doubled_by_its_old_page(work: Work) -> None:
    first = next(iter(work.records.all()))
    run = work.runs.begin("pages").id
    new_url = f"{HOME}new/1"
    add_pages(work, {new_url: recipe_page(1)}, run)
    work.records.move(first.key, key(new_url), new_url, run)
    work.pages.move_on([page.id for page in work.pages.all() if page.url == new_url], EXTRACTED_)
    import_records(work)

    say(work, Change(NAME, (INGREDIENTS,), "shopping", "lines"))
    finish(work)
    records = list(work.records.all())
    others = [f"{HOME}{number}" for number in range(2, 13)]
    assert [record.url for record in records] == [new_url, *others]
    assert records[0].moved_from == f"{HOME}1"
    assert fields(work)["shopping"] == ["1 g oats", "2 ml milk"]


def test_another_process_at_work_finishes_it(work: Work) -> None:
    say(work, Change(NAME, (INGREDIENTS,), "ingredients"))
    assert work.collections.hold(work.row.id, "elsewhere/1/2", 60)
    assert not finish(work)
    work.collections.release(work.row.id, "elsewhere/1/2")
    assert finish(work)


def test_names_from_before_are_kept(store: Store, work: Work) -> None:
    with store.writing() as connection:
        connection.execute(text("DROP TABLE collection_annotations"))
        connection.execute(text("DROP TABLE collection_styles"))
    work.remember("names", {INGREDIENTS: ["ingredients", ""]})
    from scythe.store.migrations import _run
    from scythe.store.migrations.step3_annotations import SQL

    with store.writing() as connection:
        _run(connection, SQL)
    assert work.names == {INGREDIENTS: ["ingredients", ""]}
    assert work.annotations.latest().version == 1
    assert is_finished(work)
    assert work.remembered("names") is None


def test_templates_are_told_the_names_of_their_slots(work: Work) -> None:
    stored = work.templates.latest(1)
    assert stored
    template = Template.from_json(stored.definition)
    slot = slot_of(work, "Soup no. 1").removeprefix("1:")
    tell_names(template, 1, {f"1:{slot}": ["title", ""], "2:s1": ["other", ""], INGREDIENTS: ["ingredients", ""]})
    assert [each.name for each in template.slots if each.name] == ["title"]
    tell_names(template, 1, {})
    template = Template.from_json(template.as_json())
    assert not any(each.name for each in template.slots)


def test_a_survey_knows_support_examples_labels_and_proposals(work: Work) -> None:
    found = survey(work, ExampleRows(work.store, work.row.id).clusters()[0])
    attributes = {attribute.slot: attribute for attribute in found.attributes({}, work.schema)}
    assert attributes[INGREDIENTS].support == found.looked == found.total == 12
    assert attributes[INGREDIENTS].most == 3
    assert len(attributes[INGREDIENTS].examples) == 3
    assert attributes[INGREDIENTS].proposal == "ingredients"
    time = attributes[slot_of(work, "11 min")]
    assert time.label.startswith("Total time")
    assert time.proposal == "total_time"
    title = attributes[slot_of(work, "Soup no. 1")]
    assert title.proposal == "title"
    assert title.by_looks


def test_samples_are_spread_over_all_pages() -> None:
    assert spread(range(5), 10) == [0, 1, 2, 3, 4]
    assert spread(range(100), 4) == [0, 25, 50, 75]


def test_changes_are_told_in_words() -> None:
    words = AnnotationRow(1, "", {INGREDIENTS: ["a", "lines"]}, [])
    said = [
        changed(words, Change(NAME, (INGREDIENTS,), "Prep time", "duration")).what,
        changed(words, Change(SPLIT, (INGREDIENTS,))).what,
        changed(words, Change(ACCEPT, ("1:s2",), names={"1:s2": ("title", "")})).what,
    ]
    assert said == [
        'the section "ingredients" is prep_time (duration)',
        'the section "ingredients" without a name',
        "proposals taken: title",
    ]


def test_a_type_counts_for_all_slots_of_a_field() -> None:
    words = AnnotationRow(1, "", {INGREDIENTS: ["a", "text"]}, [])
    after = changed(words, Change(NAME, (DIRECTIONS,), "a", "lines"))
    assert after.names == {INGREDIENTS: ["a", "lines"], DIRECTIONS: ["a", "lines"]}
    kept = changed(words, Change(NAME, (DIRECTIONS,), "a"))
    assert kept.names[DIRECTIONS] == ["a", "text"]
