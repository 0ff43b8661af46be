"""Exports: whether the exported spider and XPath give the records of the wrapper on
pages it was not learned from.

python -m benchmarks.exports [DATA]

The spiders are Scrapy's, run in this process on saved responses;
`tests/e2e/test_export_scrapy.py` runs Scrapy itself.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from benchmarks.common import arguments, report, table
from benchmarks.record_sets import RecordPage, record_sets
from scythe.errors import UsageError
from scythe.sections.record import ListPage
from scythe.tree import parse
from scythe.tree.encoding import page_text
from scythe.tree.parse import DEFAULT_LIMITS
from scythe.wrappers.export import scrapy_spider
from scythe.wrappers.export.record_paths import record_path
from scythe.wrappers.learn import Method, learn_from
from scythe.wrappers.record import Records
from scythe.wrappers.wrapper import Wrapper

ADDRESS = "http://saved.example/"
METHODS: tuple[Method, ...] = ("auto", "vints")
Items = Callable[[RecordPage], list[dict[str, Any]]]


def main() -> None:
    logging.disable(
        logging.WARNING
    )  # spiders say so where a page has no records, which is no news here
    options = arguments(
        "Exported wrappers against the wrapper itself, on unseen pages."
    ).parse_args()
    counts = {method: Counter[str]() for method in METHODS}
    for page_set in record_sets(options.data):
        samples, unseen = page_set.halves
        for method in METHODS if unseen else ():
            try:
                wrapper = learn_from(
                    [parse(page.html) for page in samples], method=method
                )
            except UsageError:
                continue
            for page in unseen:
                counts[method].update(agreement(wrapper, page))
    columns = (
        "pages",
        "spider: records",
        "spider: links",
        "spider: fields",
        "pages with an XPath",
        "XPath: records",
    )
    rows = [
        [method, *(str(found[column]) for column in columns)]
        for method, found in counts.items()
    ]
    report(
        "exports",
        [
            table(
                "Unseen pages on which the export says what the wrapper says",
                ["", *columns],
                rows,
            )
        ],
        counts,
    )


def agreement(wrapper: Wrapper, page: RecordPage) -> Iterator[str]:
    """Yield what is the same for the wrapper and its exports on a page."""
    tree = parse(page.html)
    rows = list(
        Records.from_page(
            ListPage(tree, wrapper.rule.cut(tree), wrapper.fields, ADDRESS),
            "wrapper",
            1.0,
        )
    )
    items = spider_of(wrapper)(page)
    yield "pages"
    if [row.text.split() for row in rows] == [item["text"].split() for item in items]:
        yield "spider: records"
        if [row.link for row in rows] == [item["link"] for item in items]:
            yield "spider: links"
        if [_fields(row.fields) for row in rows] == [_fields(item) for item in items]:
            yield "spider: fields"
    try:
        path = record_path(wrapper.rule)
    except UsageError:
        return
    yield "pages with an XPath"
    if [_squeezed(row.text) for row in rows] == xpath_texts(path, page):
        yield "XPath: records"


def _fields(values: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: value for name, value in values.items() if name not in ("text", "link")
    }


def spider_of(wrapper: Wrapper) -> Items:
    """Return the exported spider, loaded as Scrapy loads it, from a page to its items."""
    from scrapy.http import HtmlResponse

    loaded: dict[str, Any] = {"__name__": "exported"}
    exec(
        compile(scrapy_spider(wrapper, ADDRESS), "exported.py", "exec"), loaded
    )  # the code is what is measured
    spider = loaded["RecordsSpider"]()

    def items(page: RecordPage) -> list[dict[str, Any]]:
        found = spider.parse(
            HtmlResponse(
                ADDRESS, body=_decoded(page).encode(errors="replace"), encoding="utf-8"
            )
        )
        return [item for item in found if isinstance(item, dict)]

    return items


def xpath_texts(path: str, page: RecordPage) -> list[str]:
    """Return what the elements of an XPath say, by another library's reading of the
    page as a browser sees it.
    """
    import lxml.html
    import turbohtml

    root = lxml.html.document_fromstring(turbohtml.parse(_decoded(page)).html)
    hidden = ("script", "style", "noscript", "template", "head")
    unread = " or ".join(f"ancestor::{tag}" for tag in hidden)
    return [
        _squeezed("".join(element.xpath(f".//text()[not({unread})]")))
        for element in root.xpath(path)
    ]


def _decoded(page: RecordPage) -> str:
    return page_text(page.html, DEFAULT_LIMITS.max_bytes, None).text


def _squeezed(text: str) -> str:
    return "".join(text.split())


if __name__ == "__main__":
    main()
