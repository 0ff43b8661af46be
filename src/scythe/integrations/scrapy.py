"""Scrapy: a spider that a wrapper or template file drives, and a pipeline that adds the
content of pages to items.

Both read the body of a response, whoever downloaded it: responses of scrapy-playwright
are read as they are.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Self

from itemadapter import ItemAdapter
from scrapy import Spider
from scrapy.crawler import Crawler
from scrapy.http import Request, Response

from scythe.content.extract import extract
from scythe.errors import UsageError
from scythe.templates.template.template import Template
from scythe.wrappers.wrapper import Wrapper


class ScytheSpider(Spider):
    """Yields the records of list pages by a wrapper, following the next pages, or the
    record of each page by a template.

    `scrapy crawl scythe -a wrapper=engine.json -a url=https://site.example/?q=hay`
    """

    name = "scythe"

    def __init__(
        self,
        wrapper: str = "",
        template: str = "",
        url: str = "",
        pages: str = "1",
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
        if url:
            self.start_urls = url.split()

    def parse(
        self, response: Response, page: int = 1, **kwargs: Any
    ) -> Iterator[dict[str, Any] | Request]:
        """Yield the records of a page, and the request of the next one."""
        if self._template is not None:
            fields = self._template.record((response.body, response.url))
            yield {"url": response.url, **fields}
        if self._wrapper is None:
            return
        records = self._wrapper.extract(response.body, response.url)
        for record in records:
            yield {"link": record.link, **record.fields}
        if page < self._pages and records.next_page:
            yield response.follow(records.next_page, cb_kwargs={"page": page + 1})


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
