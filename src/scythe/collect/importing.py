"""Preprocess and import: values of named slots, joined with what index pages say, standardized, checked, and stored with
history.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from scythe.collect.addresses import key, same_site
from scythe.collect.filtering import Preprocessed, preprocess
from scythe.collect.naming import named_values, values_of
from scythe.collect.work import Work
from scythe.store.examples import ExampleRows
from scythe.store.pages import CLASSIFIED, EXTRACTED_, PageRow
from scythe.store.records import GONE, OK, REVIEW, NewRecord, Source
from scythe.store.statements import batches
from scythe.store.templates import ExtractedRow

BATCH = 250
"""Records of one step."""


def record_url(page: PageRow) -> str:
    """Where the record of a page is: the address that the page led to, where that is of the same site."""
    final = page.final_url
    return final if final and same_site(final, page.url) else page.url


def read_records(work: Work, pages: Sequence[PageRow]) -> Iterator[tuple[PageRow, ExtractedRow, Preprocessed]]:
    """The records of pages in the form of their schema, of pages that were read."""
    schema, names = work.schema, work.names
    rows = work.templates.extracted_from(page.id for page in pages)
    said = work.index_pages.records_of(page.url for page in pages)
    for page in pages:
        if row := rows.get(page.id):
            values = values_of(row, joined(said.get(page.url, [])))
            yield page, row, preprocess(named_values(values, names, schema), schema, record_url(page))


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
    done = 0
    while batch := work.pages.at(EXTRACTED_, BATCH):
        records = []
        for page, row, made in read_records(work, batch):
            url = record_url(page)
            records.append(_new_record(key(url), url, row, made))
        with work.store.writing():
            work.records.put(records, work.run or None)
            work.pages.move_on({page.id for page in batch} - {record.source.page_id for record in records}, CLASSIFIED)
        done += len(batch)
        work.report("imported", done, 0)
    return done


def correct_records(work: Work) -> int:
    """Give all records the values that slots have by the names of now; gives how many records.

    Values come from what was read last from the page of each record. No page is imported: an old
    address, a gone page, and one that an interrupted run has yet to import stay what they are.
    """
    schema, names = work.schema, work.names
    examples = ExampleRows(work.store, work.row.id)
    done = 0
    for keys in batches(list(work.records.keys(OK, REVIEW, GONE)), BATCH):
        records = list(work.records.some(keys))
        pages = [record.page_id for record in records if record.page_id is not None]
        read = {page.row.page_id: page for page in examples.read(pages)}
        said = work.index_pages.records_of(page.url for page in read.values())

        corrected = []
        for record in records:
            page = read.get(record.page_id or 0)
            if page is None:
                continue
            values = values_of(page.row, joined(said.get(page.url, [])))
            made = preprocess(named_values(values, names, schema), schema, record.url)
            corrected.append(_new_record(record.key, record.url, page.row, made))

        work.records.correct(corrected)
        done += len(records)
        work.report("imported", done, 0)
    return done


def _new_record(key: str, url: str, row: ExtractedRow, made: Preprocessed) -> NewRecord:
    """A record as it is stored, with where it comes from."""
    source = Source(row.page_id, row.body_hash, row.cluster, row.version)
    return NewRecord(key, url, made.fields, source, made.reasons, made.remarks)
