"""A wrapper as a Scrapy spider: one file that runs by itself, without Scythe."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from scythe.errors import UsageError
from scythe.wrappers.export import harvest
from scythe.wrappers.export.field_paths import field_paths, starts_at_one_element
from scythe.wrappers.export.rule_paths import heads
from scythe.wrappers.rule import LocatedRule, Rule
from scythe.wrappers.vints.rule import SeparatedRule
from scythe.wrappers.wrapper import Wrapper

Part = Callable[..., Any]

_WIDTH = 110
_READING: tuple[Part, ...] = (
    harvest.text_of,
    harvest.line_of,
    harvest.before,
    harvest.run_of,
    harvest.image_of,
    harvest.base_url,
    harvest.value_of,
    harvest.fields_of,
    harvest.first_link,
    harvest.next_link,
    harvest.leads_on,
    harvest.classes_of,
    harvest.is_next,
    harvest.next_number,
)
_SEPARATING: tuple[Part, ...] = (
    harvest.elements_of,
    harvest.add_table_bodies,
    harvest.follow,
    harvest.structure,
    harvest.without_heading,
    harvest.has_text,
    harvest.separated,
)

_FILE = '''\
"""Records of {start_url}: a Scrapy spider written by Scythe.

    scrapy runspider THIS_FILE.py -O records.jsonl -a pages=20{more}

It reads up to `pages` pages, asks robots.txt, and waits a second between two pages. Where turbohtml is installed, broken
markup is understood as browsers do: `pip install turbohtml`.
"""

from copy import deepcopy
from typing import Any
from urllib.parse import {imports}urljoin, urlsplit

import scrapy

try:
    import turbohtml
except ImportError:
    turbohtml = None

{rule}
FIELDS = {fields}


class RecordsSpider(scrapy.Spider):
    name = {name}
{start}
    pages = 10
    custom_settings = {{"ROBOTSTXT_OBEY": True, "DOWNLOAD_DELAY": 1}}
{search}
    def parse(self, response, number=1):
        if not isinstance(response, scrapy.http.TextResponse):
            return
        root = tree_of(response)
        base = base_url(root, response.url)
        records = {cut}
        if not records:
            self.logger.warning("There are no records on %s. If it has some, the site has changed.", response.url)
        for record in records:
            yield item_of(record, base)
        following = next_link(root, records)
        if following and number < int(self.pages):
            yield response.follow(urljoin(base, following), self.parse, cb_kwargs={{"number": number + 1}})


def tree_of(response):
    if turbohtml is None:
        return response.selector.root
    return scrapy.Selector(text=turbohtml.parse(response.text).html).root


def item_of(record, base):
    fields = fields_of(record, FIELDS, whole={whole})
    addresses = [name for name, _, kind, _ in FIELDS if kind in ("link", "image")]
    for name, value in fields.items():
        if name in addresses:
            fields[name] = [urljoin(base, one) for one in value] if isinstance(value, list) else urljoin(base, value)
    if not isinstance(fields.get("link"), str):
        link = first_link(record)
        fields["link"] = link and urljoin(base, link)
    return {{**fields, "text": text_of(record)}}


{functions}


{constants}
'''


_SEARCH = """
    async def start(self):
        yield self.search()

    def start_requests(self):  # Scrapy before 2.13
        yield self.search()

    def search(self):
        words = quote_plus(self.query.encode({codec}, "xmlcharrefreplace"), safe="*-._")
        return scrapy.Request(
            {url}.replace("{{query}}", words),
            self.parse,
            method={method},
            body={body}.replace("{{query}}", words),
            headers={headers!r},
        )
"""


@dataclass(frozen=True)
class SpiderSearch:
    """A search that a spider begins with: `{query}` stands for the encoded words, in
    the address or in what is posted.
    """

    url: str
    query: str
    """What is searched for where the command says nothing else."""
    codec: str = "utf-8"
    method: str = "GET"
    body: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)


def scrapy_spider(
    wrapper: Wrapper,
    start_url: str,
    name: str = "records",
    search: SpiderSearch | None = None,
) -> str:
    """The source of a spider that gives the records of the wrapper, page after page,
    from an address on.

    With a `search`, it begins with the results of a query that its command may give:
    `-a query=hay`. Items are flat: the fields by name, `link` and `text`.
    """
    if not start_url.startswith(("http://", "https://")) or not start_url.isprintable():
        raise UsageError(
            f"A spider starts at a web address, not at {start_url!r}. It must begin with https:// or http://."
        )
    rule, cut, parts = _cutting(wrapper.rule)
    return _FILE.format(
        start_url=start_url.replace("\\", "%5C").replace('"', "%22"),
        rule=rule,
        cut=cut,
        fields=_written(
            [
                (field.name, field.path, field.kind, field.many)
                for field in field_paths(wrapper.fields)
            ]
        ),
        name=_string(name),
        **_beginning(start_url, search),
        whole=starts_at_one_element(wrapper.fields),
        functions="\n\n\n".join(map(_source, (*parts, *_READING))),
        constants="\n".join(
            [
                f"{constant} = {_written(getattr(harvest, constant))}"
                for constant in harvest.CONSTANTS
            ]
        ),
    )


def _beginning(start_url: str, search: SpiderSearch | None) -> dict[str, str]:
    """How the spider gets to its first page."""
    if search is None:
        return {
            "start": f"    start_urls = [{_string(start_url)}]",
            "search": "",
            "more": "",
            "imports": "",
        }
    values = {
        name: _string(getattr(search, name))
        for name in ("codec", "url", "method", "body")
    }
    return {
        "start": f"    query = {_string(search.query)}",
        "search": _SEARCH.format(**values, headers=dict(search.headers)),
        "more": ' -a query="some words"',
        "imports": "quote_plus, ",
    }


def _cutting(rule: Rule) -> tuple[str, str, tuple[Part, ...]]:
    """The constants of a rule, the call that cuts a page into records by them, and the
    functions it needs.
    """
    if isinstance(rule, SeparatedRule):
        prefix = _written([(step.tag, step.direction) for step in rule.prefix])
        separators = _written(
            [(list(separator.forest), separator.depth) for separator in rule.separators]
        )
        bounds = f"{max(rule.min - 1, 0)}:{'' if rule.max is None else rule.max}"
        return (
            f"PREFIX = {prefix}\nSEPARATORS = {separators}",
            f"separated(root, PREFIX, SEPARATORS)[{bounds}]",
            _SEPARATING,
        )
    if not isinstance(rule, LocatedRule):
        raise UsageError(
            f"There is no spider for wrappers of the kind {rule.KIND}. Learn the wrapper again."
        )
    record = f"RECORD = {_string(heads(rule))}"
    if rule.runs:
        return record, "runs_of(root.xpath(RECORD))", (harvest.runs_of,)
    return record, "[[element] for element in root.xpath(RECORD)]", ()


def _source(part: Part) -> str:
    return inspect.getsource(part).strip()


def _string(text: str) -> str:
    return json.dumps(text, ensure_ascii=True)


def _written(values: list[Any]) -> str:
    """A list as Python writes it, strings side by side, others on lines of their own."""
    if not all(isinstance(value, str) for value in values):
        return "[\n" + "".join(f"    {value!r},\n" for value in values) + "]"
    lines = ["   "]
    for value in values:
        if len(lines[-1]) + len(repr(value)) > _WIDTH:
            lines.append("   ")
        lines[-1] += f" {value!r},"
    return "\n".join(["[", *lines, "]"])
