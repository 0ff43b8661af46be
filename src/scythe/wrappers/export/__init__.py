"""Wrappers for other programs: XPath, a Scrapy spider, an entry for SearXNG."""

from scythe.wrappers.export.searxng import searxng
from scythe.wrappers.export.spider import scrapy_spider
from scythe.wrappers.export.xpath import xpath

__all__ = ["scrapy_spider", "searxng", "xpath"]
