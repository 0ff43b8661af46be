"""What the fork server loads once, so that every crawl starts at once. Scrapy starts no
thread and installs no reactor yet.
"""

import contextlib

with contextlib.suppress(ImportError):
    import scythe.collect.crawl.spider  # noqa: F401
