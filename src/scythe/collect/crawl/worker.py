"""What runs in the process that fetches pages; Scrapy is loaded there, and not where
the database is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from scythe.collect.crawl.job import CrawlOptions, Job


def serve(
    pipe: Any, jobs: Sequence[Job], options: CrawlOptions, robots: dict[str, bytes]
) -> None:
    """Fetch all jobs; see `spider.crawl`."""
    from scythe.collect.crawl.spider import crawl

    crawl(pipe, jobs, options, robots)
