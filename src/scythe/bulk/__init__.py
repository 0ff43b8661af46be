"""A crawl's worth of pages: WARC files, Parquet tables, JSONL files, folders and lists
in, one table out.
"""

from scythe.bulk.page import CrawlPage, Failure
from scythe.bulk.reading.partitions import InputOptions
from scythe.bulk.rows import iterate_rows
from scythe.bulk.run import BulkOptions, ProgressCallback, Summary, run
from scythe.bulk.sites.extraction import SiteExtraction, SiteTemplates
from scythe.bulk.workers.extraction import (
    Documents,
    ListRecords,
    PageExtraction,
    TemplateRecords,
    WrapperRecords,
    extract_page,
    page_rows,
)
from scythe.bulk.workers.supervisor import Progress
from scythe.bulk.workers.tasks import Budget

__all__ = [
    "Budget",
    "BulkOptions",
    "CrawlPage",
    "Documents",
    "Failure",
    "InputOptions",
    "ListRecords",
    "PageExtraction",
    "Progress",
    "ProgressCallback",
    "SiteExtraction",
    "SiteTemplates",
    "Summary",
    "TemplateRecords",
    "WrapperRecords",
    "extract_page",
    "iterate_rows",
    "page_rows",
    "run",
]
