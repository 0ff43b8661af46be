"""Preprocess and import: values of named slots, joined with what index pages say, standardized, checked, and stored with
history.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scythe.collect.addresses import key, same_site
from scythe.collect.filtering import Preprocessed, preprocess
from scythe.collect.naming import named_values, values_of
from scythe.collect.schema import RecordSchema
from scythe.collect.work import Work
from scythe.store.pages import EXTRACTED_, PageRow
from scythe.store.records import NewRecord, Source
from scythe.store.templates import ExtractedRow

BATCH = 100


def record_url(page: PageRow) -> str:
    """Where the record of a page is: the address that the page led to, where that is of the same site."""
    final = page.final_url
    return final if final and same_site(final, page.url) else page.url


def read_record(work: Work, page: PageRow, row: ExtractedRow, schema: RecordSchema, names: Mapping[str, Any]) -> Preprocessed:
    """The record of a page in the form of its schema."""
    said = work.index_pages.records_of([page.url]).get(page.url, [])
    return preprocess(named_values(values_of(row, joined(said)), names, schema), schema, record_url(page))


def joined(said: Sequence[Mapping[str, Any]]) -> dict[str, list[str]]:
    """What index pages say of a page, the first that says something of a field counting."""
    found: dict[str, list[str]] = {}
    for fields in said:
        for name, value in fields.items():
            values = [str(each) for each in value] if isinstance(value, list) else [str(value)]
            found.setdefault(name, values)
    return found


def import_records(work: Work) -> int:
    """Import all pages that were read, in the order in which they were wanted; gives how many."""
    schema, names = work.schema, work.names
    done = 0
    while batch := work.pages.at(EXTRACTED_, BATCH):
        records = []
        for page in batch:
            row = work.templates.extracted(page.id)
            if row is None:
                work.pages.move_on([page.id], "classified")
                continue
            made = read_record(work, page, row, schema, names)
            source = Source(page.id, row.body_hash, row.cluster, row.version)
            url = record_url(page)
            records.append(NewRecord(key(url), url, made.fields, source, made.reasons, made.remarks))
        work.records.put(records, work.run or None)
        done += len(batch)
        work.report("imported", done, 0)
    return done
