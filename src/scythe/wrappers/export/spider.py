"""A wrapper as a Scrapy spider: one file that runs by itself, without Scythe."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from scythe.errors import UsageError
from scythe.wrappers.export import spider_runtime as runtime
from scythe.wrappers.export.record_paths import head_path
from scythe.wrappers.export.xpath import field_paths
from scythe.wrappers.rule import LocatedRule, Rule
from scythe.wrappers.vints.rule import SeparatedRule
from scythe.wrappers.wrapper import Wrapper

_WIDTH = 88
"""Characters of a line of constants in a spider."""

_FILE = '''\
"""Records of {start_url}: a Scrapy spider written by Scythe.

    scrapy runspider THIS_FILE.py -O records.jsonl -a pages=20{more}

It reads up to `pages` pages, asks robots.txt, and waits a second between two pages. Where
turbohtml is installed, broken markup is understood as browsers do: `pip install turbohtml`.
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
            self.logger.warning(
                "There are no records on %s. If it has some, the site has changed.",
                response.url,
            )
        for record in records:
            yield item_of(record, base)
        following = next_link(root, records)
        if following and number < int(self.pages):
            yield response.follow(
                urljoin(base, following),
                self.parse,
                cb_kwargs={{"number": number + 1}},
            )


def tree_of(response):
    if turbohtml is None:
        return response.selector.root
    return scrapy.Selector(text=turbohtml.parse(response.text).html).root


def item_of(record, base):
    item = read_fields(record, FIELDS, one_element={one_element})
    address_fields = {{name for name, _, kind, _ in FIELDS if kind in ("link", "image")}}
    for name in address_fields & set(item):
        item[name] = absolute_urls(item[name], base)
    if not isinstance(item.get("link"), str):
        link = first_link(record)
        item["link"] = link and urljoin(base, link)
    return {{**item, "text": record_text(record)}}


def absolute_urls(value, base):
    if isinstance(value, list):
        return [urljoin(base, address) for address in value]
    return urljoin(base, value)


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


class _Cutting(NamedTuple):
    """How a spider cuts a page into records."""

    constants: str
    """The constants of the rule, as source."""
    call: str
    """The call that cuts a page by them, as source."""
    functions: tuple[runtime.RuntimeFunction, ...]
    """The functions that it needs."""


def scrapy_spider(
    wrapper: Wrapper,
    start_url: str,
    name: str = "records",
    search: SpiderSearch | None = None,
) -> str:
    """Return the source of a spider that gives the records of the wrapper, page after
    page, from an address on.

    With a `search`, it begins with the results of a query that its command may give:
    `-a query=hay`. Items are flat: the fields by name, `link` and `text`.
    """
    if not start_url.startswith(("http://", "https://")) or not start_url.isprintable():
        raise UsageError(
            f"A spider starts at a web address, not at {start_url!r}. "
            "It must begin with https:// or http://."
        )
    cutting = _cutting(wrapper.rule)
    fields = [
        (field.name, field.path, field.kind.value, field.many)
        for field in field_paths(wrapper.fields)
    ]
    functions = [*cutting.functions, *runtime.READING]
    sources = [inspect.getsource(function).strip() for function in functions]
    constants = [
        f"{constant} = {_list_source(values)}"
        for constant, values in runtime.CONSTANTS.items()
    ]
    return _FILE.format(
        start_url=start_url.replace("\\", "%5C").replace('"', "%22"),
        rule=cutting.constants,
        cut=cutting.call,
        fields=_list_source(fields),
        name=_string_source(name),
        one_element=wrapper.fields.starts_at_one_element,
        functions="\n\n\n".join(sources),
        constants="\n".join(constants),
        **_start(start_url, search),
    )


def _start(start_url: str, search: SpiderSearch | None) -> dict[str, str]:
    """Return how the spider gets to its first page, as parts of its source."""
    if search is None:
        return {
            "start": f"    start_urls = [{_string_source(start_url)}]",
            "search": "",
            "more": "",
            "imports": "",
        }
    search_source = _SEARCH.format(
        codec=_string_source(search.codec),
        url=_string_source(search.url),
        method=_string_source(search.method),
        body=_string_source(search.body),
        headers=dict(search.headers),
    )
    return {
        "start": f"    query = {_string_source(search.query)}",
        "search": search_source,
        "more": ' -a query="some words"',
        "imports": "quote_plus, ",
    }


def _cutting(rule: Rule) -> _Cutting:
    """Return how a spider cuts a page into records by a rule."""
    if isinstance(rule, SeparatedRule):
        prefix = [(step.tag, step.direction) for step in rule.prefix]
        separators = [
            (list(separator.forest), separator.depth) for separator in rule.separators
        ]
        first = max(rule.min - 1, 0)
        last = "" if rule.max is None else rule.max
        return _Cutting(
            f"PREFIX = {_list_source(prefix)}\nSEPARATORS = {_list_source(separators)}",
            f"separated_records(root, PREFIX, SEPARATORS)[{first}:{last}]",
            runtime.CUTTING_SEPARATED,
        )
    if not isinstance(rule, LocatedRule):
        raise UsageError(
            f"There is no spider for wrappers of the kind {rule.KIND}. "
            "Learn the wrapper again."
        )
    record = f"RECORD = {_string_source(head_path(rule))}"
    if rule.runs:
        call = "sibling_runs(root.xpath(RECORD))"
        return _Cutting(record, call, runtime.CUTTING_RUNS)
    return _Cutting(record, "[[element] for element in root.xpath(RECORD)]", ())


def _string_source(text: str) -> str:
    """Return a string as Python writes it, in ASCII and in double quotes."""
    escaped = text.encode("unicode_escape").decode("ascii").replace('"', '\\"')
    return f'"{escaped}"'


def _list_source(values: list[Any]) -> str:
    """Return a list as Python writes it, strings side by side, others on lines of their
    own.
    """
    if not all(isinstance(value, str) for value in values):
        lines = [f"    {value!r}," for value in values]
        return "\n".join(["[", *lines, "]"])
    lines = ["   "]
    for value in values:
        if len(lines[-1]) + len(repr(value)) > _WIDTH:
            lines.append("   ")
        lines[-1] += f" {value!r},"
    return "\n".join(["[", *lines, "]"])
