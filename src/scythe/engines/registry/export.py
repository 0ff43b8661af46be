"""Stored engines for other programs: entries for SearXNG's settings, and Scrapy spiders
that take a query.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from scythe.engines.asking.search import search_engine
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


@dataclass(frozen=True, slots=True)
class Paging:
    """The parameter of an address that counts pages: its value on the first page, and
    how much it grows with each.
    """

    name: str
    first: int
    step: int


def detect_paging(first_url: str, next_url: str | None, records: int) -> Paging | None:
    """Return how result pages are counted, from the addresses of the first and the
    second; None where their addresses do not show it.
    """
    if next_url is None:
        return None
    first_parts, next_parts = urlsplit(first_url), urlsplit(next_url)
    before = dict(parse_qsl(first_parts.query, keep_blank_values=True))
    after = dict(parse_qsl(next_parts.query, keep_blank_values=True))
    changed = [
        (name, int(value))
        for name, value in after.items()
        if before.get(name) != value and _is_page_number(value)
    ]
    if first_parts.path != next_parts.path or len(changed) != 1:
        return None

    name, second = changed[0]
    first_value = before.get(name, "")
    if first_value.isdecimal() and second > int(first_value):
        first = int(first_value)
        return Paging(name, first, second - first)
    if second in (1, 2):
        return Paging(name, second - 1, 1)
    if records and second - records in (0, 1):
        return Paging(name, second - records, records)
    return None


def _is_page_number(value: str) -> bool:
    return value.isdecimal() and len(value) <= LONGEST_PAGE_NUMBER


def find_paging(engine: EngineDefinition) -> Paging | None:
    """Search with an engine and return how its result pages are counted."""
    for query in engine.queries[:PAGING_QUERIES]:
        results = search_engine(engine, query)
        first_url = engine.form.request(query).url
        paging = detect_paging(first_url, results.next_page, len(results))
        if paging:
            return paging
    return None


def searxng_entries(
    engines: Sequence[tuple[EngineDefinition, Paging | None]],
) -> str:
    """Return the `engines:` list of SearXNG's settings.

    Each engine comes with how its pages are counted, if that is known.
    """
    return searxng_settings(
        [_searxng_entry(engine, paging) for engine, paging in engines]
    )


def _searxng_entry(engine: EngineDefinition, paging: Paging | None) -> SearxngEntry:
    _require_plain(engine, "SearXNG")
    if codec_of(engine.form.charset) not in ("utf-8", "ascii"):
        raise UsageError(
            f"{engine.name} takes words in {engine.form.charset}, SearXNG sends UTF-8."
            " Export it as a spider: --to scrapy."
        )
    name = engine.name.replace("_", "-")
    request = engine.form.request(_QUERY_MARK)
    if request.body is not None:
        body = _template(request.body.decode("ascii"))
        return searxng_entry(engine.wrapper, name, request.url, body)
    if paging is None:
        return searxng_entry(engine.wrapper, name, _template(request.url))

    url = _template(_with_page_number(request.url, paging.name))
    entry = searxng_entry(engine.wrapper, name, url)
    return entry | {"first_page_num": paging.first, "page_size": paging.step}


def _with_page_number(url: str, name: str) -> str:
    """Return an address with `{pageno}` as the value of a parameter."""
    parts = urlsplit(url)
    pairs = parse_qsl(parts.query, keep_blank_values=True)
    other_pairs = [pair for pair in pairs if pair[0] != name]
    query = urlencode({name: ""}) + "{pageno}"
    if other_pairs:
        query = f"{urlencode(other_pairs)}&{query}"
    return urlunsplit(parts._replace(query=query))


def _template(text: str) -> str:
    return text.replace(_QUERY_MARK, QUERY)


def engine_spider(engine: EngineDefinition) -> str:
    """Return a spider for the results of any query.

    It is run with `scrapy runspider FILE -a query=hay`.
    """
    _require_plain(engine, "A spider")
    request = engine.form.request(_QUERY_MARK)
    body = "" if request.body is None else _template(request.body.decode("ascii"))
    search = SpiderSearch(
        url=_template(request.url),
        query=engine.queries[0] if engine.queries else "",
        codec=codec_of(engine.form.charset) or "utf-8",
        method=request.method.upper(),
        body=body,
        headers=request.headers,
    )
    url = request.url.replace(_QUERY_MARK, "QUERY")
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
    if engine.form.method == "post" and engine.form.enctype == MULTIPART:
        raise UsageError(
            f"{engine.name} takes its words as multipart data."
            f" {program} does not send that: use `scythe search`."
        )
