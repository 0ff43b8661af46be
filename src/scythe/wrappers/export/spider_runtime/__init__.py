"""What an exported spider does with a page, as plain functions over lxml elements.

`spider.py` copies their source into the spiders that need them, so that what a user
runs without Scythe is what the tests here have run. They know nothing but each other
and the constants listed here.

A record is a list of its elements and of the text between them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from scythe.wrappers.export.spider_runtime import paging, records, values

RuntimeFunction = Callable[..., Any]

READING: tuple[RuntimeFunction, ...] = (
    values.record_text,
    values.line_text,
    values.whole_text,
    values.text_before,
    values.text_run,
    values.image_source,
    values.base_url,
    values.field_value,
    values.record_root,
    values.read_fields,
    values.first_link,
    paging.next_link,
    paging.links_outside,
    paging.is_active,
    paging.link_classes,
    paging.is_next,
    paging.next_number,
    paging.numbers_around,
)
"""What every spider needs."""

CUTTING_RUNS: tuple[RuntimeFunction, ...] = (records.sibling_runs,)
"""What spiders of records that are runs of elements need."""

CUTTING_SEPARATED: tuple[RuntimeFunction, ...] = (
    records.child_elements,
    records.add_table_bodies,
    records.follow,
    records.structure,
    records.cut_at_separators,
    records.without_heading,
    records.has_text,
    records.separated_records,
)
"""What spiders of separated records need."""

CONSTANTS: dict[str, list[str]] = {
    "NO_RECORD_TEXT": values.NO_RECORD_TEXT,
    "LINE_BREAKING": values.LINE_BREAKING,
    "WITHIN_WORDS": values.WITHIN_WORDS,
    "NO_VALUE": values.NO_VALUE,
    "FORMATTING": values.FORMATTING,
    "SHORTENED": values.SHORTENED,
    "IMAGE_SOURCES": values.IMAGE_SOURCES,
    "SKIPPED": records.SKIPPED,
    "NEXT_WORDS": paging.NEXT_WORDS,
}
"""What the functions know besides each other, as plain lists that can be written down."""
