"""A crawl's worth of pages: WARC files, Parquet tables, JSONL files, folders and lists
in, one table out.
"""

from scythe.bulk.page import CrawlPage, Failure
from scythe.bulk.reading.slices import Reading
from scythe.bulk.run import BulkOptions, Summary, run
from scythe.bulk.sites.site_pages import SiteTemplates
from scythe.bulk.workers.extraction import (
    Documents,
    ListRecords,
    TemplateRecords,
    WrapperRecords,
    extract_page,
    page_rows,
)
from scythe.bulk.workers.worker import Budget

__all__ = [
    "Budget",
    "BulkOptions",
    "CrawlPage",
    "Documents",
    "Failure",
    "ListRecords",
    "Reading",
    "SiteTemplates",
    "Summary",
    "TemplateRecords",
    "WrapperRecords",
    "extract_page",
    "page_rows",
    "run",
]
