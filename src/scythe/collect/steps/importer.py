"""The importer: values of annotated slots, joined with what index pages say, are
standardized, checked, and stored as records with history.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from scythe.collect.context import RunContext
from scythe.collect.records.field_values import field_values, slot_values
from scythe.collect.records.preprocessor import PreprocessedRecord, preprocess
from scythe.store.collections.extractions import ExtractedPage
from scythe.store.collections.pages import PageRow
from scythe.store.collections.records import NewRecord, RecordSource
from scythe.store.collections.templates import ExtractedRow
from scythe.store.statements import batches
from scythe.store.states import PageStage, RecordState
from scythe.urls import same_site, url_key

BATCH_SIZE = 250
"""Records of one transaction. Not tuned."""


def record_url(page: PageRow | ExtractedPage) -> str:
    """Return where the record of a page is: the address that the page led to, where
    that is of the same site.
    """
    final = page.final_url
    return final if final and same_site(final, page.url) else page.url


def fetch_time(page: PageRow) -> float:
    """Return when a page was fetched, for the order of pages that lead to one record."""
    return page.fetched_at.timestamp() if page.fetched_at else 0.0


def preprocess_pages(
    context: RunContext, pages: Sequence[PageRow]
) -> Iterator[tuple[PageRow, ExtractedRow, PreprocessedRecord]]:
    """Yield the records of extracted pages in the form of their schema."""
    schema, slot_fields = context.schema, context.slot_fields
    page_ids = [page.id for page in pages]
    urls = [page.url for page in pages]
    rows = context.templates.extracted_from(page_ids)
    listed = context.index_pages.records_of(urls)
    for page in pages:
        row = rows.get(page.id)
        if row is not None:
            index_values = merge_index_values(listed.get(page.url, []))
            values = slot_values(row, index_values)
            raw = field_values(values, slot_fields, schema)
            yield page, row, preprocess(raw, schema, record_url(page))


def merge_index_values(records: Sequence[Mapping[str, Any]]) -> dict[str, list[str]]:
    """Return what index pages say of a page, the first that says something of a field
    counting.
    """
    merged: dict[str, list[str]] = {}
    for fields in records:
        for name, value in fields.items():
            values = value if isinstance(value, list) else [value]
            merged.setdefault(name, list(map(str, values)))
    return merged


def import_records(context: RunContext) -> set[str]:
    """Store the records of all extracted pages, in the order in which these were
    enqueued; return the keys of the records.
    """
    done = 0
    imported: set[str] = set()
    while batch := context.pages.in_stage(PageStage.EXTRACTED, BATCH_SIZE):
        stored = _store_records(context, batch)
        imported.update(stored)
        done += len(batch)
        context.tracker.add("imported", records=len(stored))
        context.progress("imported", done, 0)
    return imported


def import_known_records(context: RunContext) -> int:
    """Store what was extracted anew from pages of known records, so that these pages
    can be asked for again; return how many.
    """
    done = 0
    for batch in context.pages.batches_in_stage(PageStage.EXTRACTED):
        keys = {page.id: url_key(record_url(page)) for page in batch}
        known_records = context.records.with_keys(keys.values())
        known = {row.key for row in known_records}
        pages = [page for page in batch if keys[page.id] in known]
        done += len(_store_records(context, pages))
    return done


def _store_records(context: RunContext, pages: Sequence[PageRow]) -> list[str]:
    """Store the records of extracted pages; return their keys.

    A page that is gone was read again from its snapshot, because its template has
    learned something. That says nothing of the site: the values of a record follow, but
    none comes back, and none is added. Of several pages that lead to one record the one
    that was fetched last counts.
    """
    is_draft = context.makes_drafts
    found: list[NewRecord] = []
    old: dict[int, NewRecord] = {}
    unread = {page.id for page in pages}
    latest: dict[str, PageRow] = {}
    for page in sorted(pages, key=fetch_time):
        key = url_key(record_url(page))
        latest[key] = page
    for page, row, preprocessed in preprocess_pages(context, pages):
        url = record_url(page)
        key = url_key(url)
        record = _new_record(key, url, row, preprocessed, draft=is_draft)
        unread.discard(page.id)
        is_latest = latest[record.key] is page
        if is_latest and page.gone_at is None:
            found.append(record)
        else:
            old[page.id] = record
    with context.store.writing():
        context.records.store(found, context.run or None)
        context.records.correct(old.values())
        context.pages.set_stage(old, PageStage.DONE)
        context.pages.set_stage(unread, PageStage.CLASSIFIED)
    return [record.key for record in found]


def correct_records(context: RunContext, without: Collection[str] = ()) -> int:
    """Give all records the values that slots have by the latest annotation, but those
    that are known to have them; return how many records.

    Values come from what was extracted last from the page of each record. No page is
    imported: an old address, a gone page, and one that an interrupted run has yet to
    import stay what they are.
    """
    done = 0
    all_keys = context.records.keys(*RecordState)
    others = [key for key in all_keys if key not in without]
    for keys in batches(others, BATCH_SIZE):
        context.records.correct(read_records(context, keys))
        done += len(keys)
        context.progress("imported", done, 0)
    return done


def read_records(context: RunContext, keys: Sequence[str]) -> list[NewRecord]:
    """Return what the pages of known records say by the latest annotation, as far as
    they were read.
    """
    schema, slot_fields = context.schema, context.slot_fields
    is_draft = context.makes_drafts
    records = list(context.records.with_keys(keys))
    page_ids = [record.page_id for record in records if record.page_id is not None]
    pages = context.extractions.read(page_ids)
    extracted = {page.row.page_id: page for page in pages}
    listed = context.index_pages.records_of([page.url for page in pages])

    readings = []
    for record in records:
        page = extracted.get(record.page_id or 0)
        if page is None:
            continue
        from_index = merge_index_values(listed.get(page.url, []))
        values = slot_values(page.row, from_index)
        raw = field_values(values, slot_fields, schema)
        preprocessed = preprocess(raw, schema, record.url)
        reading = _new_record(
            record.key, record.url, page.row, preprocessed, draft=is_draft
        )
        readings.append(reading)
    return readings


def _new_record(
    key: str,
    url: str,
    row: ExtractedRow,
    preprocessed: PreprocessedRecord,
    *,
    draft: bool,
) -> NewRecord:
    """Return a record as it is stored, with where it comes from."""
    return NewRecord(
        key,
        url,
        preprocessed.fields,
        RecordSource(row.page_id, row.body_hash, row.cluster, row.version),
        preprocessed.reasons,
        preprocessed.remarks,
        draft,
    )
