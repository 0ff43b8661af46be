"""Stored engines for other programs: entries for SearXNG's settings, and Scrapy spiders
that take a query.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit, urlunsplit

from scythe.engines.asking.search import (
    SEARCH_FAILURES,
    ResultPage,
    read_results,
    result_pages,
)
from scythe.engines.asking.sender import sender_for
from scythe.engines.definition import EngineDefinition
from scythe.engines.forms.form import MULTIPART, QUERY
from scythe.errors import UsageError
from scythe.tree.encoding import codec_of
from scythe.wrappers.export.searxng import SearxngEntry, searxng_entry, searxng_settings
from scythe.wrappers.export.spider import SpiderSearch, scrapy_spider

_QUERY_MARK = "scythequerymark"
"""Stands for the query while a request is written: letters that every charset and
encoding leave as they are.
"""
PAGING_QUERIES = 2
"""Queries that are sent to see how pages are numbered: a bound on requests, not tuned."""
LONGEST_PAGE_NUMBER = 6
"""Digits of a parameter that may count pages: longer ones are times or identifiers."""
_SIZE = re.compile(r"limit|size|count|rows|per_?page|num|hits|max", re.IGNORECASE)
"""Parameters that take the number of records on a page."""
_ADDRESS = "".join(map(chr, range(0x21, 0x7F)))
"""Characters of an address that are left as they are."""
_XML_DECLARATION = re.compile(rb"\s*<\?xml\b[^>]{0,100}\bencoding\b")


@dataclass(frozen=True, slots=True)
class Paging:
    """The parameter of an address that counts pages: its value on the first page, how
    much it grows with each, and what the addresses of further pages have besides.
    """

    name: str
    first: int
    step: int
    fixed: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class ResultAddresses:
    """Where an engine was seen to give its results."""

    paging: Paging | None = None
    """How its pages are counted; None where their addresses do not show it."""
    landing: str = ""
    """The address that its answer redirects to, with `{query}` in it; empty where it
    answers where it is asked.
    """


Parameters = dict[str, str]


def detect_paging(
    first_url: str, next_url: str | None, records: int, third_url: str | None = None
) -> Paging | None:
    """Return how result pages are counted, from the addresses of the first, the second
    and, if there is one, the third; None where their addresses do not show it.
    """
    if next_url is None:
        return None
    path = urlsplit(first_url).path
    if path != urlsplit(next_url).path:
        return None
    before = _parameters(first_url)
    after = _parameters(next_url)
    changed = _changed_numbers(before, after)
    step = 0
    if third_url is not None:
        third = _parameters(third_url)
        changing_again = _changed_numbers(after, third)
        changed = {name: after[name] for name in changing_again}
    elif len(changed) > 1:
        changed = {name: after[name] for name in changed if not _SIZE.search(name)}
    if len(changed) != 1:
        return None

    (name,) = changed
    second = int(after[name])
    if third_url is not None:
        step = int(_parameters(third_url)[name]) - second
    counted = _counted(second, before.get(name, ""), records, step)
    if counted is None:
        return None
    known = {*before, name}
    fixed = [pair for pair in after.items() if pair[0] not in known]
    return Paging(name, *counted, tuple(fixed))


def _counted(
    second: int, first_value: str, records: int, step: int
) -> tuple[int, int] | None:
    """Return the number of the first page, and how much it grows with each."""
    if step > 0:
        return (second - step, step) if second >= step else None
    if first_value.isdecimal() and second > int(first_value):
        return int(first_value), second - int(first_value)
    if second in (1, 2):
        return second - 1, 1
    if records and second - records in (0, 1):
        return second - records, records
    return None


def _parameters(url: str) -> Parameters:
    return dict(parse_qsl(urlsplit(url).query, keep_blank_values=True))


def _changed_numbers(before: Parameters, after: Parameters) -> Parameters:
    """Return the numbers that a later address has and an earlier one has not."""
    changed = after.items() - before.items()
    return {name: value for name, value in changed if _is_page_number(value)}


def _is_page_number(value: str) -> bool:
    return value.isdecimal() and len(value) <= LONGEST_PAGE_NUMBER


def find_addresses(engine: EngineDefinition) -> ResultAddresses:
    """Search with an engine and return where its results are.

    Raises a `UsageError` where SearXNG could not read its pages, or would not follow.
    """
    addresses = ResultAddresses()
    for query in engine.queries[:PAGING_QUERIES]:
        try:
            with sender_for(engine.home) as sender:
                pages = list(islice(result_pages(engine, query, sender), 2))
        except SEARCH_FAILURES:
            continue
        addresses = _seen_addresses(engine, query, pages)
        if addresses.paging is not None:
            break
    return addresses


def _seen_addresses(
    engine: EngineDefinition, query: str, pages: Sequence[ResultPage]
) -> ResultAddresses:
    """Return where the first and the second page of results were."""
    first = pages[0].response
    if _XML_DECLARATION.match(first.data):
        raise UsageError(
            f"{engine.name} begins its pages with an XML declaration, which SearXNG"
            " cannot read. Export it as a spider: --to scrapy."
        )
    landing = ""
    if first.redirected:
        landing = _landing(engine, first.url, query)
    results = [read_results(engine, page) for page in pages]
    next_urls = [page.next_page for page in results if page.next_page]
    next_url, third_url, *_ = [*next_urls, None, None]
    records = len(results[0])
    paging = detect_paging(first.url, next_url, records, third_url)
    return ResultAddresses(paging, landing)


def _landing(engine: EngineDefinition, url: str, query: str) -> str:
    """Return the address that an answer redirects to, with `{query}` for the query."""
    parts = urlsplit(url)
    pairs = []
    for name, value in parse_qsl(parts.query, keep_blank_values=True):
        marked_value = _QUERY_MARK if value == query else value
        pairs.append((name, marked_value))

    path = []
    for part in parts.path.split("/"):
        is_query = unquote(part) == query
        path.append(_QUERY_MARK if is_query else part)
    marked = parts._replace(path="/".join(path), query=urlencode(pairs))
    if _QUERY_MARK not in marked.path + marked.query:
        raise UsageError(
            f"{engine.name} redirects each search to an address of its own ({url}),"
            " and SearXNG follows no redirect. Use `scythe search`."
        )
    return _template(urlunsplit(marked))


def searxng_entries(
    engines: Sequence[tuple[EngineDefinition, ResultAddresses]],
) -> str:
    """Return the `engines:` list of SearXNG's settings.

    Each engine comes with what is known of the addresses of its results.
    """
    return searxng_settings(
        [_searxng_entry(engine, addresses) for engine, addresses in engines]
    )


def _searxng_entry(
    engine: EngineDefinition, addresses: ResultAddresses
) -> SearxngEntry:
    _require_plain(engine, "SearXNG")
    if codec_of(engine.form.charset) not in ("utf-8", "ascii"):
        raise UsageError(
            f"{engine.name} takes words in {engine.form.charset}, SearXNG sends UTF-8."
            " Export it as a spider: --to scrapy."
        )
    name = engine.name.replace("_", "-").lower()
    request = engine.form.request(_QUERY_MARK)
    if request.body is not None and not addresses.landing:
        body = _template(request.body.decode("ascii"))
        return searxng_entry(engine.wrapper, name, _template(request.url), body)

    paging = addresses.paging
    url = addresses.landing or _template(request.url)
    if paging is None:
        return searxng_entry(engine.wrapper, name, url)
    entry = searxng_entry(engine.wrapper, name, _with_page_number(url, paging))
    return entry | {"first_page_num": paging.first, "page_size": paging.step}


def _with_page_number(url: str, paging: Paging) -> str:
    """Return an address with `{pageno}` as the value of a parameter."""
    parts = urlsplit(url)
    name = urlencode({paging.name: ""})
    given = [pair for pair in parts.query.split("&") if pair]
    pairs = [pair for pair in given if not pair.startswith(name)]
    pairs += [_template(urlencode([pair])) for pair in paging.fixed]
    pairs.append(f"{name}{{pageno}}")
    return urlunsplit(parts._replace(query="&".join(pairs)))


def _template(text: str) -> str:
    """Return an address or a body with `{query}` for the query, and no other braces."""
    plain = text.replace("{", "%7B").replace("}", "%7D")
    return plain.replace(_QUERY_MARK, QUERY)


def engine_spider(engine: EngineDefinition) -> str:
    """Return a spider for the results of any query.

    It is run with `scrapy runspider FILE -a query=hay`.
    """
    _require_plain(engine, "A spider")
    request = engine.form.request(_QUERY_MARK)
    body = ""
    if request.body is not None:
        body = _template(request.body.decode("ascii"))
    search = SpiderSearch(
        url=_template(request.url),
        query=engine.queries[0] if engine.queries else "",
        codec=codec_of(engine.form.charset) or "utf-8",
        method=request.method.upper(),
        body=body,
        headers=request.headers,
    )
    example = request.url.replace(_QUERY_MARK, "QUERY")
    url = quote(example, safe=_ADDRESS)
    return scrapy_spider(engine.wrapper, url, engine.name, search)


def _require_plain(engine: EngineDefinition, program: str) -> None:
    """Refuse an engine that only Scythe can search."""
    if engine.rendered:
        raise UsageError(
            f"{engine.name} builds its results by script. {program} sees no script:"
            " use `scythe search`."
        )
    if engine.session:
        raise UsageError(
            f"{engine.name} needs a session of its own for each search."
            f" {program} has none: use `scythe search`."
        )
    is_post = engine.form.method == "post"
    if is_post and engine.form.enctype == MULTIPART:
        raise UsageError(
            f"{engine.name} takes its words as multipart data."
            f" {program} does not send that: use `scythe search`."
        )
