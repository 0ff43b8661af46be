"""Drafts: the values that records have by suggestions that nobody has accepted yet."""

from __future__ import annotations

from read_pages import read_collection
from scythe.collect.context import RunContext
from scythe.collect.fields.drafts import mark_drafts_applied, update_drafts
from scythe.collect.steps.importer import correct_records
from scythe.store import Store
from scythe.store.states import RecordState


def titles(context: RunContext) -> set[str]:
    """The titles of all records that have one."""
    keys = context.records.keys(*RecordState)
    found = [record.fields for record in context.records.with_keys(keys)]
    return {fields["title"] for fields in found if fields and "title" in fields}


def test_drafts_of_a_killed_run_reach_records_by_the_next(database: str) -> None:
    with Store.open(database) as store:
        killed = read_collection(store)
        assert update_drafts(killed)
        assert not titles(killed)

        resumed = RunContext(store, killed.row)
        assert update_drafts(resumed)
        correct_records(resumed)
        mark_drafts_applied(resumed)
        assert len(titles(resumed)) == 12
        assert not update_drafts(resumed)
