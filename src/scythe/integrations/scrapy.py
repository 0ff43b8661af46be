"""Scrapy: a spider that a wrapper or template file drives, and pipelines that add the
content of pages to items, or give the pages to a collection.

All read the body of a response, whoever downloaded it: responses of scrapy-playwright
are read as they are.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Self

from itemadapter import ItemAdapter
from scrapy import Spider
from scrapy.crawler import Crawler
from scrapy.http import Request, Response, TextResponse

from scythe.collect.collection import Collection
from scythe.collect.facade.pages import GivenPage
from scythe.content.extract import extract
from scythe.errors import UsageError
from scythe.templates.template.template import Template
from scythe.wrappers.wrapper import Wrapper

BATCH_SIZE = 100
"""Pages that are given to a collection at once: a bound on memory, not tuned."""


def page_of(response: Response) -> bytes | str:
    """Return the page of a response: as text where something beside the page says how
    to read it, its headers or scrapy-playwright; else the bytes, whose charset Scythe
    finds.
    """
    if not isinstance(response, TextResponse):
        return response.body
    header = response.headers.get("Content-Type") or b""
    is_known = b"charset" in header.lower() or "playwright" in response.flags
    return response.text if is_known else response.body


class ScytheSpider(Spider):
    """Yields the records of list pages by a wrapper, following the next pages, or the
    record of each page by a template.

    `scrapy crawl scythe -a wrapper=engine.json -a url=https://site.example/?q=hay`

    With `-a follow=yes` the page of each record is requested, too, and its item has the
    page in `html`, as the pipelines below take it.
    """

    name = "scythe"

    def __init__(
        self,
        wrapper: str = "",
        template: str = "",
        url: str = "",
        pages: str = "1",
        follow: str = "",
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        if bool(wrapper) == bool(template):
            raise UsageError(
                "The spider reads pages by one file. "
                "Give it a wrapper or a template: -a wrapper=FILE or -a template=FILE."
            )
        self._wrapper = Wrapper.load(wrapper) if wrapper else None
        self._template = Template.load(template) if template else None
        self._pages = int(pages)
        self._follows = bool(follow)
        if url:
            self.start_urls = url.split()

    def parse(
        self, response: Response, page: int = 1, **kwargs: Any
    ) -> Iterator[dict[str, Any] | Request]:
        """Yield the records of a page, and the request of the next one."""
        html = page_of(response)
        if self._template is not None:
            fields = self._template.record((html, response.url))
            yield {"url": response.url, **fields}
        if self._wrapper is None:
            return
        records = self._wrapper.extract(html, response.url)
        for record in records:
            item = {"link": record.link, **record.fields}
            if self._follows and record.link:
                arguments = {"item": item}
                yield response.follow(
                    record.link, self.parse_record, cb_kwargs=arguments
                )
            else:
                yield item
        if page < self._pages and records.next_page:
            next_number = {"page": page + 1}
            yield response.follow(records.next_page, cb_kwargs=next_number)

    def parse_record(
        self, response: Response, item: dict[str, Any]
    ) -> Iterator[dict[str, Any]]:
        """Yield the record that led to a page, with the page."""
        yield {**item, "url": response.url, "html": page_of(response)}


class ContentPipeline:
    """Adds title, author, date, text and Markdown of the page to items that have its
    HTML in `html` (the setting `SCYTHE_HTML_FIELD` names another field).
    """

    def __init__(self, html_field: str = "html") -> None:
        self._html_field = html_field

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Return the pipeline as the settings ask for it."""
        return cls(crawler.settings.get("SCYTHE_HTML_FIELD", "html"))

    def process_item(self, item: Any) -> Any:
        """Return the item with the content of its page; values that it has stay."""
        adapter = ItemAdapter(item)
        html = adapter.get(self._html_field)
        if not html:
            return item
        document = extract(html, adapter.get("url"))
        values = {
            "title": document.title,
            "author": document.author,
            "date": document.date,
            "text": document.text,
            "markdown": document.markdown,
            "status": str(document.status),
        }
        for name, value in values.items():
            if not adapter.get(name):
                adapter[name] = value
        return item


class CollectionPipeline:
    """Gives the pages of items, in `html` with their address in `url`, to a collection
    as records, which its next run reads. The setting `SCYTHE_COLLECTION` names it,
    `SCYTHE_DB` its database.
    """

    def __init__(self, name: str, db: str | None = None) -> None:
        self._collection = Collection.open(name, db=db)
        self._pages: list[GivenPage] = []

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Return the pipeline as the settings ask for it."""
        name = crawler.settings.get("SCYTHE_COLLECTION")
        if not name:
            raise UsageError(
                "No collection is named that pages go to. Add one with "
                "`scythe collect add`, and name it in the setting SCYTHE_COLLECTION."
            )
        return cls(name, crawler.settings.get("SCYTHE_DB"))

    def process_item(self, item: Any) -> Any:
        """Take the page of an item; the item stays as it is."""
        adapter = ItemAdapter(item)
        html = adapter.get("html")
        url = adapter.get("url")
        if html and url:
            if isinstance(html, str):
                page = GivenPage(url, html.encode(), "utf-8")
            else:
                page = GivenPage(url, html)
            self._pages.append(page)
        if len(self._pages) >= BATCH_SIZE:
            self._store()
        return item

    def close_spider(self) -> None:
        """Store what is left."""
        self._store()
        self._collection.close()

    def _store(self) -> None:
        self._collection.add_pages(self._pages)
        self._pages = []
